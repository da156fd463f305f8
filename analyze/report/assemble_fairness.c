// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/jain.h"
#include "analyze/stats/rate.h"

/* Groups that were due something, and how much of it each attained. */
struct parties {
	const struct fan_r_group **group;
	double *x; /* share over expected share */
	size_t n;
	bool is_unknown; /* what some group got or was due is not known */
};

/* A group that was due nothing and got nothing did not take part. */
static int find_parties(struct parties *p, const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;

	p->group = calloc(groups->n + 1, sizeof(*p->group));
	p->x = calloc(groups->n + 1, sizeof(*p->x));
	if (!p->group || !p->x)
		return -ENOMEM;
	for (size_t i = 0; i < groups->n; i++) {
		if (g[i].expected_pct == 0 && g[i].share.value == 0)
			continue;
		p->group[p->n] = &g[i];
		p->x[p->n] = g[i].share.value / g[i].expected_pct;
		p->is_unknown |= !isfinite(p->x[p->n]);
		p->n++;
	}
	return 0;
}

static const double *windows_of(const struct fan_assembly *a, const char *name)
{
	const int32_t i = fan_groups_named(a->g, name);

	return i < 0 ? NULL : a->matrix->part + (size_t)i * a->matrix->windows;
}

/* What the group got in each window over what it was due; to be freed, NULL without memory. */
static double *attained(const struct fan_assembly *a, const struct fan_r_group *g)
{
	const double *part = windows_of(a, g->name);
	double *ret = calloc(a->matrix->windows + 1, sizeof(*ret));

	for (size_t w = 0; ret && part && w < a->matrix->windows; w++)
		ret[w] = part[w] / g->expected_pct;
	return ret;
}

/* The pair was picked after looking at all pairs: the family is all of them. */
static int compare(const struct parties *p, struct fan_extremes e, const struct fan_assembly *a,
		   struct fan_est *ret)
{
	const unsigned int pairs = (unsigned int)(p->n * (p->n - 1) / 2);
	double *most = attained(a, p->group[e.most]), *least = attained(a, p->group[e.least]);
	int r = -ENOMEM;

	if (most && least)
		r = fan_est_log_ratio(&(struct fan_paired){ most, least, a->matrix->windows },
				      a->options->level, pairs, ret);
	free(most);
	free(least);
	return r;
}

static int add_pair(struct fan_r_pair *pair, const struct parties *p, const struct fan_assembly *a,
		    struct fan_est *ret_log_ratio)
{
	const struct fan_extremes e = fan_jain_extremes(p->x, p->n);
	const int r = compare(p, e, a, ret_log_ratio);

	if (r < 0)
		return r;
	fan_est_exp(ret_log_ratio, &pair->ratio);
	return fan_str_set(&pair->a, p->group[e.most]->name) < 0
		       ? -ENOMEM
		       : fan_str_set(&pair->b, p->group[e.least]->name);
}

int fan_assemble_fairness(struct fan_report *r, const struct fan_assembly *a)
{
	const double level = a->options->level;
	struct fan_est log_ratio;
	struct parties p = { 0 };
	int e = find_parties(&p, &r->groups);

	fan_est_init(&r->fairness.jain, NULL, level, 1);
	fan_est_init(&r->fairness.worst_pair.ratio, "ratio", level, 1);
	fan_est_init(&log_ratio, "log", level, 1);
	if (e == 0 && !p.is_unknown && p.n > 1)
		e = add_pair(&r->fairness.worst_pair, &p, a, &log_ratio);
	if (e == 0 && !p.is_unknown)
		e = fan_est_jain(p.x, p.n, level, p.n > 1 ? &log_ratio : NULL, &r->fairness.jain);
	free(p.group);
	free(p.x);
	return e;
}
