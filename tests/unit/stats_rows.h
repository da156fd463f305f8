/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparison with tests/data/stats/expected.tsv. Every row under a prefix must be among the values
 * given for it, and the number of rows is stated by the test: neither a renamed prefix nor a
 * forgotten row can pass.
 */
#ifndef STATS_ROWS_H
#define STATS_ROWS_H

#include "tests/unit/stats_test.h"

struct named {
	const char *name; /* the id behind the prefix */
	double value;
};

static inline double value_of(const struct named *got, const char *name, const char *id)
{
	for (; got->name; got++)
		if (strcmp(got->name, name) == 0)
			return got->value;
	fail_msg("%s: nothing computes it", id);
	return NAN;
}

/* Compares all rows whose id begins with prefix; there must be `rows` of them. */
static inline void assert_rows(const char *prefix, size_t rows, const struct named *got)
{
	const size_t len = strlen(prefix);
	FILE *f = open_data("expected.tsv");
	char line[256], id[64];
	double want, rtol, value;
	size_t n = 0;

	while (fgets(line, sizeof(line), f)) {
		if (strncmp(line, prefix, len) != 0)
			continue;
		/* "info" instead of a tolerance: sscanf stops before it */
		if (sscanf(line, "%63s %lf %lf", id, &want, &rtol) != 3)
			continue;
		value = value_of(got, id + len, id);
		if (!is_near(value, want, rtol))
			fail_msg("%s is %.17g, not %.17g", id, value, want);
		n++;
	}
	fclose(f);
	if (n != rows)
		fail_msg("%zu rows begin with %s, not %zu", n, prefix, rows);
}

#endif
