// SPDX-License-Identifier: GPL-3.0-or-later
/* What marker lines and moves between cgroups tell the parts of a model. */
#include <errno.h>
#include <string.h>

#include "analyze/model/model_parts.h"
#include "fcap/marker.h"
#include "fcap/num.h"

/* A line that says nothing we can use is counted, and the rest goes on. */
static int pardon(struct fan_model *m, int r)
{
	m->facts->malformed += r == -EINVAL;
	return r == -EINVAL ? 0 : r;
}

/* A line may tell of places, weights and who is a VM: what was so far ends where it stands. */
static int take_facts(struct fan_model *m, const struct fcap_marker *line, uint64_t ts_ns)
{
	struct fan_demand *d = m->pulse ? m->pulse->demand : NULL;
	const uint64_t regrouped = fan_threads_regrouped(m->threads);
	const unsigned int epoch = m->facts->epoch;
	int r = d && ts_ns >= m->pulse->next_ns ? fan_pulse_beat(m->pulse, ts_ns) : 0;

	if (r == 0 && d)
		r = fan_demand_settle(d, ts_ns);
	if (r == 0)
		r = fan_facts_take(m->facts, m->machine, m->threads, line, ts_ns);
	if (r == 0 && d && m->facts->epoch != epoch)
		r = fan_demand_forget(d, ts_ns);
	if (d && fan_threads_regrouped(m->threads) != regrouped)
		fan_demand_review(d);
	return r;
}

static __attribute__((noinline)) void see_core(const struct fan_model *m,
					       const struct fan_core *core, int32_t cpu,
					       int32_t thread)
{
	const struct fan_idle_view view = { m->machine, m->facts };
	const struct fan_core_now now = fan_core_look(&view, core, cpu, thread);

	fan_blame_see_cpu(m->blame, &now);
	if (m->forced_idle)
		fan_forced_idle_see_cpu(m->forced_idle, &now);
}

static void see_cpu(void *ctx, int32_t cpu, int32_t thread)
{
	const struct fan_model *m = ctx;
	const struct fan_core *core = fan_core_of(m->cores, cpu);

	if (core && core->n > 1 && !fan_core_hands_over(core, thread))
		see_core(m, core, cpu, thread);
	if (m->isolation)
		fan_isolation_see_cpu(m->isolation, cpu, thread);
}

static int see_kvm(void *ctx, int32_t cpu, enum fan_vcpu_what what, uint64_t now_ns)
{
	const struct fan_model *m = ctx;

	return m->isolation ? fan_isolation_kvm(m->isolation, cpu, what, now_ns) : 0;
}

void fan_model_watch_cores(struct fan_model *m)
{
	fan_machine_watch_cpus(m->machine, see_cpu, see_kvm, m);
	fan_model_tell_isolation(m);
}

/* Who has which CPU matters at once only where cores have siblings. */
static int take_cores(struct fan_model *m, const struct fcap_marker *line)
{
	const bool had_smt = m->cores->has_smt;
	const unsigned int changes = m->cores->changes;
	const int r = fan_cores_take(m->cores, line);

	m->are_cores_late |= m->records && m->cores->changes != changes;
	if (m->cores->has_smt && !had_smt && m->blame)
		fan_model_watch_cores(m);
	return r;
}

/* Without a record so far the time begins with the first line. */
static void begin_by_line(struct fan_model *m, uint64_t ts_ns)
{
	m->start_ns = ts_ns + m->options.from_ns;
	m->to_ns = m->options.to_ns ? ts_ns + m->options.to_ns : UINT64_MAX;
}

/* The thread that a line names by its tid; -1: none that is known. */
static int32_t thread_of(const struct fan_model *m, const struct fcap_marker *line)
{
	const char *text = fcap_marker_get(line, "tid");
	int64_t tid;

	/* without a good tid it is counted as malformed by the facts */
	if (!text || fcap_parse_i64(text, 1, FAN_TID_MAX - 1, &tid) < 0)
		return -1;
	return fan_threads_find(m->threads, (int32_t)tid);
}

static int take_steal(struct fan_model *m, const struct fcap_marker *line, int32_t thread,
		      uint64_t ts_ns)
{
	if (m->forced_idle && fcap_marker_get(line, "forceidle"))
		fan_forced_idle_sample(m->forced_idle, thread, ts_ns);
	return pardon(m, fan_closure_take(m->closure, m->threads, (size_t)thread, line, ts_ns));
}

/* Counters tell of a thread; without events there is nothing else that does. */
static int take_counters(struct fan_model *m, const struct fcap_marker *line, uint64_t ts_ns)
{
	const bool is_steal = fcap_marker_is(line, "steal");
	const int32_t thread = is_steal || fcap_marker_is(line, "task") ? thread_of(m, line) : -1;
	int r = 0;

	if (thread < 0)
		return 0;
	if (is_steal)
		r = take_steal(m, line, thread, ts_ns);
	if (r < 0 || m->has_switches)
		return r;
	return fan_counted_take(m, (size_t)thread, is_steal, ts_ns);
}

int fan_model_take_line(struct fan_model *m, const struct fan_event *ev)
{
	const struct fan_observer *o = m->options.observer;
	char text[FCAP_MARKER_MAX + 128];
	struct fcap_marker line;
	const size_t n = ev->marker.n < sizeof(text) - 1 ? ev->marker.n : sizeof(text) - 1;
	int r;

	memcpy(text, ev->marker.p, n);
	text[n] = '\0';
	r = fcap_marker_parse(text, &line);
	if (r != 0) {
		m->facts->malformed += r < 0;
		return 0;
	}
	if (fcap_marker_is(&line, "begin"))
		m->facts->recorder_tid = ev->cur_tid;
	r = take_facts(m, &line, ev->ts_ns);
	if (m->records == 0 && m->facts->lines == 1)
		begin_by_line(m, ev->ts_ns);
	if (r == 0 && o && o->line)
		r = o->line(o->ctx, m, &line, ev->ts_ns);
	if (r == 0)
		r = take_cores(m, &line);
	if (r == 0 && m->blame)
		r = fan_blame_take_line(m->blame, &line, ev->ts_ns);
	/* also outside the analysed time: work has times of its own */
	if (r == 0)
		r = pardon(m, fan_work_take(m->work, &line, ev->ts_ns));
	if (r < 0 || ev->ts_ns < m->start_ns || ev->ts_ns > m->to_ns)
		return r;
	r = pardon(m, fan_host_take(m->host, &line, ev->ts_ns));
	if (r == 0)
		r = pardon(m, fan_guests_take(m->guests, &line, ev->ts_ns));
	return r < 0 ? r : take_counters(m, &line, ev->ts_ns);
}

int fan_model_take_attach(struct fan_model *m, const struct fan_event *ev)
{
	const unsigned int epoch = m->facts->epoch;
	const int r = fan_facts_attach(m->facts, m->machine, m->threads, ev);

	return r == 0 && m->pulse && m->facts->epoch != epoch
		       ? fan_demand_forget(m->pulse->demand, ev->ts_ns)
		       : r;
}
