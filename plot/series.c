// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "series": what scores came to one after the other, window by window or run by run,
 * with the mean of each VM in each configuration.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/run_values.h"
#include "plot/series_parts.h"
#include "plot/set.h"

#define NAME	  "series"
#define HEIGHT_IN 1.9
#define GAP	  0.03 /* between intervals, of the length of the axis */
#define RUN_ROOM  0.9  /* of the distance of runs, for all of them */

static const struct fan_c_configuration *config_named(const struct fan_compare *c, const char *name)
{
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t i = 0; i < c->configurations.n; i++)
		if (config[i].label && name && strcmp(config[i].label, name) == 0)
			return &config[i];
	return NULL;
}

static bool has_point(const struct fan_c_windows *w)
{
	for (size_t i = 0; i < w->at.n && i < w->share.n; i++)
		if (isfinite(w->at.items[i]) && isfinite(w->share.items[i]))
			return true;
	return false;
}

static bool has_windows(const struct fan_compare *c)
{
	const struct fan_c_windows *w = c->windows.items;

	for (size_t i = 0; i < c->windows.n; i++)
		if (has_point(&w[i]))
			return true;
	return false;
}

static bool has_runs(const struct fan_compare *c)
{
	const struct fan_run *run = c->runs.items;
	const char *unit = fplot_runs_unit(c);

	for (size_t i = 0; i < c->runs.n; i++) {
		const struct fan_run_group *g = run[i].groups.items;

		for (size_t k = 0; k < run[i].groups.n; k++)
			if (isfinite(unit ? g[k].score : g[k].cpus))
				return true;
	}
	return false;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_c_windows *w = p->compare->windows.items;

	for (size_t i = 0; i < p->compare->windows.n; i++)
		if (w[i].at.n != w[i].share.n)
			return fcap_fail(err, EINVAL,
					 "its series are of unequal length; make it again");
	if (!has_windows(p->compare) && !has_runs(p->compare))
		return fcap_fail(err, EINVAL, "no window and no run of it tells a value");
	return 0;
}

/* Where run i is on the axis: its place in the order they were made in, else in the list. */
static double place_of(const struct fan_array *runs, size_t i)
{
	const struct fan_run *run = runs->items;
	size_t before = 0;

	for (size_t k = 0; k < runs->n; k++)
		if (!isfinite(run[k].start))
			return (double)(i + 1);
	for (size_t k = 0; k < runs->n; k++)
		before += run[k].start < run[i].start || (k < i && run[k].start == run[i].start);
	return (double)(before + 1);
}

/* Point i of a line: false, there is none. y may be NaN, which is a gap. */
static bool point_of(const struct fplot_series *s, const struct fplot_series_line *line, size_t i,
		     double *x, double *y)
{
	const struct fan_compare *c = s->page->compare;
	const struct fan_run *run = c->runs.items;

	if (line->windows) {
		*x = line->windows->at.items[i];
		*y = line->windows->share.items[i];
		return isfinite(*x);
	}
	if (!fplot_is_run_of(&run[i], line->config))
		return false;
	*x = place_of(&c->runs, i);
	*y = fplot_run_value(&run[i], line->vm, s->unit);
	return true;
}

static size_t points_of(const struct fplot_series *s, const struct fplot_series_line *line)
{
	return line->windows ? line->windows->at.n : s->page->compare->runs.n;
}

static void widen(struct fplot_series *s, double y)
{
	if (!isfinite(y))
		return;
	s->lo = fmin(s->lo, y);
	s->hi = fmax(s->hi, y);
}

/* What the axes and the legend have to show of a line. */
static void take_in(struct fplot_series *s, const struct fplot_series_line *line)
{
	size_t n = 0;
	double x, y;

	for (size_t i = 0; i < points_of(s, line); i++)
		if (point_of(s, line, i, &x, &y)) {
			widen(s, y);
			n++;
		}
	s->most = n > s->most ? n : s->most;
	s->from = fmin(s->from, line->from);
	s->to = fmax(s->to, line->to);
	widen(s, line->expected);
	s->has_expected |= isfinite(line->expected);
	if (!line->mean || !isfinite(line->mean->value))
		return;
	s->has_means = true;
	s->has_intervals |= isfinite(line->mean->lo) && isfinite(line->mean->hi);
	widen(s, line->mean->value);
	widen(s, line->mean->lo);
	widen(s, line->mean->hi);
}

static void add_line(struct fplot_series *s, struct fplot_series_line line)
{
	size_t n = 0;
	double x, y;

	line.from = INFINITY;
	line.to = -INFINITY;
	for (size_t i = 0; i < points_of(s, &line); i++) {
		if (!point_of(s, &line, i, &x, &y))
			continue;
		line.from = fmin(line.from, x);
		line.to = fmax(line.to, x);
		n += isfinite(y) != 0;
	}
	if (n == 0)
		return;
	s->lines[s->n++] = line;
	if (s->n > FPLOT_GROUPS)
		return;
	s->drawn = s->n;
	take_in(s, &line);
}

static void add_windows(struct fplot_series *s)
{
	const struct fan_compare *c = s->page->compare;
	const struct fan_c_windows *w = c->windows.items;

	for (size_t i = 0; i < c->windows.n; i++) {
		const struct fan_c_configuration *config = config_named(c, w[i].config);
		const struct fan_c_group *g;

		if (!config || !w[i].vm)
			continue;
		g = fplot_config_group(config, w[i].vm);
		add_line(s, (struct fplot_series_line){ .config = config,
							.vm = w[i].vm,
							.windows = &w[i],
							.mean = g ? &g->share : NULL,
							.expected = g ? g->expected_pct : NAN });
	}
}

static void add_runs(struct fplot_series *s)
{
	const struct fan_compare *c = s->page->compare;
	const struct fan_c_configuration *config = c->configurations.items;

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++)
			if (g[k].name)
				add_line(s, (struct fplot_series_line){
						    .config = &config[i],
						    .vm = g[k].name,
						    .mean = fplot_config_mean(&config[i], g[k].name,
									      s->unit),
						    .expected = NAN });
	}
}

/* How many different ones there are decides what the legend has to tell apart. */
static void count_names(struct fplot_series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		bool is_new_config = true, is_new_vm = true;

		for (size_t k = 0; k < i; k++) {
			is_new_config &= s->lines[k].config != s->lines[i].config;
			is_new_vm &= strcmp(s->lines[k].vm, s->lines[i].vm) != 0;
		}
		s->configs += is_new_config;
		s->vms += is_new_vm;
	}
}

/*
 * The intervals of the means stand side by side: of windows right of all of them, of runs right of
 * the runs of their configuration, before the next run.
 */
static void place_bars(struct fplot_series *s)
{
	const double length = fmax(s->to - s->from, 1);
	const double gap = s->is_windows ? GAP * length
					 : fmin(GAP * length, RUN_ROOM / (double)(s->vms + 1));

	for (size_t i = 0; i < s->drawn; i++) {
		struct fplot_series_line *line = &s->lines[i];
		size_t before = 0;

		for (size_t k = 0; k < i; k++)
			before += s->is_windows || s->lines[k].config == line->config;
		line->bar = (s->is_windows ? s->to : line->to) + gap * (double)(before + 1);
	}
	for (size_t i = 0; i < s->drawn; i++)
		s->to = fmax(s->to, s->lines[i].bar);
}

/* s->lines is to be freed. */
static int collect(struct fplot_series *s)
{
	const struct fan_compare *c = s->page->compare;
	const struct fan_c_configuration *config = c->configurations.items;
	size_t most = c->windows.n, entries, longest;

	for (size_t i = 0; i < c->configurations.n; i++)
		most += config[i].groups.n;
	s->lines = calloc(most + 1, sizeof(*s->lines));
	if (!s->lines)
		return -ENOMEM;
	s->from = s->lo = INFINITY;
	s->to = s->hi = -INFINITY;
	s->is_windows = has_windows(c);
	s->unit = fplot_runs_unit(c);
	if (s->is_windows)
		add_windows(s);
	else
		add_runs(s);
	count_names(s);
	place_bars(s);
	fplot_series_legend(s, &entries, &longest);
	s->legend = fplot_legend_of(entries, longest, s->page->width_in);
	return 0;
}

static void put_names(FILE *f, const struct fplot_series_line *line)
{
	fputc('\t', f);
	fplot_put_name(f, line->config->label);
	fputc('\t', f);
	fplot_put_name(f, line->vm);
}

/* Lines are told apart by the two empty lines behind each. */
static int put_data(const void *what, FILE *f)
{
	const struct fplot_series *s = what;
	const struct fan_run *run = s->page->compare->runs.items;
	double x, y;

	if (!s->is_windows)
		fplot_put_measured(f, s->unit);
	fprintf(f, "# %s\t%s\tconfig\tvm%s\n", s->is_windows ? "window" : "place",
		s->is_windows ? "share_pct" : "value", s->is_windows ? "" : "\trun");
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < points_of(s, &s->lines[i]); k++) {
			if (!point_of(s, &s->lines[i], k, &x, &y))
				continue;
			fprintf(f, "%.10g", x);
			fplot_put_real(f, y, 4);
			put_names(f, &s->lines[i]);
			if (!s->is_windows) {
				fputc('\t', f);
				fplot_put_name(f, run[k].name);
			}
			fputc('\n', f);
		}
		fputs("\n\n", f);
	}
	return 0;
}

static int put_means(const void *what, FILE *f)
{
	const struct fplot_series *s = what;
	const struct fan_est none = { .value = NAN, .lo = NAN, .hi = NAN, .level = NAN };

	fprintf(f, "# %s: means\n#\n", fplot_series.title);
	fplot_put_origin(f, s->page);
	fputs("# from\tto\tx\tmean\tlo\thi\texpected\tlevel\tn\tmethod\tconfig\tvm\n", f);
	for (size_t i = 0; i < s->n; i++) {
		const struct fplot_series_line *line = &s->lines[i];
		const struct fan_est *e = line->mean ? line->mean : &none;

		fprintf(f, "%.10g\t%.10g", line->from, line->to);
		fplot_put_real(f, i < s->drawn ? line->bar : NAN, 4);
		fplot_put_real(f, e->value, 4);
		fplot_put_real(f, e->lo, 4);
		fplot_put_real(f, e->hi, 4);
		fplot_put_real(f, line->expected, 4);
		fplot_put_real(f, e->level, 4);
		fprintf(f, "\t%" PRIu64 "\t%s", e->n, e->method ? e->method : "-");
		put_names(f, line);
		fputc('\n', f);
	}
	return 0;
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	struct fplot_series s = { .page = p };
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_series,
		.what = &s,
		.put_data = put_data,
		.put_plot = fplot_series_put_plot,
	};
	int e;

	if (collect(&s) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	c.height_in = HEIGHT_IN + fplot_legend_in(&s.legend);
	e = fplot_write_content(&c, dir, err);
	if (e == 0)
		e = fplot_write(dir, NAME "-means.tsv", put_means, &s, err);
	free(s.lines);
	return e;
}

const struct fplot_figure fplot_series = {
	.name = NAME,
	.title = "Of a comparison: scores one after the other, and the means",
	.extra = NAME "-means.tsv",
	.is_of_compare = true,
	.check = check,
	.draw = draw,
};
