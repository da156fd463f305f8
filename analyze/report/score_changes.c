// SPDX-License-Identifier: GPL-3.0-or-later
/* What windows of one run each say of VMs over each other, and of configurations. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/score_windows.h"
#include "analyze/stats/holm.h"
#include "analyze/stats/jain.h"
#include "analyze/stats/paired.h"
#include "analyze/stats/rate.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/tost.h"

#define ALL_DUE_SLACK 1.0 /* points by which rounded expectations may miss 100 */

/* Divides the ratio behind the log by another. */
static void shift_log(struct fan_est *e, double by)
{
	e->value -= by;
	e->lo -= by;
	e->hi -= by;
	e->lo_adj -= by;
	e->hi_adj -= by;
}

/* The index of one series and what is left of the total. */
static int jain_of_rest(struct fan_est *ret, const struct fan_score_series *s, double level)
{
	double *rest = calloc(s->n ? s->n : 1, sizeof(*rest)), part = 0, left = 0, x[2];
	const double due = s->expected_pct;
	struct fan_est log_ratio;
	int r;

	if (!rest)
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++) {
		rest[i] = fmax(s->total[i] - s->part[i], 0);
		part += s->part[i];
		left += rest[i];
	}
	r = fan_est_log_ratio(&(struct fan_paired){ s->part, rest, s->n }, level, 1, &log_ratio);
	free(rest);
	if (r < 0)
		return r;
	shift_log(&log_ratio, log(due / (100 - due)));
	x[0] = part / due;
	x[1] = left / (100 - due);
	return fan_est_jain(x, 2, level, isnan(log_ratio.value) ? NULL : &log_ratio, ret);
}

static int jain_of_all(struct fan_est *ret, const struct fan_score_config *c, double level)
{
	const struct fan_score_series *s = c->series;
	double *x = calloc(c->n ? c->n : 1, sizeof(*x));
	struct fan_est log_ratio;
	bool has_ratio = false;
	int r = x ? 0 : -ENOMEM;

	for (size_t k = 0; r == 0 && k < c->n; k++) {
		for (size_t i = 0; i < s[k].n; i++)
			x[k] += s[k].part[i];
		x[k] /= s[k].expected_pct;
	}
	if (r == 0 && c->n == 2 && s[0].n == s[1].n) {
		r = fan_est_log_ratio(&(struct fan_paired){ s[0].part, s[1].part, s[0].n }, level,
				      1, &log_ratio);
		shift_log(&log_ratio, log(s[0].expected_pct / s[1].expected_pct));
		has_ratio = !isnan(log_ratio.value);
	}
	if (r == 0)
		r = fan_est_jain(x, c->n, level, has_ratio ? &log_ratio : NULL, ret);
	free(x);
	return r;
}

int fan_score_jain(struct fan_c_configuration *ret, const struct fan_score_config *c,
		   enum fan_score_kind kind, double level)
{
	double due = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!(c->series[i].expected_pct > 0))
			return 0;
		due += c->series[i].expected_pct;
	}
	if (kind == FAN_SCORES_SHARES && c->n == 1 && due < 100)
		return jain_of_rest(&ret->jain, c->series, level);
	if (c->n > 1 && fabs(due - 100) <= ALL_DUE_SLACK)
		return jain_of_all(&ret->jain, c, level);
	return 0;
}

/* Adjusts the p of the gaps from this one on, which are one family. */
static int adjust(struct fan_compare *c, size_t from)
{
	struct fan_c_gap *gap = c->gaps.items;
	const size_t n = c->gaps.n - from;
	double *p = calloc(n ? n : 1, sizeof(*p));
	int r;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		p[i] = gap[from + i].p;
	r = fan_holm(p, n, p);
	for (size_t i = 0; r == 0 && i < n; i++)
		gap[from + i].p_adj = p[i];
	free(p);
	return r;
}

static int add_pair(struct fan_compare *ret, const struct fan_score_config *c,
		    const struct fan_score_series *a, const struct fan_score_series *b,
		    const struct fan_score_options *options)
{
	struct fan_c_gap *gap = fan_array_add(&ret->gaps, &fan_c_gap_table);
	const bool is_due = a->expected_pct > 0 && b->expected_pct > 0;
	const unsigned int m = (unsigned int)(c->n * (c->n - 1) / 2);
	struct fan_verdict v;
	struct fan_est e;
	int r;

	if (!gap)
		return -ENOMEM;
	r = fan_est_log_ratio(&(struct fan_paired){ a->part, b->part, a->n }, options->level, m,
			      &e);
	if (r < 0)
		return r;
	if (is_due)
		shift_log(&e, log(a->expected_pct / b->expected_pct));
	fan_est_percent(&e, &gap->est);
	gap->p = fan_p_zero(&e);
	gap->noise_floor = 100 * expm1(fan_unsigned_floor(&e));
	r = fan_judge_gap(&e, log1p(options->margin / 100), &v);
	if (r == 0)
		r = fan_score_verdict(&gap->verdict, &v);
	gap->verdict.margin = options->margin;
	if (r == 0)
		r = fan_str_set(&gap->name, "between_vm");
	if (r == 0)
		r = fan_str_set(&gap->a, a->vm);
	if (r == 0)
		r = fan_str_set(&gap->b, b->vm);
	if (r == 0 && *c->label)
		r = fan_str_set(&gap->config, c->label);
	return r < 0 ? r : fan_str_set(&gap->of, is_due ? "work over due" : "work");
}

int fan_score_between(struct fan_compare *ret, const struct fan_score_config *c,
		      const struct fan_score_options *options)
{
	const size_t from = ret->gaps.n;
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->n; i++)
		for (size_t k = i + 1; r == 0 && k < c->n; k++)
			r = add_pair(ret, c, &c->series[i], &c->series[k], options);
	return r < 0 ? r : adjust(ret, from);
}

/* The VM of x to set y against: of the same name; or the only one, if y is the only one too. */
static const struct fan_c_group *counterpart(const struct fan_c_configuration *x,
					     const struct fan_c_configuration *y,
					     const struct fan_c_group *of)
{
	const struct fan_c_group *g = x->groups.items;

	for (size_t i = 0; i < x->groups.n; i++)
		if (strcmp(g[i].name, of->name) == 0)
			return &g[i];
	return x->groups.n == 1 && y->groups.n == 1 ? g : NULL;
}

static int describe_change(struct fan_c_gap *gap, const struct fan_c_group *y,
			   const struct fan_c_group *x)
{
	char *per = NULL;
	int r;

	if (strcmp(y->name, x->name) == 0)
		return fan_str_set(&gap->per, y->name);
	if (asprintf(&per, "%s over %s", y->name, x->name) < 0)
		return -ENOMEM;
	r = fan_str_set(&gap->per, per);
	free(per);
	return r < 0 ? r
		     : fan_strs_add(&gap->verdict.reasons,
				    "each configuration was measured in a VM of its own, so that "
				    "the change may be the VM's");
}

static const struct fan_c_windows *windows_of(const struct fan_compare *c, const char *config,
					      const char *vm)
{
	const struct fan_c_windows *w = c->windows.items;

	for (size_t i = 0; i < c->windows.n; i++)
		if (strcmp(w[i].config, config) == 0 && strcmp(w[i].vm, vm) == 0)
			return &w[i];
	return NULL;
}

/* What a test that takes windows for independent would say: for contrast. */
static int note_contrast(struct fan_compare *ret, const struct fan_c_gap *gap,
			 const struct fan_c_group *y, const struct fan_c_group *x,
			 const struct fan_est_spec *spec)
{
	const struct fan_c_windows *wy = windows_of(ret, gap->a, y->name);
	const struct fan_c_windows *wx = windows_of(ret, gap->b, x->name);
	struct fan_est e;
	int r;

	if (!wy || !wx)
		return 0;
	r = fan_est_minus(&wy->independent, &wx->independent, spec, &e);
	if (r < 0 || isnan(e.lo))
		return r;
	return fan_strs_add(
		&ret->notes,
		"windows taken as independent would give %.1f to %.1f points for %s over "
		"%s (%s): too narrow, for contrast alone",
		e.lo, e.hi, gap->a, gap->b, gap->per);
}

static int add_change(struct fan_compare *ret, const struct fan_c_configuration *cy,
		      const struct fan_c_group *y, const struct fan_c_group *x,
		      const struct fan_est_spec *spec)
{
	const struct fan_c_configuration *cx = ret->configurations.items;
	struct fan_c_gap *gap = fan_array_add(&ret->gaps, &fan_c_gap_table);
	struct fan_verdict v;
	int r;

	if (!gap)
		return -ENOMEM;
	r = fan_est_minus(&y->share, &x->share, spec, &gap->est);
	if (r == 0)
		r = fan_est_minus(&y->share_window_mean, &x->share_window_mean, spec, &gap->second);
	if (r == 0)
		r = fan_judge_gap(&gap->est, ret->margin, &v);
	if (r < 0)
		return r;
	gap->p = fan_p_zero(&gap->est);
	r = fan_score_verdict(&gap->verdict, &v);
	if (r == 0)
		r = fan_str_set(&gap->name, "share_change_pp");
	if (r == 0)
		r = fan_str_set(&gap->a, cy->label);
	if (r == 0)
		r = fan_str_set(&gap->b, cx->label);
	if (r == 0)
		r = describe_change(gap, y, x);
	return r < 0 ? r : note_contrast(ret, gap, y, x, spec);
}

int fan_score_changes(struct fan_compare *ret, const struct fan_score_options *options)
{
	const struct fan_c_configuration *c = ret->configurations.items;
	const size_t from = ret->gaps.n;
	struct fan_est_spec spec = { "points", options->level, 0 };
	int r = 0;

	/* the size of the family first */
	for (size_t i = 1; i < ret->configurations.n; i++)
		for (size_t k = 0; k < c[i].groups.n; k++) {
			const struct fan_c_group *y = c[i].groups.items;

			spec.m += counterpart(c, &c[i], &y[k]) != NULL;
		}
	for (size_t i = 1; r == 0 && i < ret->configurations.n; i++)
		for (size_t k = 0; r == 0 && k < c[i].groups.n; k++) {
			const struct fan_c_group *y = c[i].groups.items, *x;

			x = counterpart(c, &c[i], &y[k]);
			if (x)
				r = add_change(ret, &c[i], &y[k], x, &spec);
		}
	return r < 0 ? r : adjust(ret, from);
}
