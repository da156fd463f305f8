// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/guest: what fcap-guest makes of /proc/stat, /proc/cmdline and CPUID. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>

#include "capture/cpu_times.h"
#include "capture/guest/steal_clock.h"
#include "capture/guest/steal_lines.h"
#include "tests/unit/capture_lines.h"

/* columns: user nice system idle iowait irq softirq steal guest guest_nice */
static const char two_cpus[] = "cpu  30 0 9 170 3 0 2 19 0 0\n"
			       "cpu0 10 0 4 90 1 0 1 12 0 0\n"
			       "cpu3 20 0 5 80 2 0 1 7 0 0\n"
			       "intr 12345 0 9\n"
			       "ctxt 99\n";

static void each_cpu_gets_a_line_with_its_steal_in_ns(void **state)
{
	const struct cap_steal_facts facts = { .tick_ns = 10000000, .now_ns = 12000000345 };
	struct kept k = { 0 };

	(void)state;
	assert_int_equal(cap_steal_lines(two_cpus, &facts, keep_line, &k), 0);
	assert_int_equal(k.n, 2);
	/* 12 and 7 ticks of 10 ms */
	assert_string_equal(k.line[0], "fcap-guest cpu=0 steal=120000000 resolution_ns=10000000 "
				       "t=12.000000345");
	assert_string_equal(k.line[1], "fcap-guest cpu=3 steal=70000000 resolution_ns=10000000 "
				       "t=12.000000345");
	kept_clear(&k);
}

static void what_makes_the_counter_doubtful_stands_before_t(void **state)
{
	const struct cap_steal_facts facts = {
		.tick_ns = 4000000, .now_ns = 5, .no_steal_acc = true, .uncounted = true
	};
	struct kept k = { 0 };

	(void)state;
	assert_int_equal(cap_steal_lines("cpu0 1 1 1 1 1 1 1 0\n", &facts, keep_line, &k), 0);
	assert_string_equal(k.line[0], "fcap-guest cpu=0 steal=0 resolution_ns=4000000 "
				       "no_steal_acc=1 uncounted=1 t=0.000000005");
	kept_clear(&k);
}

static void a_broken_counter_stays_huge(void **state)
{
	const struct cap_steal_facts facts = { .tick_ns = 10000000, .now_ns = 0 };
	struct kept k = { 0 };

	(void)state;
	/* (2^64 - 1) / 10^7 ticks are the most that fit: 1844674407370 */
	assert_int_equal(cap_steal_lines("cpu0 1 1 1 1 1 1 1 1844674407370\n"
					 "cpu1 1 1 1 1 1 1 1 1844674407371\n",
					 &facts, keep_line, &k),
			 0);
	assert_non_null(strstr(k.line[0], " steal=18446744073700000000 "));
	assert_non_null(strstr(k.line[1], " steal=18446744073709551615 "));
	kept_clear(&k);
}

static void a_stat_without_a_steal_column_or_cpus_is_refused(void **state)
{
	const struct cap_steal_facts facts = { .tick_ns = 10000000 };
	struct kept k = { 0 };

	(void)state;
	assert_int_equal(cap_steal_lines("cpu0 1 1 1 1 1 1 1\n", &facts, keep_line, &k), -ENODATA);
	assert_int_equal(cap_steal_lines("cpu  1 1 1 1 1 1 1 1\n", &facts, keep_line, &k), -EINVAL);
	assert_int_equal(cap_steal_lines("", &facts, keep_line, &k), -EINVAL);
	assert_int_equal(cap_steal_lines("cpu0 1 1 1 1 1 1 1 x\n", &facts, keep_line, &k), -EINVAL);
	assert_int_equal(cap_steal_lines("cpux 1 1 1 1 1 1 1 1\n", &facts, keep_line, &k), -EINVAL);
	assert_int_equal(k.n, 0);
}

static int refuse(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
	return -EPIPE;
}

static void an_output_that_fails_ends_the_reading(void **state)
{
	const struct cap_steal_facts facts = { .tick_ns = 10000000 };

	(void)state;
	assert_int_equal(cap_steal_lines(two_cpus, &facts, refuse, NULL), -EPIPE);
}

static void steal_is_zero_only_if_it_is_on_every_cpu(void **state)
{
	(void)state;
	assert_true(cap_steal_is_zero("cpu  9 9 9 9 9 9 9 9\ncpu0 9 9 9 9 9 9 9 0 9 9\n"));
	assert_false(cap_steal_is_zero("cpu0 9 9 9 9 9 9 9\n"));
	assert_false(cap_steal_is_zero("cpu0 9 9 9 9 9 9 9 0\ncpu1 0 0 0 0 0 0 0 1\n"));
}

static void a_cpu_line_ends_with_its_newline(void **state)
{
	static const char text[] = "cpu7 1 2\n3 4\n";
	struct cap_cpu_times t;

	(void)state;
	assert_int_equal(cap_cpu_times_parse(text, &t), 0);
	assert_int_equal(t.cpu, 7);
	assert_int_equal(t.columns, 2);
	assert_int_equal(t.ticks[0], 1);
	assert_int_equal(t.ticks[1], 2);
	assert_int_equal(t.ticks[2], 0);
	assert_string_equal(cap_cpu_times_next(text), "3 4\n");
	assert_null(cap_cpu_times_next("3 4\n"));
	assert_null(cap_cpu_times_next("3 4"));
	assert_int_equal(cap_cpu_times_parse("cpu8192 1\n", &t), -EINVAL);
	assert_int_equal(cap_cpu_times_parse("cpu1 99999999999999999999\n", &t), -EINVAL);
	assert_int_equal(cap_cpu_times_parse("intr 1\n", &t), 1);
	assert_int_equal(cap_cpu_times_parse("", &t), 1);
}

static void no_steal_acc_is_found_as_the_kernel_finds_it(void **state)
{
	(void)state;
	assert_true(cap_steal_is_unaccounted("quiet no-steal-acc root=/dev/vda\n"));
	assert_true(cap_steal_is_unaccounted("no_steal_acc"));
	assert_true(cap_steal_is_unaccounted("a=1 no-steal-acc=1 --"));
	assert_false(cap_steal_is_unaccounted("quiet no-steal-account\n"));
	assert_false(cap_steal_is_unaccounted("quiet -- no-steal-acc\n"));
	assert_false(cap_steal_is_unaccounted("x.no-steal-acc\n"));
	assert_false(cap_steal_is_unaccounted(""));
}

static void put_name(uint32_t ret[4], const char *name)
{
	memcpy(&ret[1], name, 12);
}

static void bare_metal(uint32_t leaf, uint32_t ret[4])
{
	(void)leaf;
	memset(ret, 0, 16);
}

/* bit 31 of ECX of leaf 1: below a hypervisor */
static void hypervisor(uint32_t leaf, uint32_t ret[4])
{
	bare_metal(leaf, ret);
	if (leaf == 1)
		ret[2] = 1U << 31;
}

static void vmware(uint32_t leaf, uint32_t ret[4])
{
	hypervisor(leaf, ret);
	if (leaf == 0x40000000)
		put_name(ret, "VMwareVMware");
}

static void kvm_with_steal(uint32_t leaf, uint32_t ret[4])
{
	hypervisor(leaf, ret);
	if (leaf == 0x40000000)
		put_name(ret, "KVMKVMKVM\0\0");
	if (leaf == 0x40000001)
		ret[0] = 1U << 5;
}

static void kvm_without_steal(uint32_t leaf, uint32_t ret[4])
{
	kvm_with_steal(leaf, ret);
	if (leaf == 0x40000001)
		ret[0] = ~(1U << 5);
}

/* KVM that shows Hyper-V's leaves first has its own 0x100 later */
static void kvm_as_hyperv(uint32_t leaf, uint32_t ret[4])
{
	hypervisor(leaf, ret);
	if (leaf == 0x40000000)
		put_name(ret, "Microsoft Hv");
	if (leaf == 0x40000001)
		ret[0] = ~(1U << 5);
	if (leaf == 0x40000100)
		put_name(ret, "KVMKVMKVM\0\0");
	if (leaf == 0x40000101)
		ret[0] = 1U << 5;
}

static void the_steal_clock_is_known_from_cpuid(void **state)
{
	(void)state;
	assert_int_equal(cap_steal_clock_by(bare_metal), CAP_STEAL_CLOCK_NONE);
	assert_int_equal(cap_steal_clock_by(hypervisor), CAP_STEAL_CLOCK_UNKNOWN);
	assert_int_equal(cap_steal_clock_by(vmware), CAP_STEAL_CLOCK_UNKNOWN);
	assert_int_equal(cap_steal_clock_by(kvm_with_steal), CAP_STEAL_CLOCK_OFFERED);
	assert_int_equal(cap_steal_clock_by(kvm_without_steal), CAP_STEAL_CLOCK_NONE);
	assert_int_equal(cap_steal_clock_by(kvm_as_hyperv), CAP_STEAL_CLOCK_OFFERED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cpu_gets_a_line_with_its_steal_in_ns),
		cmocka_unit_test(what_makes_the_counter_doubtful_stands_before_t),
		cmocka_unit_test(a_broken_counter_stays_huge),
		cmocka_unit_test(a_stat_without_a_steal_column_or_cpus_is_refused),
		cmocka_unit_test(an_output_that_fails_ends_the_reading),
		cmocka_unit_test(steal_is_zero_only_if_it_is_on_every_cpu),
		cmocka_unit_test(a_cpu_line_ends_with_its_newline),
		cmocka_unit_test(no_steal_acc_is_found_as_the_kernel_finds_it),
		cmocka_unit_test(the_steal_clock_is_known_from_cpuid),
	};

	return cmocka_run_group_tests_name("capture guest", tests, NULL, NULL);
}
