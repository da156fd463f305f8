// SPDX-License-Identifier: GPL-3.0-or-later
/* Who had each CPU over time, in reports: bins by hand, and random schedules. */
#include <inttypes.h>

#include "tests/lib/seeded.h"
#include "tests/unit/assembled.h"
#include "tests/unit/timeline_naive.h"

#define US 1000ULL

static const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 }, vm2 = { 201, "CPU 0/KVM", 0 };
static const struct tb_task host = { 301, "host", 0 };

static struct fan_report report_in(struct tb *tb, enum fan_group_kind kind,
				   const struct fan_model_options *model)
{
	const struct fan_report_options options = { .groups = { .kind = kind },
						    .level = 0.95,
						    .margin = 3 };

	return report_with(tb, &options, model);
}

static struct fan_report occupied(struct tb *tb)
{
	return report_in(tb, FAN_GROUP_VM, &(struct fan_model_options){ .has_timeline = true });
}

static const struct fan_r_lane *lane_of(const struct fan_report *r, int64_t cpu)
{
	const struct fan_r_lane *lane = r->occupancy.cpus.items;

	for (size_t i = 0; i < r->occupancy.cpus.n; i++)
		if (lane[i].cpu == cpu)
			return &lane[i];
	fail_msg("no CPU %" PRId64, cpu);
	return NULL;
}

static const struct fan_ints *bins_of(const struct fan_r_lane *lane, const char *name)
{
	static const struct fan_ints nothing;
	const struct fan_r_bins *g = lane->groups.items;

	for (size_t i = 0; i < lane->groups.n; i++)
		if (strcmp(g[i].name, name) == 0)
			return &g[i].ns;
	return &nothing;
}

static int64_t at(const struct fan_ints *list, size_t bin)
{
	return list->n ? list->items[bin] : 0;
}

static int64_t sum(const struct fan_ints *list)
{
	int64_t ret = 0;

	for (size_t i = 0; i < list->n; i++)
		ret += list->items[i];
	return ret;
}

static int64_t all_of(const struct fan_r_lane *lane, size_t bin)
{
	const struct fan_r_bins *g = lane->groups.items;
	int64_t ret = at(&lane->other_ns, bin) + at(&lane->idle_ns, bin) +
		      at(&lane->forced_idle_ns, bin) + at(&lane->unknown_ns, bin);

	for (size_t i = 0; i < lane->groups.n; i++)
		ret += at(&g[i].ns, bin);
	return ret;
}

/* Each bin is as long as its parts, and each group ran as long as in all bins. */
static void assert_adds_up(const struct fan_report *r)
{
	const struct fan_r_occupancy *o = &r->occupancy;
	const struct fan_r_lane *lane = o->cpus.items;
	const struct fan_r_group *g = r->groups.items;

	for (size_t i = 0; i < o->cpus.n; i++)
		for (size_t b = 0; b < o->t_ns.n; b++)
			assert_int_equal(
				all_of(&lane[i], b),
				(b + 1 < o->t_ns.n ? o->t_ns.items[b + 1] : r->period.end_ns) -
					o->t_ns.items[b]);
	for (size_t k = 0; k < r->groups.n; k++) {
		int64_t run = 0;

		for (size_t i = 0; i < o->cpus.n; i++)
			run += sum(bins_of(&lane[i], g[k].name));
		assert_int_equal(run, g[k].run_ns);
	}
}

static void tell_two(struct tb *tb, const char *siblings)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono");
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=0 siblings=%s", siblings);
	tb_marker(tb, MODELLED_BASE, "fcap: cpu id=1 siblings=%s",
		  siblings[1] == '-' ? "0-1" : "1");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE, "fcap: group kind=vm tgid=200 name=vm2");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cookie=0x1");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cookie=0x2");
}

/*
 * 6400 us, 400 bins of 16 us.
 *  CPU 0   idle to 1600, vm1 to 3200, host to 4808, idle
 *  CPU 1   idle to 2000, since 1760 by force: vm2 waits, vm1 has the other CPU; vm2 to 3000; idle
 * vm1 enters its guest again at 2400: the core is shared against the rule from then on to 3000.
 */
static struct tb *core_of_two(const char *siblings)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_wakeup(tb, at_us(0, 0), host, 0);
	tb_wakeup(tb, at_us(0, 1000), vm1, 0);
	tb_switch(tb, at_us(0, 1600), tb_idle, TB_R, vm1);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 2400 * US, vm1.tid), 0);
	tb_switch(tb, at_us(0, 3200), vm1, TB_S, host);
	tb_switch(tb, at_us(0, 4808), host, TB_S, tb_idle);
	tb_wakeup(tb, at_us(0, 6400), vm1, 1);
	tb_wakeup(tb, at_us(1, 0), host, 0);
	tb_wakeup(tb, at_us(1, 1760), vm2, 1);
	tb_switch(tb, at_us(1, 2000), tb_idle, TB_R, vm2);
	tb_switch(tb, at_us(1, 3000), vm2, TB_S, tb_idle);
	tell_two(tb, siblings);
	return tb;
}

static void bins_tell_who_had_the_cpu(void **state)
{
	struct fan_report r = occupied(core_of_two("0-1"));
	const struct fan_r_lane *first, *second;

	(void)state;
	assert_int_equal(r.occupancy.bin_ns, 16 * US);
	assert_int_equal(r.occupancy.t_ns.n, 400);
	assert_int_equal(r.occupancy.t_ns.items[399], 6384 * US);
	assert_int_equal(r.occupancy.left_out, 0);
	first = lane_of(&r, 0);
	/* 1600 is where bin 100 begins, 3200 where 200 does; 4808 is the middle of 300 */
	assert_int_equal(at(bins_of(first, "vm1"), 99), 0);
	assert_int_equal(at(bins_of(first, "vm1"), 100), 16 * US);
	assert_int_equal(at(bins_of(first, "vm1"), 199), 16 * US);
	assert_int_equal(at(bins_of(first, "vm1"), 200), 0);
	assert_int_equal(at(&first->other_ns, 300), 8 * US);
	assert_int_equal(at(&first->idle_ns, 300), 8 * US);
	assert_int_equal(sum(&first->other_ns), 1608 * US);
	assert_int_equal(bins_of(first, "vm2")->n, 0);
	assert_int_equal(first->forced_idle_ns.n, 0);
	second = lane_of(&r, 1);
	assert_int_equal(sum(bins_of(second, "vm2")), 1000 * US);
	assert_adds_up(&r);
	fan_report_free(&r);
}

static void forced_idle_is_apart_from_idle(void **state)
{
	struct fan_report r = occupied(core_of_two("0-1"));
	const struct fan_r_lane *lane = lane_of(&r, 1);

	(void)state;
	/* 1760 is where bin 110 begins, 2000 where 125 does: 15 bins */
	assert_int_equal(at(&lane->forced_idle_ns, 109), 0);
	assert_int_equal(at(&lane->forced_idle_ns, 110), 16 * US);
	assert_int_equal(at(&lane->idle_ns, 110), 0);
	assert_int_equal(at(&lane->forced_idle_ns, 124), 16 * US);
	assert_int_equal(sum(&lane->forced_idle_ns), 240 * US);
	assert_int_equal(r.isolation.forced_idle.total_ns, 240 * US);
	fan_report_free(&r);
}

static void violations_are_where_they_were(void **state)
{
	struct fan_report r = occupied(core_of_two("0-1"));
	const struct fan_r_shared_core *core = r.occupancy.cores.items;

	(void)state;
	assert_int_equal(r.occupancy.cores.n, 1);
	assert_string_equal(r.occupancy.level, "vm");
	assert_int_equal(core->cpus.n, 2);
	assert_int_equal(lane_of(&r, 0)->core, 0);
	assert_int_equal(lane_of(&r, 1)->core, 0);
	/* 2400 is where bin 150 begins; 3000 is the middle of 187 */
	assert_int_equal(at(&core->violation_ns, 149), 0);
	assert_int_equal(at(&core->violation_ns, 150), 16 * US);
	assert_int_equal(at(&core->violation_ns, 186), 16 * US);
	assert_int_equal(at(&core->violation_ns, 187), 8 * US);
	assert_int_equal(sum(&core->violation_ns), 600 * US);
	assert_int_equal(r.isolation.judged.violation_ns, 600 * US);
	assert_int_equal(core->unresolved_ns.n, 0);
	fan_report_free(&r);
}

/* The same where vm1 does not enter again: 1000 us together, longer than the tolerance of 50. */
static void what_is_unresolved_is_told_apart(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	const struct fan_r_shared_core *core;
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm1);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 100 * US, vm1.tid), 0);
	tb_switch(tb, at_us(0, 6400), vm1, TB_S, tb_idle);
	tb_switch(tb, at_us(1, 2000), tb_idle, TB_R, vm2);
	tb_switch(tb, at_us(1, 3000), vm2, TB_S, tb_idle);
	tell_two(tb, "0-1");
	r = occupied(tb);
	core = r.occupancy.cores.items;
	assert_int_equal(core->violation_ns.n, 0);
	/* 2000 is where bin 125 begins */
	assert_int_equal(at(&core->unresolved_ns, 125), 16 * US);
	assert_int_equal(sum(&core->unresolved_ns), 1000 * US);
	assert_int_equal(r.isolation.judged.unresolved_ns, 1000 * US);
	/* CPU 1 said nothing before */
	assert_int_equal(sum(&lane_of(&r, 1)->unknown_ns), r.quality.unknown_ns);
	assert_adds_up(&r);
	fan_report_free(&r);
}

static void a_part_of_the_trace_has_shorter_bins(void **state)
{
	const struct fan_model_options part = { .has_timeline = true,
						.from_ns = 3100 * US,
						.to_ns = 3300 * US };
	struct fan_report r = report_in(core_of_two("0-1"), FAN_GROUP_VM, &part);
	const struct fan_r_lane *lane = lane_of(&r, 0);

	(void)state;
	/* 200 us: 200 bins of 1 us from 3100 on, 100 of them before the switch at 3200 */
	assert_int_equal(r.occupancy.bin_ns, 1 * US);
	assert_int_equal(r.occupancy.t_ns.n, 200);
	assert_int_equal(r.occupancy.t_ns.items[0], 3100 * US);
	assert_int_equal(at(bins_of(lane, "vm1"), 99), 1 * US);
	assert_int_equal(at(&lane->other_ns, 100), 1 * US);
	assert_adds_up(&r);
	fan_report_free(&r);
}

static void without_siblings_there_are_no_cores(void **state)
{
	struct fan_report r = occupied(core_of_two("0"));

	(void)state;
	assert_int_equal(r.occupancy.cpus.n, 2);
	assert_int_equal(lane_of(&r, 0)->core, FAN_NONE);
	assert_int_equal(r.occupancy.cores.n, 0);
	assert_null(r.occupancy.level);
	assert_adds_up(&r);
	fan_report_free(&r);
}

static void nobody_asked_is_not_there(void **state)
{
	struct fan_report r = report_of(core_of_two("0-1"));

	(void)state;
	assert_int_equal(r.occupancy.bin_ns, FAN_NONE);
	assert_int_equal(r.occupancy.cpus.n, 0);
	fan_report_free(&r);
}

/* A gap: CPU 0 runs vm1, as was seen last, and is left by vm2: unknown in between. */
static void what_nobody_knows_is_unknown(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	const struct fan_r_lane *lane;
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, vm1);
	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + 1600 * US, vm1.tid), 0);
	tb_switch(tb, at_us(0, 3200), vm2, TB_R, vm1);
	tb_switch(tb, at_us(0, 6400), vm1, TB_R, tb_idle);
	tell_two(tb, "0");
	r = occupied(tb);
	lane = lane_of(&r, 0);
	assert_int_equal(sum(&lane->unknown_ns), 1600 * US);
	assert_int_equal(r.quality.unknown_ns, 1600 * US);
	assert_int_equal(at(&lane->unknown_ns, 99), 0);
	assert_int_equal(at(&lane->unknown_ns, 100), 16 * US);
	assert_adds_up(&r);
	fan_report_free(&r);
}

/* 40 CPUs, 20 cores of two far apart; VMs on two CPUs of two cores, on all others a host thread. */
static void of_many_cpus_the_cores_that_groups_used_are_told(void **state)
{
	struct tb *tb = tb_new(40, 6, TB_PLAIN);
	const struct fan_r_lane *lane;
	struct fan_report r;

	(void)state;
	for (int cpu = 0; cpu < 40; cpu++) {
		const struct tb_task other = { 400 + cpu, "busy", 0 };
		const struct tb_task task = cpu == 23 ? vm1 : cpu == 5 ? vm2 : other;

		tb_switch(tb, at_us(cpu, 0), tb_idle, TB_R, task);
		tb_switch(tb, at_us(cpu, 6400), task, TB_S, tb_idle);
	}
	tell_two(tb, "0,20");
	for (int cpu = 1; cpu < 20; cpu++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%d siblings=%d,%d", cpu, cpu, cpu + 20);
	r = occupied(tb);
	/* CPU 3 with its sibling 23, 5 with 25 */
	assert_int_equal(r.occupancy.cpus.n, 4);
	assert_int_equal(r.occupancy.left_out, 36);
	lane = r.occupancy.cpus.items;
	assert_int_equal(lane[0].cpu, 3);
	assert_int_equal(lane[1].cpu, 23);
	assert_int_equal(lane[2].cpu, 5);
	assert_int_equal(lane[3].cpu, 25);
	assert_int_equal(lane[3].core, 1);
	assert_int_equal(r.occupancy.cores.n, 2);
	assert_adds_up(&r);
	fan_report_free(&r);
}

static void without_a_vm_processes_are_told(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_report r;

	(void)state;
	tb_switch(tb, at_us(0, 0), tb_idle, TB_R, host);
	tb_switch(tb, at_us(0, 1), host, TB_S, tb_idle);
	r = report_in(tb, FAN_GROUP_VM, &(struct fan_model_options){ .has_timeline = true });
	/* one bin, the shortest there is */
	assert_int_equal(r.occupancy.t_ns.n, 1);
	assert_int_equal(sum(bins_of(lane_of(&r, 0), "host")), 1 * US);
	assert_adds_up(&r);
	fan_report_free(&r);
}

/* --- random schedules --- */

enum { CPUS = 6, TIDS = 9, RUNS = 200, EVENTS = 400 };

/* Tids 101 to 103 are vm1, 201 to 203 vm2, the others host programs. */
static struct tb_task task_of(int k)
{
	return (struct tb_task){ 100 * (1 + k / 3) + 1 + k % 3, k < 6 ? "CPU 0/KVM" : "host", 0 };
}

struct schedule {
	struct naive_stretch stretches[CPUS + EVENTS];
	size_t n;
	int cur[CPUS]; /* -1: idle */
	uint64_t since[CPUS];
	bool runs[TIDS];
};

static void leave(struct schedule *s, int cpu, uint64_t now)
{
	const int32_t key = s->cur[cpu] < 0 ? -1 : s->cur[cpu] / 3;

	s->stretches[s->n++] = (struct naive_stretch){ cpu, key, s->since[cpu], now };
	s->since[cpu] = now;
}

static void switch_one(struct tb *tb, struct schedule *s, int cpu, int next, uint64_t now)
{
	const int prev = s->cur[cpu];

	tb_switch(tb, tb_at(cpu, now), prev < 0 ? tb_idle : task_of(prev), TB_R,
		  next < 0 ? tb_idle : task_of(next));
	leave(s, cpu, now);
	if (prev >= 0)
		s->runs[prev] = false;
	if (next >= 0)
		s->runs[next] = true;
	s->cur[cpu] = next;
}

static struct fan_report play(struct schedule *s, uint64_t *random)
{
	const int cpus = 1 + (int)(seeded_next(random) % CPUS);
	const uint64_t most = 1 + seeded_next(random) % (seeded_next(random) % 2 ? 2000 : 2000000);
	struct tb *tb = tb_new(cpus, 6, TB_PLAIN);
	uint64_t now = MODELLED_BASE;

	*s = (struct schedule){ .n = 0 };
	for (int cpu = 0; cpu < cpus; cpu++) {
		s->cur[cpu] = -1;
		s->since[cpu] = now;
		tb_wakeup(tb, tb_at(cpu, now), task_of(8), 0);
	}
	for (int i = 0; i < EVENTS; i++) {
		const int cpu = (int)(seeded_next(random) % (unsigned int)cpus);
		int next = (int)(seeded_next(random) % (TIDS + 3));

		now += 1 + seeded_next(random) % most;
		next = next >= TIDS || s->runs[next] ? -1 : next;
		if (next >= 0 || s->cur[cpu] >= 0)
			switch_one(tb, s, cpu, next, now);
	}
	for (int cpu = 0; cpu < cpus; cpu++) {
		tb_wakeup(tb, tb_by(cpu, now, s->cur[cpu] < 0 ? 0 : task_of(s->cur[cpu]).tid),
			  task_of(8), 0);
		leave(s, cpu, now);
	}
	tell_two(tb, cpus > 1 ? "0-1" : "0");
	for (int k = 0; k < 6; k++)
		tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=%d tgid=%d id=%d", task_of(k).tid,
			  100 * (1 + k / 3), k % 3);
	return occupied(tb);
}

static void assert_list(const struct fan_report *r, const struct fan_ints *got,
			const struct schedule *s, struct naive_stretch of)
{
	uint64_t want[FAN_TIMELINE_BINS];

	assert_true(r->occupancy.t_ns.n > 0);
	naive_bins(want, s->stretches, s->n, of, MODELLED_BASE, (uint64_t)r->occupancy.bin_ns);
	for (size_t b = 0; b < r->occupancy.t_ns.n; b++)
		assert_int_equal(at(got, b), want[b]);
}

static void random_schedules_are_as_they_were(void **state)
{
	const uint64_t seed = seeded_start();
	static struct schedule s;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int run = 0; run < RUNS; run++) {
		uint64_t random = seed + run;
		struct fan_report r = play(&s, &random);
		const struct fan_r_lane *lane = r.occupancy.cpus.items;

		assert_adds_up(&r);
		assert_true(r.occupancy.cpus.n > 0);
		for (size_t i = 0; i < r.occupancy.cpus.n; i++) {
			const int32_t cpu = (int32_t)lane[i].cpu;
			const struct fan_ints *idle = &lane[i].idle_ns;

			assert_list(&r, bins_of(&lane[i], "vm1"), &s,
				    (struct naive_stretch){ .cpu = cpu, .key = 0 });
			assert_list(&r, bins_of(&lane[i], "vm2"), &s,
				    (struct naive_stretch){ .cpu = cpu, .key = 1 });
			assert_list(&r, &lane[i].other_ns, &s,
				    (struct naive_stretch){ .cpu = cpu, .key = 2 });
			assert_int_equal(lane[i].unknown_ns.n, 0);
			if (lane[i].forced_idle_ns.n == 0)
				assert_list(&r, idle, &s,
					    (struct naive_stretch){ .cpu = cpu, .key = -1 });
		}
		fan_report_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_tell_who_had_the_cpu),
		cmocka_unit_test(forced_idle_is_apart_from_idle),
		cmocka_unit_test(violations_are_where_they_were),
		cmocka_unit_test(what_is_unresolved_is_told_apart),
		cmocka_unit_test(a_part_of_the_trace_has_shorter_bins),
		cmocka_unit_test(without_siblings_there_are_no_cores),
		cmocka_unit_test(nobody_asked_is_not_there),
		cmocka_unit_test(what_nobody_knows_is_unknown),
		cmocka_unit_test(of_many_cpus_the_cores_that_groups_used_are_told),
		cmocka_unit_test(without_a_vm_processes_are_told),
		cmocka_unit_test(random_schedules_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
