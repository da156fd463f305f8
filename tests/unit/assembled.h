/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of reports: a trace whose report is known. Two VMs take turns on one CPU; in each
 * window of 10 ms the small one runs first, for 0.5 or 1.5 ms, and the large one for the rest.
 */
#ifndef TESTS_UNIT_ASSEMBLED_H
#define TESTS_UNIT_ASSEMBLED_H

#include <string.h>

#include "analyze/report/assemble.h"
#include "analyze/report/passes.h"
#include "tests/unit/modelled.h"

enum { WINDOWS = 400 }; /* in the overlap: numbers 1 to 400, between an opening and a closing one */

static const struct tb_task small = { 101, "CPU 0/KVM", 0 }, large = { 201, "CPU 0/KVM", 0 };

static inline struct tb_at at_us(int cpu, uint64_t us)
{
	return tb_at(cpu, MODELLED_BASE + us * 1000);
}

static inline struct fan_report report_with(struct tb *tb, const struct fan_report_options *options,
					    const struct fan_model_options *period)
{
	struct fan_file *file = file_of(tb);
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	struct fan_report r;

	if (fan_report_read(&m, file, period, options, &err) < 0 ||
	    fan_report_assemble(&r, file, m, options, &err) < 0)
		fail_msg("%s", err.text);
	fan_model_free(m);
	fan_file_close(file);
	return r;
}

static inline struct fan_report report_as(struct tb *tb, enum fan_group_kind kind)
{
	const struct fan_report_options options = { .groups = { .kind = kind },
						    .level = 0.95,
						    .margin = 3,
						    .command = "fanalyze report x" };

	return report_with(tb, &options, NULL);
}

static inline struct fan_report report_of(struct tb *tb)
{
	return report_as(tb, FAN_GROUP_VM);
}

static inline const struct fan_r_group *group(const struct fan_report *r, const char *name)
{
	const struct fan_r_group *g = r->groups.items;

	for (size_t i = 0; i < r->groups.n; i++)
		if (strcmp(g[i].name, name) == 0)
			return &g[i];
	fail_msg("no group %s", name);
	return NULL;
}

static inline bool has(const struct fan_strs *list, const char *part)
{
	for (size_t i = 0; i < list->n; i++)
		if (strstr(list->items[i], part))
			return true;
	return false;
}

/* Weights, cgroups /small and /large, and the VMs in them. */
static inline void tell_vms(struct tb *tb, unsigned int cpus, int weight_small, int weight_large)
{
	tb_marker(tb, MODELLED_BASE, "fcap: begin v=1 clock=mono cmd=./run label.core_sched=on");
	for (unsigned int i = 0; i < cpus; i++)
		tb_marker(tb, MODELLED_BASE, "fcap: cpu id=%u core=%u siblings=%u", i, i, i);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/small parent=/ weight=%d scale=shares",
		  weight_small);
	tb_marker(tb, MODELLED_BASE, "fcap: cg path=/large parent=/ weight=%d scale=shares",
		  weight_large);
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=101 tgid=100 cgroup=/small");
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=201 tgid=200 cgroup=/large");
}

static inline void tell_end(struct tb *tb)
{
	tb_marker(tb, MODELLED_BASE + 60000 * MODELLED_MS, "fcap: end events=1 bytes=1");
}

/*
 * In windows with holes nobody is seen from hole_us before the window until the small one
 * leaves; holes are the first windows from 2 on, half of them with short runs.
 */
struct turns {
	unsigned int holes;
	uint64_t hole_us;
};

/* How long the small one runs in each window, in us: 500 and 1500 in random order, 200 of each. */
static inline void draw_runs(uint64_t run_us[WINDOWS + 2])
{
	uint32_t random = 1;

	run_us[0] = run_us[WINDOWS + 1] = 500;
	for (unsigned int w = 1; w <= WINDOWS; w++)
		run_us[w] = w % 2 ? 500 : 1500;
	for (unsigned int w = WINDOWS; w > 1; w--) {
		unsigned int other;
		uint64_t kept;

		random = random * 1664525 + 1013904223;
		other = 1 + (random >> 8) % w;
		kept = run_us[w];
		run_us[w] = run_us[other];
		run_us[other] = kept;
	}
}

/* Beside them this thread wants to run from the start, and never does; NULL: nobody. */
static inline struct tb *turns_beside(struct turns t, const struct tb_task *waiter)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	unsigned int short_holes = t.holes / 2, long_holes = t.holes / 2;
	uint64_t run_us[WINDOWS + 2];

	draw_runs(run_us);
	if (waiter)
		tb_wakeup(tb, at_us(0, 0), *waiter, 0);
	for (unsigned int w = 0; w < WINDOWS + 2; w++) {
		const uint64_t us = 10000 * (uint64_t)w;
		unsigned int *left = run_us[w] == 500 ? &short_holes : &long_holes;

		if (w > 1 && *left) {
			--*left;
			tb_kvm_entry(tb,
				     tb_by(0, MODELLED_BASE + (us - t.hole_us) * 1000, large.tid),
				     0);
		} else {
			tb_switch(tb, at_us(0, us), w ? large : tb_idle, TB_R, small);
		}
		tb_switch(tb, at_us(0, us + run_us[w]), small, TB_R, large);
	}
	tb_switch(tb, at_us(0, 10000 * (WINDOWS + 2)), large, TB_R, tb_idle);
	assert_int_equal(short_holes + long_holes, 0);
	return tb;
}

static inline struct tb *turns_of(struct turns t)
{
	return turns_beside(t, NULL);
}

static inline struct fan_report report_of_turns(struct turns t)
{
	struct tb *tb = turns_of(t);

	tell_vms(tb, 1, 128, 1152);
	tell_end(tb);
	return report_of(tb);
}

#endif
