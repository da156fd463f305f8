// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/spark.c, text_spark.c: shares over time as lines of characters. */
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

#include <stdio.h>

#include "analyze/report/spark.h"
#include "analyze/report/text.h"
#include "analyze/report/text_spark.h"

#define MS 1000000LL

static void add_curve(struct fan_r_series *s, const char *name, const double *share,
		      const double *due, const int64_t *run_ms, size_t n)
{
	struct fan_r_curve *c = fan_array_add(&s->groups, &fan_curve_table);

	assert_non_null(c);
	c->name = own(name);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(fan_reals_add(&c->share, share[i]), 0);
		assert_int_equal(fan_reals_add(&c->expected, due[i]), 0);
		assert_int_equal(fan_ints_add(&c->run_ns, run_ms[i] * MS), 0);
	}
}

/* Two groups, 60 and 40 due, in windows of 100 ms from 1 s on; share of a: as given. */
static void make(struct fan_report *r, const double *share, size_t n)
{
	fan_tree_init(r, &fan_report_table);
	r->series.window_ns = 100 * MS;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(fan_ints_add(&r->series.t_ns, S + (int64_t)i * 100 * MS), 0);
	for (int g = 0; g < 2; g++) {
		double *mine = calloc(n, sizeof(*mine)), *due = calloc(n, sizeof(*due));
		int64_t *run = calloc(n, sizeof(*run));

		assert_true(mine && due && run);
		for (size_t i = 0; i < n; i++) {
			mine[i] = g == 0 ? share[i] : 100 - share[i];
			due[i] = g == 0 ? 60 : 40;
			/* 200 ms of CPU time in all, none where nobody ran */
			run[i] = isnan(share[i]) ? 0 : (int64_t)(2 * mine[i]);
		}
		add_curve(&r->series, g == 0 ? "a" : "bb", mine, due, run, n);
		free(mine);
		free(due);
		free(run);
	}
}

static void the_scale_is_the_next_round_number(void **state)
{
	(void)state;
	assert_true(fan_spark_scale(0) == 1.5);
	assert_true(fan_spark_scale(1.5) == 1.5);
	assert_true(fan_spark_scale(1.51) == 3);
	assert_true(fan_spark_scale(4) == 5);
	assert_true(fan_spark_scale(10) == 10);
	assert_true(fan_spark_scale(11) == 20);
	assert_true(fan_spark_scale(60) == 100);
	assert_true(fan_spark_scale(1e300) == 100);
}

/* On a scale of 3 points a level is one point, and ends in the middle to the next. */
static void levels_are_the_nearest_ones(void **state)
{
	(void)state;
	assert_int_equal(fan_spark_level(0, 3), 3);
	assert_int_equal(fan_spark_level(0.49, 3), 3);
	assert_int_equal(fan_spark_level(0.51, 3), 4);
	assert_int_equal(fan_spark_level(-0.51, 3), 2);
	assert_int_equal(fan_spark_level(2, 3), 5);
	assert_int_equal(fan_spark_level(3, 3), 6);
	assert_int_equal(fan_spark_level(-3, 3), 0);
	assert_int_equal(fan_spark_level(-400, 3), 0);
	assert_int_equal(fan_spark_level(400, 3), 6);
	assert_int_equal(fan_spark_level(NAN, 3), -1);
}

/*
 * Three windows in two steps: the first has window 0 (from 0 to 3/2), the second 1 and 2. Their
 * deviations, 4 and -8, count by CPU time, 300 and 100: (4 * 300 - 8 * 100) / 400 = 1.
 */
static void windows_count_by_their_cpu_time(void **state)
{
	static const double share[] = { 58, 64, 52 }, other[] = { 42, 36, 48 };
	static const double due[] = { 60, 60, 60 }, other_due[] = { 40, 40, 40 };
	static const int64_t run[] = { 58, 192, 52 }, other_run[] = { 42, 108, 48 };
	struct fan_r_series s = { 0 };
	struct fan_report r;
	struct fan_spark spark;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	for (int64_t i = 0; i < 3; i++)
		assert_int_equal(fan_ints_add(&r.series.t_ns, i * S), 0);
	add_curve(&r.series, "a", share, due, run, 3);
	add_curve(&r.series, "b", other, other_due, other_run, 3);
	s = r.series;
	assert_int_equal(fan_spark_make(&spark, &s, 2, 2), 0);
	assert_int_equal(spark.n, 2);
	assert_true(fabs(spark.points[0] - -2) < 1e-9);
	assert_true(fabs(spark.points[1] - 1) < 1e-9);
	assert_true(fabs(spark.points[2] - 2) < 1e-9);
	assert_true(fabs(spark.points[3] - -1) < 1e-9);
	assert_true(spark.scale == 3);
	fan_spark_free(&spark);
	/* as wide as there are windows: no step is made up */
	assert_int_equal(fan_spark_make(&spark, &s, 1, 60), 0);
	assert_int_equal(spark.n, 3);
	assert_true(fabs(spark.points[2] - -8) < 1e-9);
	assert_true(spark.scale == 10);
	fan_spark_free(&spark);
	fan_report_free(&r);
}

static void assert_nothing(const struct fan_r_series *s, size_t rows)
{
	struct fan_spark spark;

	assert_int_equal(fan_spark_make(&spark, s, rows, 60), 0);
	assert_int_equal(spark.n, 0);
	fan_spark_free(&spark);
}

static void what_cannot_be_drawn_is_not(void **state)
{
	static const double one[] = { 60 }, none[] = { NAN, NAN }, two[] = { 60, 61 };
	struct fan_report r;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	assert_nothing(&r.series, 0);
	fan_report_free(&r);
	make(&r, one, 1);
	assert_nothing(&r.series, 2);
	fan_report_free(&r);
	make(&r, none, 2);
	assert_nothing(&r.series, 2);
	fan_report_free(&r);
	make(&r, two, 2);
	assert_nothing(&r.series, 0);
	assert_nothing(&r.series, 3);
	/* what was due is not known */
	for (size_t i = 0; i < 4; i++)
		((struct fan_r_curve *)r.series.groups.items)[i / 2].expected.items[i % 2] = NAN;
	assert_nothing(&r.series, 2);
	/* a list that somebody shortened */
	((struct fan_r_curve *)r.series.groups.items)->run_ns.n = 1;
	assert_nothing(&r.series, 2);
	fan_report_free(&r);
}

static char *text_of(const struct fan_report *r, struct fan_style style)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page), .style = style };

	fan_print_spark(r, &p);
	assert_int_equal(fan_print_finish(&p, NULL), 0);
	return read_paper(&page);
}

/* Points off: 0, 1, 2, 3, nobody, -1, -2, -3, nobody; the scale is 3, so a level is a point. */
static const double stairs[] = { 60, 61, 62, 63, NAN, 59, 58, 57, NAN };

static void a_line_has_a_character_for_each_step(void **state)
{
	const struct fan_style plain = { 0 };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, stairs, 9);
	text = text_of(&r, plain);
	assert_string_equal(text,
			    "\nShare over time, from 1.000 s to 1.900 s, 100.0 ms a character\n"
			    "a   =+*# -._\n"
			    "bb  =-._ +*#\n"
			    "  _.-=+*#  from 3 points below what was due to 3 above; blank: "
			    "nobody ran\n");
	free(text);
	fan_report_free(&r);
}

static void in_utf8_the_characters_are_blocks(void **state)
{
	const struct fan_style style = { .utf8 = true };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, stairs, 8);
	text = text_of(&r, style);
	assert_non_null(strstr(text, "\na   ▄▅▆▇ ▃▂▁\nbb  ▄▃▂▁ ▅▆▇\n  ▁▂▃▄▅▆▇  from 3 "));
	free(text);
	fan_report_free(&r);
}

/* Up to 1.5 green, up to 3 nothing, then yellow; one sequence for steps of one colour. */
static void in_colour_the_bands_show(void **state)
{
	static const double share[] = { 60, 61, 62, 64, 80, 60 };
	const struct fan_style style = { .colour = true };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, share, 6);
	text = text_of(&r, style);
	/* 1 of 20 points is no level, 2 none, 4 is 0.6 of one */
	assert_non_null(strstr(text, "\na   \033[32m==\033[0m=\033[33m+\033[0m\033[31m#\033[0m"
				     "\033[32m=\033[0m\n"));
	free(text);
	fan_report_free(&r);
}

/* Columns of the widest line: escape sequences have none, and a character of UTF-8 has one. */
static size_t widest(const char *text)
{
	size_t ret = 0, width = 0;

	for (const char *s = text; *s; s++) {
		if (*s == '\033')
			s = strchr(s, 'm');
		else if (*s == '\n')
			width = 0;
		else
			width += ((unsigned char)*s & 0xC0) != 0x80;
		ret = width > ret ? width : ret;
	}
	return ret;
}

static void lines_have_80_columns_at_most(void **state)
{
	const struct fan_style style = { .colour = true, .utf8 = true };
	double share[600];
	struct fan_report r;
	char *text;

	(void)state;
	for (size_t i = 0; i < 600; i++)
		share[i] = i % 50;
	make(&r, share, 600);
	text = text_of(&r, style);
	/* the legend is the widest of short names */
	assert_true(widest(text) < 80);
	free(text);
	free(((struct fan_r_curve *)r.series.groups.items)->name);
	((struct fan_r_curve *)r.series.groups.items)->name = own(
		"a-name-of-some-thirty-characters");
	text = text_of(&r, style);
	assert_int_equal(widest(text), 80);
	free(text);
	fan_report_free(&r);
}

static void a_report_without_series_has_no_line(void **state)
{
	const struct fan_style plain = { 0 };
	struct fan_report r;
	char *text;

	(void)state;
	sample_make(&r);
	text = text_of(&r, plain);
	assert_string_equal(text, "");
	free(text);
	fan_report_free(&r);
}

/* A series of a damaged file: times that do not exist, or cannot be added up. */
static void impossible_times_have_no_line(void **state)
{
	static const double share[] = { 60, 61, 62 };
	static const int64_t windows[] = { FAN_NONE, -5, 0, INT64_MAX, INT64_MAX / 4 };
	const struct fan_style plain = { 0 };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, share, 3);
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		r.series.window_ns = windows[i];
		text = text_of(&r, plain);
		assert_string_equal(text, "");
		free(text);
	}
	r.series.window_ns = S;
	for (int64_t i = 0; i < 2; i++) {
		r.series.t_ns.items[0] = i == 0 ? FAN_NONE : INT64_MAX - 1;
		text = text_of(&r, plain);
		assert_string_equal(text, "");
		free(text);
	}
	fan_report_free(&r);
}

static void one_group_alone_has_no_line(void **state)
{
	static const double share[] = { 60, 61, 62 };
	const struct fan_style plain = { 0 };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, share, 3);
	fan_tree_free((struct fan_r_curve *)r.series.groups.items + 1, &fan_curve_table);
	r.series.groups.n = 1;
	text = text_of(&r, plain);
	assert_string_equal(text, "");
	free(text);
	fan_report_free(&r);
}

static void names_are_escaped_and_more_groups_are_counted(void **state)
{
	static const double share[] = { 60, 61 }, due[] = { 50, 50 };
	static const int64_t run[] = { 1, 1 };
	const struct fan_style plain = { 0 };
	struct fan_report r;
	char *text;

	(void)state;
	make(&r, share, 2);
	for (size_t i = 2; i < FAN_TEXT_GROUPS + 3; i++)
		add_curve(&r.series, WEIRD_NAME, share, due, run, 2);
	text = text_of(&r, plain);
	assert_non_null(strstr(text, "\nw\\xFF\\x1B[31m\\xC3\\xA9  "));
	assert_null(strchr(text, '\033'));
	assert_non_null(strstr(text, "\n  3 more groups: see the JSON report\n"));
	free(text);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_scale_is_the_next_round_number),
		cmocka_unit_test(levels_are_the_nearest_ones),
		cmocka_unit_test(windows_count_by_their_cpu_time),
		cmocka_unit_test(what_cannot_be_drawn_is_not),
		cmocka_unit_test(a_line_has_a_character_for_each_step),
		cmocka_unit_test(in_utf8_the_characters_are_blocks),
		cmocka_unit_test(in_colour_the_bands_show),
		cmocka_unit_test(lines_have_80_columns_at_most),
		cmocka_unit_test(a_report_without_series_has_no_line),
		cmocka_unit_test(impossible_times_have_no_line),
		cmocka_unit_test(one_group_alone_has_no_line),
		cmocka_unit_test(names_are_escaped_and_more_groups_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
