/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result tree of one report: plain structs, each described by one const field table that
 * drives every writer. Nothing here computes. NaN, NULL and FAN_NONE mean "does not exist".
 * Strings and arrays belong to the tree; fan_report_free() releases them all.
 */
#ifndef FAN_REPORT_TREE_H
#define FAN_REPORT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/stats/est.h"

#define FAN_NONE INT64_MIN /* an int64_t that does not exist: null in JSON, "-" in text */

enum fan_field_type {
	FAN_F_STR,     /* char *; NULL is null */
	FAN_F_I64,     /* int64_t; FAN_NONE is null */
	FAN_F_REAL,    /* double; NaN is null */
	FAN_F_BOOL,    /* bool */
	FAN_F_STRS,    /* struct fan_strs */
	FAN_F_STRUCT,  /* embedded struct described by sub */
	FAN_F_ARRAY,   /* struct fan_array of structs described by sub */
	FAN_F_MAP,     /* struct fan_array of struct fan_pair: an object with free keys */
	FAN_F_EST,     /* struct fan_est */
	FAN_F_VERDICT, /* struct fan_verdict_text */
	FAN_F_INTS,    /* struct fan_ints */
	FAN_F_REALS,   /* struct fan_reals; NaN is null */
	FAN_F_NAMED,   /* struct fan_array of structs by sub, whose first field is the key */
	FAN_F_CPUS,    /* struct fan_array of struct fan_ints: a list of lists of CPUs */
};

struct fan_table;

struct fan_field {
	const char *name; /* the JSON key */
	enum fan_field_type type;
	size_t offset;
	const char *unit;	     /* "ns", "percent", ...; NULL where it has none */
	const char *doc;	     /* one sentence for schema and manual */
	const struct fan_table *sub; /* FAN_F_STRUCT, FAN_F_ARRAY; else NULL */
};

struct fan_table {
	const char *name;
	size_t size; /* of the struct, for arrays */
	const struct fan_field *fields;
	size_t n;
};

struct fan_array {
	void *items;
	size_t n;
};

struct fan_strs {
	char **items;
	size_t n;
};

struct fan_pair {
	char *key, *value; /* key is never NULL; the last of equal keys counts */
};

struct fan_ints {
	int64_t *items;
	size_t n;
};

struct fan_reals {
	double *items;
	size_t n;
};

struct fan_verdict_text {
	const char *word; /* static; NULL: no verdict was possible */
	bool indicative;
	double margin;		 /* points */
	struct fan_strs reasons; /* owned: why indicative, or why none */
};

struct fan_r_tool {
	char *name, *version, *command;
};

struct fan_r_source {
	char *file, *kernel, *clock,
		*command; /* kernel, clock, command: NULL if the file has none */
	int64_t cpus;
	struct fan_array labels; /* struct fan_pair */
};

struct fan_r_host {
	char *smt;		/* "on", "off"; NULL: not in the file */
	struct fan_array cores; /* struct fan_ints: siblings of each core; n == 0: unknown */
	double overcommit;	/* vCPUs of all VM groups per host CPU */
	double steal_pct;	/* stolen from this host, of its CPU time; NaN: unknown */
};

struct fan_r_overlap {
	int64_t from_ns, to_ns;
	double cut_pct;
};

struct fan_r_period {
	int64_t start_ns, end_ns; /* relative to the trace's start */
	struct fan_r_overlap overlap;
	int64_t window_ns, windows;
	int64_t warmup_ns; /* cut from the beginning as the user said; 0 */
	char *expected_method, *entity_rule;
};

struct fan_r_quality {
	int64_t events, lost, gaps; /* lost: FAN_NONE when lost without a count */
	int64_t conflicts;	    /* disagreements other than gaps */
	int64_t unknown_ns;	    /* CPU time that no thread could be given */
	double unknown_pct;
	char *verdict; /* "ok", "degraded", "cannot_tell" */
	struct fan_strs notes;
};

struct fan_r_bounds {
	double lo, hi;
};

struct fan_r_steal {
	int64_t trace_ns, counter_ns;			/* of the vCPU threads, all the time */
	int64_t compared_trace_ns, compared_counter_ns; /* in the comparable intervals */
	double residual_pct;
	int64_t intervals, comparable_intervals, arrivals;
	char *closure; /* "closed", "open", "too_few", "none" */
};

struct fan_r_thread {
	int64_t tid;
	char *name;
	int64_t vcpu; /* FAN_NONE: not a vCPU */
	int64_t run_ns, wait_ns, blocked_ns;
	int64_t unsplit_ns; /* off the CPU; waiting or asleep cannot be told apart */
	int64_t unknown_ns;
	int64_t arrivals, migrations;
};

struct fan_r_group {
	char *name, *kind;
	int64_t tgid; /* FAN_NONE: unknown */
	char *cgroup;
	double weight;	 /* NaN: unknown */
	double cap_cpus; /* NaN: none binds */
	int64_t vcpus;
	int64_t run_ns, vcpu_run_ns, wait_ns, blocked_ns, unsplit_ns, unknown_ns;
	struct fan_est share;
	double expected_pct;
	struct fan_r_bounds share_bounds;
	struct fan_est deviation;
	struct fan_verdict_text verdict;
	struct fan_r_steal steal;
	struct fan_array threads; /* struct fan_r_thread */
	struct fan_strs flags;
};

struct fan_r_pair {
	char *a, *b;	      /* the two groups that are furthest apart, the better off first */
	struct fan_est ratio; /* of attained to expected, a over b */
};

struct fan_r_fairness {
	struct fan_est jain; /* index over attained / expected, from the sums of the windows */
	struct fan_r_pair worst_pair;
};

/* Work that a VM or group reported itself, inside the overlap. */
struct fan_r_work {
	char *vm, *unit;
	double total;		   /* units */
	double share_pct;	   /* of all work in that unit */
	double cpu_share_pct;	   /* of CPU time of the groups that reported that unit */
	struct fan_est rate;	   /* units per second */
	struct fan_est efficiency; /* units per CPU second */
	struct fan_strs flags;	   /* stamped_on_arrival, ... */
};

struct fan_r_score {
	char *vm;
	double value; /* a rating: never summed */
};

/* One group's windows in the overlap, in time order. */
struct fan_r_curve {
	char *name;
	struct fan_reals share;	   /* percent; NaN where nobody ran */
	struct fan_reals expected; /* percent */
};

struct fan_r_series {
	int64_t window_ns;
	struct fan_ints t_ns;	 /* begin of each window */
	struct fan_array groups; /* struct fan_r_curve */
};

struct fan_report {
	char *schema; /* "fcap-report/1" */
	struct fan_r_tool tool;
	struct fan_r_source source;
	struct fan_r_host host;
	struct fan_r_period period;
	struct fan_r_quality quality;
	struct fan_array groups; /* struct fan_r_group, largest share first */
	struct fan_r_fairness fairness;
	struct fan_array work;	 /* struct fan_r_work */
	struct fan_array scores; /* struct fan_r_score */
	struct fan_r_series series;
	struct fan_strs flags; /* of the whole report: not_contended, short_overlap, ... */
};

extern const struct fan_table fan_report_table;
extern const struct fan_table fan_tool_table;	/* struct fan_r_tool */
extern const struct fan_table fan_group_table;	/* struct fan_r_group */
extern const struct fan_table fan_thread_table; /* struct fan_r_thread */
extern const struct fan_table fan_work_table;	/* struct fan_r_work */
extern const struct fan_table fan_score_table;	/* struct fan_r_score */
extern const struct fan_table fan_curve_table;	/* struct fan_r_curve */

/*
 * Makes every field of *item "does not exist": NaN, NULL, FAN_NONE, false, empty. What item
 * held before is not freed. 0 is a number and has to be set.
 */
void fan_tree_init(void *item, const struct fan_table *table);

/* Frees all that the fields of *item own, and makes it fan_tree_init()'s again. */
void fan_tree_free(void *item, const struct fan_table *table);

/*
 * Appends one item, made by fan_tree_init(). The pointer is good until the next call for the
 * same array; NULL when memory is short. An array grown here must not be grown otherwise.
 */
void *fan_array_add(struct fan_array *array, const struct fan_table *table);

/* Puts a copy of src into a string of the tree, freeing the old one; NULL changes nothing. -ENOMEM.
 */
int fan_str_set(char **dst, const char *src);

/* Appends a copy of key=value to an array of struct fan_pair. 0, or -ENOMEM. */
int fan_pairs_add(struct fan_array *pairs, const char *key, const char *value);

/* Appends an empty list to an array of struct fan_ints; NULL when memory is short. */
struct fan_ints *fan_cpu_lists_add(struct fan_array *lists);

/* Appends one number. 0, or -ENOMEM. */
int fan_ints_add(struct fan_ints *list, int64_t value);
int fan_reals_add(struct fan_reals *list, double value);

/* Appends one formatted string. 0, or -ENOMEM. */
__attribute__((format(printf, 2, 3))) int fan_strs_add(struct fan_strs *strs, const char *fmt, ...);

/* Frees the strings and empties the list. */
void fan_strs_free(struct fan_strs *strs);

/*
 * Frees what the tree owns, not r itself. A report that only ever was fan_tree_init()'s or
 * all zeros is fine.
 */
void fan_report_free(struct fan_report *r);

#endif
