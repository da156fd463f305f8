/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of the page of an audit: a tree to print, and what was printed. */
#ifndef TESTS_UNIT_AUDIT_TREE_H
#define TESTS_UNIT_AUDIT_TREE_H

#include "analyze/report/text_audit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/text_isolation.h"
#include "tests/unit/paper.h"

#define US 1000LL
#define MS 1000000LL
#define S  1000000000LL

static inline char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

static inline void add_vm(struct fan_report *r, const char *name, int64_t tid)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);
	struct fan_r_thread *t;

	assert_non_null(g);
	g->name = own(name);
	g->kind = own("vm");
	g->vcpus = 1;
	t = fan_array_add(&g->threads, &fan_thread_table);
	assert_non_null(t);
	t->tid = tid;
}

static inline void fill_mixing(struct fan_r_mixing *m, const char *level, int64_t co_run_ns)
{
	if (!m->level)
		m->level = own(level);
	m->co_run_ns = co_run_ns;
	m->violation_ns = 2 * S;
	m->transition_ns = 500 * MS;
	m->unresolved_ns = 1 * S;
	m->possible_ns = 0;
	m->violation_pct = 100.0 * (2 * S) / (double)co_run_ns;
	m->judged_pct = 100.0 * (3 * S) / (double)co_run_ns;
	m->count = 250;
	m->unresolved = 11;
	m->pairings = 300;
	m->longest_ns = 30 * MS;
}

static inline struct fan_r_mixing *add_level(struct fan_report *r, const char *level)
{
	struct fan_r_mixing *m = fan_array_add(&r->isolation.levels, &fan_mixing_table);

	assert_non_null(m);
	m->level = own(level);
	return m;
}

static inline void add_first(struct fan_report *r, int64_t ts_ns, int64_t ns, const char *kind)
{
	struct fan_r_mixed *m = fan_array_add(&r->isolation.first, &fan_mixed_table);

	assert_non_null(m);
	*m = (struct fan_r_mixed){ ts_ns, ns, 1, 0, 201, 101, own(kind) };
}

static inline void add_cores(struct fan_report *r)
{
	struct fan_r_core *c = fan_array_add(&r->isolation.cores, &fan_core_table);
	struct fan_r_amount *a;

	assert_non_null(c);
	assert_int_equal(fan_ints_add(&c->cpus, 0), 0);
	assert_int_equal(fan_ints_add(&c->cpus, 1), 0);
	c->idle_ns = 500 * MS;
	c->kernel_ns = c->beside_ns = c->other_ns = c->unknown_ns = 0;
	c->mixed_ns = 3500 * MS;
	c->forced_idle_ns = 42 * MS;
	for (int i = 0; i < 2; i++) {
		a = fan_array_add(&c->vms, &fan_amount_table);
		assert_non_null(a);
		a->name = own(i ? "blue" : "green");
		a->ns = i ? 1 * S : 5 * S;
	}
}

static inline void add_forced(struct fan_report *r)
{
	struct fan_r_forced_idle *f = &r->isolation.forced_idle;

	f->total_ns = f->caused_ns = f->suffered_ns = 42 * MS;
	f->upper_bound = true;
	for (int i = 0; i < 2; i++) {
		struct fan_r_forced_group *g = fan_array_add(&f->groups, &fan_forced_table);

		assert_non_null(g);
		g->name = own(i ? "blue" : "green");
		g->caused_ns = i ? 2 * MS : 40 * MS;
		g->suffered_ns = i ? 40 * MS : 2 * MS;
	}
	f->counter = own("not told");
}

/* Two VMs on one core of which nothing is known but this; 10 s of co-run. */
static inline void fill(struct fan_report *r)
{
	struct fan_r_isolation *iso = &r->isolation;
	struct fan_r_mixed_pair *pair;
	struct fan_r_bucket *b;

	fan_tree_init(r, &fan_report_table);
	r->source.file = own("my trace.dat");
	r->source.kernel = own("6.12.1");
	r->source.clock = own("mono");
	r->source.first_ns = 5 * S;
	r->period.start_ns = 0;
	r->period.end_ns = 10 * S;
	add_vm(r, "green", 101);
	add_vm(r, "blue", 201);
	iso->sentence = own("core scheduling is not acting: no cookies set");
	iso->verdict.word = "shared";
	iso->applicable = true;
	iso->tolerance_ns = 50 * US;
	iso->max_violation_pct = 1;
	iso->expected_pct = 48;
	iso->expected_apart_pct = 60;
	iso->cookies = own("none");
	fill_mixing(&iso->judged, "vm", 10 * S);
	fill_mixing(add_level(r, "vm"), "vm", 10 * S);
	add_level(r, "guest");
	pair = fan_array_add(&iso->pairs, &fan_mixed_pair_table);
	assert_non_null(pair);
	*pair = (struct fan_r_mixed_pair){ own("green"), own("blue"), 2 * S, 500 * MS,
					   1 * S,	 250,	      11,    30 * MS };
	b = fan_array_add(&iso->histogram, &fan_bucket_table);
	assert_non_null(b);
	*b = (struct fan_r_bucket){ 20 * MS, 50 * MS, 250 };
	/* 5.123456500 s is rounded up, as trace-cmd does it */
	add_first(r, 123456500, 30 * MS, "violation");
	add_first(r, 200 * MS, 100 * US, "unresolved");
	add_cores(r);
	add_forced(r);
	assert_int_equal(fan_strs_add(&iso->notes, "no kvm_entry event"), 0);
}

/* What print() prints of r, to be freed; r is freed. */
static inline char *printed(struct fan_report *r,
			    void (*print)(const struct fan_report *r, FILE *f))
{
	struct paper p;

	print(r, paper(&p));
	fan_report_free(r);
	return read_paper(&p);
}

static inline void print_page(const struct fan_report *r, FILE *f)
{
	struct fcap_err err = { 0 };

	assert_int_equal(fan_audit_text(r, f, &err), 0);
}

static inline void print_part(const struct fan_report *r, FILE *f)
{
	struct fan_print p = { .f = f };

	fan_print_isolation(r, &p);
	assert_int_equal(p.r, 0);
}

static inline void assert_page(struct fan_report *r, const char *want)
{
	char *got = printed(r, print_page);

	assert_string_equal(got, want);
	free(got);
}

static inline void assert_part(struct fan_report *r, const char *want)
{
	char *got = printed(r, print_part);

	assert_string_equal(got, want);
	free(got);
}

/* The page has this, or has it not. */
static inline void assert_holds(struct fan_report *r, const char *part, bool want)
{
	char *got = printed(r, print_page);

	if ((strstr(got, part) != NULL) != want)
		fail_msg("\"%s\" is %s in:\n%s", part, want ? "not" : "still", got);
	free(got);
}

#endif
