/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports of several files, one after the other; where there are CPUs for it, those of the
 * next files are made meanwhile. For cmd_*.c only.
 */
#ifndef FAN_MANY_FILES_H
#define FAN_MANY_FILES_H

#include "analyze/analysis.h"

struct fan_many_files;

/* All of it is borrowed, until they are closed. */
struct fan_many_files_plan {
	const char *const *files;
	size_t n;
	const struct fan_analysis *analysis;
	unsigned int threads; /* 0: as many as there are CPUs, up to 4; 1: none but the caller's */
};

/* 0 or -ENOMEM. */
int fan_many_files_open(struct fan_many_files **ret, const struct fan_many_files_plan *plan,
			struct fcap_err *err);

/*
 * The report of the next file, a trace.dat or a report as JSON; at most n times. 0 or negative
 * errno; fan_report_free() it in any case.
 */
int fan_many_files_next(struct fan_many_files *f, struct fan_report *ret, struct fcap_err *err);

/* May be called at any time. */
void fan_many_files_close(struct fan_many_files *f);

#endif
