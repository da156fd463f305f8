// SPDX-License-Identifier: GPL-3.0-or-later
/* Which gaps a comparison has, in their order. */
#include "analyze/report/compare_gaps.h"

#include <string.h>

/*
 * The label that fcap's examples use, with on, or what a cookie is for; off and these by hand are
 * the same question.
 */
static bool is_coresched(const struct fan_comparison *c, size_t treatment)
{
	static const char *const acting[] = { "on", "vm", "vcpu" };

	if ((c->options->by && strcmp(c->options->by, "core_sched") != 0) ||
	    strcmp(c->configs[0], "off") != 0)
		return false;
	for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]); i++)
		if (strcmp(c->configs[treatment], acting[i]) == 0)
			return true;
	return false;
}

static int add_between(struct fan_comparison *c)
{
	int e = 0;

	for (size_t k = 0; c->nvms <= FAN_PAIR_VMS && k < c->nconfigs; k++)
		for (size_t a = 0; a < c->nvms; a++)
			for (size_t b = a + 1; e == 0 && b < c->nvms; b++)
				e = fan_gap_between(c, k, a, b);
	return e;
}

static int add_gap_changes(struct fan_comparison *c)
{
	int e = 0;

	for (size_t t = 1; c->nvms <= FAN_PAIR_VMS && t < c->nconfigs; t++)
		for (size_t a = 0; a < c->nvms; a++)
			for (size_t b = a + 1; e == 0 && b < c->nvms; b++)
				e = fan_gap_of_gaps(c, t, a, b);
	return e;
}

struct question {
	const char *name; /* NULL: coresched_change or config_change */
	enum fan_quantity q;
	bool has_total;
};

/* Forced idle of the host is no sum, so that it tells more even of one VM. */
static bool has_total(const struct fan_comparison *c, const struct question *of)
{
	if (!of->has_total || of->q == FAN_Q_FORCED_IDLE)
		return of->has_total;
	return c->nvms > 1 && (of->q == FAN_Q_CPUS || fan_has_one_unit(c));
}

/* Every VM of every treatment, and all of them together where that means something. */
static int add_changes(struct fan_comparison *c, const struct question *of)
{
	int e = 0;

	for (size_t t = 1; t < c->nconfigs; t++) {
		struct fan_change change = { of->name, t, 0, of->q };

		if (!change.name)
			change.name = is_coresched(c, t) ? "coresched_change" : "config_change";
		for (size_t v = 0; e == 0 && v < c->nvms; v++) {
			change.vm = v;
			e = fan_gap_change(c, &change);
		}
		change.vm = FAN_TOTAL;
		if (e == 0 && has_total(c, of))
			e = fan_gap_change(c, &change);
	}
	return e;
}

int fan_compare_gaps(struct fan_comparison *c)
{
	static const struct question scores = { NULL, FAN_Q_SCORE, true };
	static const struct question rest[] = {
		{ "cpu_time_change", FAN_Q_CPUS, true },
		{ "efficiency_change", FAN_Q_EFFICIENCY, true },
		{ "share_change_pp", FAN_Q_SHARE, false },
		{ "deviation_change_pp", FAN_Q_DEVIATION, false },
		{ "forced_idle_change", FAN_Q_FORCED_IDLE, true },
	};
	int e = add_between(c);

	if (e == 0)
		e = add_changes(c, &scores);
	if (e == 0)
		e = add_gap_changes(c);
	for (size_t i = 0; e == 0 && i < sizeof(rest) / sizeof(rest[0]); i++)
		e = add_changes(c, &rest[i]);
	return e;
}
