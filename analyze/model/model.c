// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/guest_threads.h"
#include "analyze/model/model_parts.h"
#include "analyze/model/silence.h"
#include "analyze/trace/events.h"

/* Lines of the second buffer that the trace has caught up with. */
static int take_held(struct fan_model *m, uint64_t to_ns)
{
	struct fan_event ev;
	int r = 0;

	while (r == 0 && fan_held_next(&m->held, to_ns, &ev))
		r = fan_model_take_line(m, &ev);
	return r;
}

/*
 * Where nobody asks what was due a line can be taken at once; nor does it matter before the first
 * record.
 */
static int hold_or_take(struct fan_model *m, const struct fan_event *ev)
{
	if (!m->pulse || ev->buffer == 0 || m->records == 0)
		return fan_model_take_line(m, ev);
	if (fan_held_add(&m->held, ev) < 0)
		return -ENOMEM;
	return fan_held_is_full(&m->held) ? take_held(m, UINT64_MAX) : 0;
}

/* The first record of the main buffer. */
static void begin(struct fan_model *m, uint64_t ts_ns)
{
	m->first_ns = m->alive_ns = ts_ns;
	m->start_ns = ts_ns + m->options.from_ns;
	m->to_ns = m->options.to_ns ? ts_ns + m->options.to_ns : UINT64_MAX;
	fan_machine_clip(m->machine, m->start_ns, m->to_ns);
	fan_machine_begin(m->machine, ts_ns);
	fan_series_start(m->series, m->start_ns);
	if (m->timeline)
		fan_timeline_start(m->timeline, m->start_ns);
	if (m->pulse)
		fan_pulse_begin(m->pulse, m->start_ns, m->to_ns);
	if (m->forced_idle)
		fan_forced_idle_clip(m->forced_idle, m->start_ns, m->to_ns);
	if (m->isolation)
		fan_isolation_clip(m->isolation, m->start_ns, m->to_ns);
}

/*
 * The period is that of all records. What a CPU runs is taken from events that the model knows
 * only: those that fire inside a switch still bear the name of the thread that leaves.
 */
static void count_record(struct fan_model *m, const struct fan_event *rec)
{
	if (m->records++ == 0)
		begin(m, rec->ts_ns);
	if (rec->ts_ns > m->alive_ns) {
		const uint64_t ns = rec->ts_ns - m->alive_ns;

		/* no limit is below the first number */
		/* whoever keeps a CPU to himself is silent, and those around him are not recorded
		 */
		if (ns > FAN_SILENCE_NS && m->has_switches && !m->facts->is_scoped &&
		    ns > fan_silence_limit(m->facts->sample_ns, m->clock_counts_suspend))
			fan_machine_silence(m->machine, m->alive_ns, rec->ts_ns);
		m->alive_ns = rec->ts_ns;
	}
}

/* An event of the main buffer. */
static int follow(struct fan_model *m, const struct fan_event *ev)
{
	int r = m->held.n ? take_held(m, UINT64_MAX) : 0;

	m->has_switches |= ev->kind == FAN_EV_SWITCH;
	if (r == 0 && m->pulse && ev->ts_ns >= m->pulse->next_ns)
		r = fan_pulse_beat(m->pulse, ev->ts_ns);
	/* behind the end only markers still tell something */
	if (r < 0 || ev->ts_ns > m->to_ns || m->only_lines)
		return r;
	return fan_machine_feed(m->machine, ev);
}

static int take_event(struct fan_model *m, const struct fan_event *ev)
{
	int r;

	if (ev->buffer == 0)
		count_record(m, ev);
	/* an event of no use may still carry the mark of a loss */
	if (ev->kind == FAN_EV_KINDS && (ev->missed == 0 || m->kinds == 0))
		return 0;
	r = ev->buffer == 0 ? follow(m, ev) : 0;
	if (r == 0 && ev->kind == FAN_EV_ATTACH)
		r = fan_model_take_attach(m, ev);
	if (r == 0 && ev->kind == FAN_EV_MARKER)
		r = hold_or_take(m, ev);
	return r;
}

/* Up to this time nobody but the machine has anything to do, whatever it is that happens. */
static uint64_t quiet_until(const struct fan_model *m)
{
	const uint64_t silence = m->alive_ns + FAN_SILENCE_NS;
	const uint64_t ns = silence < m->to_ns ? silence : m->to_ns;

	return m->pulse && m->pulse->next_ns <= ns ? m->pulse->next_ns - 1 : ns;
}

/* What is usual among the next events. */
static int take_usual(struct fan_model *m, struct fan_events *events)
{
	const struct fan_event *first = events->next;
	const int r = fan_machine_follow(m->machine, &events->next, events->end, quiet_until(m));
	const uint64_t now = fan_machine_end(m->machine);

	m->records += (uint64_t)(events->next - first);
	m->alive_ns = now > m->alive_ns ? now : m->alive_ns;
	m->has_switches |= fan_machine_counts(m->machine)->switches > 0;
	return r;
}

static int pump(struct fan_model *m, struct fan_events *events, struct fcap_err *err)
{
	const struct fan_event *ev;
	int r;

	while ((r = fan_events_next(events, &ev, err)) > 0) {
		r = take_event(m, ev);
		if (r == 0 && m->records && !m->held.n && !m->only_lines)
			r = take_usual(m, events);
		if (r < 0)
			return fcap_fail(err, -r, "cannot follow the events: %s", strerror(-r));
	}
	return r;
}

static int read_events(struct fan_model *m, const struct fan_file *file, struct fcap_err *err)
{
	struct fan_events *events = NULL;
	int r = fan_events_open(&events, file, m->options.threads, err);

	if (r == 0) {
		m->kinds = events->kinds;
		r = pump(m, events, err);
		if (r == 0)
			m->cut = *fan_events_cut(events);
	}
	/* last: the option names tids as they were when the recording ended */
	if (r == 0)
		r = fan_guest_threads_read(m, file, err);
	fan_events_close(events);
	return r;
}

/* Of a CPU that is missing altogether nobody knows who had it. */
static int take_missing_cpu(struct fan_model *m, int32_t cpu)
{
	const struct fan_observer *o = m->options.observer;
	const struct fan_span span = { m->start_ns,    m->end_ns,	 FAN_CPU_UNKNOWN,  cpu,
				       FAN_ST_UNKNOWN, FAN_EDGE_UNKNOWN, FAN_EDGE_UNKNOWN, false };

	if (o)
		return o->span ? o->span(o->ctx, &span, NULL) : 0;
	m->cpu_unknown_ns += m->end_ns - m->start_ns;
	return fan_series_add_run(m->series, FAN_ROW_CPU_UNKNOWN, m->start_ns, m->end_ns);
}

static int take_missing(struct fan_model *m)
{
	int r = 0;

	if (m->facts->is_scoped || m->start_ns >= m->end_ns)
		return 0;
	for (unsigned int cpu = 0; r == 0 && cpu < FCAP_CPUS_MAX; cpu++)
		if (fcap_cpuset_has(&m->cut.missing, cpu))
			r = take_missing_cpu(m, (int32_t)cpu);
	return r;
}

static int finish(struct fan_model *m, struct fcap_err *err)
{
	int r;

	m->end_ns = m->alive_ns < m->to_ns ? m->alive_ns : m->to_ns;
	r = take_held(m, m->end_ns);
	if (r == 0 && m->pulse)
		r = fan_pulse_end(m->pulse, m->end_ns);
	if (r == 0)
		r = take_held(m, UINT64_MAX);
	if (r == 0 && m->facts->cut && m->alive_ns <= m->to_ns)
		fan_machine_cut_short(m->machine, m->end_ns);
	if (r == 0)
		r = fan_machine_finish(m->machine, m->end_ns);
	if (r == 0)
		r = take_missing(m);
	if (r == 0 && m->pulse)
		r = fan_pulse_close(m->pulse, m->end_ns);
	if (r == 0 && m->forced_idle)
		r = fan_forced_idle_finish(m->forced_idle, m->end_ns);
	if (r == 0 && m->isolation)
		r = fan_isolation_finish(m->isolation);
	if (r < 0)
		return fcap_fail(err, -r, "cannot follow the events: %s", strerror(-r));
	if (m->blame && fan_blame_finish(m->blame) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (size_t i = 0; i < fan_threads_count(m->threads); i++)
		m->cpu_run_ns += fan_threads_at(m->threads, i)->run_ns;
	fan_work_finish(m->work);
	if (m->records == 0) {
		m->start_ns = m->first_ns = m->facts->first_ns;
		m->end_ns = m->facts->last_ns;
	} else if (m->start_ns >= m->end_ns && (m->options.from_ns || m->options.to_ns)) {
		return fcap_fail(err, EINVAL,
				 "nothing of the trace is left to analyse: it is %.3f s "
				 "long",
				 (double)(m->alive_ns - m->first_ns) / 1e9);
	}
	return fan_counted_conclude(m) < 0 ? fcap_fail(err, ENOMEM, "out of memory") : 0;
}

/* The beat is only for those who want to know what was due. */
static int make_pulse(struct fan_model *m)
{
	const struct fan_pulse_setup setup = { m,	  m->machine,		m->threads,
					       m->series, m->options.allocator, m->options.map };

	if (!setup.allocator.allocate)
		return 0;
	m->pulse = fan_pulse_new(&setup);
	if (m->pulse)
		m->forced_idle = fan_forced_idle_new(m->machine, m->threads, m->facts, m->cores,
						     m->pulse->parties);
	return m->forced_idle ? 0 : -ENOMEM;
}

/* Who may not share a core is asked with who competes. */
static int make_isolation(struct fan_model *m)
{
	const uint64_t told = m->options.tolerance_ns;

	if (!m->pulse)
		return 0;
	m->isolation = fan_isolation_new(m->machine, m->threads, m->facts, m->cores,
					 m->pulse->parties, told ? told : FAN_TOLERANCE_NS);
	return m->isolation ? 0 : -ENOMEM;
}

static int make_timeline(struct fan_model *m)
{
	if (!m->options.has_timeline || m->options.is_rehearsal)
		return 0;
	m->timeline = fan_timeline_new();
	if (m->timeline && m->forced_idle)
		fan_forced_idle_show(m->forced_idle, m->timeline);
	if (m->timeline && m->isolation)
		fan_isolation_show(m->isolation, m->timeline, m->options.timeline_level);
	return m->timeline ? 0 : -ENOMEM;
}

static int make_blame(struct fan_model *m)
{
	if (m->options.is_rehearsal || m->options.observer)
		return 0;
	m->blame = fan_blame_new(m->machine, m->threads, m->facts, m->options.only_vms);
	if (m->blame && m->pulse)
		fan_blame_ask(m->blame, m->pulse->parties);
	return m->blame ? 0 : -ENOMEM;
}

static struct fan_model *new_model(const struct fan_file *file,
				   const struct fan_model_options *options)
{
	struct fan_model *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->to_ns = UINT64_MAX;
	if (options)
		m->options = *options;
	m->clock_counts_suspend = fan_clock_counts_suspend(file->buffers[0].clock);
	m->threads = fan_threads_new();
	m->series = fan_series_new();
	m->facts = fan_facts_new();
	m->closure = fan_closure_new();
	m->counted = fan_counted_new();
	m->work = fan_work_new();
	m->host = fan_host_new();
	m->guests = fan_guests_new();
	m->cores = fan_cores_new(m->options.siblings, m->options.nsiblings);
	if (!m->threads || !m->series || !m->facts || !m->closure || !m->counted || !m->work ||
	    !m->host || !m->guests || !m->cores || fan_model_make_machine(m) < 0 ||
	    make_pulse(m) < 0 || make_isolation(m) < 0 || make_timeline(m) < 0 ||
	    fan_threads_keep_apart(m->threads, m->options.apart, m->options.napart) < 0 ||
	    make_blame(m) < 0) {
		fan_model_free(m);
		return NULL;
	}
	m->work->shift_ns = file->shift_ns;
	if (m->cores->has_smt && m->blame)
		fan_model_watch_cores(m);
	return m;
}

/* One pass over the file. */
static int read_once(struct fan_model **ret, const struct fan_file *file,
		     const struct fan_model_options *options, bool from_waking,
		     struct fcap_err *err)
{
	struct fan_model *m = new_model(file, options);
	int r;

	if (!m)
		return fcap_fail(err, ENOMEM, "out of memory");
	m->waits_from_waking = from_waking;
	if (from_waking)
		fan_machine_wait_from_waking(m->machine);
	r = read_events(m, file, err);
	if (r == 0)
		r = finish(m, err);
	if (r < 0) {
		fan_model_free(m);
		return r;
	}
	*ret = m;
	return 0;
}

/* That a trace has wake-up requests but no wake-ups is known at its end: then once more. */
int fan_model_read(struct fan_model **ret, const struct fan_file *file,
		   const struct fan_model_options *options, struct fcap_err *err)
{
	struct fan_model *m = NULL;
	int r;

	/* an observer is told everything once */
	if (options && (options->observer || options->waits_from_waking))
		return read_once(ret, file, options, options->waits_from_waking, err);
	r = read_once(&m, file, options, false, err);
	if (r < 0 || !m)
		return r;
	if (fan_machine_counts(m->machine)->wakeups == 0 &&
	    fan_machine_counts(m->machine)->wakings > 0) {
		fan_model_free(m);
		return read_once(ret, file, options, true, err);
	}
	*ret = m;
	return 0;
}

void fan_model_free(struct fan_model *m)
{
	if (!m)
		return;
	fan_forced_idle_free(m->forced_idle);
	fan_isolation_free(m->isolation);
	fan_timeline_free(m->timeline);
	fan_pulse_free(m->pulse);
	fan_held_free(&m->held);
	fan_machine_free(m->machine);
	fan_threads_free(m->threads);
	fan_series_free(m->series);
	fan_facts_free(m->facts);
	fan_closure_free(m->closure);
	fan_counted_free(m->counted);
	fan_work_free(m->work);
	fan_host_free(m->host);
	fan_guests_free(m->guests);
	fan_cores_free(m->cores);
	fan_blame_free(m->blame);
	free(m);
}
