/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each run of a comparison came to: one number a VM and quantity, with the configuration that
 * it was made in. From reports, or from tables of scores; compare_assemble.h draws conclusions.
 * Plain structs of field tables (tree.h): NaN and NULL are what a run does not tell.
 */
#ifndef FAN_REPORT_RUNS_H
#define FAN_REPORT_RUNS_H

#include "analyze/report/tree.h"
#include "fcap/err.h"

struct fan_run_group {
	char *name;
	double score;		      /* a rating, or work per second; above 0 is better; in unit */
	char *unit;		      /* "score", or the unit of the work; NULL: no score */
	double work;		      /* units of work done; NaN: none told, and of a rating */
	double cpus;		      /* CPU seconds a second of the overlap */
	struct fan_est share;	      /* percent; with its within-run interval where there is one */
	double share_window_mean_pct; /* unweighted mean over windows of equal length */
	double expected_pct;
	struct fan_est deviation; /* points; likewise */
	double forced_idle_pct;	  /* of the time that its threads ran or waited, in points of it */
};

/* Whether VMs shared cores in this run, as its report judged it. */
struct fan_run_isolation {
	char *verdict; /* "isolated", "shared", "untested", "cannot_tell", "not_applicable"; NULL:
			* the report does not tell */
	char *reason;  /* why there is nothing to judge, or nobody can; NULL: none was given */
	double judged_pct; /* of co_run_ns, 0 to 100; NaN unless isolated or shared */
	int64_t co_run_ns; /* core time; likewise */
};

/* What a report was made with that its numbers depend on; NULL, NaN, FAN_NONE: not told. */
struct fan_run_settings {
	int64_t window_ns, warmup_ns;
	char *expected_method;
	char *level;	      /* of the isolation: "vm", "guest", "cookie" */
	int64_t tolerance_ns; /* likewise */
	double max_violation_pct;
};

/* What was analysed, and the machine it was recorded on; NULL: not told. As in the report. */
struct fan_run_source {
	char *checksum, *kernel, *cpu_model, *smt, *fair_class, *scheduler;
};

struct fan_run {
	char *config;	     /* configuration it was made in; never NULL in a comparison */
	char *name;	     /* file, or number in a table of scores */
	char *block;	     /* runs of several configurations that belong together; NULL: none */
	double start;	     /* order in which it began, in any unit; NaN: not known */
	double length_s;     /* of the overlap; NaN: not known */
	struct fan_est jain; /* over its groups, by its own windows; no value: not told */
	double forced_idle_pct; /* of the CPU time of all CPUs, kept idle by core scheduling; NaN:
				 * not told */
	struct fan_run_isolation isolation;
	struct fan_run_settings settings;
	struct fan_run_source source;
	struct fan_array labels; /* struct fan_pair */
	struct fan_array groups; /* struct fan_run_group, each name once */
	struct fan_strs doubts;	 /* flags of the report and its groups, degraded, cannot_tell */
};

struct fan_runs {
	struct fan_array items; /* struct fan_run */
};

extern const struct fan_table fan_run_table, fan_run_group_table, fan_runs_table;

/* An empty list; fan_runs_free() it. */
void fan_runs_init(struct fan_runs *runs);
void fan_runs_free(struct fan_runs *runs);

/*
 * Appends a run without groups; config may be NULL, to be set by fan_runs_configure(). The pointer
 * is good until the next call. NULL when memory is short.
 */
struct fan_run *fan_runs_add(struct fan_runs *runs, const char *config, const char *name);

/* The group of this name, added if there is none. NULL when memory is short. */
struct fan_run_group *fan_run_group(struct fan_run *run, const char *name);

/*
 * Appends the run that a report tells of. Its name is the report's file, or name. A label
 * "order" that is a number is its start. 0; -ENOMEM; -EINVAL: the report has no groups, or two of
 * one name.
 */
int fan_runs_add_report(struct fan_runs *runs, const char *config, const struct fan_report *r,
			const char *name, struct fcap_err *err);

/* The value of a label of a run; NULL if it has none of that key. */
const char *fan_run_label(const struct fan_run *run, const char *key);

/* Configuration (fan_runs_configure) or block of each run from its label. -EINVAL: one has none. */
int fan_runs_configure(struct fan_runs *runs, const char *label, struct fcap_err *err);
int fan_runs_block(struct fan_runs *runs, const char *label, struct fcap_err *err);

#endif
