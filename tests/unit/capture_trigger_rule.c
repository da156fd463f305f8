// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_rule: what --when takes and what it refuses. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "capture/trigger_rule.h"

static struct cap_rule good(const char *text)
{
	struct cap_rule r;

	assert_int_equal(cap_rule_parse(&r, text, NULL), 0);
	return r;
}

static void assert_refused(const char *text, const char *why)
{
	struct fcap_err err = { 0 };
	struct cap_rule r;

	assert_int_equal(cap_rule_parse(&r, text, &err), -EINVAL);
	if (!strstr(err.text, why) || !strstr(err.text, text))
		fail_msg("\"%s\" has no \"%s\"", err.text, why);
}

static void a_rule_has_a_metric_a_limit_and_a_span(void **state)
{
	const struct cap_rule r = good("steal>20%/1s");

	(void)state;
	assert_int_equal(r.metric, CAP_METRIC_STEAL);
	assert_string_equal(r.vm, "");
	assert_int_equal(r.limit_ppm, 200000); /* 20 of 100 */
	assert_int_equal(r.span_ns, 1000000000);
	assert_string_equal(r.text, "steal>20%/1s");
}

static void a_rule_may_name_a_vm_whose_name_has_colons(void **state)
{
	const struct cap_rule r = good("a:b>c:wait>150.5%/500ms");

	(void)state;
	assert_string_equal(r.vm, "a:b>c");
	assert_int_equal(r.metric, CAP_METRIC_WAIT);
	assert_int_equal(r.limit_ppm, 1505000);
	assert_int_equal(r.span_ns, 500000000);
}

static void what_is_no_rule_is_refused_with_its_form(void **state)
{
	(void)state;
	assert_refused("", "[VM:]METRIC>LIMIT%/SPAN");
	assert_refused("steal", "[VM:]METRIC>LIMIT%/SPAN");
	assert_refused("steal>20%", "[VM:]METRIC>LIMIT%/SPAN");
	assert_refused("steal<20%/1s", "[VM:]METRIC>LIMIT%/SPAN");
	assert_refused("run>20%/1s", "give steal or wait");
	assert_refused("stea>20%/1s", "give steal or wait");
	assert_refused(">20%/1s", "give steal or wait");
	assert_refused(":steal>20%/1s", "the name of a VM");
}

static void a_limit_needs_its_percent_and_lies_where_it_can_be_crossed(void **state)
{
	(void)state;
	assert_refused("steal>20/1s", "with %");
	assert_refused("steal>%/1s", "with %");
	assert_refused("steal>-1%/1s", "with %");
	assert_refused("steal>0%/1s", "between 0% and 100%");
	assert_refused("steal>100%/1s", "between 0% and 100%");
	assert_refused("wait>0%/1s", "above 0%");
	assert_refused("wait>1000001%/1s", "above 0%");
	assert_int_equal(good("steal>99.9999%/1s").limit_ppm, 999999);
	assert_int_equal(good("steal>0.0001%/1s").limit_ppm, 1);
	assert_int_equal(good("wait>100%/1s").limit_ppm, 1000000);
	assert_int_equal(good("wait>1000000%/1s").limit_ppm, 10000000000);
}

static void a_span_needs_its_unit_and_two_samples(void **state)
{
	struct cap_rule r = good("steal>20%/200ms");
	struct fcap_err err = { 0 };

	(void)state;
	assert_refused("steal>20%/1", "from 1ms to 1h");
	assert_refused("steal>20%/", "from 1ms to 1h");
	assert_refused("steal>20%/999us", "from 1ms to 1h");
	assert_refused("steal>20%/61m", "from 1ms to 1h");
	assert_int_equal(cap_rule_check(&r, 100000000, &err), 0);
	assert_int_equal(cap_rule_check(&r, 100000001, &err), -EINVAL);
	assert_string_equal(err.text,
			    "--when steal>20%/200ms: the span is shorter than two samples, which "
			    "are 100000001ns apart; give a longer span or a shorter --sample");
}

static void a_span_has_at_most_ten_thousand_samples(void **state)
{
	struct cap_rule r = good("steal>20%/10s");
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(cap_rule_check(&r, 1000000, &err), 0); /* 10 s / 1 ms = 10000 */
	r = good("steal>20%/10001ms");
	assert_int_equal(cap_rule_check(&r, 1000000, &err), -EINVAL);
	assert_non_null(strstr(err.text, "longer than 10000 samples, which are 1ms apart"));
}

static void assert_printed(uint64_t ppm, const char *text)
{
	char got[32];

	cap_print_percent(ppm, got, sizeof(got));
	assert_string_equal(got, text);
}

static void percentages_are_printed_without_needless_zeros(void **state)
{
	(void)state;
	assert_printed(200000, "20");
	assert_printed(342000, "34.2");
	assert_printed(500, "0.05");
	assert_printed(1, "0.0001");
	assert_printed(0, "0");
	assert_printed(1505000, "150.5");
}

static void durations_are_printed_in_their_largest_whole_unit(void **state)
{
	char text[32];

	(void)state;
	cap_print_ns(1000000000, text, sizeof(text));
	assert_string_equal(text, "1s");
	cap_print_ns(1500000000, text, sizeof(text));
	assert_string_equal(text, "1500ms");
	cap_print_ns(60000000000, text, sizeof(text));
	assert_string_equal(text, "60s");
	cap_print_ns(0, text, sizeof(text));
	assert_string_equal(text, "0ns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_has_a_metric_a_limit_and_a_span),
		cmocka_unit_test(a_rule_may_name_a_vm_whose_name_has_colons),
		cmocka_unit_test(what_is_no_rule_is_refused_with_its_form),
		cmocka_unit_test(a_limit_needs_its_percent_and_lies_where_it_can_be_crossed),
		cmocka_unit_test(a_span_needs_its_unit_and_two_samples),
		cmocka_unit_test(a_span_has_at_most_ten_thousand_samples),
		cmocka_unit_test(percentages_are_printed_without_needless_zeros),
		cmocka_unit_test(durations_are_printed_in_their_largest_whole_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
