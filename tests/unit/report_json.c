// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/json.c: what is written, read back by a JSON parser. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <jansson.h>

#include "analyze/report/json.h"
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

static char *json_text(const struct fan_report *r)
{
	struct paper p;

	assert_int_equal(fan_tree_json(r, &fan_report_table, paper(&p), NULL), 0);
	return read_paper(&p);
}

static json_t *read_back(const struct fan_report *r)
{
	char *text = json_text(r);
	json_error_t error;
	json_t *ret = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	assert_non_null(ret);
	free(text);
	return ret;
}

/* The sample as a JSON reader sees it; the caller releases it. */
static json_t *read_sample(void)
{
	struct fan_report r;
	json_t *ret;

	sample_make(&r);
	ret = read_back(&r);
	fan_report_free(&r);
	return ret;
}

/* What is at a path such as "groups/0/share/value"; a number steps into an array. */
static const json_t *at(const json_t *v, const char *path)
{
	char step[64];

	while (*path) {
		const size_t len = strcspn(path, "/");

		assert_true(len < sizeof(step));
		memcpy(step, path, len);
		step[len] = '\0';
		v = json_is_array(v) ? json_array_get(v, (size_t)atol(step))
				     : json_object_get(v, step);
		if (!v)
			print_message("nothing at %s\n", path);
		assert_non_null(v);
		path += len + (path[len] == '/');
	}
	return v;
}

static void assert_int_at(const json_t *v, const char *path, int64_t want)
{
	assert_true(json_is_integer(at(v, path)));
	assert_true(json_integer_value(at(v, path)) == want);
}

/* 17 digits bring back the very same double. */
static void assert_real_at(const json_t *v, const char *path, double want)
{
	assert_true(json_is_real(at(v, path)));
	assert_true(json_real_value(at(v, path)) == want);
}

static void assert_str_at(const json_t *v, const char *path, const char *want)
{
	assert_true(json_is_string(at(v, path)));
	assert_string_equal(json_string_value(at(v, path)), want);
}

static void assert_null_at(const json_t *v, const char *path)
{
	assert_true(json_is_null(at(v, path)));
}

static void assert_keys_at(const json_t *v, const char *path, const char *want)
{
	char keys[1024] = "";
	size_t len = 0;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)at(v, path), key, value)
		len += (size_t)snprintf(keys + len, sizeof(keys) - len, "%s ", key);
	assert_string_equal(keys, want);
}

static void keys_come_in_the_order_of_the_design(void **state)
{
	json_t *v = read_sample();

	(void)state;
	assert_keys_at(v, "",
		       "schema tool source host period quality groups fairness isolation "
		       "occupancy work scores series histograms flags ");
	assert_keys_at(
		v, "period",
		"start_ns end_ns overlap window_ns windows warmup_ns expected_method entity_rule ");
	assert_keys_at(v, "groups/0/share",
		       "value se lo hi lo_adj hi_adj m level unit method n df flags ");
	assert_keys_at(v, "groups/0/verdict", "word indicative margin reasons ");
	assert_keys_at(v, "groups/0/steal",
		       "trace_ns counter_ns compared_trace_ns compared_counter_ns residual_pct "
		       "intervals comparable_intervals arrivals excluded_intervals "
		       "backwards_intervals jumped_intervals closure guest_ns "
		       "guest_resolution_ns guest_intervals guest_excluded_intervals "
		       "guest_backwards_intervals guest_jumped_intervals ");
	json_decref(v);
}

static void values_come_back_as_they_were(void **state)
{
	json_t *v = read_sample();

	(void)state;
	assert_str_at(v, "schema", "fcap-report/1");
	assert_str_at(v, "tool/command", "fanalyze report t.dat");
	assert_int_at(v, "source/cpus", 4);
	assert_str_at(v, "source/labels/core_sched", "on");
	assert_str_at(v, "source/labels/rig", "desk");
	assert_int_at(v, "host/cores/0/1", 2);
	assert_int_at(v, "host/cores/1/0", 1);
	assert_int_equal(json_array_size(at(v, "host/cores")), 2);
	assert_int_at(v, "period/overlap/to_ns", 29500000000);
	assert_real_at(v, "quality/unknown_pct", 0.1);
	assert_str_at(v, "quality/notes/0", "no kvm events");
	assert_int_equal(json_array_size(at(v, "groups")), 2);
	assert_int_at(v, "groups/0/run_ns", 108 * S);
	assert_real_at(v, "groups/0/share_bounds/lo", 90.81);
	assert_int_equal(json_array_size(at(v, "groups/0/threads")), 2);
	assert_int_at(v, "groups/0/threads/1/tid", 902);
	json_decref(v);
}

static void an_estimate_carries_all_that_it_rests_on(void **state)
{
	json_t *v = read_sample();

	(void)state;
	assert_real_at(v, "groups/0/deviation/value", 0.8123);
	assert_real_at(v, "groups/0/deviation/se", 0.18);
	assert_real_at(v, "groups/0/deviation/lo", 0.3923);
	assert_real_at(v, "groups/0/deviation/hi_adj", 1.2923);
	assert_int_at(v, "groups/0/deviation/m", 2);
	assert_real_at(v, "groups/0/deviation/level", 0.95);
	assert_str_at(v, "groups/0/deviation/unit", "points");
	assert_str_at(v, "groups/0/deviation/method", "pw-ewc");
	assert_int_at(v, "groups/0/deviation/n", 285);
	assert_real_at(v, "groups/0/deviation/df", 8);
	assert_int_equal(json_array_size(at(v, "groups/0/deviation/flags")), 1);
	assert_str_at(v, "groups/0/deviation/flags/0", "one_run");
	assert_str_at(v, "groups/0/verdict/word", "fair");
	assert_true(json_is_true(at(v, "groups/0/verdict/indicative")));
	assert_str_at(v, "groups/0/verdict/reasons/0", "one run");
	json_decref(v);
}

static void what_does_not_exist_is_null(void **state)
{
	json_t *v = read_sample();

	(void)state;
	assert_null_at(v, "source/command");
	assert_null_at(v, "groups/0/cap_cpus");
	assert_null_at(v, "groups/0/share/lo_adj");
	assert_null_at(v, "groups/0/threads/1/vcpu");
	assert_null_at(v, "groups/0/threads/0/migrations");
	assert_real_at(v, "groups/1/share/value", 9.1877);
	assert_null_at(v, "groups/1/share/lo");
	assert_null_at(v, "groups/1/share/method");
	assert_null_at(v, "groups/1/share/level");
	assert_str_at(v, "groups/1/share/flags/0", "ci_none:n<20");
	assert_null_at(v, "groups/1/verdict/word");
	assert_null_at(v, "groups/1/verdict/margin");
	assert_true(json_is_false(at(v, "groups/1/verdict/indicative")));
	json_decref(v);
}

static void infinite_numbers_are_null_too(void **state)
{
	struct fan_report r;
	json_t *v;

	(void)state;
	sample_make(&r);
	r.host.overcommit = INFINITY;
	r.quality.unknown_pct = -INFINITY;
	v = read_back(&r);
	assert_null_at(v, "host/overcommit");
	assert_null_at(v, "quality/unknown_pct");
	json_decref(v);
	fan_report_free(&r);
}

static void an_empty_report_has_all_its_keys(void **state)
{
	struct fan_report r;
	json_t *v;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	v = read_back(&r);
	assert_keys_at(v, "",
		       "schema tool source host period quality groups fairness isolation "
		       "occupancy work scores series histograms flags ");
	assert_null_at(v, "schema");
	assert_null_at(v, "quality/events");
	assert_true(json_is_array(at(v, "groups")) && json_array_size(at(v, "groups")) == 0);
	assert_true(json_is_object(at(v, "source/labels")));
	json_decref(v);
}

static void reals_have_17_significant_digits(void **state)
{
	struct fan_report r;
	char *text;

	(void)state;
	sample_make(&r);
	/* the double next to 0.1 is 0.1000000000000000055511... */
	text = json_text(&r);
	assert_non_null(strstr(text, "\"unknown_pct\": 0.10000000000000001,"));
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
	fan_report_free(&r);
}

static void bytes_that_are_not_utf8_are_replaced_and_utf8_is_kept(void **state)
{
	static const struct {
		const char *raw, *want;
	} name[] = {
		{ WEIRD_NAME, "w\xEF\xBF\xBD\x1b[31m\xc3\xa9" },
		{ "\xf0\x9f\x98\x80 \xe2\x82\xac", "\xf0\x9f\x98\x80 \xe2\x82\xac" },
		{ "cut \xe2\x82", "cut \xEF\xBF\xBD\xEF\xBF\xBD" },
		{ "\xc0\xaf", "\xEF\xBF\xBD\xEF\xBF\xBD" },		    /* overlong */
		{ "\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" }, /* a surrogate */
		{ "\xf4\x90\x80\x80!", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!" },
		{ "\xe0\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" }, /* overlong */
		{ "\xf0\x8f\xbf\xbf", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
		{ "a\"\\\n", "a\"\\\n" },
	};
	struct fan_report r;
	json_t *v;
	char path[32];

	(void)state;
	sample_make(&r);
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++)
		assert_int_equal(fan_strs_add(&r.flags, "%s", name[i].raw), 0);
	assert_int_equal(fan_pairs_add(&r.source.labels, "k\xff", "v\xff"), 0);
	v = read_back(&r);
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		snprintf(path, sizeof(path), "flags/%zu", i);
		assert_str_at(v, path, name[i].want);
	}
	assert_str_at(v, "groups/0/threads/1/name", name[0].want);
	assert_str_at(v, "source/labels/k\xEF\xBF\xBD", "v\xEF\xBF\xBD");
	json_decref(v);
	fan_report_free(&r);
}

static void the_text_is_ascii_so_that_no_name_drives_a_terminal(void **state)
{
	struct fan_report r;
	char *text;

	(void)state;
	sample_make(&r);
	text = json_text(&r);
	for (const char *s = text; *s; s++)
		assert_true(*s == '\n' || (*s >= ' ' && *s <= '~'));
	assert_non_null(strstr(text, "w\\uFFFD\\u001B[31m\\u00E9"));
	free(text);
	fan_report_free(&r);
}

static void of_equal_labels_the_last_counts(void **state)
{
	struct fan_report r;
	json_t *v;

	(void)state;
	sample_make(&r);
	assert_int_equal(fan_pairs_add(&r.source.labels, "core_sched", "off"), 0);
	v = read_back(&r);
	assert_str_at(v, "source/labels/core_sched", "off");
	assert_keys_at(v, "source/labels", "core_sched rig ");
	json_decref(v);
	fan_report_free(&r);
}

static void a_full_disk_is_an_error_with_a_sentence(void **state)
{
	struct fan_report r;
	struct fcap_err err = { 0 };
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	sample_make(&r);
	assert_int_equal(fan_tree_json(&r, &fan_report_table, f, &err), -ENOSPC);
	assert_int_equal(err.code, ENOSPC);
	assert_non_null(strstr(err.text, "cannot be written"));
	fclose(f);
	fan_report_free(&r);
}

static void curves_are_keyed_by_their_group(void **state)
{
	struct fan_report r;
	struct fan_r_curve *c;
	json_t *v;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	assert_int_equal(fan_ints_add(&r.series.t_ns, 40), 0);
	c = fan_array_add(&r.series.groups, &fan_curve_table);
	assert_non_null(c);
	c->name = own("vm1");
	assert_int_equal(fan_reals_add(&c->share, 9.5), 0);
	assert_int_equal(fan_reals_add(&c->share, NAN), 0);
	assert_int_equal(fan_ints_add(&c->halted_ns, -7), 0);
	v = read_back(&r);
	assert_keys_at(v, "series/groups", "vm1 ");
	assert_keys_at(
		v, "series/groups/vm1",
		"share expected lag_ns run_ns wait_ns vcpu_run_ns guest_ns host_ns poll_ns vmm_ns "
		"in_kvm_run_ns vcpu_wait_ns halted_ns blocked_ns unsplit_ns unknown_ns ");
	assert_true(json_real_value(at(v, "series/groups/vm1/share/0")) == 9.5);
	assert_true(json_is_null(at(v, "series/groups/vm1/share/1")));
	assert_int_equal(json_integer_value(at(v, "series/t_ns/0")), 40);
	assert_int_equal(json_integer_value(at(v, "series/groups/vm1/halted_ns/0")), -7);
	assert_int_equal(json_array_size(at(v, "series/groups/vm1/guest_ns")), 0);
	json_decref(v);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(curves_are_keyed_by_their_group),
		cmocka_unit_test(keys_come_in_the_order_of_the_design),
		cmocka_unit_test(values_come_back_as_they_were),
		cmocka_unit_test(an_estimate_carries_all_that_it_rests_on),
		cmocka_unit_test(what_does_not_exist_is_null),
		cmocka_unit_test(infinite_numbers_are_null_too),
		cmocka_unit_test(an_empty_report_has_all_its_keys),
		cmocka_unit_test(reals_have_17_significant_digits),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced_and_utf8_is_kept),
		cmocka_unit_test(the_text_is_ascii_so_that_no_name_drives_a_terminal),
		cmocka_unit_test(of_equal_labels_the_last_counts),
		cmocka_unit_test(a_full_disk_is_an_error_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
