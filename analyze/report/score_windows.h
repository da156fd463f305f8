/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of one run a configuration, from score tables: shares, deviations, index and changes,
 * with within-run intervals (stats/share.h). Every word about them is indicative: one run.
 */
#ifndef FAN_REPORT_SCORE_WINDOWS_H
#define FAN_REPORT_SCORE_WINDOWS_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/score_table.h"
#include "analyze/stats/verdict.h"

/* A number that belongs to one VM, or (name NULL) to all; borrowed. */
struct fan_score_given {
	const char *name;
	double value;
};

struct fan_score_options {
	double level;	      /* of the intervals, 0.5 .. 1 */
	double margin;	      /* points; percent for scores and work */
	const char *baseline; /* NULL: "off" if there is one, else the first configuration */
	const struct fan_score_given *expected; /* shares, 0 .. 1 */
	size_t nexpected;
	const struct fan_score_given *weights; /* above 0; every VM has one, or none has */
	size_t nweights;
	const char *command; /* as typed, for the record */
};

/* One series, in time order. Arrays are owned by who made them, names borrowed. */
struct fan_score_series {
	const char *config, *vm;
	const struct fan_score_row *rows; /* n of them, of the table */
	double *part, *total;		  /* of each window; n of them */
	double *share; /* percent; of the nshare windows whose total is above 0 */
	size_t n, nshare;
	double expected_pct; /* NaN: not known */
};

/* The series of one configuration, a part of one array. */
struct fan_score_config {
	int32_t index;	   /* of the table's configs */
	const char *label; /* "" for none */
	struct fan_score_series *series;
	size_t n;
};

/* Fills group (its name, estimates, verdict) and windows; m is the size of the family. */
int fan_score_assemble_series(struct fan_c_group *group, struct fan_c_windows *windows,
			      const struct fan_score_series *s, unsigned int m,
			      const struct fan_score_options *options);

/* Puts word, margin and reasons of a verdict into the tree. 0 or -ENOMEM. */
int fan_score_verdict(struct fan_verdict_text *ret, const struct fan_verdict *v);

/* Sets the index of fairness of a configuration where its series, or one and the rest, are all
 * that shared. 0 or negative errno. */
int fan_score_jain(struct fan_c_configuration *ret, const struct fan_score_config *c,
		   enum fan_score_kind kind, double level);

/* Adds what the VMs of one configuration did over each other; windows of work alone. */
int fan_score_between(struct fan_compare *ret, const struct fan_score_config *c,
		      const struct fan_score_options *options);

/* Adds the changes of the shares from the first configuration in *ret to the others. */
int fan_score_changes(struct fan_compare *ret, const struct fan_score_options *options);

/*
 * Adds configurations, gaps, windows and notes of a checked table of FAN_SCORES_WORK or
 * FAN_SCORES_SHARES to *ret. 0; -ENOMEM; -EINVAL with a sentence: an option does not fit.
 */
int fan_score_assemble_windows(struct fan_compare *ret, const struct fan_score_table *t,
			       const struct fan_score_options *options, struct fcap_err *err);

/* The index of the configuration that the others are set against; -1: there are none named.
 * *ret is not written where the wanted one does not exist: -EINVAL. */
int fan_score_baseline(const struct fan_score_table *t, const char *wanted, int32_t *ret,
		       struct fcap_err *err);

#endif
