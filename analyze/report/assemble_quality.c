// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analyze/report/assemble.h"
#include "analyze/report/assemble_counted.h"
#include "analyze/report/assemble_cut.h"
#include "analyze/report/assemble_vcpu.h"
#include "fcap/num.h"

#define UNKNOWN_DEGRADED 1.0 /* % of CPU time */
#define UNKNOWN_TOO_MUCH 20.0

/* What is seen is a lower bound: no thread runs before it is woken. */
static int note_clock(struct fan_report *r)
{
	if (r->source.clock_skew_ns > 0)
		return fan_strs_add(&r->quality.notes,
				    "clock local: the stamps of different CPUs are apart by "
				    "%.1f us at least",
				    (double)r->source.clock_skew_ns / 1e3);
	return fan_strs_add(&r->quality.notes, "clock local: the stamps of different CPUs may be "
					       "apart by some microseconds");
}

static int note_file(struct fan_report *r, const struct fan_model *m)
{
	struct fan_strs *notes = &r->quality.notes;
	int e = 0;

	if (m->waits_from_waking)
		e = fan_strs_add(notes,
				 "no sched_wakeup event, but sched_waking: waits begin with the "
				 "request to wake up (wait_from_waking)");
	else if (m->has_switches && fan_machine_counts(m->machine)->wakeups == 0)
		e = fan_strs_add(notes, "no sched_wakeup event: waits after a sleep cannot be told "
					"from the sleep; only waits after a preemption count");
	if (e == 0 && !m->facts->has_begin)
		e = fan_strs_add(notes, "not recorded by fcap: weights, CPU sets and steal "
					"counters are not in the file");
	if (e == 0 && m->facts->cut)
		e = fan_strs_add(notes,
				 "cut short (%s): what each CPU did after its last event is "
				 "unknown",
				 m->facts->cut);
	else if (e == 0 && m->facts->has_begin && !m->facts->has_end)
		e = fan_strs_add(notes, "the recording has no end line: it was cut short");
	if (e == 0 && r->source.clock && strcmp(r->source.clock, "local") == 0)
		e = note_clock(r);
	if (e == 0 && fan_blame_refused_ns(m->blame))
		e = fan_strs_add(notes,
				 "too many processes waited for each other: what had the CPU is "
				 "unknown for %" PRIu64 " ms of waits",
				 fan_blame_refused_ns(m->blame) / 1000000);
	if (e == 0 && m->facts->malformed)
		e = fan_strs_add(notes, "malformed marker lines (%" PRIu64 "): passed over",
				 m->facts->malformed);
	return e;
}

/* The file is about a moment, and not about the whole run. */
static int note_trigger(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_trigger_fact *t = &m->facts->trigger;
	const double at_s = t->ts_ns > m->first_ns ? (double)(t->ts_ns - m->first_ns) / 1e9 : 0;
	char more[64] = "";
	double value;

	if (m->facts->ntriggers == 0 || fcap_parse_real(t->value, &value) < 0)
		return 0;
	if (m->facts->ntriggers > 1)
		snprintf(more, sizeof(more), "; of crossings the file has %" PRIu64,
			 m->facts->ntriggers);
	return fan_strs_add(
		&r->quality.notes,
		"saved around a moment that was chosen because %s of %s was %.1f %% over "
		"%.3g s, above the limit of %s %%, %.3f s after the beginning of the "
		"file%s: not what the VMs usually get",
		t->metric, t->vm, value, (double)t->span_ns / 1e9, t->limit, at_s, more);
}

/* The kinds of contradictions, and the policies that machine.h describes. */
static const struct policy {
	const char *name, *text;
	size_t count; /* offset in struct fan_counts */
	bool is_gap;  /* told by quality.gaps or lost already, not a conflict of its own */
	bool is_mild; /* for the list of policies only: no note */
} policies[] = {
	{ "gaps",
	  "the CPU runs another thread than its last switch said; the time since its last event "
	  "is unknown",
	  offsetof(struct fan_counts, gaps), true, false },
	{ "losses", "places where events were lost; record with larger buffers",
	  offsetof(struct fan_counts, losses), true, false },
	{ "switch-ins without a wake-up", "counted as waits since the thread left its CPU",
	  offsetof(struct fan_counts, stale), false, false },
	{ "waits that begin with a wake-up request",
	  "the wake-up itself was not recorded: they may be some microseconds too long, and the "
	  "CPU "
	  "on which they queued may be another",
	  offsetof(struct fan_counts, from_waking), false, false },
	{ "threads that turned up on a second CPU",
	  "unknown since they were last seen on the first", offsetof(struct fan_counts, elsewhere),
	  false, false },
	{ "waits that ended on another CPU without a migration",
	  "taken to have queued where they began", offsetof(struct fan_counts, moved), false,
	  true },
	{ "exited threads that ran", "they had not exited, and count as asleep in between",
	  offsetof(struct fan_counts, revived), false, false },
	{ "wake-ups of threads that were awake", "passed over", offsetof(struct fan_counts, awake),
	  false, true },
	{ "wake-ups later than what they woke",
	  "the clock of one CPU is behind that of another by a few microseconds",
	  offsetof(struct fan_counts, skewed), false, true },
	{ "events older than the one before", "taken at the time of that one",
	  offsetof(struct fan_counts, late), false, false },
	{ "events with an impossible tid", "passed over", offsetof(struct fan_counts, bad_tids),
	  false, false },
};
#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static uint64_t count_of(const struct fan_counts *c, const struct policy *p)
{
	return *(const uint64_t *)((const char *)c + p->count);
}

/* Gaps, the first ones, are no finding where only some threads are recorded. */
static int tell_policies(struct fan_report *r, const struct fan_counts *c, bool is_scoped)
{
	int e = 0;

	r->quality.conflicts = 0;
	for (size_t i = is_scoped ? 1 : 0; e == 0 && i < POLICIES; i++) {
		const uint64_t n = count_of(c, &policies[i]);
		struct fan_r_conflict *to = fan_array_add(&r->quality.policies,
							  &fan_conflict_table);

		if (!to)
			return -ENOMEM;
		to->count = (int64_t)n;
		e = fan_str_set(&to->name, policies[i].name);
		if (e == 0)
			e = fan_str_set(&to->policy, policies[i].text);
		if (!policies[i].is_gap && !policies[i].is_mild)
			r->quality.conflicts += (int64_t)n;
		if (e == 0 && n && !policies[i].is_mild)
			e = fan_strs_add(&r->quality.notes, "%s (%" PRIu64 "): %s",
					 policies[i].name, n, policies[i].text);
	}
	return e;
}

const char *fan_unknown_word(double pct)
{
	if (!(pct <= UNKNOWN_TOO_MUCH))
		return "cannot_tell";
	return pct > UNKNOWN_DEGRADED ? "degraded" : "ok";
}

/* By that, and by what was lost. */
static const char *judge_unknown(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_counts *c = fan_machine_counts(m->machine);
	const double all = (double)(m->cpu_run_ns + m->cpu_idle_ns + m->cpu_unknown_ns);
	const double unknown = all > 0 ? 100 * (double)m->cpu_unknown_ns / all : NAN;

	/* what its CPUs did besides is not known of a scope: it can but have lost events */
	if (m->facts->is_scoped)
		return c->losses || r->quality.lost != 0 ? "degraded" : "ok";
	r->quality.gaps = (int64_t)c->gaps;
	r->quality.unknown_ns = (int64_t)m->cpu_unknown_ns;
	r->quality.unknown_pct = unknown;
	if (unknown <= UNKNOWN_TOO_MUCH && (c->losses || r->quality.lost != 0))
		return "degraded";
	return fan_unknown_word(unknown);
}

int fan_assemble_quality(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_counts *c = fan_machine_counts(m->machine);
	const uint64_t marked = m->facts->lost_overrun + m->facts->lost_dropped;
	const char *word = "cannot_tell";
	int e;

	r->quality.events = (int64_t)m->records;
	r->quality.lost = (int64_t)(marked > c->lost_events ? marked : c->lost_events);
	if (c->losses_uncounted && r->quality.lost == 0)
		r->quality.lost = FAN_NONE;
	if (m->has_switches)
		word = judge_unknown(r, m);
	e = fan_assemble_cut(&r->quality, m);
	if (r->quality.cut.n && strcmp(word, "ok") == 0)
		word = "degraded";
	if (e == 0)
		e = fan_str_set(&r->quality.verdict, word);
	if (e == 0)
		e = m->is_counted ? fan_assemble_counted_notes(r, m)
				  : fan_assemble_vcpu_notes(r, m);
	if (e == 0)
		e = note_trigger(r, m);
	if (e == 0)
		e = note_file(r, m);
	return e < 0 || !m->has_switches ? e : tell_policies(r, c, m->facts->is_scoped);
}
