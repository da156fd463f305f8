// SPDX-License-Identifier: GPL-3.0-or-later
/* "machine" and "freq" lines. */
#include "capture/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/io.h"
#include "capture/speed.h"

#define CPU	   "devices/system/cpu/"
#define VULNERABLE CPU "vulnerabilities/"

enum { GOVERNOR, CPU_MODEL, BOOT, FAIR_CLASS, COMPUTED };

static const char *const computed[COMPUTED] = {
	[GOVERNOR] = "governor",
	[CPU_MODEL] = "cpu_model",
	[BOOT] = "boot",
	[FAIR_CLASS] = "fair_class",
};

/* Keys whose value is the first line of a file; those up to OFTEN are looked at each time. */
static const struct {
	const char *key, *path;
	bool is_proc;
} file[] = {
	{ "smt", CPU "smt/control", false },
	{ "halt_poll_ns", "module/kvm/parameters/halt_poll_ns", false },
	{ "boost", CPU "cpufreq/boost", false },
	{ "no_turbo", CPU "intel_pstate/no_turbo", false },
	{ "freq_driver", CPU "cpu0/cpufreq/scaling_driver", false },
	{ "isolated", CPU "isolated", false },
	{ "nohz_full", CPU "nohz_full", false },
	{ "l1d_flush", "module/kvm_intel/parameters/vmentry_l1d_flush", false },
	{ "l1tf", VULNERABLE "l1tf", false },
	{ "mds", VULNERABLE "mds", false },
	{ "tsx_async_abort", VULNERABLE "tsx_async_abort", false },
	{ "mmio_stale_data", VULNERABLE "mmio_stale_data", false },
	{ "retbleed", VULNERABLE "retbleed", false },
	{ "spectre_v2", VULNERABLE "spectre_v2", false },
	{ "vmscape", VULNERABLE "vmscape", false },
	{ "numa_balancing", "sys/kernel/numa_balancing", true },
	{ "base_slice_ns", "kernel/debug/sched/base_slice_ns", false },
	{ "sched_features", "kernel/debug/sched/features", false },
};

#define FILES  (sizeof(file) / sizeof(file[0]))
#define OFTEN  4
#define SELDOM 10 /* whole samples until the others are looked at again */

struct cap_machine {
	int procfd, sysfd;
	unsigned int looks;
	char *value[FILES + COMPUTED]; /* as told last; NULL: never */
	struct cap_speed speed;
};

struct cap_machine *cap_machine_open(int procfd, int sysfd)
{
	struct cap_machine *m = calloc(1, sizeof(*m));

	if (m) {
		m->procfd = procfd;
		m->sysfd = sysfd;
	}
	return m;
}

/* The first line of a file; false and the empty text if there is none. */
static bool read_line(int dirfd, const char *path, char *ret, size_t size)
{
	if (dirfd < 0 || cap_io_read_at(dirfd, path, ret, size) < 0)
		ret[0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	return ret[0] != '\0';
}

/* Puts a value that is not the one told last. */
static void put(struct cap_machine *m, struct cap_emit *e, size_t i, const char *value)
{
	const char *key = i < FILES ? file[i].key : computed[i - FILES];
	char *copy;

	if (m->value[i] ? strcmp(m->value[i], value) == 0 : !*value)
		return;
	copy = strdup(value);
	if (!copy) {
		e->error = -ENOMEM;
		return;
	}
	free(m->value[i]);
	m->value[i] = copy;
	cap_emit_str(e, key, value);
}

/* What stays as it is until the next boot. */
static void put_lasting(struct cap_machine *m, struct cap_emit *e)
{
	char text[4096], value[1024], release[128];
	const char *class;

	if (cap_io_read_at(m->procfd, "cpuinfo", text, sizeof(text)) > 0 &&
	    cap_machine_cpu_model(text, value, sizeof(value)))
		put(m, e, FILES + CPU_MODEL, value);
	if (cap_io_read_at(m->procfd, "cmdline", text, sizeof(text)) > 0) {
		cap_machine_boot_options(text, value, sizeof(value));
		put(m, e, FILES + BOOT, value);
	}
	read_line(m->procfd, "sys/kernel/osrelease", release, sizeof(release));
	read_line(m->sysfd, "kernel/debug/sched/features", text, sizeof(text));
	class = cap_machine_fair_class(text, release);
	if (class)
		put(m, e, FILES + FAIR_CLASS, class);
}

static void put_files(struct cap_machine *m, struct cap_emit *e, size_t from, size_t to)
{
	char value[2048];

	for (size_t i = from; i < to; i++) {
		read_line(file[i].is_proc ? m->procfd : m->sysfd, file[i].path, value,
			  sizeof(value));
		put(m, e, i, value);
	}
}

/* A switch of SMT, for one, shows in what the vulnerabilities say, and brings CPUs. */
static int look_at_all(struct cap_machine *m, struct cap_sink to)
{
	const bool is_due = m->looks++ % SELDOM == 0;
	char governors[256];
	struct cap_emit e;
	int r = 0;

	cap_emit_begin(&e, to, "machine");
	if (m->looks == 1)
		put_lasting(m, &e);
	put_files(m, &e, 0, OFTEN);
	if (is_due || e.keys) {
		put_files(m, &e, OFTEN, FILES);
		r = cap_speed_find(&m->speed, m->sysfd);
	}
	cap_speed_governors(m->sysfd, governors, sizeof(governors));
	put(m, &e, FILES + GOVERNOR, governors);
	if (e.keys && r == 0)
		r = cap_emit_end(&e);
	return r;
}

int cap_machine_sample(struct cap_machine *m, bool whole, struct cap_sink to)
{
	const int r = whole ? look_at_all(m, to) : 0;

	return r < 0 ? r : cap_speed_sample(&m->speed, to);
}

void cap_machine_close(struct cap_machine *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < FILES + COMPUTED; i++)
		free(m->value[i]);
	cap_speed_clear(&m->speed);
	free(m);
}
