// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Who waited for whom where the past of a CPU is long, where waits are found out late, and where
 * groups are not what the trace is booked by. Times are in us.
 */
#include "tests/unit/blamed.h"
#include "tests/unit/row_sum.h"

enum { TURNS = 3000, TURN_US = 10 }; /* more than the past that is kept: 256 */

/* From 10 on, b and the host's thread take turns on the CPU of a, which has left it; to 30010. */
static void take_turns(struct tb *tb, long a_leaves)
{
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_wakeup(tb, by_us(0, 10, a), b, 0);
	tb_switch(tb, at_us(0, 10), a, a_leaves, b);
	for (unsigned int i = 1; i < TURNS; i++)
		tb_switch(tb, at_us(0, 10 + i * TURN_US), i % 2 ? b : host, TB_S, i % 2 ? host : b);
	tb_switch(tb, at_us(0, 10 + TURNS * TURN_US), host, TB_S, a);
	tb_switch(tb, at_us(0, 100 + TURNS * TURN_US), a, TB_S, tb_idle);
}

static void a_long_wait_is_split_to_its_begin(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	take_turns(tb, TB_R);
	r = report_of(tb);
	/* 1500 turns of 10 us each */
	assert_waits(&r, "one", (struct waits){ .other = 15000, .host = 15000 });
	fan_report_free(&r);
}

/*
 * a leaves asleep and is not woken: that it waited is found out at the end. Of the 3001 tiles up
 * to then the CPU still has 185: it lets go of 128 whenever one more than 256 comes, last at
 * number 2945 (257 + 21 x 128), and 129 + (3001 - 2945) are left.
 */
static void of_a_wait_found_out_late_the_begin_is_unknown(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	take_turns(tb, TB_S);
	r = report_of(tb);
	/* the last turn is the host's */
	assert_waits(&r, "one",
		     (struct waits){ .other = 92 * TURN_US,
				     .host = 93 * TURN_US,
				     .unknown = (3000 - 185) * TURN_US });
	fan_report_free(&r);
}

/* Of the main thread of whose process this is the wait 10-30010, all known and all unknown of it.
 */
struct looked_into {
	uint64_t known_ns, unknown_ns;
};

/* Who waits while b and the host's thread take turns; the trace is read for the sake of VMs. */
static struct looked_into look_into(struct tb *tb, struct tb_task waiter)
{
	const struct fan_model_options only_vms = { .only_vms = true };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "t.dat");
	struct fan_file *file = NULL;
	struct fan_model *m = NULL;
	struct looked_into ret;
	const struct fan_row *row;
	int32_t i;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&file, path, NULL), 0);
	assert_int_equal(fan_model_read(&m, file, &only_vms, NULL), 0);
	i = fan_threads_find(m->threads, waiter.tid);
	assert_true(i >= 0);
	row = fan_blame_row(m->blame, (size_t)fan_threads_at(m->threads, (size_t)i)->account);
	assert_non_null(row);
	ret.unknown_ns = row->other_ns[~FAN_HELD_UNKNOWN];
	ret.known_ns = row_sum(row) - ret.unknown_ns;
	fan_model_free(m);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
	return ret;
}

/* The waiter runs 0-10 and waits then; b, a vCPU, has waited once before. */
static struct tb *turns_besides(struct tb *tb, struct tb_task waiter)
{
	tb_wakeup(tb, at_us(0, 0), b, 0);
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, waiter);
	tb_switch(tb, at_us(0, 10), waiter, TB_R, b);
	for (unsigned int i = 1; i < TURNS; i++)
		tb_switch(tb, at_us(0, 10 + i * TURN_US), i % 2 ? b : host, TB_S, i % 2 ? host : b);
	tb_switch(tb, at_us(0, 10 + TURNS * TURN_US), host, TB_S, waiter);
	tb_switch(tb, at_us(0, 100 + TURNS * TURN_US), waiter, TB_S, tb_idle);
	return tb;
}

/* Of 3000 tiles of 10 us the last 8. */
static void of_waits_that_hardly_matter_only_the_end_is_looked_into(void **state)
{
	const struct tb_task other = { 41, "make", 0 };
	const struct looked_into l = look_into(turns_besides(two_vms(1), other), other);

	(void)state;
	assert_int_equal(l.known_ns + l.unknown_ns, TURNS * TURN_US * US);
	assert_int_equal(l.known_ns, 8 * TURN_US * US);
}

static void vms_their_helpers_and_traces_without_vms_are_looked_into_all(void **state)
{
	const struct tb_task emulator = { 100, "qemu", 0 }, vhost = { 42, "vhost-100", 0 };
	struct looked_into l = look_into(turns_besides(two_vms(1), a), a);
	struct tb *tb = two_vms(1);

	(void)state;
	assert_int_equal(l.known_ns, TURNS * TURN_US * US);
	assert_int_equal(l.unknown_ns, 0);
	l = look_into(turns_besides(two_vms(1), vhost), vhost);
	assert_int_equal(l.unknown_ns, 0);
	/* a thread that is no vCPU, but of a process whose vCPU has waited: a2, 0-0.5 us */
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 comm=qemu");
	tb_wakeup(tb, tb_at(0, MODELLED_BASE), a2, 0);
	tb_switch(tb, tb_at(0, MODELLED_BASE + 500), tb_idle, TB_R, a2);
	tb_switch(tb, tb_at(0, MODELLED_BASE + 600), a2, TB_S, tb_idle);
	tb_wakeup(tb, tb_at(0, MODELLED_BASE + 700), b, 0);
	tb_switch(tb, tb_at(0, MODELLED_BASE + 800), tb_idle, TB_R, emulator);
	tb_switch(tb, at_us(0, 10), emulator, TB_R, b);
	for (unsigned int i = 1; i < TURNS; i++)
		tb_switch(tb, at_us(0, 10 + i * TURN_US), i % 2 ? b : host, TB_S, i % 2 ? host : b);
	tb_switch(tb, at_us(0, 10 + TURNS * TURN_US), host, TB_S, emulator);
	l = look_into(tb, emulator);
	assert_int_equal(l.unknown_ns, 0);
	/* nobody is known to be a vCPU: the groups will be processes */
	l = look_into(turns_besides(tb_new(1, 6, TB_PLAIN), a), a);
	assert_int_equal(l.known_ns, TURNS * TURN_US * US);
}

/*
 * The emulator waits 10-30010 while no vCPU of its VM has waited or run yet: the vcpu lines have
 * told who its vCPUs are. b and the host's thread have 1500 turns of 10 us each.
 */
static void a_vm_is_looked_into_before_its_first_vcpu_runs(void **state)
{
	const struct tb_task emulator = { 100, "qemu", 0 };
	const struct fan_report_options options = { .level = 0.95, .margin = 3 };
	const struct fan_model_options only_vms = { .only_vms = true };
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=100 tgid=100 comm=qemu");
	turns_besides(tb, emulator);
	tb_wakeup(tb, at_us(0, 100 + TURNS * TURN_US), a, 0);
	tb_switch(tb, at_us(0, 100 + TURNS * TURN_US), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 200 + TURNS * TURN_US), a, TB_S, tb_idle);
	r = report_with(tb, &options, &only_vms);
	assert_waits(&r, "one", (struct waits){ .other = 15000, .host = 15000 });
	fan_report_free(&r);
}

/* a leaves asleep at 10 and is there again at 30; b's wake-up comes at a time of the test's own. */
static struct tb *unwoken(bool has_wakeup)
{
	struct tb *tb = two_vms(1);

	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/x");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_S, b);
	tb_switch(tb, at_us(0, 30), b, TB_S, a);
	if (has_wakeup)
		tb_wakeup(tb, by_us(0, 100, a), b, 0);
	tb_switch(tb, at_us(0, 100), a, TB_S, b);
	return tb;
}

/* Only the wake-up tells, later, that there are any, and so that a's 20 us were a wait. */
static void before_the_first_wakeup_it_is_not_known_what_a_sleeper_waits_for(void **state)
{
	struct fan_report r = report_of(unwoken(true));

	(void)state;
	assert_int_equal(group(&r, "one")->wait_ns, 20 * US);
	assert_int_equal(group(&r, "one")->inferred_ns, 20 * US);
	assert_waits(&r, "one", (struct waits){ .unknown = 20 });
	fan_report_free(&r);
}

static void without_any_wakeup_such_time_is_no_wait(void **state)
{
	struct fan_report r = report_of(unwoken(false));

	(void)state;
	assert_int_equal(group(&r, "one")->unsplit_ns, 20 * US);
	assert_int_equal(group(&r, "one")->inferred_ns, 0);
	assert_waits(&r, "one", (struct waits){ 0 });
	fan_report_free(&r);
	/* by cgroup the two are not told apart */
	r = report_as(unwoken(false), FAN_GROUP_CGROUP);
	assert_int_equal(group(&r, "x")->wait_ns, 20 * US);
	assert_waits(&r, "x", (struct waits){ .unknown = 20 });
	fan_report_free(&r);
}

/* With the groups that the user asks for. */
static struct fan_report report_of_vms(struct tb *tb, const char *one, const char *two,
				       const struct fan_model_options *options)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "t.dat");
	struct fan_vm_request vms[] = { { .name = "one" }, { .name = "two" } };
	const struct fan_report_options o = { .groups = { .vms = vms, .nvms = 2 },
					      .overlap = { .all = true },
					      .level = 0.95 };
	struct fan_file *file = NULL;
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	struct fan_report r;

	assert_int_equal(fcap_selector_parse(one, &vms[0].selector), 0);
	assert_int_equal(fcap_selector_parse(two, &vms[1].selector), 0);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_file_open(&file, path, &err) < 0 || fan_model_read(&m, file, options, &err) < 0 ||
	    fan_report_assemble(&r, file, m, &o, &err) < 0)
		fail_msg("%s", err.text);
	fan_model_free(m);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
	return r;
}

/* a runs 0-10 and 30-100; a2, of the same process, 10-30. */
static void two_vms_of_one_process_wait_for_each_other(void **state)
{
	const int32_t tids[] = { 101, 102 };
	const struct fan_model_options apart = { .apart = tids, .napart = 2 };
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, a2);
	tb_switch(tb, at_us(0, 30), a2, TB_R, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, a2);
	r = report_of_vms(tb, "tids:101", "tids:102", &apart);
	assert_waits(&r, "one", (struct waits){ .other = 20 });
	assert_waits(&r, "two", (struct waits){ .other = 70 });
	fan_report_free(&r);
}

/*
 * a waits 10-30 for b, 10-16 of it in /x. Its group is that of the end, /y, and so is all of its
 * wait: what it waited for elsewhere is not in /y's rows.
 */
static void of_a_thread_that_came_from_elsewhere_the_rest_is_unknown(void **state)
{
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 cpu_hierarchy=1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=102 tgid=100 cgroup=/x");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/z");
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_cgroup_attach(tb, by_us(0, 16, b), a, "/y");
	tb_switch(tb, at_us(0, 30), b, TB_S, a);
	tb_switch(tb, at_us(0, 100), a, TB_S, tb_idle);
	r = report_of_vms(tb, "cgroup:/y", "cgroup:/x", NULL);
	assert_int_equal(group(&r, "one")->wait_ns, 20 * US);
	assert_waits(&r, "one", (struct waits){ .host = 14, .unknown = 6 });
	/* and in /x there is nobody any more who waited */
	assert_waits(&r, "two", (struct waits){ 0 });
	fan_report_free(&r);
}

/* Only 16-60 is looked at: of a's wait 10-30 for b 14 us, of b's 30-80 for a 30. */
static void outside_the_analysed_time_nobody_waits(void **state)
{
	const struct fan_model_options part = { .from_ns = 16 * US, .to_ns = 60 * US };
	struct tb *tb = two_vms(1);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, a);
	tb_switch(tb, at_us(0, 10), a, TB_R, b);
	tb_switch(tb, at_us(0, 30), b, TB_R, a);
	tb_switch(tb, at_us(0, 80), a, TB_S, b);
	tb_switch(tb, at_us(0, 100), b, TB_S, tb_idle);
	r = report_of_vms(tb, "tgid:100", "tgid:200", &part);
	assert_waits(&r, "one", (struct waits){ .other = 14 });
	assert_waits(&r, "two", (struct waits){ .other = 30 });
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_wait_is_split_to_its_begin),
		cmocka_unit_test(of_a_wait_found_out_late_the_begin_is_unknown),
		cmocka_unit_test(of_waits_that_hardly_matter_only_the_end_is_looked_into),
		cmocka_unit_test(vms_their_helpers_and_traces_without_vms_are_looked_into_all),
		cmocka_unit_test(a_vm_is_looked_into_before_its_first_vcpu_runs),
		cmocka_unit_test(before_the_first_wakeup_it_is_not_known_what_a_sleeper_waits_for),
		cmocka_unit_test(without_any_wakeup_such_time_is_no_wait),
		cmocka_unit_test(two_vms_of_one_process_wait_for_each_other),
		cmocka_unit_test(of_a_thread_that_came_from_elsewhere_the_rest_is_unknown),
		cmocka_unit_test(outside_the_analysed_time_nobody_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
