// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters alone: formats from here instead of from tracefs, and a main buffer without records. */
#include "capture/events_none.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/head.h"

#define PAGE_HEAD (8 + sizeof(long)) /* the time, and the count of used bytes */
#define FIELD	  "\tfield:%s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n"

int cap_none_check(int procfd, void (*say)(const char *text), struct fcap_err *err)
{
	int fd;

	if (faccessat(procfd, "self/schedstat", R_OK, 0) < 0)
		return fcap_fail(err, ENOENT,
				 "there is no /proc/self/schedstat, from which all counters come; "
				 "use a kernel with CONFIG_SCHED_INFO");
	/* which files a process has open, by which VMs are known, only its owner and root may see
	 */
	fd = openat(procfd, "1/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	else
		say("note: only VMs of your own are seen, as looking into processes of others is "
		    "not permitted; run as root to see all");
	return 0;
}

static void describe_page(char *text, size_t size)
{
	const size_t data = (size_t)sysconf(_SC_PAGESIZE) - PAGE_HEAD;

	snprintf(text, size, FIELD FIELD FIELD FIELD, "u64 timestamp", (size_t)0, (size_t)8, 0,
		 "local_t commit", (size_t)8, sizeof(long), 1, "int overwrite", (size_t)8,
		 (size_t)1, 1, "char data", PAGE_HEAD, data, 0);
}

/* The kinds of entries as marks.c writes them; readers print this, and know it by heart. */
static void describe_event(char *text, size_t size)
{
	snprintf(text, size,
		 "# compressed entry header\n"
		 "\ttype_len    :    5 bits\n"
		 "\ttime_delta  :   27 bits\n"
		 "\tarray       :   32 bits\n"
		 "\n"
		 "\tpadding     : type == 29\n"
		 "\ttime_extend : type == 30\n"
		 "\ttime_stamp : type == 31\n"
		 "\tdata max type_len  == 28\n");
}

static void describe_print(char *text, size_t size)
{
	snprintf(text, size,
		 "name: print\nID: 5\nformat:\n" FIELD FIELD FIELD FIELD "\n" FIELD FIELD
		 "\nprint fmt: \"%%ps: %%s\", (void *)REC->ip, REC->buf\n",
		 "unsigned short common_type", (size_t)0, (size_t)2, 0,
		 "unsigned char common_flags", (size_t)2, (size_t)1, 0,
		 "unsigned char common_preempt_count", (size_t)3, (size_t)1, 0, "int common_pid",
		 (size_t)4, (size_t)4, 1, "unsigned long ip", (size_t)8, sizeof(long), 0,
		 "char buf[]", 8 + sizeof(long), (size_t)0, 0);
}

static int add_all(FILE *out, int level)
{
	char text[1024];
	const int r = cap_head_add_facts(out, (uint32_t)get_nprocs_conf(), level);

	cap_archive_print(out, "clock", "[mono]\n");
	describe_page(text, sizeof(text));
	cap_archive_print(out, "header_page", "%s", text);
	describe_event(text, sizeof(text));
	cap_archive_print(out, "header_event", "%s", text);
	describe_print(text, sizeof(text));
	cap_archive_print(out, CAP_HEAD_FORMAT "ftrace/print", "%s", text);
	cap_archive_end(out);
	return r;
}

int cap_none_head(char **ret, size_t *ret_len, int level, struct fcap_err *err)
{
	FILE *out = open_memstream(ret, ret_len);
	int r;

	if (!out)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = add_all(out, level);
	if (fclose(out) != 0 && r == 0)
		r = -ENOMEM;
	if (r == 0)
		return 0;
	free(*ret);
	*ret = NULL;
	return fcap_fail(err, -r, "cannot say what this machine is: %s", strerror(-r));
}
