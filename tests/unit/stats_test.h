/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of analyze/stats/ share: comparison with a relative tolerance, and the data
 * files under $FCAP_TEST_DATA (default tests/data).
 */
#ifndef STATS_TEST_H
#define STATS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* |got - want| <= rtol max(|want|, 1e-3), the rule of expected.tsv; false for NaN. */
static inline bool is_near(double got, double want, double rtol)
{
	return fabs(got - want) <= rtol * fmax(fabs(want), 1e-3);
}

#define assert_near(got, want, rtol)                                           \
	do {                                                                   \
		const double got_ = (got), want_ = (want);                     \
		if (!is_near(got_, want_, (rtol)))                             \
			fail_msg("%s is %.17g, not %.17g", #got, got_, want_); \
	} while (0)

static inline FILE *open_data(const char *name)
{
	const char *dir = getenv("FCAP_TEST_DATA");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/stats/%s", dir ? dir : "tests/data", name);
	f = fopen(path, "re");
	if (!f)
		fail_msg("cannot open %s: run from the repository's root or set FCAP_TEST_DATA",
			 path);
	return f;
}

/* The value of one row of expected.tsv; the test fails if there is none. */
static inline double expected(const char *id)
{
	FILE *f = open_data("expected.tsv");
	double value = NAN;
	bool found = false;
	char line[256];

	while (!found && fgets(line, sizeof(line), f)) {
		const size_t len = strlen(id);

		found = strncmp(line, id, len) == 0 && line[len] == '\t';
		if (found)
			value = strtod(line + len + 1, NULL);
	}
	fclose(f);
	if (!found)
		fail_msg("%s is not in expected.tsv", id);
	return value;
}

#define COLUMNS 5
#define ROWS	5000

/* A CSV file with one header line and numbers below it. */
struct table {
	size_t n;
	double col[COLUMNS][ROWS];
};

/* Adds the numbers of one line as a row. */
static inline void add_row(struct table *t, char *p)
{
	char *end;

	assert_true(t->n < ROWS);
	for (size_t c = 0; c < COLUMNS; c++, p = end + 1) {
		t->col[c][t->n] = strtod(p, &end);
		assert_true(end > p);
		if (*end != ',')
			break;
	}
	t->n++;
}

/*
 * The lines of a file that begin with "word,", without it; all lines where it is NULL. The caller
 * frees it.
 */
static inline struct table *read_lines(const char *name, const char *word)
{
	const size_t len = word ? strlen(word) : 0;
	struct table *t = test_calloc(1, sizeof(*t));
	FILE *f = open_data(name);
	char line[256];

	assert_non_null(t);
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f))
		if (!word)
			add_row(t, line);
		else if (strncmp(line, word, len) == 0 && line[len] == ',')
			add_row(t, line + len + 1);
	fclose(f);
	return t;
}

static inline struct table *read_table(const char *name)
{
	return read_lines(name, NULL);
}

#endif
