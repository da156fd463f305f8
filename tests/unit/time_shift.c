// SPDX-License-Identifier: GPL-3.0-or-later
/* Stamps of a guest's trace become those of its host. Option layouts as trace-cmd writes them. */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <string.h>

#include "analyze/trace/merge.h"

enum { OPTION_TIME_SHIFT = 12, OPTION_TSC2NSEC = 14, INTERPOLATE = 1 };

struct sample {
	uint64_t time;
	int64_t offset;
	uint64_t scale, fraction;
};

struct shift {
	uint32_t flags, ncpu;
	uint32_t n[2]; /* samples of each CPU */
	struct sample samples[2][4];
	bool has_no_fractions;
};

static size_t put(char *to, size_t at, const void *value, size_t size)
{
	memcpy(to + at, value, size);
	return at + size;
}

/* The option: trace id, flags, CPUs; for each CPU n, times, offsets, scales; then fractions. */
static void add_option(struct tb *tb, const struct shift *s)
{
	const uint64_t id = 0x1122334455667788;
	char data[1024];
	size_t at = 0;

	at = put(data, at, &id, 8);
	at = put(data, at, &s->flags, 4);
	at = put(data, at, &s->ncpu, 4);
	for (uint32_t c = 0; c < s->ncpu; c++) {
		at = put(data, at, &s->n[c], 4);
		for (uint32_t i = 0; i < s->n[c]; i++)
			at = put(data, at, &s->samples[c][i].time, 8);
		for (uint32_t i = 0; i < s->n[c]; i++)
			at = put(data, at, &s->samples[c][i].offset, 8);
		for (uint32_t i = 0; i < s->n[c]; i++)
			at = put(data, at, &s->samples[c][i].scale, 8);
	}
	for (uint32_t c = 0; c < s->ncpu && !s->has_no_fractions; c++)
		for (uint32_t i = 0; i < s->n[c]; i++)
			at = put(data, at, &s->samples[c][i].fraction, 8);
	tb_option(tb, OPTION_TIME_SHIFT, data, (uint32_t)at);
}

/* Writes tb and reads n stamps of it; frees tb. 0 or the first error. */
static int read_stamps(struct tb *tb, uint64_t *ret, size_t n, struct fcap_err *err)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fan_file *file = NULL;
	struct fan_merge *m = NULL;
	const struct fan_record *rec;
	int r;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&file, path, err), 0);
	r = fan_merge_open(&m, file, err);
	for (size_t i = 0; r >= 0 && i < n; i++) {
		r = fan_merge_next(m, &rec, err);
		assert_true(r < 0 || r == 1);
		ret[i] = r < 0 ? 0 : rec->ts_ns;
	}
	fan_merge_close(m);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
	return r < 0 ? r : 0;
}

/* Events of a guest at these times on CPU cpu of two are those of the host at the others. */
static void assert_shifted(const struct shift *s, int cpu, const uint64_t *guest,
			   const uint64_t *host, size_t n)
{
	struct tb *tb = tb_new(2, 7, TB_PLAIN);
	struct fcap_err err = { 0 };
	uint64_t got[8] = { 0 };

	assert_true(n <= sizeof(got) / sizeof(got[0]));
	add_option(tb, s);
	for (size_t i = 0; i < n; i++)
		tb_kvm_fpu(tb, tb_by(cpu, guest[i], 1), 0);
	if (read_stamps(tb, got, n, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++)
		if (got[i] != host[i])
			fail_msg("%llu became %llu, not %llu", (unsigned long long)guest[i],
				 (unsigned long long)got[i], (unsigned long long)host[i]);
}

/* The offset of the first; a scale would need two samples. */
static void one_sample_is_an_offset(void **state)
{
	static const struct shift s = { 0, 1, { 1 }, { { { 1000, -50, 3, 0 } } }, false };
	static const uint64_t guest[] = { 100, 1000, 2000 }, host[] = { 50, 950, 1950 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 3);
}

/* 500 from 1000 on (and before), 900 from 2000 on; the last sample only ends the one before. */
static void each_sample_holds_until_the_next(void **state)
{
	static const struct shift s = {
		0,
		1,
		{ 3 },
		{ { { 1000, 500, 1, 0 }, { 2000, 900, 1, 0 }, { 3000, 1000, 1, 0 } } },
		false
	};
	static const uint64_t guest[] = { 100, 1000, 1999, 2000, 2999, 3000, 9000 },
			      host[] = { 600, 1500, 2499, 2900, 3899, 3900, 9900 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 7);
}

static void samples_are_taken_by_their_time_not_their_place(void **state)
{
	static const struct shift s = { 0,
					1,
					{ 4 },
					{ { { 3000, 1000, 1, 0 },
					    { 1000, 500, 1, 0 },
					    { 2000, 900, 1, 0 },
					    { 3000, 1000, 1, 0 } } },
					false };
	static const uint64_t guest[] = { 100, 2500, 9000 }, host[] = { 600, 3400, 9900 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 3);
}

/*
 * From 500 at 1000 to 900 at 2000 the offset grows by 0.4 a unit, rounded:
 * at 1250 500 + 100 = 600; at 1251 100.4 -> 100; at 1252 100.8 -> 101; at 3000 500 + 800 = 1300.
 */
static void between_samples_the_offset_is_a_line_if_the_file_says_so(void **state)
{
	static const struct shift s = {
		INTERPOLATE, 1, { 2 }, { { { 1000, 500, 1, 0 }, { 2000, 900, 1, 0 } } }, false
	};
	static const uint64_t guest[] = { 1000, 1250, 1251, 1252, 3000 },
			      host[] = { 1500, 1850, 1851, 1853, 4300 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 5);
}

/* 3 / 2^1: 1000 -> 1500, 1001 -> 1501.5 -> 1501; and 7 added. */
static void a_scale_stretches_the_stamp(void **state)
{
	static const struct shift s = {
		0, 1, { 2 }, { { { 1, 7, 3, 1 }, { 2, 7, 3, 1 } } }, false
	};
	static const uint64_t guest[] = { 1000, 1001 }, host[] = { 1507, 1508 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 2);
}

/* Without fractions the scale is 3. */
static void fractions_may_be_missing(void **state)
{
	static const struct shift s = { 0, 1, { 2 }, { { { 1, 7, 3, 1 }, { 2, 7, 3, 1 } } }, true };
	static const uint64_t guest[] = { 1000 }, host[] = { 3007 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 1);
}

static void each_cpu_has_its_own_samples(void **state)
{
	static const struct shift s = { 0,
					2,
					{ 2, 2 },
					{ { { 1, 10, 1, 0 }, { 2, 10, 1, 0 } },
					  { { 1, 20, 3, 1 }, { 2, 20, 3, 1 } } },
					false };
	static const struct shift first = { 0, 1, { 1 }, { { { 1, 10, 1, 0 } } }, false };
	static const uint64_t guest[] = { 100 }, by_ten[] = { 110 }, by_second[] = { 170 };

	(void)state;
	assert_shifted(&s, 0, guest, by_ten, 1);
	assert_shifted(&s, 1, guest, by_second, 1);
	/* a CPU that the option does not name keeps its stamps */
	assert_shifted(&first, 1, guest, guest, 1);
}

/* (1000 + 500) * 3 / 2^1 = 2250: ticks are shifted before they become ns. */
static void ticks_are_shifted_before_they_become_time(void **state)
{
	static const struct shift s = { 0, 1, { 1 }, { { { 1, 500, 1, 0 } } }, false };
	static const uint32_t factor[4] = { 3, 1, 0, 0 };
	struct tb *tb = tb_new(1, 7, TB_PLAIN);
	struct fcap_err err = { 0 };
	uint64_t got = 0;

	(void)state;
	tb_option(tb, OPTION_TSC2NSEC, factor, sizeof(factor));
	add_option(tb, &s);
	tb_kvm_fpu(tb, tb_by(0, 1000, 1), 0);
	assert_int_equal(read_stamps(tb, &got, 1, &err), 0);
	assert_int_equal(got, 2250);
}

/* A stamp cannot be before 0. */
static void a_shift_below_zero_ends_at_zero(void **state)
{
	static const struct shift s = { 0, 1, { 1 }, { { { 1, -500, 1, 0 } } }, false };
	static const uint64_t guest[] = { 100, 501 }, host[] = { 0, 1 };

	(void)state;
	assert_shifted(&s, 0, guest, host, 2);
}

static void assert_damaged(const void *option, uint32_t size)
{
	struct tb *tb = tb_new(1, 7, TB_PLAIN);
	struct fcap_err err = { 0 };
	uint64_t got = 0;

	tb_option(tb, OPTION_TIME_SHIFT, option, size);
	tb_kvm_fpu(tb, tb_by(0, 1000, 1), 0);
	assert_int_equal(read_stamps(tb, &got, 1, &err), -EINVAL);
	if (!strstr(err.text, "damaged in its TIME_SHIFT option"))
		fail_msg("\"%s\"", err.text);
}

static void a_damaged_option_is_refused(void **state)
{
	/* id, flags and CPUs, then n of CPU 0 in 4 bytes */
	static const uint32_t many[] = { 0, 0, 0, 1, UINT32_MAX, 0, 0 };
	static const uint32_t cpus[] = { 0, 0, 0, UINT32_MAX, 0 };
	static const uint32_t no_scale[] = { 0, 0, 0, 1, 1, 5, 0, 5, 0, 0, 0 };
	static const uint32_t far[] = { 0, 0, 0, 1, 1, 5, 0, 5, 0x50000000, 1, 0 };
	static const uint32_t fraction[] = { 0, 0, 0, 1, 1, 5, 0, 5, 0, 1, 0, 64, 0 };

	(void)state;
	assert_damaged(many, sizeof(many));
	assert_damaged(cpus, sizeof(cpus));
	assert_damaged(no_scale, sizeof(no_scale));
	assert_damaged(far, sizeof(far));
	assert_damaged(fraction, sizeof(fraction));
	for (uint32_t size = 0; size < 16; size++)
		assert_damaged(many, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sample_is_an_offset),
		cmocka_unit_test(each_sample_holds_until_the_next),
		cmocka_unit_test(samples_are_taken_by_their_time_not_their_place),
		cmocka_unit_test(between_samples_the_offset_is_a_line_if_the_file_says_so),
		cmocka_unit_test(a_scale_stretches_the_stamp),
		cmocka_unit_test(fractions_may_be_missing),
		cmocka_unit_test(each_cpu_has_its_own_samples),
		cmocka_unit_test(ticks_are_shifted_before_they_become_time),
		cmocka_unit_test(a_shift_below_zero_ends_at_zero),
		cmocka_unit_test(a_damaged_option_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
