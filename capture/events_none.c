// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters alone: formats from here instead of from tracefs, and a main buffer without records. */
#include "capture/events_none.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/cmdlines.h"
#include "fcap/version.h"

#define PAGE_HEAD (8 + sizeof(long)) /* the time, and the count of used bytes */
#define FIELD	  "\tfield:%s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n"

/* Texts of this file's layout; struct cap_marks_layout is read from the first and the last. */
struct texts {
	char page[512], event[512], print[1024];
};

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

static void describe(struct texts *t)
{
	describe_page(t->page, sizeof(t->page));
	describe_event(t->event, sizeof(t->event));
	describe_print(t->print, sizeof(t->print));
}

int cap_none_layout(struct cap_marks_layout *ret, struct fcap_err *err)
{
	struct texts t;

	describe(&t);
	return cap_marks_layout_parse(t.page, t.print, ret, err);
}

static struct cap_blob blob_of(const char *text)
{
	return (struct cap_blob){ text, strlen(text) };
}

static struct cap_dat_option option_of(enum cap_dat_option_id id, const char *text)
{
	return (struct cap_dat_option){ id, { text, strlen(text) + 1 } };
}

static int write_dat(int fd, struct cap_blob cmdlines, const struct cap_dat_cpu *marks,
		     struct fcap_err *err)
{
	const uint32_t ncpu = (uint32_t)get_nprocs_conf();
	struct cap_dat_cpu *none = calloc(ncpu, sizeof(*none));
	struct cap_dat_cpu *second = calloc(ncpu, sizeof(*second));
	struct texts t;
	struct utsname u = { 0 };
	char host[sizeof(u)];
	int r;

	describe(&t);
	uname(&u);
	snprintf(host, sizeof(host), "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	if (none && second) {
		const struct cap_blob print = blob_of(t.print);
		const struct cap_dat_option option[] = {
			option_of(CAP_DAT_TRACECLOCK, "[mono]\n"),
			option_of(CAP_DAT_UNAME, host),
			option_of(CAP_DAT_VERSION, "fcap " FCAP_VERSION),
		};
		const struct cap_dat dat = {
			.page_size = (uint32_t)sysconf(_SC_PAGESIZE),
			.header_page = blob_of(t.page),
			.header_event = blob_of(t.event),
			.ftrace = &print,
			.nftrace = 1,
			.cmdlines = cmdlines,
			.option = option,
			.noption = sizeof(option) / sizeof(option[0]),
			.clock = "mono",
			.ncpu = ncpu,
			.cpu = none,
			.second_name = "fcap",
			.second = second,
		};

		second[0] = *marks;
		r = cap_dat_write(fd, &dat, err);
	} else {
		r = fcap_fail(err, ENOMEM, "out of memory");
	}
	free(none);
	free(second);
	return r;
}

int cap_none_assemble(int fd, const struct cap_tasks *tasks, const struct cap_dat_cpu *marks,
		      struct fcap_err *err)
{
	char *text;
	size_t len;
	int r = cap_cmdlines_build(NULL, tasks, getpid(), &text, &len);

	if (r < 0)
		return fcap_fail(err, -r, "out of memory");
	r = write_dat(fd, (struct cap_blob){ text, len }, marks, err);
	free(text);
	return r;
}
