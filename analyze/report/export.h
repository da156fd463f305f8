/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The series behind the numbers of a report, written as they pass by, so that memory does not grow
 * with them. Which group a thread is of is known only at the end of a trace: it is read twice, and
 * the first time tells the names.
 */
#ifndef FAN_REPORT_EXPORT_H
#define FAN_REPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/report/assemble.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"

enum fan_export_what {
	FAN_EXPORT_WINDOWS,
	FAN_EXPORT_SPANS,
	FAN_EXPORT_WAITS,
	FAN_EXPORT_EXITS,
	FAN_EXPORT_MARKERS,
	FAN_EXPORT_WHATS
};

/* "windows", ...; NULL beyond the last. */
const char *fan_export_word(unsigned int what);

/* What the first reading has told. */
struct fan_source {
	const struct fan_file *file;	  /* borrowed */
	struct fan_model_options options; /* of the next one; what it points to is borrowed */
	struct fan_model *m;
	struct fan_groups *g;
};

/* 0 or negative errno with a sentence; fan_source_close() it in both cases. */
int fan_source_read(struct fan_source *ret, const struct fan_file *file,
		    const struct fan_model_options *model, const struct fan_report_options *options,
		    struct fcap_err *err);
/*
 * The same for FAN_EXPORT_MARKERS alone, which need no groups: g stays NULL.
 */
int fan_source_read_lines(struct fan_source *ret, const struct fan_file *file,
			  const struct fan_model_options *model, struct fcap_err *err);
void fan_source_close(struct fan_source *s);

/*
 * Reads the file again, with this observer. An error of f, which the observer writes to, is said to
 * be one. 0 or negative errno with a sentence.
 */
int fan_source_observe(const struct fan_source *s, const struct fan_observer *observer, FILE *f,
		       struct fcap_err *err);

/*
 * The group of what this thread's time was booked to at that moment of the second reading, or -1;
 * th NULL: none.
 */
int32_t fan_source_group(const struct fan_source *s, const struct fan_thread *th);

/* The same thread at the end of the first reading; NULL for NULL. */
const struct fan_thread *fan_source_thread(const struct fan_source *s, const struct fan_thread *th);

/*
 * Is this a wait only for want of a better word: from a switch-out to sleep on, in a trace that
 * does not tell waits from sleeps? It is in the report's unsplit_ns, not in its wait_ns.
 */
bool fan_source_is_unsplit(const struct fan_source *s, const struct fan_span *span,
			   const struct fan_thread *th);

/* ns after the start of the trace, which may be below 0 for lines of the recorder. */
int64_t fan_source_time(const struct fan_source *s, uint64_t ts_ns);

/* Is a line of this time in what is analysed? All are, where that is not limited. */
bool fan_source_has(const struct fan_source *s, uint64_t ts_ns);

/* "it cannot be written: ...": the negative errno of the last write. */
int fan_export_failed(int error, struct fcap_err *err);

/* --- what can be written; each flushes f. 0 or negative errno with a sentence --- */

/* One row a window and group of the report's series. */
int fan_export_windows(const struct fan_report *r, bool is_json, FILE *f, struct fcap_err *err);

/* Spans, waits, exits or markers. -EINVAL also where the trace does not tell them at all. */
int fan_export_series(const struct fan_source *s, enum fan_export_what what, bool is_json, FILE *f,
		      struct fcap_err *err);

/*
 * The JSON of Chrome's trace viewer, which Perfetto's UI opens: a process a group, in it a lane a
 * vCPU (a thread, where a group has none) with slices "running", "in guest", "waiting",
 * "waiting or asleep" and "unknown" that never overlap, and the counter "steal" from the recorder's
 * samples.
 */
int fan_export_perfetto(const struct fan_source *s, FILE *f, struct fcap_err *err);

#endif
