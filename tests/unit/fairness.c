// SPDX-License-Identifier: GPL-3.0-or-later
/* Jain's index, the worst pair and the host's own steal in reports. Numbers worked out by hand. */
#include "tests/unit/assembled.h"

#include <errno.h>
#include <stdio.h>

#include "analyze/stats/gsl.h"
#include "analyze/stats/jain.h"

/* --- how even --- */

static struct fan_report report_with_weights(int small_weight, int large_weight)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });

	tell_vms(tb, 1, small_weight, large_weight);
	tell_end(tb);
	return report_of(tb);
}

static void shares_by_the_weights_are_even(void **state)
{
	struct fan_report r = report_with_weights(128, 1152);
	const struct fan_est *jain = &r.fairness.jain, *ratio = &r.fairness.worst_pair.ratio;

	(void)state;
	assert_near(jain->value, 1, 1e-9);
	assert_near(ratio->value, 1, 1e-9);
	assert_string_equal(jain->method, "pw-ewc");
	assert_int_equal(jain->n, WINDOWS);
	/* the small one's share is 10 with se 0.25: 2.8 % of both together in the log */
	assert_near(ratio->se, 0.028, 0.014);
	assert_true(ratio->lo < 1 && ratio->hi > 1);
	assert_near(jain->hi, 1, 1e-12);
	assert_near(
		jain->lo,
		fmin(fan_jain_of_log_ratio(log(ratio->lo)), fan_jain_of_log_ratio(log(ratio->hi))),
		1e-12);
	fan_report_free(&r);
}

static void the_worst_pair_is_measured_by_what_each_was_due(void **state)
{
	struct fan_report r = report_with_weights(1024, 1024);
	const struct fan_r_pair *pair = &r.fairness.worst_pair;

	(void)state;
	/* 90/50 and 10/50: (1.8 + 0.2)^2 / (2 (3.24 + 0.04)) */
	assert_near(r.fairness.jain.value, 4 / 6.56, 1e-9);
	assert_string_equal(pair->a, "large");
	assert_string_equal(pair->b, "small");
	assert_near(pair->ratio.value, 9, 1e-9);
	assert_true(pair->ratio.lo > 7 && pair->ratio.lo < 9);
	assert_true(pair->ratio.hi > 9 && pair->ratio.hi < 12);
	assert_true(isnan(pair->ratio.lo_adj));
	fan_report_free(&r);
}

static void whoever_got_more_than_due_is_named_first(void **state)
{
	struct fan_report r = report_with_weights(64, 1216);
	const struct fan_r_pair *pair = &r.fairness.worst_pair;

	(void)state;
	/* due 5 and 95: 2 and 90/95 */
	assert_string_equal(pair->a, "small");
	assert_near(pair->ratio.value, 2 * 95.0 / 90, 1e-9);
	fan_report_free(&r);
}

/* A third VM, of the same weight, that never gets the CPU. */
static struct fan_report report_of_starvation(void)
{
	const struct tb_task starved = { 301, "CPU 0/KVM", 0 };
	struct tb *tb = turns_beside((struct turns){ 0, 0 }, &starved);

	tell_vms(tb, 1, 1024, 1024);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/starved parent=/ weight=1024 scale=shares");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=301 tgid=300 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=301 tgid=300 cgroup=/starved");
	tell_end(tb);
	return report_of(tb);
}

static void a_starved_group_counts_in_the_index_and_has_no_ratio(void **state)
{
	struct fan_report r = report_of_starvation();
	const struct fan_r_pair *pair = &r.fairness.worst_pair;

	(void)state;
	assert_int_equal(r.groups.n, 3);
	assert_near(group(&r, "starved")->share.value, 0, 0);
	/* 2.7, 0.3 and 0: 3^2 / (3 (7.29 + 0.09)) */
	assert_near(r.fairness.jain.value, 9 / 22.14, 1e-9);
	assert_true(isnan(r.fairness.jain.lo));
	assert_int_equal(r.fairness.jain.flags, FAN_EST_ONE_RUN | FAN_EST_STARVED);
	assert_string_equal(pair->a, "large");
	assert_string_equal(pair->b, "starved");
	assert_true(isnan(pair->ratio.value));
	assert_true(pair->ratio.flags & FAN_EST_UNDEFINED);
	assert_int_equal(pair->ratio.m, 3);
	fan_report_free(&r);
}

static void one_group_is_even_with_itself(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, small);
	tb_switch(tb, at_us(0, 500000), small, TB_S, tb_idle);
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	r = report_of(tb);
	assert_int_equal(r.groups.n, 1);
	assert_near(r.fairness.jain.value, 1, 0);
	assert_null(r.fairness.worst_pair.a);
	fan_report_free(&r);
}

/* --- what the host itself lost --- */

struct host_line {
	uint64_t ms;
	unsigned int cpu, steal, total; /* ticks of 10 ms */
};

static struct fan_report report_of_host(const struct host_line *lines, size_t n)
{
	struct tb *tb = turns_of((struct turns){ 0, 0 });

	tell_vms(tb, 1, 128, 1152);
	for (size_t i = 0; i < n; i++)
		tb_marker(tb, MODELLED_BASE + lines[i].ms * MODELLED_MS,
			  "fcap: host cpu=%u steal=%u unit=10000000 total=%u", lines[i].cpu,
			  lines[i].steal, lines[i].total);
	tell_end(tb);
	return report_of(tb);
}

static void steal_is_a_part_of_all_cpu_time(void **state)
{
	static const struct host_line lines[] = {
		{ 0, 0, 50, 1000 },    { 0, 1, 70, 2000 },    { 1000, 0, 52, 1100 },
		{ 4000, 0, 56, 1400 }, { 4000, 1, 70, 2400 },
	};
	struct fan_report r = report_of_host(lines, 5);

	(void)state;
	/* 60 ms of 4 s on each of two CPUs */
	assert_near(r.host.steal_pct, 100 * 0.06 / 8, 1e-12);
	assert_false(has(&r.host.notes, "stolen from the host"));
	assert_int_equal(r.flags.n, 0);
	fan_report_free(&r);
}

static void more_than_one_percent_is_worth_a_note(void **state)
{
	static const struct host_line lines[] = { { 0, 0, 0, 0 }, { 4000, 0, 10, 400 } };
	struct fan_report r = report_of_host(lines, 2);

	(void)state;
	assert_near(r.host.steal_pct, 2.5, 1e-12);
	assert_true(has(&r.host.notes, "2.5 % of the host's CPU time was stolen from the host "
				       "itself: run time contains time in which nothing ran"));
	fan_report_free(&r);
}

static void counters_of_more_time_than_passed_give_no_percentage(void **state)
{
	static const struct host_line lines[] = {
		{ 0, 0, 0, 0 },
		{ 0, 1, 0, 0 },
		{ 4000, 0, 10, 400 },
		{ 4000, 1, 0, 440 },
	};
	struct fan_report r = report_of_host(lines, 4);

	(void)state;
	assert_true(isnan(r.host.steal_pct));
	assert_true(has(&r.flags, "host_steal_inconsistent"));
	assert_true(has(&r.host.notes, "host steal inconsistent: the columns of /proc/stat add "
				       "up to 1.05 times the time that passed"));
	fan_report_free(&r);
}

/* 4 s are 400 ticks; 5 % are 20 more, and two may be rounding. */
static void the_limit_is_five_percent_and_two_ticks(void **state)
{
	static const struct host_line at[] = { { 0, 0, 0, 0 }, { 4000, 0, 1, 422 } };
	static const struct host_line above[] = { { 0, 0, 0, 0 }, { 4000, 0, 1, 423 } };
	struct fan_report r = report_of_host(at, 2);

	(void)state;
	assert_near(r.host.steal_pct, 0.25, 1e-12);
	fan_report_free(&r);
	r = report_of_host(above, 2);
	assert_true(isnan(r.host.steal_pct));
	fan_report_free(&r);
}

static void a_counter_that_steps_back_costs_its_interval(void **state)
{
	static const struct host_line lines[] = {
		{ 0, 0, 10, 0 },
		{ 2000, 0, 14, 200 },
		{ 3000, 0, 5, 300 },
		{ 4000, 0, 8, 400 },
	};
	struct fan_report r = report_of_host(lines, 4);

	(void)state;
	/* 40 + 30 ms in 2 + 1 s */
	assert_near(r.host.steal_pct, 100 * 0.07 / 3, 1e-12);
	assert_true(has(&r.host.notes, "host counters stepped back in 1 of"));
	fan_report_free(&r);
}

static void without_two_lines_the_steal_is_unknown(void **state)
{
	static const struct host_line lines[] = { { 0, 0, 10, 100 }, { 4000, 1, 10, 100 } };
	struct fan_report r = report_of_host(NULL, 0);

	(void)state;
	assert_true(isnan(r.host.steal_pct));
	fan_report_free(&r);
	r = report_of_host(lines, 2);
	assert_true(isnan(r.host.steal_pct));
	fan_report_free(&r);
}

static int take(struct fan_host *h, const char *text, uint64_t ts_ns)
{
	char copy[200];
	struct fcap_marker line;

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	return fan_host_take(h, &line, ts_ns);
}

static void lines_without_a_total_count_and_bad_ones_do_not(void **state)
{
	struct fan_host *h = fan_host_new();
	struct fan_host_sum sum;

	(void)state;
	assert_int_equal(take(h, "fcap: host cpu=3 steal=11 unit=10000000", 0), 0);
	assert_int_equal(take(h, "fcap: host cpu=3 steal=12 unit=10000000", 1000000000), 0);
	sum = fan_host_sum(h);
	assert_int_equal(sum.cpus, 1);
	assert_int_equal(sum.steal_ns, 10 * MODELLED_MS);
	assert_int_equal(sum.wall_ns, 1000 * MODELLED_MS);
	assert_false(sum.is_inconsistent);
	/* more stolen than there was */
	assert_int_equal(take(h, "fcap: host cpu=3 steal=312", 2000000000), 0);
	sum = fan_host_sum(h);
	assert_true(sum.is_inconsistent);
	assert_int_equal(take(h, "fcap: host steal=12", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=-1 steal=12", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=99999999 steal=12", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=1", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=1 steal=x", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=1 steal=1 unit=0", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: host cpu=1 steal=1 total=x", 0), -EINVAL);
	assert_int_equal(take(h, "fcap: cpu id=1", 0), 0);
	/* a difference that 64 bits of ns do not hold */
	assert_int_equal(take(h, "fcap: host cpu=4 steal=0", 0), 0);
	assert_int_equal(take(h, "fcap: host cpu=4 steal=18446744073709551615", 1), 0);
	assert_int_equal(fan_host_sum(h).backwards, 1);
	fan_host_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_by_the_weights_are_even),
		cmocka_unit_test(the_worst_pair_is_measured_by_what_each_was_due),
		cmocka_unit_test(whoever_got_more_than_due_is_named_first),
		cmocka_unit_test(a_starved_group_counts_in_the_index_and_has_no_ratio),
		cmocka_unit_test(one_group_is_even_with_itself),
		cmocka_unit_test(steal_is_a_part_of_all_cpu_time),
		cmocka_unit_test(more_than_one_percent_is_worth_a_note),
		cmocka_unit_test(counters_of_more_time_than_passed_give_no_percentage),
		cmocka_unit_test(the_limit_is_five_percent_and_two_ticks),
		cmocka_unit_test(a_counter_that_steps_back_costs_its_interval),
		cmocka_unit_test(without_two_lines_the_steal_is_unknown),
		cmocka_unit_test(lines_without_a_total_count_and_bad_ones_do_not),
	};

	fan_stats_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
