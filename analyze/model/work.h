/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the workloads said of their own work: "work" lines by reporter and unit, and "score" lines.
 * Amounts are as parsed, decimal fractions allowed; times are whole nanoseconds.
 */
#ifndef FAN_MODEL_WORK_H
#define FAN_MODEL_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fcap/marker.h"

/* n units were done in [t0, t1), t0 < t1. */
struct fan_work_line {
	uint64_t t0_ns, t1_ns;
	double n;
};

/* All lines of one reporter in one unit. */
struct fan_work_series {
	char *vm, *unit;	     /* unit "": none told */
	struct fan_work_line *lines; /* by t1 once fan_work_finish() was called */
	size_t n;
	double total;	  /* of all lines, also those below */
	uint64_t last_ns; /* end of the last line; 0: none yet */
	size_t unbegun;	  /* lines whose begin is not known: the first without dt; not in lines */
	bool is_told;	  /* some line carries its own time t: CLOCK_MONOTONIC */
	bool is_stamped;  /* some line carries none and has that of its record */
};

struct fan_score {
	char *vm;
	double value;
};

struct fan_work {
	struct fan_work_series *series; /* in the order of their first lines */
	size_t nseries;
	struct fan_score *scores; /* in the order of the lines */
	size_t nscores;
	int64_t shift_ns; /* from CLOCK_MONOTONIC, of which t is, to the stamps of the trace */
};

struct fan_work *fan_work_new(void); /* NULL: no memory */
void fan_work_free(struct fan_work *w);

/*
 * Takes a work or score line, stamped ts_ns; other kinds are passed over. A line without dt says
 * what was done since the line before it. Memory is bounded: of a series with very many lines,
 * neighbours are joined. 0; -EINVAL: malformed, or more reporters than can be (1024); -ENOMEM.
 */
int fan_work_take(struct fan_work *w, const struct fcap_marker *line, uint64_t ts_ns);

/* To be called after the last line. */
void fan_work_finish(struct fan_work *w);

#endif
