// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <math.h>

#include "analyze/report/assemble_vcpu.h"

/* What was due in each window, else the one number for all of them. */
static double expected_at(const struct fan_assembly *a, size_t group, size_t w, double expected_pct)
{
	const struct fan_matrix *x = a->matrix;

	if (!a->is_by_demand)
		return expected_pct;
	return x->due_total[w] > 0 ? 100 * x->due[group * x->windows + w] / x->due_total[w] : NAN;
}

static int add_curve(struct fan_r_series *s, const struct fan_assembly *a, size_t group,
		     double expected_pct)
{
	double lag = 0;
	const struct fan_matrix *x = a->matrix;
	const double *part = x->part + group * x->windows;
	struct fan_r_curve *c = fan_array_add(&s->groups, &fan_curve_table);
	int r = 0;

	if (!c)
		return -ENOMEM;
	r = fan_str_set(&c->name, a->g->items[group].name);
	for (size_t w = 0; r == 0 && w < x->windows; w++) {
		r = fan_reals_add(&c->share, x->total[w] > 0 ? 100 * part[w] / x->total[w] : NAN);
		if (r == 0)
			r = fan_reals_add(&c->expected, expected_at(a, group, w, expected_pct));
		lag += x->due[group * x->windows + w] - part[w];
		if (r == 0 && a->is_by_demand)
			r = fan_ints_add(&c->lag_ns, (int64_t)lag);
		if (r == 0)
			r = fan_ints_add(&c->run_ns, (int64_t)part[w]);
		if (r == 0)
			r = fan_ints_add(&c->wait_ns, (int64_t)x->wait[group * x->windows + w]);
	}
	return r < 0 ? r : fan_assemble_vcpu_windows(c, a, group);
}

int fan_assemble_series(struct fan_report *r, const struct fan_assembly *a)
{
	const int64_t base = (int64_t)fan_series_width_ns(a->m->series);
	const struct fan_r_group *g = r->groups.items;
	int e = 0;

	r->series.window_ns = r->period.window_ns;
	for (size_t w = 0; e == 0 && w < a->matrix->windows; w++)
		e = fan_ints_add(&r->series.t_ns, r->period.start_ns +
							  (int64_t)a->overlap->first * base +
							  (int64_t)w * r->period.window_ns);
	for (size_t i = 0; e == 0 && i < r->groups.n; i++)
		e = add_curve(&r->series, a, (size_t)fan_groups_named(a->g, g[i].name),
			      g[i].expected_pct);
	return e;
}
