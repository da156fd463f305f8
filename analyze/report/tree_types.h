/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What result trees are made of: the types of their fields, field tables, lists that they own. */
#ifndef FAN_REPORT_TREE_TYPES_H
#define FAN_REPORT_TREE_TYPES_H

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
	FAN_F_NAMED,   /* struct fan_array of structs by sub, whose first field is the key; where
			* there is but one other field that is the value, else an object of them */
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

#endif
