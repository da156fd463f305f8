/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over a trace: everything that later stages need, integers only. Members are for
 * reading.
 */
#ifndef FAN_MODEL_MODEL_H
#define FAN_MODEL_MODEL_H

#include "analyze/model/closure.h"
#include "analyze/model/facts.h"
#include "analyze/model/machine.h"
#include "analyze/model/series.h"
#include "analyze/model/threads.h"
#include "analyze/trace/file.h"

/* Rows of the series: the two below, then one a process, see fan_model_row(). */
enum { FAN_ROW_CPU_UNKNOWN, FAN_ROW_CPU_IDLE, FAN_ROW_PROCS };

struct fan_model {
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_series *series;
	struct fan_facts *facts;
	struct fan_closure *closure;
	unsigned int kinds;	 /* kinds of events the file has formats of: 1 << fan_event_kind */
	uint64_t cpu_unknown_ns; /* CPU time that no thread could be given */
	uint64_t cpu_idle_ns, cpu_run_ns;
	uint64_t records;	   /* of the main buffer, of use to the model or not */
	uint64_t start_ns, end_ns; /* of those; without any, of the markers */
};

/* Reads the whole file. file stays the caller's. 0 or negative errno. */
int fan_model_read(struct fan_model **ret, const struct fan_file *file, struct fcap_err *err);

/* Index of the series' row of a process. */
static inline size_t fan_model_row(int32_t proc)
{
	return (size_t)proc + FAN_ROW_PROCS;
}

void fan_model_free(struct fan_model *m);

#endif
