// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the host did to all groups alike: what its own hypervisor took from it, another scheduler,
 * real-time load, quotas, silence, and the recorder.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analyze/report/assemble.h"

#define STEAL_WORTH_A_NOTE 1.0 /* % */
#define LOAD_WORTH_A_NOTE  1.0 /* % of all CPU time */

static int add_steal(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_host_sum s = fan_host_sum(a->m->host);
	struct fan_strs *notes = &r->host.notes;
	int e = 0;

	if (s.intervals) {
		r->host.steal_intervals = (int64_t)s.intervals;
		r->host.steal_backwards_intervals = (int64_t)s.backwards;
		r->host.steal_jumped_intervals = (int64_t)s.jumps;
	}
	if (s.backwards)
		e = fan_strs_add(notes,
				 "host counters stepped back in %" PRIu64 " of %" PRIu64
				 " intervals, which are not in the host's steal",
				 s.backwards, s.intervals);
	if (e < 0 || s.wall_ns == 0)
		return e;
	if (s.is_inconsistent) {
		e = fan_strs_add(notes,
				 "host steal inconsistent: the columns of /proc/stat add up to "
				 "%.2f times the time that passed (to more than it in %" PRIu64
				 " of %" PRIu64 " intervals); no percentage is given",
				 (double)s.columns_ns / (double)s.wall_ns, s.jumps, s.intervals);
		return e < 0 ? e : fan_strs_add(&r->flags, "host_steal_inconsistent");
	}
	r->host.steal_pct = 100 * (double)s.steal_ns / (double)s.wall_ns;
	if (r->host.steal_pct > STEAL_WORTH_A_NOTE)
		e = fan_strs_add(notes,
				 "%.1f %% of the host's CPU time was stolen from the host itself: "
				 "run time contains time in which nothing ran",
				 r->host.steal_pct);
	return e;
}

/* As a part of the CPU time of the period; 0 where nothing is known of any CPU. */
static double cpu_pct(const struct fan_model *m, uint64_t ns)
{
	const uint64_t all = m->cpu_run_ns + m->cpu_idle_ns + m->cpu_unknown_ns;

	return all ? 100 * (double)ns / (double)all : 0;
}

static int add_scheduler(struct fan_report *r, const struct fan_facts *f)
{
	int e = fan_str_set(&r->host.scheduler, f->scheduler);

	if (e == 0 && f->scheduler)
		e = fan_strs_add(&r->host.notes,
				 "the sched_ext scheduler \"%s\" was in charge: what was due is by "
				 "weights, which it may not follow",
				 f->scheduler);
	return e;
}

static int add_realtime(struct fan_report *r, const struct fan_model *m)
{
	const double pct = cpu_pct(m, m->realtime_ns);

	r->host.realtime_ns = (int64_t)m->realtime_ns;
	if (pct < LOAD_WORTH_A_NOTE)
		return 0;
	return fan_strs_add(&r->host.notes,
			    "real-time and deadline threads took %.1f %% of all CPU time: they go "
			    "before any weight",
			    pct);
}

/* Ours says who it is; of others the usual names are known. */
static bool is_recorder(const struct fan_model *m, size_t thread)
{
	static const char *const names[] = { "trace-cmd", "perf", "fcap" };
	const struct fan_thread *th = fan_threads_at(m->threads, thread);
	const int32_t tid = m->facts->recorder_tid;
	const int32_t ours = tid > 0 && tid < FAN_TID_MAX ? fan_threads_find(m->threads, tid) : -1;

	if (ours >= 0)
		return fan_threads_proc(m->threads, thread) ==
		       fan_threads_proc(m->threads, (size_t)ours);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(th->comm, names[i]) == 0)
			return true;
	return false;
}

static int add_recorder(struct fan_report *r, const struct fan_model *m)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		if (is_recorder(m, i))
			ns += fan_threads_at(m->threads, i)->run_ns;
	r->host.recorder_ns = (int64_t)ns;
	if (cpu_pct(m, ns) < LOAD_WORTH_A_NOTE)
		return 0;
	return fan_strs_add(&r->host.notes,
			    "the recorder itself took %.1f %% of all CPU time from what it "
			    "recorded; writing each event costs the traced threads more on top",
			    cpu_pct(m, ns));
}

static int add_silence(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_counts *c = fan_machine_counts(m->machine);

	r->host.silence_ns = (int64_t)c->silence_ns;
	if (c->silences == 0)
		return 0;
	return fan_strs_add(&r->host.notes,
			    "all CPUs were silent for %.1f s (%" PRIu64 " times): the host was "
			    "suspended or stood still; this time is in no share",
			    (double)c->silence_ns / 1e9, c->silences);
}

/* What the kernel counted of each cgroup with a quota, summed over CPUs. */
static int add_quotas(struct fan_report *r, const struct fan_facts *f)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < f->ncgroups; i++) {
		const struct fan_cgroup *c = &f->cgroups[i];

		if (c->throttled_ns > c->throttled_first_ns)
			e = fan_strs_add(&r->host.notes,
					 "%s was throttled by its quota for %.3f s (summed over "
					 "CPUs): waits at that time are its own limit's doing",
					 c->path,
					 (double)(c->throttled_ns - c->throttled_first_ns) / 1e9);
	}
	return e;
}

int fan_assemble_host(struct fan_report *r, const struct fan_assembly *a)
{
	const bool has_events = !a->m->is_counted;
	int e = has_events ? add_silence(r, a->m) : 0;

	if (e == 0)
		e = add_scheduler(r, a->m->facts);
	/* with a scope neither they nor all of the CPU time are in the trace */
	if (e == 0 && has_events && !a->m->facts->is_scoped)
		e = add_realtime(r, a->m);
	if (e == 0)
		e = add_quotas(r, a->m->facts);
	if (e == 0 && has_events && !a->m->facts->is_scoped)
		e = add_recorder(r, a->m);
	if (e == 0)
		e = fan_assemble_machine(r, a);
	return e < 0 ? e : add_steal(r, a);
}
