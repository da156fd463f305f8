// SPDX-License-Identifier: GPL-3.0-or-later
/* include/fcap/: numbers, CPU lists, vCPU names, marker lines. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "fcap/cpulist.h"
#include "fcap/err.h"
#include "fcap/marker.h"
#include "fcap/num.h"
#include "fcap/selector.h"
#include "fcap/vcpu_name.h"

static void an_error_carries_its_sentence_and_its_code(void **state)
{
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(fcap_fail(&err, EINVAL, "window of %d ns", 0), -EINVAL);
	assert_int_equal(err.code, EINVAL);
	assert_string_equal(err.text, "window of 0 ns");
	assert_int_equal(fcap_fail(NULL, ENOMEM, "x"), -ENOMEM);
}

static void numbers_are_strict(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_int_equal(fcap_parse_u64("18446744073709551615", 0, UINT64_MAX, &v), 0);
	assert_true(v == UINT64_MAX);
	assert_int_equal(fcap_parse_u64("18446744073709551616", 0, UINT64_MAX, &v), -ERANGE);
	assert_int_equal(fcap_parse_u64("12x", 0, 100, &v), -EINVAL);
	assert_int_equal(fcap_parse_u64("-1", 0, 100, &v), -EINVAL);
	assert_int_equal(fcap_parse_u64("", 0, 100, &v), -EINVAL);
	assert_int_equal(fcap_parse_u64("0x1f", 0, 100, &v), 0);
	assert_int_equal(v, 31);
	assert_int_equal(fcap_parse_u64("101", 0, 100, &v), -ERANGE);
	assert_int_equal(v, 31);
}

/* Of 18 digits none overflows, so that they are read without looking; 2^63 and 2^64 have more. */
static void long_numbers_are_read_to_the_last_digit(void **state)
{
	uint64_t v = 7;
	int64_t i = 7;

	(void)state;
	assert_int_equal(fcap_parse_u64("999999999999999999", 0, UINT64_MAX, &v), 0);
	assert_true(v == 999999999999999999ULL);
	assert_int_equal(fcap_parse_u64("1000000000000000000", 0, UINT64_MAX, &v), 0);
	assert_true(v == 1000000000000000000ULL);
	assert_int_equal(fcap_parse_u64("0000000000000000000000012", 0, 100, &v), 0);
	assert_int_equal(v, 12);
	/* 2^64 + 5 would be 5 modulo 2^64 */
	assert_int_equal(fcap_parse_u64("18446744073709551621", 0, 100, &v), -ERANGE);
	assert_int_equal(fcap_parse_i64("9223372036854775807", 0, INT64_MAX, &i), 0);
	assert_true(i == INT64_MAX);
	assert_int_equal(fcap_parse_i64("9223372036854775808", 0, INT64_MAX, &i), -ERANGE);
	assert_int_equal(fcap_parse_i64("-20", -20, 19, &i), 0);
	assert_int_equal(i, -20);
	assert_int_equal(fcap_parse_i64("0x1f", 0, 100, &i), -EINVAL);
	assert_int_equal(fcap_parse_i64("-", -20, 19, &i), -EINVAL);
	assert_int_equal(i, -20);
}

static void a_kind_and_a_key_are_whole_words(void **state)
{
	char text[] = "fcap: steal tid=1 tidy=2 ti=3";
	struct fcap_marker m;

	(void)state;
	assert_int_equal(fcap_marker_parse(text, &m), 0);
	assert_true(fcap_marker_is(&m, "steal"));
	assert_false(fcap_marker_is(&m, "stea"));
	assert_false(fcap_marker_is(&m, "steals"));
	assert_false(fcap_marker_is(&m, "stale"));
	assert_string_equal(fcap_marker_get(&m, "tid"), "1");
	assert_string_equal(fcap_marker_get(&m, "tidy"), "2");
	assert_string_equal(fcap_marker_get(&m, "ti"), "3");
	assert_null(fcap_marker_get(&m, "t"));
}

static void durations_and_sizes_need_a_unit(void **state)
{
	uint64_t v = 0;

	(void)state;
	assert_int_equal(fcap_parse_ns("100ms", &v), 0);
	assert_int_equal(v, 100000000);
	assert_int_equal(fcap_parse_ns("1.5s", &v), 0);
	assert_int_equal(v, 1500000000);
	assert_int_equal(fcap_parse_ns("100", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("ms", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("-1ms", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("1 ms", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("99999999999h", &v), -ERANGE);
	assert_int_equal(fcap_parse_size("64KiB", &v), 0);
	assert_int_equal(v, 65536);
	assert_int_equal(fcap_parse_size("64", &v), -EINVAL);
}

/* Of 104 days, 2^53 + 1 ns, a double has lost the last one. */
static void long_durations_are_read_to_the_last_ns(void **state)
{
	uint64_t v = 0;

	(void)state;
	assert_int_equal(fcap_parse_ns("9007199254740993ns", &v), 0);
	assert_true(v == 9007199254740993);
	assert_int_equal(fcap_parse_ns("9007199.254740993s", &v), 0);
	assert_true(v == 9007199254740993);
	/* halves up */
	assert_int_equal(fcap_parse_ns("1.4999ns", &v), 0);
	assert_int_equal(v, 1);
	assert_int_equal(fcap_parse_ns("1.5ns", &v), 0);
	assert_int_equal(v, 2);
	assert_int_equal(fcap_parse_ns("1.5.1s", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns(".s", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("1e3s", &v), -EINVAL);
	assert_int_equal(fcap_parse_ns("0x1s", &v), -EINVAL);
	assert_int_equal(v, 2);
}

static void real_numbers_are_decimal_and_finite(void **state)
{
	static const char *const bad[] = { "",	  ".",	  "-",	 "e3", "1e", "0x10", "0x1p3",
					   "inf", "-inf", "nan", "1 ", " 1", "1,5",  "+-1" };
	double v = 0;

	(void)state;
	assert_int_equal(fcap_parse_real("-1.5e-3", &v), 0);
	assert_true(v == -1.5e-3);
	assert_int_equal(fcap_parse_real("+.25", &v), 0);
	assert_true(v == 0.25);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(fcap_parse_real(bad[i], &v), -EINVAL);
	assert_int_equal(fcap_parse_real("1e999", &v), -ERANGE);
	assert_true(v == 0.25);
}

static void cpu_lists_parse_as_the_kernel_prints_them(void **state)
{
	struct fcap_cpuset s, t;

	(void)state;
	assert_int_equal(fcap_cpulist_parse("0-2,8,10-11\n", &s), 0);
	assert_int_equal(fcap_cpuset_count(&s), 6);
	assert_true(fcap_cpuset_has(&s, 8) && !fcap_cpuset_has(&s, 9));
	assert_int_equal(fcap_cpulist_parse("", &t), 0);
	assert_int_equal(fcap_cpuset_count(&t), 0);
	assert_int_equal(fcap_cpulist_parse("3-1", &t), -ERANGE);
	assert_int_equal(fcap_cpulist_parse("0-8192", &t), -ERANGE);
	assert_int_equal(fcap_cpulist_parse("1,", &t), -EINVAL);
	assert_int_equal(fcap_cpulist_parse("1,\n", &t), -EINVAL);
	assert_int_equal(fcap_cpulist_parse("1\n2", &t), -EINVAL);
	assert_int_equal(fcap_cpulist_parse("\n2", &t), -EINVAL);
	assert_int_equal(fcap_cpulist_parse("a", &t), -EINVAL);
	assert_int_equal(fcap_cpulist_parse("9-12", &t), 0);
	assert_true(fcap_cpuset_overlaps(&s, &t));
	fcap_cpuset_and(&t, &s);
	assert_int_equal(fcap_cpuset_count(&t), 2);
}

static void vcpu_threads_are_known_by_name(void **state)
{
	(void)state;
	assert_int_equal(fcap_vcpu_from_comm("CPU 0/KVM"), 0);
	assert_int_equal(fcap_vcpu_from_comm("CPU 12/KVM"), 12);
	assert_int_equal(fcap_vcpu_from_comm("fc_vcpu 3"), 3);
	assert_int_equal(fcap_vcpu_from_comm("crosvm_vcpu1"), 1);
	assert_int_equal(fcap_vcpu_from_comm("vcpu7"), 7);
	assert_int_equal(fcap_vcpu_from_comm("kvm-vcpu-2"), 2);
	assert_int_equal(fcap_vcpu_from_comm("CPU 0/TCG"), -1);
	assert_int_equal(fcap_vcpu_from_comm("CPU /KVM"), -1);
	assert_int_equal(fcap_vcpu_from_comm("vcpu7x"), -1);
	assert_int_equal(fcap_vcpu_from_comm("vcpu99999999999"), -1);
	assert_int_equal(fcap_vcpu_from_comm("bash"), -1);
}

static void selectors_are_strict(void **state)
{
	struct fcap_selector s;

	(void)state;
	assert_int_equal(fcap_selector_parse("tgid:815", &s), 0);
	assert_int_equal(s.kind, FCAP_SEL_TGID);
	assert_int_equal(s.tids[0], 815);
	assert_int_equal(fcap_selector_parse("tids:1,2147483647", &s), 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.tids[1], 2147483647);
	assert_int_equal(fcap_selector_parse("cgroup:/caas1", &s), 0);
	assert_string_equal(s.text, "/caas1");
	assert_int_equal(fcap_selector_parse("comm:CPU */KVM", &s), 0);
	assert_string_equal(s.text, "CPU */KVM");
	assert_int_equal(fcap_selector_parse("tgid:1,2", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("tgid:", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("tids:1,", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("tids:0", &s), -ERANGE);
	assert_int_equal(fcap_selector_parse("tids:2147483648", &s), -ERANGE);
	assert_int_equal(fcap_selector_parse("cgroup:caas1", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("comm:", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("pid:1", &s), -EINVAL);
	assert_int_equal(fcap_selector_parse("", &s), -EINVAL);
}

static void a_marker_line_survives_the_round_trip(void **state)
{
	static const char comm[] = "CPU 0/KVM \"x\\y\"\n\x7f\xc3\xa9";
	struct fcap_line l;
	struct fcap_marker m;

	(void)state;
	fcap_line_begin(&l, "task");
	fcap_line_i64(&l, "tid", 815);
	fcap_line_str(&l, "comm", comm);
	fcap_line_str(&l, "cgroup", "/caas1");
	fcap_line_str(&l, "empty", "");
	fcap_line_u64(&l, "big", UINT64_MAX);
	assert_false(l.full);
	assert_int_equal(fcap_marker_parse(l.text, &m), 0);
	assert_string_equal(m.kind, "task");
	assert_int_equal(m.n, 5);
	assert_string_equal(fcap_marker_get(&m, "tid"), "815");
	assert_string_equal(fcap_marker_get(&m, "comm"), comm);
	assert_string_equal(fcap_marker_get(&m, "cgroup"), "/caas1");
	assert_string_equal(fcap_marker_get(&m, "empty"), "");
	assert_string_equal(fcap_marker_get(&m, "big"), "18446744073709551615");
	assert_null(fcap_marker_get(&m, "none"));
}

static void what_does_not_fit_is_said_and_leaves_the_line_whole(void **state)
{
	char big[FCAP_MARKER_MAX];
	struct fcap_line l;
	struct fcap_marker m;

	(void)state;
	memset(big, ' ', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	fcap_line_begin(&l, "task");
	fcap_line_i64(&l, "tid", 1);
	fcap_line_str(&l, "comm", big);
	assert_true(l.full);
	assert_int_equal(fcap_marker_parse(l.text, &m), 0);
	assert_int_equal(m.n, 1);
}

static void bad_marker_lines_are_told_from_foreign_ones(void **state)
{
	char foreign[] = "hello", bare[] = "fcap: ", quote[] = "fcap: task comm=\"abc";
	char escape[] = "fcap: task comm=\"\\q\"", nul[] = "fcap: task comm=\"\\x00\"";
	char key[] = "fcap: task tid=1 =2", ok[] = "fcap: end\n", word[] = "fcap: x y";
	struct fcap_marker m;

	(void)state;
	assert_int_equal(fcap_marker_parse(foreign, &m), 1);
	assert_int_equal(fcap_marker_parse(bare, &m), -EINVAL);
	assert_int_equal(fcap_marker_parse(quote, &m), -EINVAL);
	assert_int_equal(fcap_marker_parse(escape, &m), -EINVAL);
	assert_int_equal(fcap_marker_parse(nul, &m), -EINVAL);
	assert_int_equal(fcap_marker_parse(key, &m), -EINVAL);
	assert_string_equal(fcap_marker_get(&m, "tid"), "1");
	assert_int_equal(fcap_marker_parse(word, &m), -EINVAL);
	assert_int_equal(fcap_marker_parse(ok, &m), 0);
	assert_int_equal(m.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_carries_its_sentence_and_its_code),
		cmocka_unit_test(numbers_are_strict),
		cmocka_unit_test(long_numbers_are_read_to_the_last_digit),
		cmocka_unit_test(a_kind_and_a_key_are_whole_words),
		cmocka_unit_test(durations_and_sizes_need_a_unit),
		cmocka_unit_test(long_durations_are_read_to_the_last_ns),
		cmocka_unit_test(real_numbers_are_decimal_and_finite),
		cmocka_unit_test(cpu_lists_parse_as_the_kernel_prints_them),
		cmocka_unit_test(vcpu_threads_are_known_by_name),
		cmocka_unit_test(selectors_are_strict),
		cmocka_unit_test(a_marker_line_survives_the_round_trip),
		cmocka_unit_test(what_does_not_fit_is_said_and_leaves_the_line_whole),
		cmocka_unit_test(bad_marker_lines_are_told_from_foreign_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
