/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result tree of a comparison, fcap-compare/1, in the manner of tree.h. Every change is
 * treatment over baseline: above 0 is a gain. Percentages of changes and gaps are
 * 100 (exp(mean log ratio) - 1).
 */
#ifndef FAN_REPORT_COMPARE_TREE_H
#define FAN_REPORT_COMPARE_TREE_H

#include "analyze/report/runs.h"
#include "analyze/report/tree.h"

/* Variance of the shares of runs: what is between them, and what is within. Squared points. */
struct fan_c_spread {
	double total, within, between;
	double between_part; /* between/total, 0 to 1 */
};

/* One VM in one configuration, over its runs. */
struct fan_c_group {
	char *name;
	int64_t n;		   /* runs that have it */
	double total;		   /* work done in all runs; NaN: none told, and of ratings */
	char *unit;		   /* of the mean; NULL: no score and no work was told */
	struct fan_est mean;	   /* of scores, or of work per second */
	struct fan_est cpus;	   /* of CPU seconds a second */
	struct fan_est efficiency; /* score, or work, a CPU second */
	struct fan_est share;	   /* percent */
	struct fan_est share_window_mean; /* percent */
	double expected_pct;		  /* mean over runs */
	struct fan_est deviation;	  /* points */
	struct fan_est forced_idle; /* of the time that its threads ran or waited, in percent */
	struct fan_c_spread spread; /* of the share */
	struct fan_verdict_text verdict; /* on the deviation */
};

/* All VMs of a configuration together, over the runs that have them all. */
struct fan_c_total {
	char *unit;	     /* of the mean; NULL: not one unit, or none was told */
	struct fan_est mean; /* of the sum of scores, or of work per second */
	struct fan_est cpus;
	struct fan_est efficiency;
	struct fan_est forced_idle; /* percent of the CPU time of all CPUs of the host */
};

/* How many runs were judged how; they add up to the runs of the configuration. */
struct fan_c_isolation {
	int64_t isolated, shared, untested, cannot_tell, not_applicable;
	int64_t not_told;
	char *word; /* what all its runs were judged as; "disagree": they disagree; NULL: none tells
		     */
	char *reason; /* of untested, cannot_tell, not_applicable, where all have the same */
	char *level;  /* "vm", "guest", "cookie"; NULL: none, or not one */
	struct fan_est judged_pct; /* of co-run time, over the runs isolated or shared */
	double worst_pct;	   /* of one run */
	char *worst;		   /* that run */
};

struct fan_c_configuration {
	char *label;
	int64_t runs;
	struct fan_c_total total;
	struct fan_c_isolation isolation;
	struct fan_est jain;	    /* over the VMs, of share divided by due share */
	struct fan_est largest_gap; /* of more than two VMs, by size; no value: of fewer */
	struct fan_array groups;    /* struct fan_c_group, by name */
};

struct fan_c_gap {
	char *name;
	char *a, *b;  /* a over b: VMs of between_vm, else configurations */
	char *config; /* of between_vm; else NULL */
	char *per;    /* VM, "total" or "A over B" (change of a gap); NULL of between_vm */
	char *of;     /* what was measured: "score", "work", "cpu_time", ...; NULL where the name
		       * says it */
	struct fan_est est;
	double p, p_adj;		 /* p_adj: over the family of est.m */
	struct fan_verdict_text verdict; /* margin in the unit of est */
	int64_t runs_needed;   /* of each configuration, in all, to see a gap of the margin */
	int64_t runs_more;     /* of these, still to be made: at least 0 */
	double p_rank;	       /* of the exact rank test */
	double p_min;	       /* the smallest that this test can give with so few runs */
	struct fan_est second; /* the estimate by another method */
	double noise_floor;    /* of between_vm: what |gap| shows on average when there is none */
	double correlation;    /* of between_vm: of the logs of a and b over runs, -1 to 1 */
};

/* What one series of windows looks like, beside its share. In percent unless stated. */
struct fan_c_windows {
	char *config, *vm;
	int64_t n;
	struct fan_reals at;	/* number or time of each, as in the table */
	struct fan_reals share; /* percent; NaN where nobody did anything */
	double total;		/* of all windows, in the unit of the work */
	double min, median, max;
	int64_t zero_windows, longest_zero; /* of a share of 0; most of them in a row */
	int64_t unequal_windows;	    /* total outside 0.5 .. 1.5 x the median */
	double r1;			    /* lag-1 correlation of the residuals of the share */
	double ess;			    /* effective number of windows */
	double shift;		/* of the shares: self-normalised CUSUM, stats/checks.h */
	int64_t shift_at;	/* windows before the shift that fits best */
	int64_t warmup_windows; /* that MSER-5 would cut; FAN_NONE: undetermined */
	double share_without_warmup;
	int64_t outliers_mild, outliers_severe;
	double mean_without_severe;
	struct fan_est mean_abs, rms; /* of the deviation of windows, in points */
	struct fan_est independent;   /* of the window mean, were windows independent: contrast */
};

/* A table of scores that was read. */
struct fan_c_file {
	char *name, *checksum; /* "xxh128:" and 32 digits in hex; NULL: no regular file */
};

struct fan_compare {
	char *schema; /* "fcap-compare/1" */
	struct fan_r_tool tool;
	double level;
	double margin; /* points, or percent of scores */
	char *by;      /* label that told the configurations; NULL: they were named */
	char *paired;  /* label that told the blocks; NULL: independent runs */
	char *baseline;
	struct fan_array configurations; /* struct fan_c_configuration, the baseline first */
	struct fan_array gaps;		 /* struct fan_c_gap */
	struct fan_array runs;		 /* struct fan_run */
	struct fan_array windows;	 /* struct fan_c_windows, of scores alone */
	struct fan_array files;		 /* struct fan_c_file, of scores alone */
	struct fan_strs notes;
};

extern const struct fan_table fan_compare_table, fan_c_configuration_table, fan_c_group_table,
	fan_c_gap_table, fan_c_windows_table, fan_c_file_table;

void fan_compare_free(struct fan_compare *c);

#endif
