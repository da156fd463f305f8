// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The acceptance simulations in short. `make coverage-sim` is the long form, which the bounds of
 * the table are for; here they are four standard errors wider on either side.
 */
#include "tests/unit/stats_test.h"

#include "analyze/stats/gsl.h"
#include "tests/lib/coverage.h"

#define REPLICATES 200
#define SEED	   7

static void intervals_hold_the_truth_as_often_as_they_promise(void **state)
{
	size_t n;
	const struct cov_row *rows = cov_rows(&n);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct cov_row *row = &rows[i];
		const double pct = cov_simulate(row, REPLICATES, SEED);
		const double below = 4 * cov_error(row->least_pct, REPLICATES);
		const double above = 4 * cov_error(row->most_pct, REPLICATES);

		if (!(pct >= row->least_pct - below && pct <= row->most_pct + above))
			fail_msg("%s, %s, n %zu: %g %%, seed %d", row->method, row->scenario,
				 row->n, pct, SEED);
	}
}

/* What makes the method needed at all, and shows that the test above can fail. */
static void windows_taken_for_runs_do_not(void **state)
{
	size_t n, found = 0;
	const struct cov_row *rows = cov_rows(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		if (strstr(rows[i].method, "to fail")) {
			assert_true(cov_simulate(&rows[i], REPLICATES, SEED) < 75);
			found++;
		}
	assert_int_equal(found, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_truth_as_often_as_they_promise),
		cmocka_unit_test(windows_taken_for_runs_do_not),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
