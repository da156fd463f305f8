/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that assemble a comparison share; see compare_assemble.h. */
#ifndef FAN_REPORT_COMPARE_PARTS_H
#define FAN_REPORT_COMPARE_PARTS_H

#include <stdint.h>

#include "analyze/report/compare_assemble.h"

#define FAN_TOTAL    SIZE_MAX /* in place of a VM: the sum over all VMs of a run */
#define FAN_PAIR_VMS 20	      /* VMs above which they are not compared two by two */
#define FAN_FAMILY   20	      /* gaps of a family above which it only explores */

enum fan_quantity {
	FAN_Q_SCORE,
	FAN_Q_CPUS,
	FAN_Q_EFFICIENCY, /* score a CPU second a second */
	FAN_Q_SHARE,
	FAN_Q_WINDOW_MEAN,
	FAN_Q_EXPECTED,
	FAN_Q_DEVIATION,
	FAN_Q_FORCED_IDLE, /* of the total: of the CPU time of all CPUs */
	FAN_Q_JUDGED,	   /* of the total alone: co-run time that the isolation objects to */
};

/* A gap on the scale on which it is tested, beside the one of the same index in the tree. */
struct fan_gap_work {
	struct fan_est est;
	bool is_log;	/* of a ratio: shown in percent */
	bool is_paired; /* of differences within runs or blocks */
};

struct fan_comparison {
	const struct fan_compare_options *options;
	struct fan_compare *tree;
	const struct fan_run *runs; /* by configuration, start and name */
	size_t nruns;
	/* names are borrowed from the runs */
	const char **configs; /* the baseline first */
	size_t nconfigs;
	size_t *first;	    /* the runs of configuration c are first[c] .. first[c + 1] - 1 */
	const char **vms;   /* by name */
	const char **units; /* of the VM's score; NULL: none was told */
	size_t nvms;
	const char **blocks; /* by name; none without --paired */
	size_t nblocks;
	bool has_order; /* it is known of every run when it began */
	struct fan_gap_work *work;
	size_t nwork;
};

/* Sorts the runs and lists what there is. fan_comparison_free() it also after a failure. */
int fan_comparison_make(struct fan_comparison *ret, struct fan_compare *tree,
			const struct fan_compare_options *options, struct fcap_err *err);
void fan_comparison_free(struct fan_comparison *c);

/* The VM's numbers in this run; NULL: it is not in it. */
const struct fan_run_group *fan_run_has(const struct fan_comparison *c, size_t run, size_t vm);

/* One run's number, or NaN: also where the unit of a score is not that of the VM's other runs. */
double fan_value_of(const struct fan_comparison *c, size_t run, size_t vm, enum fan_quantity q);

/* Runs of a configuration. */
size_t fan_runs_of(const struct fan_comparison *c, size_t config);

/* Values of its runs in their order, to ret with room for fan_runs_of(). */
void fan_column(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q,
		double *ret);

/* Values of baseline x and treatment y: of runs, or block by block. */
struct fan_sides {
	double *x, *y;
	size_t nx, ny;
};

/* Room for both, full of NaN. 0 or -ENOMEM; fan_sides_free() it in both cases. */
int fan_sides_make(struct fan_sides *ret, const struct fan_comparison *c, size_t treatment);
void fan_sides_free(struct fan_sides *s);
void fan_sides_fill(const struct fan_sides *s, const struct fan_comparison *c, size_t treatment,
		    size_t vm, enum fan_quantity q);
/* ln(a/b) of one quantity of two VMs. False: a 0 is among them, and the rest is not filled. */
bool fan_sides_log_ratios(const struct fan_sides *s, const struct fan_comparison *c,
			  size_t treatment, size_t a, size_t b, enum fan_quantity q);

/* True if it has a number of the VM in a run of this configuration. */
bool fan_has_value(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q);

/* Score if both VMs have one in the same unit, else CPU time. */
enum fan_quantity fan_pair_quantity(const struct fan_comparison *c, size_t a, size_t b);

/* All in the same unit, so that a total means something. */
bool fan_has_one_unit(const struct fan_comparison *c);

/* The one run's own estimate at this level, adjusted for m. */
struct fan_est fan_within_run(const struct fan_est *est, double level, unsigned int m);

/*
 * Mean of one quantity over the runs of a configuration, in this unit, adjusted for m; flags a
 * drift over them. 0; -ENOMEM; -EINVAL of the statistics.
 */
int fan_column_mean(const struct fan_comparison *c, size_t config, size_t vm, enum fan_quantity q,
		    const struct fan_est_spec *spec, struct fan_est *ret);

/* Drift of the values of a configuration's runs with the order in which they began. */
int fan_column_drifts(const struct fan_comparison *c, size_t config, const double *values,
		      bool *ret);

/* Fill tree->configurations, tree->gaps and tree->notes. 0; -ENOMEM; -EINVAL of the statistics. */
int fan_compare_groups(struct fan_comparison *c);
int fan_compare_whole(struct fan_comparison *c);
int fan_compare_gaps(struct fan_comparison *c);
int fan_compare_judge(struct fan_comparison *c);
int fan_compare_notes(struct fan_comparison *c);
int fan_compare_settings(struct fan_comparison *c);

#endif
