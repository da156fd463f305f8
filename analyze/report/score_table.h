/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of benchmark scores and work logs that people bring along: CSV or TSV with a header, and
 * the lines that steal-time-benchmark prints, in its form of 2015 and in the later one. What is
 * missing, doubled or out of range is refused with its file and line: nothing is guessed.
 */
#ifndef FAN_REPORT_SCORE_TABLE_H
#define FAN_REPORT_SCORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

#define FAN_SCORE_NO_CONFIG "all" /* the configuration of a table that names none */

#define FAN_SCORE_LINE	65536	/* bytes of the longest line */
#define FAN_SCORE_NAMES 4096	/* different names of runs, of configurations, of VMs */
#define FAN_SCORE_ROWS	1048576 /* values in all files */

/* What a row is. All files of one table are of one kind. */
enum fan_score_kind {
	FAN_SCORES_NONE,    /* nothing was read yet */
	FAN_SCORES_RUNS,    /* the score of a VM in a run */
	FAN_SCORES_WORK,    /* the work of a VM in a window of the one run of a configuration */
	FAN_SCORES_SHARES,  /* a share in a window, and the total that it is a share of */
	FAN_SCORES_SUMMARY, /* a gap that somebody worked out, without the runs behind it */
};

/* What a reader of the numbers must know; bits. */
enum fan_score_note {
	FAN_SCORES_WHOLE_PERCENT = 1 << 0, /* the benchmark of 2015 cuts fractions off */
	FAN_SCORES_NO_TOTAL = 1 << 1,	   /* shares without totals: each window counts alike */
	FAN_SCORES_CLAMPED = 1 << 2,	   /* shares by at most 0.05 beyond 0 or 100 set to these */
	FAN_SCORES_DUE_TOLD = 1 << 3,	   /* the rows say what share was due */
	FAN_SCORES_MISSING = 1 << 4,	   /* numbered windows of which up to 5 % are not there */
};

/* Indices are into the lists of names; -1: the table has no such column. */
struct fan_score_row {
	int32_t run, config, vm, file;
	size_t line;
	double window; /* its number or time: increases within a series; NaN: FAN_SCORES_RUNS */
	double value;  /* score or work, at least 0; share or gap in percent */
	double total;  /* of a window of shares, in any unit; 1 where none is told */
	double expected_pct; /* NaN: not told */
};

/* All zeros is an empty table. Names are in the order of their first appearance. */
struct fan_score_table {
	enum fan_score_kind kind;
	struct fan_strs files, runs, configs, vms;
	struct fan_strs checksums; /* of the files, checksum.h; "" of what is no regular file */
	struct fan_strs unused;	   /* columns that say nothing that is known here, each once */
	struct fan_score_row *rows;
	size_t n;
	unsigned int notes; /* enum fan_score_note */
};

/*
 * Reads one file more. config is the configuration of files that do not name their own; NULL:
 * none. Memory grows with rows, not with bytes. 0; -ENOENT; -EINVAL: what the file holds cannot be
 * used; other errno of the system. err->text begins with FILE or FILE:LINE.
 */
int fan_scores_read(struct fan_score_table *t, const char *path, const char *config,
		    struct fcap_err *err);

/*
 * After the last file: sorts the rows by configuration, then (runs) run and VM or (windows) VM and
 * order; refuses a VM twice in one run and windows that only some VMs have. Windows of equal
 * length are not asked for. 0, -EINVAL, -ENOMEM.
 */
int fan_scores_check(struct fan_score_table *t, struct fcap_err *err);

/* How many rows from this one on are of one configuration and VM. */
size_t fan_scores_series(const struct fan_score_table *t, size_t from);

/* The name of a configuration or VM; "" for none. Borrowed from the table. */
const char *fan_score_name(const struct fan_strs *names, int32_t index);

void fan_scores_free(struct fan_score_table *t);

#endif
