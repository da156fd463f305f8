/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tables of runs for the tests of comparisons, and gaps found by name. */
#ifndef TESTS_COMPARE_TEST_H
#define TESTS_COMPARE_TEST_H

#include "tests/unit/stats_test.h"

#include <errno.h>

#include "analyze/report/compare_assemble.h"
#include "analyze/report/json.h"

/* The run of this configuration and name, added if there is none. */
static inline struct fan_run *run_named(struct fan_runs *runs, const char *config, const char *name)
{
	struct fan_run *run = runs->items.items;

	for (size_t i = 0; i < runs->items.n; i++)
		if (strcmp(run[i].config, config) == 0 && strcmp(run[i].name, name) == 0)
			return &run[i];
	run = fan_runs_add(runs, config, name);
	assert_non_null(run);
	return run;
}

static inline struct fan_run_group *vm_of(struct fan_run *run, const char *vm)
{
	struct fan_run_group *g = fan_run_group(run, vm);

	assert_non_null(g);
	return g;
}

/* Scores of one VM in runs 1, 2, ... of a configuration; NaN: the VM is not in that run. */
static inline void put_scores(struct fan_runs *runs, const char *config, const char *vm,
			      const double *scores, size_t n)
{
	char name[16];

	for (size_t i = 0; i < n; i++) {
		struct fan_run *run;
		struct fan_run_group *g;

		snprintf(name, sizeof(name), "%zu", i + 1);
		run = run_named(runs, config, name);
		if (isnan(scores[i]))
			continue;
		g = vm_of(run, vm);
		g->score = scores[i];
		assert_int_equal(fan_str_set(&g->unit, "score"), 0);
	}
}

#define PUT(runs, config, vm, ...)                                                       \
	do {                                                                             \
		const double scores_[] = { __VA_ARGS__ };                                \
		put_scores(runs, config, vm, scores_, sizeof(scores_) / sizeof(double)); \
	} while (0)

static const struct fan_compare_options plain = { .level = 0.95, .margin = 3 };

/* Runs move into the comparison, which has to succeed. */
static inline void compare(struct fan_compare *c, struct fan_runs *runs,
			   const struct fan_compare_options *options)
{
	struct fcap_err err = { 0 };

	if (fan_compare_assemble(c, runs, options, &err) < 0)
		fail_msg("%s", err.text);
}

/* The only gap of this name, config and per (NULL: whatever it is). */
static inline const struct fan_c_gap *gap_named(const struct fan_compare *c, const char *name,
						const char *config, const char *per)
{
	const struct fan_c_gap *g = c->gaps.items, *ret = NULL;

	for (size_t i = 0; i < c->gaps.n; i++) {
		if (strcmp(g[i].name, name) != 0 ||
		    (config && strcmp(g[i].config ? g[i].config : g[i].a, config) != 0) ||
		    (per && (!g[i].per || strcmp(g[i].per, per) != 0)))
			continue;
		assert_null(ret);
		ret = &g[i];
	}
	if (!ret)
		fail_msg("no %s of %s", name, per ? per : config ? config : "anything");
	return ret;
}

static inline size_t count_gaps(const struct fan_compare *c, const char *name)
{
	const struct fan_c_gap *g = c->gaps.items;
	size_t ret = 0;

	for (size_t i = 0; i < c->gaps.n; i++)
		ret += strcmp(g[i].name, name) == 0;
	return ret;
}

static inline const struct fan_c_group *group_named(const struct fan_compare *c, const char *config,
						    const char *vm)
{
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++) {
		const struct fan_c_group *g = of[k].groups.items;

		for (size_t i = 0; strcmp(of[k].label, config) == 0 && i < of[k].groups.n; i++)
			if (strcmp(g[i].name, vm) == 0)
				return &g[i];
	}
	fail_msg("no %s in %s", vm, config);
	return NULL;
}

static inline bool has_note(const struct fan_compare *c, const char *words)
{
	for (size_t i = 0; i < c->notes.n; i++)
		if (strstr(c->notes.items[i], words))
			return true;
	return false;
}

static inline bool has_reason(const struct fan_verdict_text *v, const char *words)
{
	for (size_t i = 0; i < v->reasons.n; i++)
		if (strcmp(v->reasons.items[i], words) == 0)
			return true;
	return false;
}

#endif
