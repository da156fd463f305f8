// SPDX-License-Identifier: GPL-3.0-or-later
/* Both readings of a trace that is exported. */
#include <stdlib.h>
#include <string.h>

#include "analyze/report/export.h"
#include "analyze/report/passes.h"

const char *fan_export_word(unsigned int what)
{
	static const char *const words[] = { "windows", "spans", "waits", "exits", "markers" };

	return what < FAN_EXPORT_WHATS ? words[what] : NULL;
}

/* Weights do not matter here, but the names that they are given to have to exist. */
static int check_names(const struct fan_groups *g, const struct fan_report_options *options,
		       struct fcap_err *err)
{
	double *given = NULL;
	const int r = fan_report_weights(&given, g, options, err);

	free(given);
	return r;
}

int fan_source_read(struct fan_source *ret, const struct fan_file *file,
		    const struct fan_model_options *model, const struct fan_report_options *options,
		    struct fcap_err *err)
{
	int r;

	*ret = (struct fan_source){ .file = file, .options = *model };
	ret->options.is_rehearsal = true;
	r = fan_model_read(&ret->m, file, &ret->options, err);
	if (r == 0)
		r = fan_report_groups(&ret->g, ret->m, options, err);
	if (r == 0)
		r = check_names(ret->g, options, err);
	if (r == 0)
		ret->options.waits_from_waking = ret->m->waits_from_waking;
	ret->options.is_rehearsal = false;
	return r;
}

int fan_source_read_lines(struct fan_source *ret, const struct fan_file *file,
			  const struct fan_model_options *model, struct fcap_err *err)
{
	static const struct fan_observer nobody;
	int r;

	*ret = (struct fan_source){ .file = file, .options = *model };
	ret->options.observer = &nobody;
	r = fan_model_read(&ret->m, file, &ret->options, err);
	ret->options.observer = NULL;
	return r;
}

void fan_source_close(struct fan_source *s)
{
	fan_groups_free(s->g);
	fan_model_free(s->m);
}

int fan_export_failed(int error, struct fcap_err *err)
{
	return fcap_fail(err, -error, "it cannot be written: %s", strerror(-error));
}

int fan_source_observe(const struct fan_source *s, const struct fan_observer *observer, FILE *f,
		       struct fcap_err *err)
{
	struct fan_model_options options = s->options;
	struct fan_model *m = NULL;
	int r;

	options.observer = observer;
	r = fan_model_read(&m, s->file, &options, err);
	fan_model_free(m);
	return r < 0 && ferror(f) ? fan_export_failed(r, err) : r;
}

int32_t fan_source_group(const struct fan_source *s, const struct fan_thread *th)
{
	return th && (size_t)th->account < s->g->naccounts ? s->g->of_account[th->account] : -1;
}

/* Both readings find the same threads in the same order. */
const struct fan_thread *fan_source_thread(const struct fan_source *s, const struct fan_thread *th)
{
	return th && (size_t)th->index < fan_threads_count(s->m->threads)
		       ? fan_threads_at(s->m->threads, (size_t)th->index)
		       : NULL;
}

bool fan_source_is_unsplit(const struct fan_source *s, const struct fan_span *span,
			   const struct fan_thread *th)
{
	return span->state == FAN_ST_WAIT && !fan_model_tells_waits(s->m) && th &&
	       span->begin == FAN_EDGE_INFERRED && th->stale_at_ns == span->t1_ns;
}

int64_t fan_source_time(const struct fan_source *s, uint64_t ts_ns)
{
	return (int64_t)(ts_ns - s->m->first_ns);
}

/* Not by start_ns: without events that is when the first counters were read. */
bool fan_source_has(const struct fan_source *s, uint64_t ts_ns)
{
	const struct fan_model_options *o = &s->options;

	return (o->from_ns == 0 || ts_ns >= s->m->first_ns + o->from_ns) &&
	       (o->to_ns == 0 || ts_ns <= s->m->first_ns + o->to_ns);
}
