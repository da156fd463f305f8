// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A trace as the JSON of Chrome's trace viewer: complete events ("X") with times in us, counters
 * ("C") and names ("M"). Slices of a lane follow one another, those of different lanes come in any
 * order, as the format allows.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/export.h"
#include "analyze/report/sink.h"
#include "fcap/num.h"

/* One thread of the first reading. */
struct lane {
	int32_t group;	  /* -1: it has no lane */
	uint64_t done_ns; /* what it ran up to here is written */
	bool has_sample;
	uint64_t delay_ns; /* its last sample */
};

struct canvas {
	const struct fan_source *source;
	struct fan_sink to;
	struct lane *lanes;
	size_t nlanes;
	uint64_t *steal_ns; /* by group: since the first sample of each thread */
	bool has_events;
};

static struct lane *lane_of(const struct canvas *c, int32_t thread)
{
	struct lane *l = thread >= 0 && (size_t)thread < c->nlanes ? &c->lanes[thread] : NULL;

	return l && l->group >= 0 ? l : NULL;
}

/* Processes are numbered from 1: several groups may be of one process of the host. */
static int32_t pid_of(int32_t group)
{
	return group + 1;
}

static void put(struct canvas *c, const char *text)
{
	fan_sink_text(&c->to, text);
}

static void begin_event(struct canvas *c)
{
	put(c, c->has_events ? ",\n" : "\n");
	c->has_events = true;
}

static void put_id(struct canvas *c, const char *key, int32_t id)
{
	put(c, key);
	fan_sink_u64(&c->to, (uint64_t)id, 0);
}

/* ns as us. */
static void put_us(struct canvas *c, const char *key, uint64_t ns)
{
	put(c, key);
	fan_sink_u64(&c->to, ns / 1000, 0);
	fan_sink_char(&c->to, '.');
	fan_sink_u64(&c->to, ns % 1000, 3);
}

static int put_slice(struct canvas *c, const struct fan_thread *th, const char *name, uint64_t t0,
		     uint64_t t1)
{
	const uint64_t ts = t0 - c->source->m->first_ns, ns = t1 - t0;

	if (t0 >= t1)
		return 0;
	begin_event(c);
	put(c, "{\"ph\":\"X\",\"name\":\"");
	put(c, name);
	put_id(c, "\",\"pid\":", pid_of(c->lanes[th->index].group));
	put_id(c, ",\"tid\":", th->tid);
	put_us(c, ",\"ts\":", ts);
	put_us(c, ",\"dur\":", ns);
	if (th->cpu >= 0) {
		put_id(c, ",\"args\":{\"cpu\":", th->cpu);
		put(c, "}");
	}
	put(c, "}");
	return fan_sink_state(&c->to);
}

/* Of run time the part behind the last stretch in the guest. */
static int draw_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct canvas *c = ctx;
	const struct lane *l = lane_of(c, span->thread);
	uint64_t t0 = span->t0_ns;

	if (!l)
		return 0;
	switch (span->state) {
	case FAN_ST_RUN:
		t0 = t0 < l->done_ns ? l->done_ns : t0;
		return put_slice(c, th, "running", t0, span->t1_ns);
	case FAN_ST_WAIT:
		return put_slice(c, th,
				 fan_source_is_unsplit(c->source, span, th) ? "waiting or asleep"
									    : "waiting",
				 t0, span->t1_ns);
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		return put_slice(c, th, "unknown", t0, span->t1_ns);
	case FAN_ST_NEW:
	case FAN_ST_BLOCKED:
	case FAN_ST_DEAD:
		break;
	}
	return 0;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The span around it is not over yet: what it ran before it entered is drawn too. */
static int draw_guest(void *ctx, const struct fan_thread *th, uint64_t t0_ns, uint64_t t1_ns)
{
	struct canvas *c = ctx;
	struct lane *l = lane_of(c, th->index);
	uint64_t from, t0;
	int r;

	if (!l)
		return 0;
	from = latest(latest(th->since_ns, c->source->m->start_ns), l->done_ns);
	t0 = latest(t0_ns, from);
	r = put_slice(c, th, "running", from, t0);
	if (r == 0)
		r = put_slice(c, th, "in guest", t0, t1_ns);
	l->done_ns = latest(l->done_ns, t1_ns);
	return r;
}

static bool number_of(const struct fcap_marker *line, const char *key, int64_t *ret)
{
	const char *text = fcap_marker_get(line, key);

	return text && fcap_parse_i64(text, 0, INT64_MAX, ret) == 0;
}

static int put_steal(struct canvas *c, int32_t group, uint64_t ts_ns)
{
	const uint64_t ts = ts_ns - c->source->m->first_ns, ns = c->steal_ns[group];

	begin_event(c);
	put_id(c, "{\"ph\":\"C\",\"name\":\"steal\",\"pid\":", pid_of(group));
	put_us(c, ",\"ts\":", ts);
	put(c, ",\"args\":{\"ms\":");
	fan_sink_u64(&c->to, ns / 1000000, 0);
	fan_sink_char(&c->to, '.');
	fan_sink_u64(&c->to, ns % 1000000, 6);
	put(c, "}}");
	return fan_sink_state(&c->to);
}

/* The recorder's samples of run_delay, which grow; a smaller one is of another thread. */
static int draw_line(void *ctx, const struct fan_model *m, const struct fcap_marker *line,
		     uint64_t ts_ns)
{
	struct canvas *c = ctx;
	const struct fan_model *first = c->source->m;
	int64_t tid, delay;
	struct lane *l;

	if (strcmp(line->kind, "steal") != 0 || !number_of(line, "tid", &tid) || tid == 0 ||
	    tid >= FAN_TID_MAX || !number_of(line, "delay", &delay) || ts_ns < first->start_ns ||
	    ts_ns > first->end_ns)
		return 0;
	l = lane_of(c, fan_threads_find(m->threads, (int32_t)tid));
	if (!l)
		return 0;
	if (l->has_sample && (uint64_t)delay > l->delay_ns)
		c->steal_ns[l->group] += (uint64_t)delay - l->delay_ns;
	l->delay_ns = (uint64_t)delay;
	l->has_sample = true;
	return put_steal(c, l->group, ts_ns);
}

static void put_name(struct canvas *c, const char *what, int32_t group, int32_t tid,
		     const char *name)
{
	begin_event(c);
	put(c, "{\"ph\":\"M\",\"name\":\"");
	put(c, what);
	put_id(c, "\",\"pid\":", pid_of(group));
	put_id(c, ",\"tid\":", tid);
	put(c, ",\"args\":{\"name\":");
	fan_sink_json(&c->to, name);
	put(c, "}}");
}

static void name_lane(struct canvas *c, const struct fan_thread *th)
{
	char name[48];

	if (th->is_vcpu && th->vcpu_id >= 0)
		snprintf(name, sizeof(name), "vCPU %" PRId32, th->vcpu_id);
	else
		snprintf(name, sizeof(name), "%s", th->comm[0] ? th->comm : "thread");
	put_name(c, "thread_name", c->lanes[th->index].group, th->tid, name);
}

/* Who has a lane, and where, as known at the end of the first reading. */
static int lay_out(struct canvas *c)
{
	const struct fan_source *s = c->source;

	c->nlanes = fan_threads_count(s->m->threads);
	c->lanes = calloc(c->nlanes + 1, sizeof(*c->lanes));
	c->steal_ns = calloc(s->g->n + 1, sizeof(*c->steal_ns));
	if (!c->lanes || !c->steal_ns)
		return -ENOMEM;
	for (size_t k = 0; k < s->g->n; k++)
		put_name(c, "process_name", (int32_t)k, 0, s->g->items[k].name);
	for (size_t i = 0; i < c->nlanes; i++) {
		const struct fan_thread *th = fan_threads_at(s->m->threads, i);
		const int32_t k = fan_groups_of(s->g, s->m, i);
		const struct fan_group *g = k >= 0 ? &s->g->items[k] : NULL;
		const bool has_lane = g &&
				      (g->vcpus == 0 || fan_group_has_vcpu(g, th, s->m->end_ns));

		c->lanes[i].group = has_lane ? k : -1;
		if (has_lane)
			name_lane(c, th);
	}
	return fan_sink_state(&c->to);
}

static int check(const struct fan_source *s, struct fcap_err *err)
{
	if (!s->m->has_switches)
		return fcap_fail(err, EINVAL,
				 "it holds no sched_switch events, which tell who ran and who "
				 "waited; record with fcap, or with trace-cmd record -e sched");
	if (s->g->n == 0)
		return fcap_fail(err, EINVAL,
				 "no group is found in it, so that there is nothing "
				 "to draw; try --group process");
	return 0;
}

static int draw(struct canvas *c, struct fcap_err *err)
{
	const struct fan_observer observer = { draw_span, NULL, draw_guest, draw_line, c };
	int r;

	errno = 0;
	put(c, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	r = lay_out(c);
	if (r == -ENOMEM)
		return fcap_fail(err, ENOMEM, "out of memory");
	if (r < 0)
		return fan_export_failed(r, err);
	r = fan_source_observe(c->source, &observer, c->to.f, err);
	if (r < 0) {
		fan_sink_pass(&c->to);
		return r;
	}
	put(c, "\n]}\n");
	r = fan_sink_flush(&c->to);
	return r < 0 ? fan_export_failed(r, err) : 0;
}

int fan_export_perfetto(const struct fan_source *s, FILE *f, struct fcap_err *err)
{
	struct canvas c = { .source = s, .to.f = f };
	int r = check(s, err);

	if (r == 0)
		r = draw(&c, err);
	free(c.lanes);
	free(c.steal_ns);
	return r;
}
