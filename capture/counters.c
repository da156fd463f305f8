// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters of threads and CPUs. */
#include "capture/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/cpu_times.h"
#include "capture/io.h"

/*
 * Reads a file of the thread whole. The length, or negative errno. Where there is room it stays
 * open in *kept, as opening is the greater part of the cost.
 */
static ssize_t read_file(int procfd, const struct cap_task *t, const char *name, int *kept,
			 char *ret, size_t size)
{
	int fd = *kept;
	char path[64];
	ssize_t n;

	if (fd < 0) {
		snprintf(path, sizeof(path), "%d/task/%d/%s", t->tgid, t->tid, name);
		fd = openat(procfd, path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
	}
	n = cap_io_pread(fd, ret, size);
	if (*kept < 0 && cap_io_may_keep(fd))
		*kept = fd;
	if (*kept < 0)
		close(fd);
	return n;
}

/* False where the kernel does not count it: since 5.17, with schedstats on. */
static bool read_forceidle(int procfd, struct cap_task *t, uint64_t *ret_ns)
{
	char text[8192];

	return read_file(procfd, t, "sched", &t->forceidle_fd, text, sizeof(text)) > 0 &&
	       cap_proc_forceidle_parse(text, ret_ns) == 0;
}

static int emit_steal(const struct cap_task *t, const struct cap_proc_sched *s,
		      const uint64_t *forceidle_ns, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, "steal");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "run", s->run_ns);
	cap_emit_u64(&e, "delay", s->delay_ns);
	cap_emit_u64(&e, "n", s->arrivals);
	if (forceidle_ns)
		cap_emit_u64(&e, "forceidle", *forceidle_ns);
	return cap_emit_end(&e);
}

int cap_counters_steal(int procfd, struct cap_tasks *tasks, bool forced_idle,
		       const struct cap_counters_also *also, struct cap_sink to)
{
	int r = 0;

	for (size_t i = 0; i < tasks->n && r == 0; i++) {
		struct cap_task *t = tasks->all[i];
		struct cap_proc_sched s;
		uint64_t idle_ns;
		char text[96];
		ssize_t n;

		if (!t->sampled || t->gone)
			continue;
		n = read_file(procfd, t, "schedstat", &t->sched_fd, text, sizeof(text));
		if (n == -ENOENT) /* the next scan sees whether the thread is gone, or the file */
			continue;
		if (n <= 0 || cap_proc_sched_parse(text, &s) < 0) {
			cap_tasks_end(tasks, i);
			continue;
		}
		r = emit_steal(t, &s,
			       forced_idle && read_forceidle(procfd, t, &idle_ns) ? &idle_ns : NULL,
			       to);
		if (r == 0 && also)
			r = also->fn(also->ctx, t, &s);
	}
	return r;
}

static int make_room(struct cap_host_steal *h, size_t ncpu)
{
	uint64_t *bigger;

	if (ncpu <= h->ncpu)
		return 0;
	bigger = realloc(h->last, ncpu * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	while (h->ncpu < ncpu)
		bigger[h->ncpu++] = UINT64_MAX;
	h->last = bigger;
	return 0;
}

static int emit_cpu(unsigned int cpu, uint64_t steal, uint64_t total, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, "host");
	cap_emit_u64(&e, "cpu", cpu);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "steal", steal);
	cap_emit_u64(&e, "unit", 1000000000U / (uint64_t)sysconf(_SC_CLK_TCK));
	cap_emit_u64(&e, "total", total);
	return cap_emit_end(&e);
}

int cap_counters_host(struct cap_host_steal *h, int procfd, bool every, struct cap_sink to)
{
	char *text;
	int r = cap_io_read_all(procfd, "stat", &text, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (const char *p = text; p && r == 0; p = cap_cpu_times_next(p)) {
		struct cap_cpu_times t;
		uint64_t total = 0;

		if (cap_cpu_times_parse(p, &t) != 0 || t.columns <= CAP_CPU_STEAL)
			continue;
		r = make_room(h, (size_t)t.cpu + 1);
		if (r < 0 || (!every && h->last[t.cpu] == t.ticks[CAP_CPU_STEAL]))
			continue;
		for (size_t i = 0; i < CAP_CPU_COLUMNS; i++)
			total += t.ticks[i];
		h->last[t.cpu] = t.ticks[CAP_CPU_STEAL];
		r = emit_cpu(t.cpu, t.ticks[CAP_CPU_STEAL], total, to);
	}
	free(text);
	return r;
}

void cap_host_steal_clear(struct cap_host_steal *h)
{
	free(h->last);
	*h = (struct cap_host_steal){ 0 };
}
