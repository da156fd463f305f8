// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * coverage [REPLICATES [SEED]]: prints how often each interval holds the truth, what was promised,
 * and a mark where it was not kept; status 1 if there is any.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/stats/gsl.h"
#include "tests/lib/coverage.h"

#define REPLICATES 2000
#define SEED	   20151019

static unsigned long number(const char *text)
{
	char *end;
	const unsigned long ret = strtoul(text, &end, 10);

	if (*text == '\0' || *end != '\0' || ret == 0) {
		fprintf(stderr, "coverage: a number above 0 is needed, not '%s'\n", text);
		exit(2);
	}
	return ret;
}

int main(int argc, char **argv)
{
	const unsigned long replicates = argc > 1 ? number(argv[1]) : REPLICATES;
	const unsigned long seed = argc > 2 ? number(argv[2]) : SEED;
	size_t n, missed = 0;
	const struct cov_row *rows = cov_rows(&n);

	fan_stats_init();
	printf("%lu replicates, seed %lu; percent of intervals that hold the truth, or of words\n\n"
	       "%-26s%-24s%5s%9s%7s   promised\n",
	       replicates, seed, "method", "scenario", "n", "percent", "s.e.");
	for (size_t i = 0; i < n; i++) {
		const struct cov_row *row = &rows[i];
		const double pct = cov_simulate(row, replicates, seed);
		const int is_kept = pct >= row->least_pct && pct <= row->most_pct;

		missed += !is_kept;
		printf("%-26s%-24s%5zu%9.2f%7.2f   %g .. %g%s\n", row->method, row->scenario,
		       row->n, pct, cov_error(pct, replicates), row->least_pct, row->most_pct,
		       is_kept ? "" : "   MISSED");
		fflush(stdout);
	}
	return missed > 0;
}
