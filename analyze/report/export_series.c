// SPDX-License-Identifier: GPL-3.0-or-later
/* Spans, waits, exits and lines of a trace, a row each, as they pass by. */
#include <errno.h>

#include "analyze/report/exit_reason.h"
#include "analyze/report/export.h"
#include "analyze/report/export_rows.h"

struct series {
	const struct fan_source *source;
	struct fan_rows rows;
};

static const char *const span_columns[] = { "begin_ns", "end_ns", "state", "cpu",   "tid",
					    "comm",	"group",  "vcpu",  "begin", "end" };
static const char *const wait_columns[] = { "begin_ns", "end_ns", "cpu",   "tid", "comm",
					    "group",	"vcpu",	  "begin", "end" };
static const char *const exit_columns[] = { "begin_ns", "ns",  "off_cpu_ns", "group",
					    "vcpu",	"tid", "reason" };
static const char *const line_columns[] = { "ts_ns", "kind", "keys" };

/* In the words of the report's sums, which the spans add up to. */
static const char *state_word(const struct series *s, const struct fan_span *span,
			      const struct fan_thread *th)
{
	if (fan_source_is_unsplit(s->source, span, th))
		return "unsplit";
	switch (span->state) {
	case FAN_ST_RUN:
		return span->thread == FAN_CPU_IDLE ? "idle" : "run";
	case FAN_ST_WAIT:
		return "wait";
	case FAN_ST_NEW:
	case FAN_ST_BLOCKED:
	case FAN_ST_DEAD: /* it was not dead yet, as its next event shows */
		return "blocked";
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		break;
	}
	return "unknown";
}

static const char *edge_word(enum fan_edge edge)
{
	switch (edge) {
	case FAN_EDGE_SEEN:
		return "seen";
	case FAN_EDGE_INFERRED:
		return "inferred";
	case FAN_EDGE_UNKNOWN:
		return "unknown";
	case FAN_EDGE_CUT:
		break;
	}
	return "cut";
}

static void put_group(struct series *s, const struct fan_thread *th)
{
	const int32_t k = fan_source_group(s->source, th);

	fan_rows_text(&s->rows, k < 0 ? NULL : s->source->g->items[k].name);
}

static void put_vcpu(struct series *s, const struct fan_thread *th)
{
	const struct fan_thread *last = fan_source_thread(s->source, th);

	fan_rows_i64(&s->rows,
		     last && last->is_vcpu && last->vcpu_id >= 0 ? last->vcpu_id : FAN_NONE);
}

/* The name of that moment; where none was told yet, the one that was. */
static void put_thread(struct series *s, const struct fan_thread *th)
{
	const struct fan_thread *last = fan_source_thread(s->source, th);
	const struct fan_thread *named = th && !th->comm[0] ? last : th;

	fan_rows_i64(&s->rows, th ? th->tid : FAN_NONE);
	fan_rows_text(&s->rows, named && named->comm[0] ? named->comm : NULL);
	put_group(s, th);
	put_vcpu(s, th);
}

static void put_cpu(struct series *s, int32_t cpu)
{
	fan_rows_i64(&s->rows, cpu >= 0 ? cpu : FAN_NONE);
}

static void put_times(struct series *s, const struct fan_span *span)
{
	fan_rows_i64(&s->rows, fan_source_time(s->source, span->t0_ns));
	fan_rows_i64(&s->rows, fan_source_time(s->source, span->t1_ns));
}

/* A thread is not seen from the moment on at which the trace begins. */
static enum fan_edge begin_of(const struct fan_span *span)
{
	if (span->is_clipped)
		return FAN_EDGE_CUT;
	return span->state == FAN_ST_UNSEEN ? FAN_EDGE_UNKNOWN : span->begin;
}

static int end_span(struct series *s, const struct fan_span *span)
{
	fan_rows_text(&s->rows, edge_word(begin_of(span)));
	fan_rows_text(&s->rows, edge_word(span->end));
	return fan_rows_end(&s->rows);
}

static int put_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct series *s = ctx;

	put_times(s, span);
	fan_rows_text(&s->rows, state_word(s, span, th));
	/* a CPU is of those who run on it and who wait for it */
	put_cpu(s, !th || span->state == FAN_ST_RUN || span->state == FAN_ST_WAIT ? span->cpu : -1);
	put_thread(s, th);
	return end_span(s, span);
}

static int put_wait(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct series *s = ctx;

	if (span->state != FAN_ST_WAIT)
		return 0;
	put_times(s, span);
	put_cpu(s, span->cpu);
	put_thread(s, th);
	return end_span(s, span);
}

static int put_exit(void *ctx, const struct fan_exit *exit, const struct fan_thread *th,
		    uint64_t from_ns)
{
	struct series *s = ctx;
	struct fan_exit_number number;

	fan_rows_i64(&s->rows, fan_source_time(s->source, from_ns));
	fan_rows_i64(&s->rows, (int64_t)exit->ns);
	fan_rows_i64(&s->rows, s->source->m->has_switches ? (int64_t)exit->off_cpu_ns : FAN_NONE);
	put_group(s, th);
	put_vcpu(s, th);
	fan_rows_i64(&s->rows, th->tid);
	fan_rows_text(&s->rows, fan_exit_reason(&number, exit->isa, exit->reason));
	return fan_rows_end(&s->rows);
}

static int put_line(void *ctx, const struct fan_model *m, const struct fcap_marker *line,
		    uint64_t ts_ns)
{
	struct series *s = ctx;

	(void)m;
	if (!fan_source_has(s->source, ts_ns))
		return 0;
	fan_rows_i64(&s->rows, fan_source_time(s->source, ts_ns));
	fan_rows_text(&s->rows, line->kind);
	fan_rows_pairs(&s->rows, line);
	return fan_rows_end(&s->rows);
}

/* What the trace does not hold is no empty table: that would say that nothing happened. */
static int check(const struct fan_model *m, enum fan_export_what what, struct fcap_err *err)
{
	if ((what == FAN_EXPORT_SPANS || what == FAN_EXPORT_WAITS) && !m->has_switches)
		return fcap_fail(err, EINVAL,
				 "it holds no sched_switch events, which tell who ran and who "
				 "waited; record with fcap, or with trace-cmd record -e sched");
	if (what == FAN_EXPORT_WAITS && !fan_model_tells_waits(m))
		return fcap_fail(err, EINVAL,
				 "it holds no sched_wakeup events, without which most waits cannot "
				 "be told from sleeps; --what spans has those of threads that were "
				 "preempted");
	if (what == FAN_EXPORT_EXITS &&
	    !(fan_kvm_tells(fan_machine_kvm(m->machine)) & FAN_TELLS_GUEST))
		return fcap_fail(err, EINVAL,
				 "it holds no kvm_exit with kvm_entry events; record with fcap, or "
				 "with trace-cmd record -e kvm");
	if (what == FAN_EXPORT_MARKERS && m->facts->lines == 0)
		return fcap_fail(err, EINVAL, "it holds no lines of fcap");
	return 0;
}

#define COLUMNS(list) (list), sizeof(list) / sizeof((list)[0])

int fan_export_series(const struct fan_source *source, enum fan_export_what what, bool is_json,
		      FILE *f, struct fcap_err *err)
{
	struct series s = { .source = source, .rows = { .to.f = f, .is_json = is_json } };
	const struct {
		const char *const *columns;
		size_t n;
		struct fan_observer observer;
	} kinds[FAN_EXPORT_WHATS] = {
		[FAN_EXPORT_SPANS] = { COLUMNS(span_columns), { .span = put_span, .ctx = &s } },
		[FAN_EXPORT_WAITS] = { COLUMNS(wait_columns), { .span = put_wait, .ctx = &s } },
		[FAN_EXPORT_EXITS] = { COLUMNS(exit_columns), { .exit = put_exit, .ctx = &s } },
		[FAN_EXPORT_MARKERS] = { COLUMNS(line_columns), { .line = put_line, .ctx = &s } },
	};
	int r = check(source->m, what, err);

	if (r < 0)
		return r;
	s.rows.columns = kinds[what].columns;
	s.rows.n = kinds[what].n;
	errno = 0;
	fan_rows_begin(&s.rows);
	r = fan_source_observe(source, &kinds[what].observer, f, err);
	if (r < 0) {
		fan_sink_pass(&s.rows.to);
		return r;
	}
	r = fan_sink_flush(&s.rows.to);
	return r < 0 ? fan_export_failed(r, err) : 0;
}
