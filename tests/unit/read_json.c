// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/read_json.c: what fan_tree_json() wrote comes back, and nothing else does. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/json.h"
#include "analyze/report/read_json.h"
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

static char *text_of(const void *item, const struct fan_table *table)
{
	struct paper p;

	assert_int_equal(fan_tree_json(item, table, paper(&p), NULL), 0);
	return read_paper(&p);
}

static int read_text(void *item, const struct fan_table *table, const char *schema,
		     const char *text, struct fcap_err *err)
{
	FILE *f = fmemopen((char *)text, strlen(text), "r");
	int e;

	assert_non_null(f);
	e = fan_tree_read(item, table, schema, f, err);
	fclose(f);
	return e;
}

/* Everything that the sample lacks of what the tables know. */
static void fill_rest(struct fan_report *r)
{
	struct fan_r_group *g = r->groups.items;
	struct fan_r_curve *curve = fan_array_add(&r->series.groups, &fan_curve_table);
	struct fan_r_amount *amount = fan_array_add(&g->waited_for.groups, &fan_amount_table);
	struct fan_r_work *work = fan_array_add(&r->work, &fan_work_table);
	struct fan_r_score *score = fan_array_add(&r->scores, &fan_score_table);

	assert_true(curve && amount && work && score);
	curve->name = own("vm2");
	assert_int_equal(fan_reals_add(&curve->share, 12.5), 0);
	assert_int_equal(fan_reals_add(&curve->share, NAN), 0);
	assert_int_equal(fan_ints_add(&curve->lag_ns, -5), 0);
	assert_int_equal(fan_ints_add(&curve->lag_ns, FAN_NONE), 0);
	assert_int_equal(fan_ints_add(&r->series.t_ns, 10), 0);
	amount->name = own("vm1");
	amount->ns = 77;
	work->vm = own("vm2");
	fan_est_init(&work->rate, "per_second", 0.95, 1);
	work->rate.flags = 0x7FFFFFFF; /* every flag there is */
	score->vm = own("vm2");
	score->value = 2981;
	assert_int_equal(fan_strs_add(&r->flags, "not_contended"), 0);
}

static void a_whole_report_comes_back(void **state)
{
	struct fan_report r, back;
	struct fcap_err err = { 0 };
	char *one, *other;

	(void)state;
	sample_make(&r);
	fill_rest(&r);
	one = text_of(&r, &fan_report_table);
	if (read_text(&back, &fan_report_table, "fcap-report/1", one, &err) < 0)
		fail_msg("%s", err.text);
	other = text_of(&back, &fan_report_table);
	assert_string_equal(one, other);
	assert_true(((struct fan_r_group *)back.groups.items)[0].share.flags == FAN_EST_ONE_RUN);
	free(one);
	free(other);
	fan_report_free(&r);
	fan_report_free(&back);
}

static void what_is_missing_or_null_does_not_exist(void **state)
{
	struct fan_report r;
	struct fcap_err err = { 0 };
	struct fan_r_group *g;

	(void)state;
	assert_int_equal(
		read_text(&r, &fan_report_table, "fcap-report/1",
			  "{\"schema\": \"fcap-report/1\", \"host\": null, \"groups\": "
			  "[{\"name\": \"a\", \"run_ns\": null, \"share\": {\"value\": 3}}]}",
			  &err),
		0);
	assert_int_equal(r.groups.n, 1);
	g = r.groups.items;
	assert_string_equal(g->name, "a");
	assert_true(g->run_ns == FAN_NONE && g->wait_ns == FAN_NONE);
	assert_true(g->share.value == 3 && isnan(g->share.lo) && !g->share.method);
	assert_int_equal(g->share.m, 1);
	assert_true(isnan(g->expected_pct) && isnan(g->deviation.value));
	assert_null(r.source.file);
	fan_report_free(&r);
}

static void unknown_keys_are_skipped(void **state)
{
	struct fan_report r;
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1",
				   "{\"new\": [1, {\"x\": 2}], \"schema\": \"fcap-report/1\", "
				   "\"source\": {\"boots\": 4, \"cpus\": 8}}",
				   &err),
			 0);
	assert_int_equal(r.source.cpus, 8);
	fan_report_free(&r);
}

/* With {"schema": ..., BODY}: refused with these words. */
static void assert_refused(const char *body, const char *words)
{
	struct fan_report r;
	struct fcap_err err = { 0 };
	char *text;

	assert_true(asprintf(&text, "{\"schema\": \"fcap-report/1\"%s}", body) > 0);
	assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1", text, &err), -EINVAL);
	if (!strstr(err.text, words))
		fail_msg("\"%s\" is not in \"%s\"", words, err.text);
	free(text);
	fan_report_free(&r);
}

static void wrong_types_are_told_with_their_path(void **state)
{
	(void)state;
	assert_refused(", \"source\": 3", "at source: an object is needed");
	assert_refused(", \"source\": {\"cpus\": 1.5}", "at source.cpus: a whole number");
	assert_refused(", \"source\": {\"file\": 7}", "at source.file: a string");
	assert_refused(", \"source\": {\"labels\": {\"a\": 1}}", "at source.labels.a: a string");
	assert_refused(", \"host\": {\"cores\": [[0, \"x\"]]}", "at host.cores[0][1]: a whole");
	assert_refused(", \"host\": {\"cores\": 1}", "at host.cores: a list");
	assert_refused(", \"groups\": {}", "at groups: a list");
	assert_refused(", \"groups\": [{}, 4]", "at groups[1]: an object");
	assert_refused(", \"groups\": [{\"expected_pct\": \"x\"}]",
		       "at groups[0].expected_pct: a number");
	assert_refused(", \"groups\": [{\"share\": 4}]", "at groups[0].share: an estimate");
	assert_refused(", \"groups\": [{\"share\": {\"m\": 0}}]",
		       "at groups[0].share.m: this number is out of range");
	assert_refused(", \"groups\": [{\"share\": {\"n\": -1}}]", "at groups[0].share.n");
	assert_refused(", \"groups\": [{\"share\": {\"flags\": [\"wild\"]}}]",
		       "at groups[0].share.flags[0]: this version does not know that flag");
	assert_refused(", \"groups\": [{\"share\": {\"method\": \"guess\"}}]",
		       "at groups[0].share.method: this version does not know that word");
	assert_refused(", \"groups\": [{\"verdict\": {\"indicative\": 1}}]",
		       "at groups[0].verdict.indicative: true or false");
	assert_refused(", \"series\": {\"groups\": {\"a\": 3}}", "at series.groups.a: an object");
	assert_refused(", \"series\": {\"groups\": {\"a\": {\"share\": [true]}}}",
		       "at series.groups.a.share[0]: a number");
	assert_refused(", \"flags\": [null]", "at flags[0]: a string");
}

static void another_schema_is_refused(void **state)
{
	struct fan_report r;
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1",
				   "{\"schema\": \"fcap-info/1\"}", &err),
			 -EINVAL);
	assert_string_equal(err.text, "this is fcap-info/1; fcap-report/1 is needed");
	fan_report_free(&r);
	assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1", "{\"a\": 1}", &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "names no schema"));
	fan_report_free(&r);
}

static void what_is_no_json_is_refused(void **state)
{
	static const char *const bad[] = { "{",
					   "{\"schema\": \"fcap-report/1\"",
					   "{\"schema\": \"fcap-report/1\"} x",
					   "{\"schema\": \"fcap-report/1\", \"schema\": \"b\"}",
					   "{\"schema\": \"fcap-report/1\", \"a\": 1e999}",
					   "\x17\x08\x44tracing" };
	struct fcap_err err = { 0 };
	struct fan_report r;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1", bad[i], &err),
				 -EINVAL);
		assert_non_null(strstr(err.text, "no whole JSON"));
		fan_report_free(&r);
	}
}

/* A hundred thousand lists in each other must not eat the stack. */
static void depth_is_bounded(void **state)
{
	const size_t n = 100000;
	char *text = calloc(n + 64, 1);
	struct fcap_err err = { 0 };
	struct fan_report r;

	(void)state;
	assert_non_null(text);
	memcpy(text, "{\"a\":", 5);
	memset(text + 5, '[', n);
	assert_int_equal(read_text(&r, &fan_report_table, "fcap-report/1", text, &err), -EINVAL);
	free(text);
	fan_report_free(&r);
}

static ssize_t endless(void *ctx, char *buffer, size_t size)
{
	(void)ctx;
	memset(buffer, ' ', size);
	return (ssize_t)size;
}

static void length_is_bounded(void **state)
{
	const cookie_io_functions_t io = { .read = endless };
	FILE *f = fopencookie(NULL, "r", io);
	struct fcap_err err = { 0 };
	struct fan_report r;

	(void)state;
	assert_non_null(f);
	assert_int_equal(fan_tree_read(&r, &fan_report_table, "fcap-report/1", f, &err), -EINVAL);
	assert_string_equal(err.text, "it is longer than 256 MiB");
	fclose(f);
	fan_report_free(&r);
}

static ssize_t broken(void *ctx, char *buffer, size_t size)
{
	(void)ctx;
	(void)buffer;
	(void)size;
	errno = EIO;
	return -1;
}

static void a_failed_read_is_told(void **state)
{
	const cookie_io_functions_t io = { .read = broken };
	FILE *f = fopencookie(NULL, "r", io);
	struct fcap_err err = { 0 };
	struct fan_report r;

	(void)state;
	assert_non_null(f);
	assert_int_equal(fan_tree_read(&r, &fan_report_table, "fcap-report/1", f, &err), -EIO);
	fclose(f);
	fan_report_free(&r);
}

static void json_is_known_by_its_first_brace(void **state)
{
	static const struct {
		const char *text;
		bool is_json;
	} cases[] = { { "{}", true }, { " \n\t{", true }, { "[{", false }, { "\x17\x08", false } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		FILE *f = fmemopen((char *)cases[i].text, strlen(cases[i].text), "r");

		assert_non_null(f);
		assert_int_equal(fan_is_json(f), cases[i].is_json);
		fclose(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_report_comes_back),
		cmocka_unit_test(what_is_missing_or_null_does_not_exist),
		cmocka_unit_test(unknown_keys_are_skipped),
		cmocka_unit_test(wrong_types_are_told_with_their_path),
		cmocka_unit_test(another_schema_is_refused),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(length_is_bounded),
		cmocka_unit_test(a_failed_read_is_told),
		cmocka_unit_test(json_is_known_by_its_first_brace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
