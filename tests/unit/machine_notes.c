// SPDX-License-Identifier: GPL-3.0-or-later
/* What kind of machine it was, and what of it puts a number in doubt. */
#include "tests/unit/assembled.h"

#include <errno.h>

#include "tests/unit/text_of.h"

#define L1TF "\"Mitigation: PTE Inversion; VMX: cache flushes, SMT vulnerable\""

/* Two VMs in turns, and these lines: the first at the start, the others a second later each. */
static struct fan_report report_told(const char *const *lines, size_t n)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=100 name=vm1");
	for (size_t i = 0; i < n; i++)
		tb_marker(tb, MODELLED_BASE + i * 1000 * MODELLED_MS, "%s", lines[i]);
	for (unsigned int i = 0; i < 10; i++) {
		tb_switch(tb, at_ms(0, 1000 * (uint64_t)i), i ? large : tb_idle, TB_R, small);
		tb_switch(tb, at_ms(0, 1000 * (uint64_t)i + 500), small, TB_R, large);
	}
	tb_switch(tb, at_ms(0, 10000), large, TB_R, tb_idle);
	return report_of(tb);
}

#define REPORT_TOLD(...)                                  \
	report_told((const char *const[]){ __VA_ARGS__ }, \
		    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void the_machine_is_in_the_report(void **state)
{
	struct fan_report r = REPORT_TOLD(
		"fcap: machine cpu_model=\"Xeon E5\" boot=nosmt fair_class=eevdf smt=on "
		"halt_poll_ns=200000 l1tf=" L1TF " mds=\"Not affected\" governor=performance");
	char *text = text_of(&r);

	(void)state;
	assert_string_equal(r.host.cpu_model, "Xeon E5");
	assert_string_equal(r.host.governor, "performance");
	assert_string_equal(r.host.smt_control, "on");
	assert_string_equal(r.host.mds, "Not affected");
	assert_string_equal(r.host.fair_class, "eevdf");
	assert_string_equal(r.host.boot, "nosmt");
	assert_int_equal(r.host.halt_poll_ns, 200000);
	assert_true(isnan(r.host.freq_varied_pct));
	assert_int_equal(r.host.notes.n, 0);
	assert_non_null(strstr(text, "  cpu      Xeon E5, SMT control on, governor performance\n"));
	assert_non_null(strstr(text, "  sched    fair class eevdf, KVM polls up to 200.0 us, "
				     "booted with nosmt\n"));
	assert_non_null(strstr(text, "  leaks    l1tf: Mitigation: PTE Inversion; VMX: cache "
				     "flushes, SMT vulnerable"));
	assert_non_null(strstr(text, "mds: Not affected\n"));
	free(text);
	fan_report_free(&r);
}

static void a_machine_that_is_not_told_is_not_in_the_report(void **state)
{
	struct fan_report r = report_told(NULL, 0);
	char *text = text_of(&r);

	(void)state;
	assert_null(r.host.cpu_model);
	assert_null(r.host.l1tf);
	assert_null(r.host.boot);
	assert_int_equal(r.host.halt_poll_ns, FAN_NONE);
	assert_true(isnan(r.host.freq_varied_pct));
	assert_null(strstr(text, "  cpu      "));
	assert_null(strstr(text, "  sched    "));
	assert_null(strstr(text, "  leaks    "));
	free(text);
	fan_report_free(&r);
}

static void settings_that_changed_are_named(void **state)
{
	struct fan_report r = REPORT_TOLD(
		"fcap: machine governor=powersave halt_poll_ns=200000 smt=on",
		"fcap: machine governor=performance", "fcap: machine halt_poll_ns=\"\"",
		"fcap: cpus online=0-3", "fcap: cpus online=0-7", "fcap: cpus online=0-7");

	(void)state;
	assert_string_equal(r.host.governor, "performance");
	assert_int_equal(r.host.halt_poll_ns, FAN_NONE);
	assert_true(has(&r.host.notes, "the governor of the clock rates changed during the "
				       "recording, from powersave to performance"));
	assert_true(has(&r.host.notes, "KVM's halt_poll_ns changed during the recording, from "
				       "200000 to nothing"));
	assert_true(has(&r.host.notes, "the list of CPUs that are online changed during the "
				       "recording, from 0-3 to 0-7"));
	assert_int_equal(r.host.notes.n, 3);
	fan_report_free(&r);
}

/* CPU 3: 1.2 of 3.4 GHz are 64.7 % less; CPU 0: 2.7 of 3.0, 10 %, which is not more than 10. */
static void clock_rates_that_varied_are_told_with_the_widest(void **state)
{
	struct fan_report r = REPORT_TOLD(
		"fcap: freq cpu=0 khz=3000000", "fcap: freq cpu=3 khz=2000000",
		"fcap: freq cpu=3 khz=3400000", "fcap: freq cpu=3 khz=1200000",
		"fcap: freq cpu=0 khz=2700000", "fcap: freq cpu=0 khz=junk");

	(void)state;
	assert_near(r.host.freq_varied_pct, 100 * 2.2 / 3.4, 1e-9);
	assert_int_equal(r.host.notes.n, 1);
	assert_true(has(&r.host.notes, "the clock rate of 1 of 2 CPUs varied by more than 10 % "
				       "(CPU 3: 1.20 to 3.40 GHz)"));
	fan_report_free(&r);
	r = REPORT_TOLD("fcap: freq cpu=0 khz=3000000", "fcap: freq cpu=0 khz=2850000");
	assert_near(r.host.freq_varied_pct, 5, 1e-9);
	assert_int_equal(r.host.notes.n, 0);
	fan_report_free(&r);
}

static void vcpus_before_all_weights_are_named(void **state)
{
	struct fan_report r = REPORT_TOLD("fcap: task tid=101 tgid=100 nice=0 policy=fifo",
					  "fcap: task tid=101 tgid=100 nice=0 policy=other",
					  "fcap: task tid=300 tgid=300 nice=0 policy=rr");

	(void)state;
	/* also one that has it no more; a thread of no VM is none of it */
	assert_int_equal(r.host.notes.n, 1);
	assert_true(has(&r.host.notes, "vCPU threads of vm1 had a real-time policy"));
	fan_report_free(&r);
	r = REPORT_TOLD("fcap: task tid=101 tgid=100 nice=0 policy=fifo",
			"fcap: task tid=201 tgid=200 nice=0 policy=deadline");
	assert_true(has(&r.host.notes, "vCPU threads of vm1 and of 1 others had"));
	fan_report_free(&r);
}

static void several_vms_in_one_process_are_stated(void **state)
{
	struct fan_report r = REPORT_TOLD("fcap: group kind=vm tgid=100 name=vm1 vms=2",
					  "fcap: group kind=vm tgid=100 name=vm1 vms=1");

	(void)state;
	assert_true(has(&r.host.notes, "process 100 (vm1) runs 2 VMs: they are one group here"));
	assert_int_equal(r.host.notes.n, 1);
	fan_report_free(&r);
	r = REPORT_TOLD("fcap: group kind=vm tgid=100 name=vm1 vm_fds=3");
	assert_true(has(&r.host.notes, "process 100 (vm1) has 3 descriptors of VMs open: if it"));
	assert_int_equal(r.host.notes.n, 1);
	fan_report_free(&r);
	/* told later that it is one */
	r = REPORT_TOLD("fcap: group kind=vm tgid=100 name=vm1 vm_fds=3",
			"fcap: group kind=vm tgid=100 name=vm1 vms=1");
	assert_int_equal(r.host.notes.n, 0);
	fan_report_free(&r);
}

static void lines_of_the_machine_that_make_no_sense_are_counted(void **state)
{
	struct fan_hardware h = { 0 };
	static const char *const bad[] = { "fcap: freq cpu=-1 khz=5", "fcap: freq cpu=9999 khz=5",
					   "fcap: freq khz=5", "fcap: freq cpu=1 khz=0",
					   "fcap: freq cpu=1" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fcap_marker line;
		char copy[64];

		snprintf(copy, sizeof(copy), "%s", bad[i]);
		assert_int_equal(fcap_marker_parse(copy, &line), 0);
		assert_int_equal(fan_hardware_take(&h, &line), -EINVAL);
	}
	assert_int_equal(h.nspeeds, 0);
	fan_hardware_clear(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_in_the_report),
		cmocka_unit_test(a_machine_that_is_not_told_is_not_in_the_report),
		cmocka_unit_test(settings_that_changed_are_named),
		cmocka_unit_test(clock_rates_that_varied_are_told_with_the_widest),
		cmocka_unit_test(vcpus_before_all_weights_are_named),
		cmocka_unit_test(several_vms_in_one_process_are_stated),
		cmocka_unit_test(lines_of_the_machine_that_make_no_sense_are_counted),
	};

	return cmocka_run_group_tests_name("machine notes", tests, NULL, NULL);
}
