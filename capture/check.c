// SPDX-License-Identifier: GPL-3.0-or-later
/* The list of checks, and the answer that follows from them. */
#include "capture/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/check_parts.h"
#include "capture/io.h"
#include "capture/procfs.h"

static const struct {
	const char *name;
	cap_check_fn *run;
} checks[] = {
	/* the three that tell why tracefs may refuse stand before it */
	{ "root", cap_check_root },
	{ "namespaces", cap_check_namespaces },
	{ "lockdown", cap_check_lockdown },
	{ "tracefs", cap_check_tracefs },
	{ "instance", cap_check_instance },
	{ "clock", cap_check_clock },
	{ "events", cap_check_events },
	{ "kvm", cap_check_kvm },
	{ "kvm_events", cap_check_kvm_events },
	{ "sched_info", cap_check_sched_info },
	{ "cgroup", cap_check_cgroup },
	{ "sched_ext", cap_check_sched_ext },
	{ "smt", cap_check_smt },
	{ "core_sched", cap_check_core_sched },
	{ "schedstats", cap_check_schedstats },
	{ "cookies", cap_check_cookies },
	{ "vm_cookies", cap_check_vm_cookies },
	{ "host_steal", cap_check_steal },
	{ "disk", cap_check_disk },
	{ "gnuplot", cap_check_gnuplot },
};

#define NCHECKS (sizeof(checks) / sizeof(checks[0]))
_Static_assert(NCHECKS <= CAP_CHECK_MAX, "CAP_CHECK_MAX too small");

static unsigned int count_cpus(const struct cap_check_ctx *x)
{
	unsigned int n = 0;
	char *text;

	if (cap_io_read_all(x->procfd, "stat", &text, NULL) < 0)
		return 1;
	for (const char *p = strstr(text, "\ncpu"); p; p = strstr(p + 1, "\ncpu"))
		n++;
	free(text);
	return n ? n : 1;
}

static bool sees_smt(const struct cap_check_ctx *x)
{
	char text[256];

	if (cap_check_line(x, "sys/devices/system/cpu/smt/active", text, sizeof(text)))
		return text[0] == '1';
	/* before Linux 4.19: more CPUs than one in the list of the first one's siblings */
	return cap_check_line(x, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", text,
			      sizeof(text)) &&
	       strpbrk(text, ",-");
}

static void gather(struct cap_check_ctx *x)
{
	uint64_t unused;

	x->procfd = openat(x->host->root, "proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	x->tracefs = -1;
	x->core = x->host->calls->cookie(x->host->calls->ctx, 0, &unused);
	x->ncpu = count_cpus(x);
	x->has_smt = sees_smt(x);
	cap_check_line(x, "proc/sys/kernel/osrelease", x->release, sizeof(x->release));
	if (cap_io_read_at(x->procfd, "cpuinfo", x->cpuinfo, sizeof(x->cpuinfo)) < 0)
		x->cpuinfo[0] = '\0';
}

/* Root may have no sudo. */
static void drop_sudo(char *fix)
{
	static const char sudo[] = "sudo ";
	char *at;

	while ((at = strstr(fix, sudo)))
		memmove(at, at + sizeof(sudo) - 1, strlen(at + sizeof(sudo) - 1) + 1);
}

int cap_check_run(const struct cap_check_host *host, struct cap_check ret[CAP_CHECK_MAX],
		  size_t *ret_n)
{
	struct cap_check_ctx *x = calloc(1, sizeof(*x));

	if (!x)
		return -ENOMEM;
	x->host = host;
	gather(x);
	for (size_t i = 0; i < NCHECKS; i++) {
		ret[i] = (struct cap_check){ .name = checks[i].name };
		checks[i].run(x, &ret[i]);
		if (x->is_root)
			drop_sudo(ret[i].fix);
	}
	*ret_n = NCHECKS;
	if (x->tracefs >= 0)
		close(x->tracefs);
	if (x->procfd >= 0)
		close(x->procfd);
	free(x->available);
	free(x);
	return 0;
}

const char *cap_check_state_name(enum cap_check_state state)
{
	static const char *const name[] = {
		[CAP_CHECK_OK] = "ok",
		[CAP_CHECK_DEGRADED] = "degraded",
		[CAP_CHECK_MISSING] = "missing",
	};

	return name[state];
}

bool cap_check_can_record(const struct cap_check *check, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (check[i].state == CAP_CHECK_MISSING)
			return false;
	return true;
}

size_t cap_check_losses(const struct cap_check *check, size_t n, const char *ret[CAP_CHECK_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		bool is_new = check[i].loss && check[i].state != CAP_CHECK_OK;

		for (size_t k = 0; k < count && is_new; k++)
			is_new = strcmp(ret[k], check[i].loss) != 0;
		if (is_new)
			ret[count++] = check[i].loss;
	}
	return count;
}

/* "a", "a and b", "a, b and c" */
static void append_list(char *ret, size_t size, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cap_check_append(ret, size, "%s%s",
				 i == 0	      ? ""
				 : i == n - 1 ? " and "
					      : ", ",
				 word[i]);
}

void cap_check_answer(const struct cap_check *check, size_t n, char *ret, size_t size)
{
	const char *word[CAP_CHECK_MAX];
	size_t count = 0;

	ret[0] = '\0';
	if (!cap_check_can_record(check, n)) {
		for (size_t i = 0; i < n; i++)
			if (check[i].state == CAP_CHECK_MISSING && !check[i].follows)
				word[count++] = check[i].name;
		cap_check_append(ret, size, "this machine cannot record; what stands in the way: ");
		append_list(ret, size, word, count);
		return;
	}
	count = cap_check_losses(check, n, word);
	if (count == 0) {
		cap_check_append(ret, size, "this machine can record, and nothing will be missing");
		return;
	}
	cap_check_append(ret, size, "this machine can record; missing or weaker will be: ");
	append_list(ret, size, word, count);
}
