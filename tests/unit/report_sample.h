/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small result tree made by hand for the tests of the writers. */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/tree.h"

#define S 1000000000LL
/* a byte that is no UTF-8, an escape sequence, an e with acute accent */
#define WEIRD_NAME "w\xff\x1b[31m\xc3\xa9"

static char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

static void sample_thread(struct fan_r_group *g, int64_t tid, const char *name, int64_t vcpu)
{
	struct fan_r_thread *t = fan_array_add(&g->threads, &fan_thread_table);

	assert_non_null(t);
	t->tid = tid;
	t->name = own(name);
	t->vcpu = vcpu;
	t->run_ns = 27 * S;
	t->wait_ns = 812345678;
	t->blocked_ns = 0;
	t->arrivals = 4242;
}

/* The larger group: an interval of half-width 0.42, adjusted 0.48; a verdict; two threads. */
static void sample_vm2(struct fan_report *r)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);

	assert_non_null(g);
	g->name = own("vm2");
	g->kind = own("vm");
	g->tgid = 900;
	g->cgroup = own("/caas2");
	g->weight = 9000;
	g->vcpus = 1;
	g->run_ns = 108 * S;
	g->vcpu_run_ns = 27 * S;
	g->wait_ns = 812345678;
	g->blocked_ns = 1500;
	g->unsplit_ns = 0;
	g->unknown_ns = 999;
	g->share = (struct fan_est){ 90.8123,	0.18,	  90.3923, 91.2323, NAN, NAN, 1, 0.95,
				     "percent", "pw-ewc", 285,	   8,	    0,	 120, 0 };
	g->share.flags = FAN_EST_ONE_RUN;
	g->expected_pct = 90;
	g->share_bounds.lo = 90.81;
	g->share_bounds.hi = 90.82;
	g->deviation = (struct fan_est){ 0.8123, 0.18, 0.3923, 1.2323,	 0.3323,
					 1.2923, 2,    0.95,   "points", "pw-ewc",
					 285,	 8,    0,      120,	 0 };
	g->deviation.flags = FAN_EST_ONE_RUN;
	g->verdict.word = "fair";
	g->verdict.indicative = true;
	g->verdict.margin = 3;
	assert_int_equal(fan_strs_add(&g->verdict.reasons, "one run"), 0);
	g->steal.trace_ns = 812345678;
	g->steal.counter_ns = 812000000;
	g->steal.compared_trace_ns = 800341000;
	g->steal.compared_counter_ns = 800000000;
	g->steal.residual_pct = 0.0426;
	g->steal.intervals = 300;
	g->steal.comparable_intervals = 298;
	g->steal.arrivals = 4242;
	g->steal.closure = own("closed");
	sample_thread(g, 901, "CPU 0/KVM", 0);
	sample_thread(g, 902, WEIRD_NAME, FAN_NONE);
}

/* The smaller group: no interval, no verdict, hardly anything known; one thread. */
static void sample_vm1(struct fan_report *r)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);

	assert_non_null(g);
	g->name = own("vm1");
	g->kind = own("vm");
	g->share.value = 9.1877;
	g->share.flags = FAN_EST_CI_NONE_SHORT;
	g->expected_pct = 10;
	g->deviation.value = -0.8123;
	g->deviation.flags = FAN_EST_CI_NONE_SHORT;
	assert_int_equal(fan_strs_add(&g->verdict.reasons, "fewer than %d windows", 20), 0);
	g->steal.closure = own("none");
	sample_thread(g, 801, "CPU 0/KVM", 0);
}

static void sample_frame(struct fan_report *r)
{
	struct fan_ints *core;

	r->schema = own("fcap-report/1");
	r->tool.name = own("fanalyze");
	r->tool.version = own("0.1");
	r->tool.command = own("fanalyze report t.dat");
	r->source.file = own("t.dat");
	r->source.kernel = own("6.12.1");
	r->source.clock = own("mono");
	r->source.cpus = 4;
	assert_int_equal(fan_pairs_add(&r->source.labels, "core_sched", "on"), 0);
	assert_int_equal(fan_pairs_add(&r->source.labels, "rig", "desk"), 0);
	r->host.smt = own("on");
	for (int64_t cpu = 0; cpu < 2; cpu++) {
		core = fan_cpu_lists_add(&r->host.cores);
		assert_non_null(core);
		assert_int_equal(fan_ints_add(core, cpu), 0);
		assert_int_equal(fan_ints_add(core, cpu + 2), 0);
	}
	r->host.overcommit = 0.5;
	r->period.start_ns = 0;
	r->period.end_ns = 30 * S;
	r->period.overlap.from_ns = 1 * S;
	r->period.overlap.to_ns = 29 * S + S / 2;
	r->period.overlap.cut_pct = 5;
	r->period.window_ns = 100000000;
	r->period.windows = 285;
	r->period.expected_method = own("static");
	r->period.entity_rule = own("nearest cgroup with a weight");
	r->quality.events = 1234567;
	r->quality.lost = 0;
	r->quality.gaps = 2;
	r->quality.conflicts = 0;
	r->quality.unknown_ns = 1500000;
	r->quality.unknown_pct = 0.1;
	r->quality.verdict = own("ok");
	assert_int_equal(fan_strs_add(&r->quality.notes, "no %s events", "kvm"), 0);
}

static void sample_make(struct fan_report *r)
{
	fan_tree_init(r, &fan_report_table);
	sample_frame(r);
	sample_vm2(r);
	sample_vm1(r);
}

#endif
