// SPDX-License-Identifier: GPL-3.0-or-later
/* Fairness by length of window: patterns of a few milliseconds, counted by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <math.h>

#include <cmocka.h>

#include "analyze/model/scales.h"
#include "analyze/stats/scale.h"
#include "tests/lib/seeded.h"

#define MS 1000000ULL

enum { W1, W2, W5, W10, W20, W50 }; /* numbers of the scales of so many ms */

static void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%.15g is not %.15g", got, want);
}

/* Sums so far. */
struct run {
	struct fan_scales *s;
	struct fan_pace party[3], vcpu[4];
	size_t parties, vcpus;
};

static struct run run_of(size_t parties, size_t vcpus)
{
	struct run r = { .s = fan_scales_new(), .parties = parties, .vcpus = vcpus };

	assert_non_null(r.s);
	for (size_t i = 0; i < parties; i++)
		assert_int_equal(fan_scales_party(r.s, i, r.party[i]), 0);
	for (size_t i = 0; i < vcpus; i++)
		assert_int_equal(fan_scales_vcpu(r.s, i, 0, r.vcpu[i]), 0);
	return r;
}

static void tick(struct run *r)
{
	for (size_t i = 0; i < r->parties; i++)
		assert_int_equal(fan_scales_party(r->s, i, r->party[i]), 0);
	for (size_t i = 0; i < r->vcpus; i++)
		assert_int_equal(fan_scales_vcpu(r->s, i, 0, r->vcpu[i]), 0);
	fan_scales_tick(r->s, 1);
}

/* Two parties are due half of each ms and take turns of 5 ms, the first one first; 20 ms. */
static struct run turns(void)
{
	struct run r = run_of(2, 0);

	for (int t = 0; t < 20; t++) {
		r.party[0].due_ns += MS / 2;
		r.party[1].due_ns += MS / 2;
		r.party[t / 5 % 2].got_ns += MS;
		tick(&r);
	}
	return r;
}

static double mean_jain(const struct run *r, size_t scale)
{
	const struct fan_scale s = fan_scales_all(r->s, scale);

	return fan_scale_mean(s.jain, s.windows);
}

static void turns_of_5_ms_are_unfair_below_and_fair_above_10(void **state)
{
	/* 2 ms: windows 0-2 2-4 4-6 6-8 8-10 ...: 4-6 and 14-16 hold a turn's end and are even */
	static const struct {
		size_t scale;
		uint64_t windows, zero, fair;
		double jain;
	} rows[] = {
		{ W1, 20, 20, 0, 0.5 }, { W2, 10, 8, 2, 0.6 }, { W5, 4, 4, 0, 0.5 },
		{ W10, 2, 0, 2, 1 },	{ W20, 1, 0, 1, 1 },
	};
	struct run r = turns();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct fan_scale s = fan_scales_all(r.s, rows[i].scale);

		assert_int_equal(s.windows, rows[i].windows);
		assert_int_equal(s.zero, rows[i].zero);
		assert_int_equal(s.fair, rows[i].fair);
		assert_near(mean_jain(&r, rows[i].scale), rows[i].jain, 1e-4);
	}
	assert_int_equal(fan_scales_all(r.s, W50).windows, 0);
	assert_true(isnan(mean_jain(&r, W50)));
	fan_scales_free(r.s);
}

static void the_distance_is_that_of_shares_in_points(void **state)
{
	struct run r = turns();
	struct fan_scale s;

	(void)state;
	/* 1 ms: 100 or 0 where 50 was due; 2 ms: so 8 times of 10, else 0: 50 sqrt(0.8) */
	s = fan_scales_all(r.s, W1);
	assert_near(fan_scale_rms_pp(&s), 50, 0.01);
	s = fan_scales_all(r.s, W2);
	assert_near(fan_scale_rms_pp(&s), 50 * sqrt(0.8), 0.01);
	s = fan_scales_of(r.s, 1, W2);
	assert_int_equal(s.windows, 10);
	assert_int_equal(s.zero, 4);
	assert_near(fan_scale_rms_pp(&s), 50 * sqrt(0.8), 0.01);
	s = fan_scales_all(r.s, W10);
	assert_near(fan_scale_rms_pp(&s), 0, 0.01);
	s = fan_scales_all(r.s, W50);
	assert_true(isnan(fan_scale_rms_pp(&s)));
	fan_scales_free(r.s);
}

static void what_counts_is_got_over_due(void **state)
{
	struct run r = run_of(3, 0);
	struct fan_scale all;

	(void)state;
	/* due 1, 3 and 6 of 10; got 2, 3 and 5: x = 2, 1, 5/6;
	 * (23/6)^2 / (3 (4 + 1 + 25/36)) */
	r.party[0] = (struct fan_pace){ MS * 2 / 10, MS / 10 };
	r.party[1] = (struct fan_pace){ MS * 3 / 10, MS * 3 / 10 };
	r.party[2] = (struct fan_pace){ MS * 5 / 10, MS * 6 / 10 };
	tick(&r);
	assert_near(mean_jain(&r, W1), 23.0 * 23 / 36 / (3 * (5 + 25.0 / 36)), 1e-4);
	/* and the shares are off by 10, 0 and -10 points */
	all = fan_scales_all(r.s, W1);
	assert_near(fan_scale_rms_pp(&all), sqrt(200.0 / 3), 0.01);
	fan_scales_free(r.s);
}

static void who_is_due_less_than_a_hundredth_takes_no_part(void **state)
{
	struct run r = run_of(3, 0);

	(void)state;
	/* the third is due 9 us of the first ms and got none, and 10 us of the second */
	for (int t = 0; t < 2; t++) {
		r.party[0].due_ns += MS / 2;
		r.party[0].got_ns += MS / 2;
		r.party[1].due_ns += MS / 2;
		r.party[1].got_ns += MS / 2;
		r.party[2].due_ns += 9000 + 1000 * (uint64_t)t;
		tick(&r);
	}
	assert_int_equal(fan_scales_of(r.s, 2, W1).windows, 1);
	assert_int_equal(fan_scales_of(r.s, 2, W1).zero, 1);
	assert_int_equal(fan_scales_all(r.s, W1).windows, 2);
	/* 1, then 2^2 / (3 x 2) */
	assert_near(mean_jain(&r, W1), (1 + 2.0 / 3) / 2, 1e-4);
	/* 19 us of 2 ms are less than a hundredth */
	assert_int_equal(fan_scales_of(r.s, 2, W2).windows, 0);
	fan_scales_free(r.s);
}

static void one_party_alone_or_nobody_served_is_no_comparison(void **state)
{
	struct run r = run_of(2, 0);

	(void)state;
	r.party[0] = (struct fan_pace){ MS, MS };
	tick(&r);
	r.party[0].due_ns += MS / 2;
	r.party[1].due_ns += MS / 2;
	tick(&r);
	assert_int_equal(fan_scales_all(r.s, W1).windows, 0);
	assert_int_equal(fan_scales_of(r.s, 0, W1).windows, 2);
	/* but both were due time in the second and got none */
	assert_int_equal(fan_scales_all(r.s, W1).zero, 2);
	fan_scales_free(r.s);
}

static void idle_stretches_are_skipped_in_one_step(void **state)
{
	struct run r = run_of(2, 0);

	(void)state;
	r.party[0] = (struct fan_pace){ MS / 4, MS / 2 };
	r.party[1] = (struct fan_pace){ MS * 3 / 4, MS / 2 };
	tick(&r);
	fan_scales_tick(r.s, 12);
	/* at 13 ms: 13 windows of 1 ms, six of 2, two of 5 and one of 10 are over */
	assert_int_equal(fan_scales_all(r.s, W1).windows, 1);
	assert_int_equal(fan_scales_all(r.s, W2).windows, 1);
	assert_int_equal(fan_scales_all(r.s, W5).windows, 1);
	assert_int_equal(fan_scales_all(r.s, W10).windows, 1);
	assert_int_equal(fan_scales_all(r.s, W20).windows, 0);
	/* x = 0.5, 1.5 */
	assert_near(mean_jain(&r, W10), 4 / (2 * 2.5), 1e-4);
	/* what comes then lies in the window from 12 to 14 */
	r.party[0].due_ns += MS;
	r.party[0].got_ns += MS;
	r.party[1].due_ns += MS;
	r.party[1].got_ns += MS;
	tick(&r);
	assert_int_equal(fan_scales_all(r.s, W2).windows, 2);
	fan_scales_free(r.s);
}

static void a_late_vcpu_begins_with_nothing(void **state)
{
	struct run r = run_of(1, 0);

	(void)state;
	/* at the first tick that it is told it has waited for longer than that */
	r.vcpu[0] = (struct fan_pace){ 0, MS };
	r.vcpu[1] = (struct fan_pace){ 7 * MS, 9 * MS };
	r.vcpus = 2;
	tick(&r);
	assert_int_equal(fan_scales_of(r.s, 0, W1).vcpu_zero, 1);
	r.vcpu[1].due_ns += MS;
	tick(&r);
	assert_int_equal(fan_scales_of(r.s, 0, W1).vcpu_zero, 2);
	fan_scales_free(r.s);
}

static void time_that_is_taken_back_is_not_counted_twice(void **state)
{
	struct run r = run_of(1, 0);

	(void)state;
	r.party[0] = (struct fan_pace){ MS, MS };
	tick(&r);
	/* a gap: half of it was not so; then half a ms that makes up for it, then a whole one */
	r.party[0] = (struct fan_pace){ MS / 2, 2 * MS };
	tick(&r);
	r.party[0] = (struct fan_pace){ MS, 3 * MS };
	tick(&r);
	assert_int_equal(fan_scales_of(r.s, 0, W1).zero, 2);
	r.party[0] = (struct fan_pace){ 2 * MS, 4 * MS };
	tick(&r);
	assert_int_equal(fan_scales_of(r.s, 0, W1).zero, 2);
	fan_scales_free(r.s);
}

/* Of a VM with three vCPUs one runs, one waits, and the third sleeps; then all run half. */
static void vcpus_are_compared_within_their_vm(void **state)
{
	struct run r = run_of(1, 3);
	struct fan_scale s;

	(void)state;
	r.vcpu[0].got_ns += MS;
	r.vcpu[1].due_ns += MS; /* of a vCPU: it waited */
	tick(&r);
	r.vcpu[0] = (struct fan_pace){ MS + MS / 2, MS / 2 };
	r.vcpu[1] = (struct fan_pace){ MS / 2, MS + MS / 2 };
	tick(&r);
	s = fan_scales_of(r.s, 0, W1);
	assert_int_equal(s.vcpu_windows, 2);
	/* x = 1, 0: 0.5; then 0.5, 0.5: 1 */
	assert_near(fan_scale_mean(s.vcpu_jain, s.vcpu_windows), 0.75, 1e-4);
	assert_int_equal(s.vcpu_zero, 1);
	/* 2 ms: x = 0.75, 0.25: 1 / (2 x 0.625) */
	s = fan_scales_of(r.s, 0, W2);
	assert_near(fan_scale_mean(s.vcpu_jain, s.vcpu_windows), 0.8, 1e-4);
	assert_int_equal(s.vcpu_zero, 0);
	assert_int_equal(fan_scales_of(r.s, 5, W1).vcpu_windows, 0);
	fan_scales_free(r.s);
}

static void one_vcpu_alone_is_not_compared(void **state)
{
	struct run r = run_of(1, 2);

	(void)state;
	r.vcpu[0].got_ns += MS;
	tick(&r);
	assert_int_equal(fan_scales_of(r.s, 0, W1).vcpu_windows, 0);
	fan_scales_free(r.s);
}

/* Runs, waits or sleeps for this ms. */
static void live(struct fan_pace *p, uint64_t what)
{
	p->got_ns += what == 0 ? MS : 0;
	p->due_ns += what == 1 ? MS : 0;
}

/* One of both is told of all vCPUs at each tick, the other of those that did not sleep. */
static void vcpus_that_sleep_need_not_be_told(void **state)
{
	const uint64_t seed = seeded_start();
	struct fan_scales *all = fan_scales_new(), *some = fan_scales_new();
	struct fan_pace pace[6] = { { 0 } };
	uint64_t at = seed;

	(void)state;
	print_message("seed %" PRIu64 "\n", seed);
	for (int t = 0; t < 30000; t++) {
		for (size_t i = 0; i < 6; i++) {
			const uint64_t what = seeded_next(&at) % 4;
			const int32_t party = (int32_t)i / 3;

			live(&pace[i], what);
			assert_int_equal(fan_scales_vcpu(all, i, party, pace[i]), 0);
			if (t == 0 || what < 2)
				assert_int_equal(fan_scales_vcpu(some, i, party, pace[i]), 0);
			assert_int_equal(fan_scales_party(all, (size_t)party, pace[i]), 0);
			assert_int_equal(fan_scales_party(some, (size_t)party, pace[i]), 0);
		}
		fan_scales_tick(all, 1);
		fan_scales_tick(some, 1);
	}
	for (size_t k = 0; k < FAN_SCALES; k++) {
		for (size_t party = 0; party < 2; party++) {
			const struct fan_scale a = fan_scales_of(all, party, k);
			const struct fan_scale b = fan_scales_of(some, party, k);

			assert_true(a.vcpu_windows > 0);
			assert_memory_equal(&a, &b, sizeof(a));
		}
	}
	fan_scales_free(all);
	fan_scales_free(some);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_of_5_ms_are_unfair_below_and_fair_above_10),
		cmocka_unit_test(the_distance_is_that_of_shares_in_points),
		cmocka_unit_test(what_counts_is_got_over_due),
		cmocka_unit_test(who_is_due_less_than_a_hundredth_takes_no_part),
		cmocka_unit_test(one_party_alone_or_nobody_served_is_no_comparison),
		cmocka_unit_test(idle_stretches_are_skipped_in_one_step),
		cmocka_unit_test(a_late_vcpu_begins_with_nothing),
		cmocka_unit_test(time_that_is_taken_back_is_not_counted_twice),
		cmocka_unit_test(vcpus_are_compared_within_their_vm),
		cmocka_unit_test(one_vcpu_alone_is_not_compared),
		cmocka_unit_test(vcpus_that_sleep_need_not_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
