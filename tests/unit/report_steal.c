// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernel's counter against the waits of each vCPU, and of the VM. */
#include <stdio.h>

#include "tests/unit/assembled.h"
#include "tests/unit/text_of.h"

static const struct tb_task second = { 102, "CPU 1/KVM", 0 }, io = { 110, "IO iothread", 0 };

/* What the counters of the two rise by in an interval. */
struct delays {
	uint64_t first_ns, second_ns;
};

static void tell_steal(struct tb *tb, uint64_t ms, int tid, unsigned int n, uint64_t delay_ns)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS, "fcap: steal tid=%d run=%u delay=%llu n=%u",
		  tid, n, (unsigned long long)delay_ns, n);
}

/*
 * 60 intervals of 20 ms; in each, vCPU 0 waits 10 ms (2 to 12), vCPU 1 for 1 (14 to 15), and each
 * runs for 1 ms.
 */
static struct fan_report sampled(struct delays d)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: group tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=102 tgid=100 id=1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=110 tgid=100");
	tb_marker(tb, MODELLED_BASE, "fcap: guest vm=vm1 cpu=1 steal=0 resolution_ns=1000000");
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, io);
	for (unsigned int i = 0; i <= 60; i++) {
		const uint64_t ms = 20 * (uint64_t)i;

		tb_wakeup(tb, tb_by(0, MODELLED_BASE + (ms + 2) * MODELLED_MS, io.tid), small, 0);
		tb_switch(tb, at_ms(0, ms + 12), io, TB_R, small);
		tb_switch(tb, at_ms(0, ms + 13), small, TB_S, io);
		tb_wakeup(tb, tb_by(0, MODELLED_BASE + (ms + 14) * MODELLED_MS, io.tid), second, 0);
		tb_switch(tb, at_ms(0, ms + 15), io, TB_R, second);
		tb_switch(tb, at_ms(0, ms + 16), second, TB_S, io);
		tell_steal(tb, ms + 18, small.tid, i, i * d.first_ns);
		tell_steal(tb, ms + 18, second.tid, i, i * d.second_ns);
	}
	tb_marker(tb, MODELLED_BASE + 1220 * MODELLED_MS,
		  "fcap: guest vm=vm1 cpu=1 steal=58000000 resolution_ns=1000000");
	return report_of(tb);
}

static const struct fan_r_thread *thread(const struct fan_report *r, int64_t tid)
{
	const struct fan_array *threads = &group(r, "vm1")->threads;
	const struct fan_r_thread *t = threads->items;

	for (size_t i = 0; i < threads->n; i++)
		if (t[i].tid == tid)
			return &t[i];
	fail_msg("no thread %d", (int)tid);
	return NULL;
}

/*
 * vCPU 0: 600 ms by trace and counter. vCPU 1: 60 ms against 60.9; 0.9 is more than 0.2 % and than
 * 10 us x 60 = 0.6. Together 660 against 660.9: at most 1.3 (0.2 %) or 1.2 (120 arrivals).
 */
static const struct delays one_off = { 10000000, 1015000 };

static void one_vcpu_may_be_open_where_the_vm_is_closed(void **state)
{
	struct fan_report r = sampled(one_off);
	const struct fan_r_steal *a = &thread(&r, 101)->steal, *b = &thread(&r, 102)->steal;

	(void)state;
	assert_string_equal(group(&r, "vm1")->steal.closure, "closed");
	assert_string_equal(a->closure, "closed");
	/* the wait before the first sample is in the trace only */
	assert_int_equal(a->trace_ns, 610 * MODELLED_MS);
	assert_int_equal(a->compared_trace_ns, 600 * MODELLED_MS);
	assert_int_equal(a->counter_ns, 600 * MODELLED_MS);
	assert_near(a->residual_pct, 0, 1e-12);
	assert_string_equal(b->closure, "open");
	assert_int_equal(b->trace_ns, 61 * MODELLED_MS);
	assert_int_equal(b->counter_ns, 60900000);
	assert_int_equal(b->compared_trace_ns, 60 * MODELLED_MS);
	assert_int_equal(b->compared_counter_ns, 60900000);
	assert_near(b->residual_pct, -100 * 0.9 / 60.9, 1e-9);
	assert_int_equal(b->intervals, 60);
	assert_int_equal(b->comparable_intervals, 60);
	assert_int_equal(b->excluded_intervals, 0);
	assert_int_equal(b->arrivals, 60);
	fan_report_free(&r);
}

static void each_vcpu_has_what_its_guest_counted(void **state)
{
	struct fan_report r = sampled(one_off);

	(void)state;
	assert_int_equal(thread(&r, 102)->steal.guest_ns, 58 * MODELLED_MS);
	assert_int_equal(thread(&r, 102)->steal.guest_resolution_ns, 1 * MODELLED_MS);
	assert_int_equal(thread(&r, 101)->steal.guest_ns, FAN_NONE);
	assert_int_equal(group(&r, "vm1")->steal.guest_ns, 58 * MODELLED_MS);
	fan_report_free(&r);
}

static void threads_that_are_no_vcpus_have_no_closure(void **state)
{
	struct fan_report r = sampled(one_off);
	const struct fan_r_steal *s = &thread(&r, 110)->steal;

	(void)state;
	assert_null(s->closure);
	assert_int_equal(s->trace_ns, FAN_NONE);
	assert_int_equal(s->intervals, FAN_NONE);
	fan_report_free(&r);
}

static bool says(const struct fan_report *r, const char *part)
{
	char *text = text_of(r);
	const bool ret = strstr(text, part);

	free(text);
	return ret;
}

static void the_text_names_a_vcpu_that_is_open_alone(void **state)
{
	struct fan_report r = sampled(one_off);

	(void)state;
	assert_true(says(&r, "vm1: the waits of vCPU 1 alone and the kernel's counter disagree\n"));
	fan_report_free(&r);
	r = sampled((struct delays){ 10000000, 1000000 });
	assert_false(says(&r, "alone and"));
	fan_report_free(&r);
	/* where the VM is open too, its row says so */
	r = sampled((struct delays){ 10000000, 1500000 });
	assert_string_equal(group(&r, "vm1")->steal.closure, "open");
	assert_string_equal(thread(&r, 102)->steal.closure, "open");
	assert_false(says(&r, "alone and"));
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_vcpu_may_be_open_where_the_vm_is_closed),
		cmocka_unit_test(each_vcpu_has_what_its_guest_counted),
		cmocka_unit_test(threads_that_are_no_vcpus_have_no_closure),
		cmocka_unit_test(the_text_names_a_vcpu_that_is_open_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
