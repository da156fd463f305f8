/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What result trees are made of: kinds of fields, the tables that describe them, lists. */
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

#endif
