// SPDX-License-Identifier: GPL-3.0-or-later
/* Where configurations hardly ever come back, what is due is by the mean of each millisecond. */
#include "tests/unit/demanded.h"

enum { VMS = 14, STEPS = 9000, STEP_US = 100 };

static struct tb_task vm(int i)
{
	return (struct tb_task){ 100 * (i + 1) + 1, "CPU 0/KVM", 0 };
}

static void tell(struct tb *tb)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0");
	for (int i = 0; i < VMS; i++) {
		tb_marker(tb, MODELLED_BASE, "fcap: cg path=/%d parent=/ scale=shares weight=1024",
			  i);
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=%d id=0", vm(i).tid,
			  100 * (i + 1));
		tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d tgid=%d cgroup=/%d", vm(i).tid,
			  100 * (i + 1), i);
	}
}

/* Wakes or puts to sleep; whoever is to sleep runs for a moment first, VM 0 else. */
static void toggle(struct tb *tb, int i, bool *is_awake, uint64_t ns)
{
	if (!*is_awake) {
		tb_wakeup(tb, tb_by(0, ns, vm(0).tid), vm(i), 0);
	} else {
		tb_switch(tb, tb_at(0, ns), vm(0), TB_R, vm(i));
		tb_switch(tb, tb_at(0, ns + 1), vm(i), TB_S, vm(0));
	}
	*is_awake = !*is_awake;
}

/*
 * VM 0 always wants the CPU; the others come and go as the bits of a Gray code do, so that no
 * configuration comes twice: bit b changes each 2^(b+1) steps. want receives each VM's share of
 * each moment, all being equals, in ns.
 */
static struct tb *gray_code(double *want)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	bool is_awake[VMS] = { true };
	int awake = 1;

	tell(tb);
	tb_switch(tb, tb_at(0, MODELLED_BASE), tb_idle, TB_R, vm(0));
	for (int step = 1; step <= STEPS; step++) {
		const int i = 1 + __builtin_ctz((unsigned int)step) % (VMS - 1);

		for (int k = 0; k < VMS; k++)
			want[k] += is_awake[k] ? STEP_US * 1000.0 / awake : 0;
		toggle(tb, i, &is_awake[i], MODELLED_BASE + (uint64_t)step * STEP_US * 1000);
		awake += is_awake[i] ? 1 : -1;
	}
	return tb;
}

static void too_many_configurations_are_averaged_by_the_tick(void **state)
{
	double want[VMS] = { 0 }, all = 0;
	struct tb *tb = gray_code(want);
	struct fan_model *m = model_by_demand(tb, 1, NULL);
	const double length = (double)(m->end_ns - m->start_ns);
	const struct fan_demand *d = m->pulse->demand;

	(void)state;
	/* 4096 configurations, one in 100 us, are taken as they are; then, ticks */
	assert_true((double)d->averaged_ns > length - 5000 * STEP_US * 1000.0);
	assert_true((double)d->averaged_ns < length - 4000 * STEP_US * 1000.0);
	for (int i = 0; i < VMS; i++) {
		const double due = due_of(m, 100 * (i + 1));

		all += due;
		/* those that come and go within a tick are due more when all are there at once:
		 * a mean does not know that */
		assert_near(due, want[i], 0.03 * want[i]);
	}
	/* the CPU is wanted all the time */
	assert_near(all, length, 1e-6 * length);
	fan_model_free(m);
}

static void few_configurations_are_not_averaged(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	bool is_awake = false;
	struct fan_model *m;

	(void)state;
	tell(tb);
	tb_switch(tb, tb_at(0, MODELLED_BASE), tb_idle, TB_R, vm(0));
	for (int step = 1; step <= 1000; step++)
		toggle(tb, 1, &is_awake, MODELLED_BASE + (uint64_t)step * STEP_US * 1000);
	m = model_by_demand(tb, 1, NULL);
	assert_int_equal(m->pulse->demand->averaged_ns, 0);
	/* alone for 500 steps, half of the other 500 */
	assert_near(due_of(m, 100), 75e6, 2000);
	assert_near(due_of(m, 200), 25e6, 2000);
	fan_model_free(m);
}

/* A weight that changes with each tick has each configuration allotted anew: not too much. */
static void changes_of_weight_alone_are_not_too_much(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_model *m;

	(void)state;
	tell(tb);
	tb_switch(tb, tb_at(0, MODELLED_BASE), tb_idle, TB_R, vm(0));
	tb_wakeup(tb, tb_by(0, MODELLED_BASE, vm(0).tid), vm(1), 0);
	for (uint64_t ms = 1; ms < 1000; ms++)
		tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS,
			  "fcap: cg path=/0 scale=shares weight=%d", ms % 2 ? 3072 : 1024);
	tb_switch(tb, at_ms(0, 1000), vm(0), TB_S, tb_idle);
	m = model_by_demand(tb, 1, NULL);
	assert_int_equal(m->pulse->demand->averaged_ns, 0);
	/* 500 ms at a half, 500 at three quarters */
	assert_near(due_of(m, 100), 250e6 + 375e6, 2000);
	fan_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_configurations_are_averaged_by_the_tick),
		cmocka_unit_test(few_configurations_are_not_averaged),
		cmocka_unit_test(changes_of_weight_alone_are_not_too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
