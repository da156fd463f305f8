/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often intervals of analyze/stats/ hold the truth, by simulation: with data whose truth is
 * known, a 95 % interval must hold it in 95 of 100 series, and a verdict must be wrong rarely.
 */
#ifndef TESTS_LIB_COVERAGE_H
#define TESTS_LIB_COVERAGE_H

#include <stddef.h>

#include <gsl/gsl_rng.h>

struct cov_row {
	const char *method, *scenario;
	size_t n;		    /* windows or runs */
	double rho, ratio, sd;	    /* what the scenario takes of them */
	double least_pct, most_pct; /* of replicates, that the method promises */
	/* One replicate: 1 if the interval holds the truth (or the word was given), else 0. */
	int (*replicate)(const struct cov_row *row, gsl_rng *rng);
};

/* All rows; a static table. */
const struct cov_row *cov_rows(size_t *ret_n);

/*
 * Percent of replicates, from a stream of seed that is the row's own: a row gives the same number
 * whichever others are run. NaN without memory.
 */
double cov_simulate(const struct cov_row *row, size_t replicates, unsigned long seed);

/* The standard error of such a percentage when the truth is pct. */
double cov_error(double pct, size_t replicates);

#endif
