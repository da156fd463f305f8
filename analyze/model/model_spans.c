// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the spans go that the machine tells a model of. */
#include <errno.h>

#include "analyze/model/model_parts.h"

#define PRIO_FAIR 100 /* and above: threads that share by weight */

/* Kept out of what happens at each event, which is shorter without it. */
#define SELDOM __attribute__((noinline))

/* NULL: nobody asks, or no core has siblings. */
static inline struct fan_isolation *isolation(const struct fan_model *m)
{
	return m->cores->has_smt ? m->isolation : NULL;
}

/* No thread has the CPU. */
static int take_cpu(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct fan_model *m = ctx;
	const bool is_idle = span->thread == FAN_CPU_IDLE;
	int r;

	(void)th;
	/* with a scope it is not lost from view: others may have had it, who are not recorded */
	if (m->facts->is_scoped)
		return 0;
	r = fan_blame_take_cpu(m->blame, span);
	if (r < 0)
		return r;
	if (isolation(m) && fan_isolation_take(m->isolation, span) < 0)
		return -ENOMEM;
	if (m->timeline && is_idle &&
	    fan_timeline_add(m->timeline, span->cpu, FAN_CPU_IDLE, span->t0_ns, span->t1_ns) < 0)
		return -ENOMEM;
	*(is_idle ? &m->cpu_idle_ns : &m->cpu_unknown_ns) += span->t1_ns - span->t0_ns;
	return fan_series_add_run(m->series, is_idle ? FAN_ROW_CPU_IDLE : FAN_ROW_CPU_UNKNOWN,
				  span->t0_ns, span->t1_ns);
}

static inline int book_run(struct fan_model *m, const struct fan_thread *th, uint64_t t0_ns,
			   uint64_t t1_ns)
{
	if (th->prio < PRIO_FAIR && th->prio != FAN_PRIO_UNTOLD)
		m->realtime_ns += t1_ns - t0_ns;
	return fan_series_add_run(m->series, fan_model_row(th->account), t0_ns, t1_ns);
}

/* To all who may want to know. */
static int take_run_for_all(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
			    enum fan_edge begin)
{
	struct fan_model *m = ctx;
	const struct fan_span span = { t0_ns,	   t1_ns, th->index,	 th->cpu,
				       FAN_ST_RUN, begin, FAN_EDGE_SEEN, false };

	if (fan_blame_take_run(m->blame, th, t0_ns, t1_ns) < 0 ||
	    (isolation(m) && fan_isolation_take(m->isolation, &span) < 0) ||
	    (m->timeline && fan_timeline_add(m->timeline, th->cpu, th->account, t0_ns, t1_ns) < 0))
		return -ENOMEM;
	return book_run(m, th, t0_ns, t1_ns);
}

/*
 * Where there is no timeline, and no core with siblings. Of runs and waits what is usual calls
 * nobody but at the end.
 */
static int take_run(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
		    enum fan_edge begin)
{
	struct fan_model *m = ctx;

	if (!fan_blame_take_next_run(m->blame, th, t0_ns, t1_ns))
		return take_run_for_all(m, th, t0_ns, t1_ns, begin);
	return book_run(m, th, t0_ns, t1_ns);
}

static SELDOM int take_other_wait(struct fan_model *m, const struct fan_thread *th, uint64_t t0_ns,
				  uint64_t t1_ns, enum fan_edge begin)
{
	const int r = fan_blame_take_wait(m->blame, th, t0_ns, t1_ns, begin);

	return r < 0 ? r : fan_series_add_wait(m->series, fan_model_row(th->account), t0_ns, t1_ns);
}

static int take_wait(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
		     enum fan_edge begin)
{
	struct fan_model *m = ctx;

	if (!fan_series_add_wait_here(m->series, fan_model_row(th->account), t0_ns, t1_ns))
		return take_other_wait(m, th, t0_ns, t1_ns, begin);
	return fan_blame_take_wait(m->blame, th, t0_ns, t1_ns, begin);
}

/* In a rehearsal who ran and who waited is all that is asked. */
static int rehearse_run(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
			enum fan_edge begin)
{
	const struct fan_model *m = ctx;

	(void)begin;
	return fan_series_add_run(m->series, fan_model_row(th->account), t0_ns, t1_ns);
}

static int rehearse_wait(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns,
			 enum fan_edge begin)
{
	const struct fan_model *m = ctx;

	(void)begin;
	return fan_series_add_wait(m->series, fan_model_row(th->account), t0_ns, t1_ns);
}

static int ignore(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	(void)ctx;
	(void)span;
	(void)th;
	return 0;
}

/*
 * It tells the observer alone: nobody asks for sums, and he who would ask who had the CPU during a
 * wait cuts waits where it suits him.
 */
static int make_shown_machine(struct fan_model *m, const struct fan_observer *o)
{
	if (fan_machine_new(&m->machine, m->threads, o->span, o->ctx) < 0)
		return -ENOMEM;
	if (!o->span)
		fan_machine_tell_cpus_and_waits(m->machine, NULL, NULL, ignore);
	fan_machine_skip_lengths(m->machine);
	m->only_lines = !o->span && !o->exit && !o->guest;
	if (!o->exit && !o->guest)
		fan_machine_skip_vcpus(m->machine);
	fan_machine_observe(m->machine, o);
	return 0;
}

void fan_model_tell_isolation(struct fan_model *m)
{
	fan_machine_tell_cpus_and_waits(m->machine, take_run_for_all, take_wait, take_cpu);
}

int fan_model_make_machine(struct fan_model *m)
{
	if (m->options.observer)
		return make_shown_machine(m, m->options.observer);
	if (fan_machine_new(&m->machine, m->threads, ignore, m) < 0)
		return -ENOMEM;
	if (m->options.is_rehearsal) {
		fan_machine_tell_cpus_and_waits(m->machine, rehearse_run, rehearse_wait, ignore);
		fan_machine_skip_lengths(m->machine);
		fan_machine_skip_vcpus(m->machine);
	} else {
		fan_machine_tell_cpus_and_waits(
			m->machine, m->options.has_timeline ? take_run_for_all : take_run,
			take_wait, take_cpu);
	}
	return 0;
}
