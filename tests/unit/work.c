// SPDX-License-Identifier: GPL-3.0-or-later
/* Work and score lines: as parsed, as series, and in the report. Numbers worked out by hand. */
#include "tests/unit/assembled.h"

#include <errno.h>
#include <stdio.h>

#include "analyze/report/work_cells.h"
#include "analyze/stats/gsl.h"

/* --- the lines --- */

/* Takes the line as it would stand in a trace. */
static int take(struct fan_work *w, const char *text, uint64_t ts_ns)
{
	char copy[200];
	struct fcap_marker line;

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	return fan_work_take(w, &line, ts_ns);
}

static void assert_line(const struct fan_work_series *s, size_t i, struct fan_work_line want)
{
	assert_true(i < s->n);
	assert_int_equal(s->lines[i].t0_ns, want.t0_ns);
	assert_int_equal(s->lines[i].t1_ns, want.t1_ns);
	assert_near(s->lines[i].n, want.n, 0);
}

static void times_are_exact_to_the_nanosecond(void **state)
{
	struct fan_work *w = fan_work_new();

	(void)state;
	assert_int_equal(take(w, "fcap: work vm=a n=1.5 t=123.456789012 dt=0.000000001", 7), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=2 t=8000000000.1 dt=0.1", 7), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=3 t=0.0000000019 dt=5", 7), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=1e3 t=1e1 dt=.5", 7), 0);
	assert_int_equal(w->nseries, 1);
	assert_line(w->series, 0, (struct fan_work_line){ 123456789011, 123456789012, 1.5 });
	assert_line(w->series, 1,
		    (struct fan_work_line){ 8000000000000000000, 8000000000100000000, 2 });
	/* what lies before the clock's zero is cut off */
	assert_line(w->series, 2, (struct fan_work_line){ 0, 1, 3 });
	assert_line(w->series, 3, (struct fan_work_line){ 9500000000, 10000000000, 1000 });
	assert_true(w->series->is_told && !w->series->is_stamped);
	fan_work_free(w);
}

static void a_line_without_times_has_that_of_its_arrival(void **state)
{
	struct fan_work *w = fan_work_new();

	(void)state;
	assert_int_equal(take(w, "fcap: work vm=a n=4 stamped_on_arrival=1", 1000), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=5 stamped_on_arrival=1", 3000), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=6 dt=0.000001", 3500), 0);
	assert_int_equal(w->series->n, 2);
	/* of the first nobody knows when it began */
	assert_int_equal(w->series->unbegun, 1);
	assert_line(w->series, 0, (struct fan_work_line){ 1000, 3000, 5 });
	assert_line(w->series, 1, (struct fan_work_line){ 2500, 3500, 6 });
	assert_near(w->series->total, 15, 0);
	assert_true(w->series->is_stamped && !w->series->is_told);
	fan_work_free(w);
}

static void reporters_and_units_are_kept_apart(void **state)
{
	struct fan_work *w = fan_work_new();

	(void)state;
	assert_int_equal(take(w, "fcap: work vm=a n=1 t=2 dt=1 unit=loops", 0), 0);
	assert_int_equal(take(w, "fcap: work vm=b n=2 t=2 dt=1 unit=loops", 0), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=3 t=2 dt=1 unit=pages", 0), 0);
	assert_int_equal(take(w, "fcap: work vm=a n=4 t=2 dt=1", 0), 0);
	assert_int_equal(take(w, "fcap: steal tid=1 run=1 delay=1 n=1", 0), 0);
	assert_int_equal(w->nseries, 4);
	for (size_t i = 0; i < 4; i++)
		assert_near(w->series[i].total, (double)(i + 1), 0);
	assert_string_equal(w->series[2].unit, "pages");
	assert_string_equal(w->series[3].unit, "");
	fan_work_free(w);
}

static void malformed_lines_are_refused(void **state)
{
	static const char *const bad[] = {
		"fcap: work n=1 t=2 dt=1",
		"fcap: work vm= n=1",
		"fcap: work vm=a t=2 dt=1",
		"fcap: work vm=a n=-1 t=2 dt=1",
		"fcap: work vm=a n=x t=2 dt=1",
		"fcap: work vm=a n=1 t=2s dt=1",
		"fcap: work vm=a n=1 t=2 dt=-1",
		"fcap: work vm=a n=1 t=1e40 dt=1",
		"fcap: work vm=a n=1 t=9999999999",
		"fcap: work vm=a n=1 t= dt=1",
		"fcap: score vm=a",
		"fcap: score value=3",
		"fcap: score vm=a value=nan",
	};
	struct fan_work *w = fan_work_new();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (take(w, bad[i], 5) != -EINVAL)
			fail_msg("taken: %s", bad[i]);
	assert_int_equal(w->nseries + w->nscores, 0);
	fan_work_free(w);
}

static void scores_stay_as_they_are(void **state)
{
	struct fan_work *w = fan_work_new();

	(void)state;
	assert_int_equal(take(w, "fcap: score vm=a value=2981", 5), 0);
	assert_int_equal(take(w, "fcap: score vm=a value=3004.5", 5), 0);
	assert_int_equal(take(w, "fcap: score vm=b value=0", 5), 0);
	assert_int_equal(w->nscores, 3);
	assert_string_equal(w->scores[1].vm, "a");
	assert_near(w->scores[1].value, 3004.5, 0);
	assert_near(w->scores[2].value, 0, 0);
	fan_work_free(w);
}

/* 200,000 lines of 1 ms without a gap, one unit each. */
static void very_many_lines_are_joined_and_lose_nothing(void **state)
{
	struct fan_work *w = fan_work_new();
	const struct fan_work_series *s;
	double sum = 0;

	(void)state;
	for (unsigned int i = 1; i <= 200000; i++) {
		char text[100];

		snprintf(text, sizeof(text), "fcap: work vm=a n=1 t=%u.%03u dt=0.001", i / 1000,
			 i % 1000);
		assert_int_equal(take(w, text, 0), 0);
	}
	fan_work_finish(w);
	s = w->series;
	assert_true(s->n <= 65536);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(s->lines[i].t0_ns, i ? s->lines[i - 1].t1_ns : 0);
		/* a unit a millisecond, however many lines were joined */
		assert_near(s->lines[i].n, (double)(s->lines[i].t1_ns - s->lines[i].t0_ns) / 1e6,
			    0);
		sum += s->lines[i].n;
	}
	assert_int_equal(s->lines[s->n - 1].t1_ns, 200 * 1000 * MODELLED_MS);
	assert_near(sum, 200000, 0);
	fan_work_free(w);
}

/* --- the cells --- */

/* Ten windows of 100 ms from 1 s on; in window i the group ran for 10 (i + 1) ms. */
static struct fan_cpu_windows ten_windows(double cpu_ns[10])
{
	for (size_t i = 0; i < 10; i++)
		cpu_ns[i] = 1e7 * (double)(i + 1);
	return (struct fan_cpu_windows){ 1000 * MODELLED_MS, 100 * MODELLED_MS, cpu_ns, 10 };
}

static void lines_one_after_another_give_a_cell_each(void **state)
{
	struct fan_work_line lines[] = {
		{ 500 * MODELLED_MS, 900 * MODELLED_MS, 1000 }, /* before all windows */
		{ 900 * MODELLED_MS, 1100 * MODELLED_MS, 30 },	/* half of it inside */
		{ 1100 * MODELLED_MS, 1350 * MODELLED_MS, 50 },
		{ 1900 * MODELLED_MS, 2300 * MODELLED_MS, 80 }, /* after a pause; a quarter */
	};
	const struct fan_work_series s = { .lines = lines, .n = 4 };
	double cpu_ns[10];
	const struct fan_cpu_windows w = ten_windows(cpu_ns);
	struct fan_work_cells c;

	(void)state;
	assert_int_equal(fan_work_cells_make(&c, &s, &w), 0);
	assert_int_equal(c.cells, 3);
	assert_near(c.n[0], 15, 1e-12);
	assert_near(c.dt_s[0], 0.1, 1e-12);
	assert_near(c.cpu_s[0], 0.01, 1e-12);
	assert_near(c.n[1], 50, 1e-12);
	assert_near(c.dt_s[1], 0.25, 1e-12);
	/* windows 1 and 2, and half of window 3 */
	assert_near(c.cpu_s[1], 0.02 + 0.03 + 0.02, 1e-12);
	assert_near(c.n[2], 20, 1e-12);
	assert_near(c.dt_s[2], 0.1, 1e-12);
	assert_near(c.cpu_s[2], 0.1, 1e-12);
	assert_near(c.total, 85, 1e-12);
	fan_work_cells_free(&c);
}

/* One reports 10 every 200 ms, another under the same name 30, half a line later. */
static void lines_that_overlap_give_cells_of_their_median_length(void **state)
{
	struct fan_work_line lines[8];
	const struct fan_work_series s = { .lines = lines, .n = 8 };
	double cpu_ns[10];
	const struct fan_cpu_windows w = ten_windows(cpu_ns);
	struct fan_work_cells c;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const uint64_t begin = (1000 + 200 * i) * MODELLED_MS;

		lines[2 * i] = (struct fan_work_line){ begin, begin + 200 * MODELLED_MS, 10 };
		lines[2 * i + 1] = (struct fan_work_line){ begin + 100 * MODELLED_MS,
							   begin + 300 * MODELLED_MS, 30 };
	}
	assert_int_equal(fan_work_cells_make(&c, &s, &w), 0);
	/* 1.0 to 1.9 s: four cells of 200 ms and one of 100 */
	assert_int_equal(c.cells, 5);
	/* the second one began late */
	assert_near(c.n[0], 10 + 15, 1e-12);
	for (size_t i = 1; i < 4; i++)
		assert_near(c.n[i], 10 + 30, 1e-12);
	assert_near(c.n[4], 15, 1e-12);
	assert_near(c.dt_s[3], 0.2, 1e-12);
	assert_near(c.dt_s[4], 0.1, 1e-12);
	assert_near(c.cpu_s[1], 0.03 + 0.04, 1e-12);
	assert_near(c.cpu_s[4], 0.09, 1e-12);
	assert_near(c.total, 4 * 40, 1e-12);
	fan_work_cells_free(&c);
}

static void work_outside_the_windows_gives_no_cell(void **state)
{
	struct fan_work_line lines[] = { { 1, 2, 7 },
					 { 3000 * MODELLED_MS, 3001 * MODELLED_MS, 8 } };
	struct fan_work_line twice[] = { { 1, 9, 7 }, { 2, 9, 8 } };
	double cpu_ns[10];
	struct fan_cpu_windows w = ten_windows(cpu_ns);
	struct fan_work_cells c;

	(void)state;
	assert_int_equal(
		fan_work_cells_make(&c, &(struct fan_work_series){ .lines = lines, .n = 2 }, &w),
		0);
	assert_int_equal(c.cells, 0);
	assert_near(c.total, 0, 0);
	fan_work_cells_free(&c);
	w.cpu_ns = NULL;
	assert_int_equal(
		fan_work_cells_make(&c, &(struct fan_work_series){ .lines = twice, .n = 2 }, &w),
		0);
	assert_int_equal(c.cells, 0);
	assert_null(c.cpu_s);
	fan_work_cells_free(&c);
}

/* --- the report --- */

/* "t=5.010 dt=0.100" is 10 to 110 ms into the traces: their windows begin at 10 ms. */
static void tell_work(struct tb *tb, unsigned int t_ms, const char *what)
{
	tb_marker(tb, t_ms * MODELLED_MS, "fcap: work %s t=%u.%03u", what, t_ms / 1000,
		  t_ms % 1000);
}

static const struct fan_r_work *work_of(const struct fan_report *r, const char *vm)
{
	const struct fan_r_work *w = r->work.items;

	for (size_t i = 0; i < r->work.n; i++)
		if (strcmp(w[i].vm, vm) == 0)
			return &w[i];
	fail_msg("no work of %s", vm);
	return NULL;
}

/* Loops that small did in line i of 40: 100 or 200 without a pattern. */
static unsigned int loops_in(unsigned int i)
{
	uint32_t random = 1;

	while (i--)
		random = random * 1664525 + 1013904223;
	return random >> 24 & 1 ? 200 : 100;
}

/* Every 100 ms of the 4 s in the windows: small did 100 or 200 loops, large 50. */
static struct fan_report report_of_work(void)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });

	tell_vms(tb, 1, 128, 1152);
	for (unsigned int i = 1; i <= 40; i++) {
		char what[60];

		snprintf(what, sizeof(what), "vm=small n=%u dt=0.1 unit=loops", loops_in(i));
		tell_work(tb, 5010 + 100 * i, what);
		tell_work(tb, 5010 + 100 * i, "vm=large n=50 dt=0.1 unit=loops");
	}
	tb_marker(tb, 9020 * MODELLED_MS, "fcap: score vm=small value=2981");
	tell_end(tb);
	return report_of(tb);
}

static void work_is_set_against_time_and_cpu_time(void **state)
{
	struct fan_report r = report_of_work();
	const struct fan_r_work *w = work_of(&r, "small");
	double total = 0;

	(void)state;
	for (unsigned int i = 1; i <= 40; i++)
		total += loops_in(i);
	assert_int_equal(r.work.n, 2);
	assert_string_equal(w->unit, "loops");
	assert_near(w->total, total, 1e-9);
	assert_near(w->rate.value, total / 4, 1e-9);
	assert_string_equal(w->rate.unit, "per_second");
	assert_string_equal(w->rate.method, "pw-ewc");
	assert_int_equal(w->rate.n, 40);
	/* 50 loops either way, every 0.1 s: sd 500 per second over sqrt(40), if independent */
	assert_near(w->rate.se, 500 / sqrt(40), 40);
	/* the small one ran for 400 ms in all windows */
	assert_near(w->efficiency.value, total / 0.4, 1e-6);
	assert_string_equal(w->efficiency.unit, "per_cpu_second");
	assert_near(w->share_pct, 100 * total / (total + 2000), 1e-9);
	assert_near(w->cpu_share_pct, 10, 1e-9);
	assert_int_equal(w->flags.n, 0);
	w = work_of(&r, "large");
	assert_near(w->total, 2000, 1e-9);
	assert_near(w->rate.value, 500, 1e-9);
	/* the same each time: no variance, no interval */
	assert_null(w->rate.method);
	assert_true(w->rate.flags & FAN_EST_CI_NONE_CONSTANT);
	assert_near(w->efficiency.value, 2000 / 3.6, 1e-9);
	assert_string_equal(w->efficiency.method, "pw-ewc");
	assert_near(w->cpu_share_pct, 90, 1e-9);
	fan_report_free(&r);
}

static void scores_are_in_the_report(void **state)
{
	struct fan_report r = report_of_work();
	const struct fan_r_score *s = r.scores.items;

	(void)state;
	assert_int_equal(r.scores.n, 1);
	assert_string_equal(s->vm, "small");
	assert_near(s->value, 2981, 0);
	fan_report_free(&r);
}

static void lines_over_the_edge_of_the_overlap_count_by_their_part(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_work *w;
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	/* the windows are from 5.010 to 9.010 s */
	tell_work(tb, 5060, "vm=large n=100 dt=0.1");
	tell_work(tb, 9060, "vm=large n=10 dt=0.1");
	tell_end(tb);
	r = report_of(tb);
	w = work_of(&r, "large");
	assert_null(w->unit);
	assert_near(w->total, 50 + 5, 1e-9);
	/* in two times 50 ms */
	assert_near(w->rate.value, 550, 1e-9);
	assert_int_equal(w->rate.n, 2);
	assert_true(w->rate.flags & FAN_EST_CI_NONE_SHORT);
	assert_true(isnan(w->rate.lo));
	assert_near(w->share_pct, 100, 1e-9);
	assert_near(w->cpu_share_pct, 100, 1e-9);
	fan_report_free(&r);
}

static void work_of_nobody_known_stands_without_cpu_time(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_work *w;
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tell_work(tb, 6000, "vm=large n=30 dt=0.5 unit=x");
	tell_work(tb, 6000, "vm=guest n=10 dt=0.5 unit=x");
	tell_end(tb);
	r = report_of(tb);
	w = work_of(&r, "guest");
	assert_true(has(&w->flags, "no_such_group"));
	assert_near(w->rate.value, 20, 1e-9);
	assert_near(w->share_pct, 25, 1e-9);
	assert_true(isnan(w->efficiency.value) && isnan(w->cpu_share_pct));
	/* a part of all CPU time cannot be told where some of it is missing */
	w = work_of(&r, "large");
	assert_true(isnan(w->cpu_share_pct));
	assert_near(w->share_pct, 75, 1e-9);
	assert_false(isnan(w->efficiency.value));
	fan_report_free(&r);
}

static void work_stamped_on_arrival_is_flagged(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_work *w;
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, 6000 * MODELLED_MS, "fcap: work vm=large n=7 stamped_on_arrival=1");
	tb_marker(tb, 8000 * MODELLED_MS, "fcap: work vm=large n=30 stamped_on_arrival=1");
	tell_end(tb);
	r = report_of(tb);
	w = work_of(&r, "large");
	assert_true(has(&w->flags, "stamped_on_arrival"));
	assert_true(has(&w->flags, "begin_unknown"));
	assert_near(w->total, 30, 1e-9);
	assert_near(w->rate.value, 15, 1e-9);
	fan_report_free(&r);
}

static void work_on_another_clock_is_a_total_only(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	const struct fan_r_work *w;
	struct fan_report r;

	(void)state;
	tb_set_clock(tb, "local");
	tell_vms(tb, 1, 128, 1152);
	tell_work(tb, 6000, "vm=large n=30 dt=0.5");
	tell_work(tb, 60000, "vm=large n=12 dt=0.5");
	tell_end(tb);
	r = report_of(tb);
	w = work_of(&r, "large");
	assert_true(has(&w->flags, "not_placed_in_time"));
	assert_near(w->total, 42, 0);
	assert_true(isnan(w->rate.value) && isnan(w->efficiency.value));
	fan_report_free(&r);
}

static void malformed_work_is_told(void **state)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });
	struct fan_report r;

	(void)state;
	tell_vms(tb, 1, 128, 1152);
	tb_marker(tb, 6000 * MODELLED_MS, "fcap: work vm=large n=much");
	tell_end(tb);
	r = report_of(tb);
	assert_int_equal(r.work.n, 0);
	assert_true(has(&r.quality.notes, "malformed marker lines (1)"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_exact_to_the_nanosecond),
		cmocka_unit_test(a_line_without_times_has_that_of_its_arrival),
		cmocka_unit_test(reporters_and_units_are_kept_apart),
		cmocka_unit_test(malformed_lines_are_refused),
		cmocka_unit_test(scores_stay_as_they_are),
		cmocka_unit_test(very_many_lines_are_joined_and_lose_nothing),
		cmocka_unit_test(lines_one_after_another_give_a_cell_each),
		cmocka_unit_test(lines_that_overlap_give_cells_of_their_median_length),
		cmocka_unit_test(work_outside_the_windows_gives_no_cell),
		cmocka_unit_test(work_is_set_against_time_and_cpu_time),
		cmocka_unit_test(scores_are_in_the_report),
		cmocka_unit_test(lines_over_the_edge_of_the_overlap_count_by_their_part),
		cmocka_unit_test(work_of_nobody_known_stands_without_cpu_time),
		cmocka_unit_test(work_stamped_on_arrival_is_flagged),
		cmocka_unit_test(work_on_another_clock_is_a_total_only),
		cmocka_unit_test(malformed_work_is_told),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
