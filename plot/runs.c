// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "runs": the score of each VM in each run, or the work a second, with the mean of
 * each configuration and its interval; the CPU time where no score is told, or in several units.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "plot/run_values.h"
#include "plot/set.h"

#define HEIGHT_IN 2.3
#define SPREAD	  0.5 /* of a configuration's place, that its runs are spread over */

struct plan {
	const struct fan_compare *c;
	const struct fan_c_configuration *configs;
	const struct fan_run *runs;
	const char *unit; /* of the scores; NULL: CPU time is drawn */
};

static struct plan plan_of(const struct fan_compare *c)
{
	return (struct plan){ .c = c,
			      .configs = c->configurations.items,
			      .runs = c->runs.items,
			      .unit = fplot_runs_unit(c) };
}

static double value_of(const struct plan *p, const struct fan_run *run, const char *vm)
{
	return fplot_run_value(run, vm, p->unit);
}

/* VMs are those of the first configuration. */
static size_t vms_of(const struct plan *p)
{
	return p->c->configurations.n ? p->configs[0].groups.n : 0;
}

static const char *vm_name(const struct plan *p, size_t vm)
{
	const struct fan_c_group *g = p->configs[0].groups.items;

	return g[vm].name ? g[vm].name : "-";
}

/* Smallest and largest of what is drawn; false: nothing. */
static bool find_range(const struct plan *p, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t vm = 0; vm < vms_of(p); vm++)
		for (size_t i = 0; i < p->c->runs.n; i++) {
			const double v = value_of(p, &p->runs[i], vm_name(p, vm));

			if (!isfinite(v))
				continue;
			*lo = fmin(*lo, v);
			*hi = fmax(*hi, v);
		}
	return *hi >= *lo;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct plan plan = plan_of(p->compare);
	double lo, hi;

	if (!find_range(&plan, &lo, &hi))
		return fcap_fail(err, EINVAL, "no run of it tells a score or CPU time");
	return 0;
}

static double place(const struct plan *p, size_t vm, size_t config)
{
	return (double)vm + ((double)config + 0.5) / (double)p->c->configurations.n * 0.8 - 0.4;
}

/* The runs of a configuration side by side, in their order, around its place. */
static double offset(const struct plan *p, size_t i, size_t n)
{
	const double width = SPREAD * 0.8 / (double)p->c->configurations.n;

	return n < 2 ? 0 : width * ((double)i / (double)(n - 1) - 0.5);
}

static size_t runs_of(const struct plan *p, size_t config)
{
	size_t n = 0;

	for (size_t i = 0; i < p->c->runs.n; i++)
		n += fplot_is_run_of(&p->runs[i], &p->configs[config]);
	return n;
}

/* All of one VM in one configuration. */
static void put_rows(const struct plan *p, size_t vm, size_t config, FILE *f)
{
	const struct fan_est *mean = fplot_config_mean(&p->configs[config], vm_name(p, vm),
						       p->unit);
	size_t n = 0;

	for (size_t i = 0; i < p->c->runs.n; i++) {
		if (!fplot_is_run_of(&p->runs[i], &p->configs[config]))
			continue;
		fprintf(f, "%zu\t%.4f", config,
			place(p, vm, config) + offset(p, n++, runs_of(p, config)));
		fplot_put_real(f, value_of(p, &p->runs[i], vm_name(p, vm)), 4);
		fprintf(f, "\t%.4f", place(p, vm, config));
		fplot_put_real(f, mean ? mean->value : NAN, 4);
		fplot_put_real(f, mean ? mean->lo : NAN, 4);
		fplot_put_real(f, mean ? mean->hi : NAN, 4);
		fputc('\t', f);
		fplot_put_name(f, vm_name(p, vm));
		fputc('\t', f);
		fplot_put_name(f, p->configs[config].label);
		fputc('\t', f);
		fplot_put_name(f, p->runs[i].name);
		fputc('\n', f);
	}
}

static int put_data(const void *what, FILE *f)
{
	const struct plan *p = what;

	fplot_put_measured(f, p->unit);
	fputs("# config_number\tx\tvalue\tx_of_mean\tmean\tlo\thi\tvm\tconfig\trun\n", f);
	for (size_t vm = 0; vm < vms_of(p); vm++)
		for (size_t config = 0; config < p->c->configurations.n; config++)
			put_rows(p, vm, config, f);
	return 0;
}

/* All of the values are 0, or one value below; and no interval makes them more. */
static bool is_flat(const struct plan *p, double lo, double hi)
{
	for (size_t i = 0; i < p->c->configurations.n; i++)
		for (size_t vm = 0; vm < vms_of(p); vm++) {
			const struct fan_est *e = fplot_config_mean(&p->configs[i], vm_name(p, vm),
								    p->unit);

			if (e && isfinite(e->lo) && isfinite(e->hi) && e->hi > e->lo)
				return false;
		}
	return hi <= 0 && (lo >= 0 || lo == hi);
}

static void put_axes(const struct plan *p, FILE *f)
{
	double lo = 0, hi = 0;

	find_range(p, &lo, &hi);
	for (size_t vm = 0; vm < vms_of(p); vm++) {
		fputs(vm ? ", " : "\tset xtics (", f);
		fplot_put_tic(f, vm_name(p, vm));
		fprintf(f, " %zu", vm);
	}
	fprintf(f,
		") scale 0 offset 0,0.3\n\tset xrange [-0.5:%zu.5]\n\tset rmargin 2\n"
		"\tset ytics offset 0.4,0\n",
		vms_of(p) - 1);
	if (is_flat(p, lo, hi)) /* of which gnuplot would make an axis with a complaint */
		fprintf(f, "\tset yrange [%g:%g]\n", fmin(lo, 0), fmax(hi, fmin(lo, 0) + 1));
	else
		fprintf(f, "\tset yrange [%s:*]\n", lo >= 0 ? "0" : "*");
	fplot_put_value_axis(f, p->unit, hi);
}

static void put_plot(const void *what, FILE *f)
{
	const struct plan *p = what;
	const size_t n = p->c->configurations.n;

	put_axes(p, f);
	fputs("\tset key outside top center horizontal maxcols 3 Left reverse \\\n"
	      "\t\tsamplen 0.8 font ',7'\n"
	      "\tplot \\\n"
	      "\t\t'runs.tsv' using 4:5:6:7 with yerrorbars pt -1 lc rgb 0x000000 lw 0.75 "
	      "notitle, \\\n",
	      f);
	fprintf(f,
		"\t\t'' using ($4-%g):5:(%g):(0) with vectors nohead lc rgb 0x000000 lw 1.5 \\\n"
		"\t\t\ttitle say('mean and interval')",
		SPREAD * 0.5 / (double)n, SPREAD / (double)n);
	for (size_t i = 0; i < n; i++) {
		fprintf(f,
			", \\\n\t\t'' using ($1 == %zu ? $2 : NaN):3 with points pt %d "
			"ps dot*1.4 \\\n\t\t\tlc rgb 0x%s title ",
			i, fplot_mark(i), fplot_colour(i));
		fplot_put_label(f, p->configs[i].label);
	}
	fputc('\n', f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct plan plan = plan_of(p->compare);
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_runs,
		.height_in = HEIGHT_IN,
		.what = &plan,
		.put_data = put_data,
		.put_plot = put_plot,
	};

	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_runs = {
	.name = "runs",
	.title = "Of a comparison: each run's score, or CPU time, and the means",
	.is_of_compare = true,
	.check = check,
	.draw = draw,
};
