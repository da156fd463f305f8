// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure.h"
#include "plot/share_parts.h"

#define PARTS 50 /* of the run: the running mean is over one of them */

#define NAME  "share"
#define TITLE "Share of the CPU over time, what was due, and the interval of the run"

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_report *r = p->report;
	const struct fan_r_curve *c = r->series.groups.items;

	if (r->groups.n > 0 && r->series.groups.n == 0)
		return fcap_fail(err, EINVAL,
				 "it does not tell who ran, so there is no share to draw; record "
				 "sched_switch too");
	if (r->groups.n == 0)
		return fcap_fail(err, EINVAL,
				 "no group was found in it, so there is no share to draw; "
				 "try another --group");
	if (r->series.t_ns.n == 0)
		return fcap_fail(err, EINVAL,
				 "there is not one whole window in which all groups were "
				 "there, so there is no share over time to draw; record longer");
	for (size_t i = 0; i < r->series.groups.n; i++)
		if (c[i].share.n != r->series.t_ns.n || c[i].expected.n != r->series.t_ns.n)
			return fcap_fail(err, EINVAL,
					 "its series are of unequal length; make it again");
	return 0;
}

const struct fan_r_group *fplot_share_group(const struct fplot_share_data *s, size_t curve)
{
	const struct fan_r_group *g = s->r->groups.items;

	for (size_t i = 0; i < s->r->groups.n; i++)
		if (g[i].name && s->curves[curve].name &&
		    strcmp(g[i].name, s->curves[curve].name) == 0)
			return &g[i];
	return NULL;
}

static int put_windows(const void *what, FILE *f)
{
	const struct fplot_share_data *s = what;

	fputs("# " TITLE "\n#\n", f);
	fplot_put_origin(f, s->page);
	fputs("# t_s", f);
	for (size_t i = 0; i < s->n; i++) {
		fputs("\tshare_pct:", f);
		fplot_put_name(f, s->curves[i].name);
		fputs("\texpected_pct:", f);
		fplot_put_name(f, s->curves[i].name);
		if (!s->span)
			continue;
		fprintf(f, "\tmean_of_%zu_pct:", s->span);
		fplot_put_name(f, s->curves[i].name);
	}
	fputc('\n', f);
	for (size_t w = 0; w < s->windows; w++) {
		fprintf(f, "%.6f", (double)s->r->series.t_ns.items[w] / 1e9);
		for (size_t i = 0; i < s->n; i++) {
			fplot_put_real(f, s->curves[i].share.items[w], 4);
			fplot_put_real(f, s->curves[i].expected.items[w], 4);
			if (s->span)
				fplot_put_real(f, s->mean[i * s->windows + w], 4);
		}
		fputc('\n', f);
	}
	return 0;
}

static int put_groups(const void *what, FILE *f)
{
	const struct fplot_share_data *s = what;

	fputs("# " TITLE ": groups\n#\n", f);
	fplot_put_origin(f, s->page);
	fputs("# name\texpected_pct\tshare_pct\tlo_pct\thi_pct\tlevel\tn\tmethod\n", f);
	for (size_t i = 0; i < s->n; i++) {
		const struct fan_r_group *g = fplot_share_group(s, i);

		fplot_put_name(f, s->curves[i].name);
		fplot_put_real(f, g ? g->expected_pct : NAN, 4);
		fplot_put_real(f, g ? g->share.value : NAN, 4);
		fplot_put_real(f, g ? g->share.lo : NAN, 4);
		fplot_put_real(f, g ? g->share.hi : NAN, 4);
		if (g)
			fprintf(f, "\t%g\t%llu\t%s\n", g->share.level,
				(unsigned long long)g->share.n,
				g->share.method ? g->share.method : "-");
		else
			fputs("\tNaN\t0\t-\n", f);
	}
	return 0;
}

/*
 * Of the shares from half a span before to half a span after each window, as far as they are
 * there; none where the window itself has no share. sum and count have windows + 1 items.
 */
static void average(const struct fplot_share_data *s, size_t curve, double *sum, size_t *count)
{
	const double *share = s->curves[curve].share.items;
	double *mean = s->mean + curve * s->windows;
	const size_t half = s->span / 2;

	sum[0] = 0;
	count[0] = 0;
	for (size_t w = 0; w < s->windows; w++) {
		sum[w + 1] = sum[w] + (isnan(share[w]) ? 0 : share[w]);
		count[w + 1] = count[w] + !isnan(share[w]);
	}
	for (size_t w = 0; w < s->windows; w++) {
		const size_t from = w > half ? w - half : 0;
		const size_t to = w + half < s->windows ? w + half + 1 : s->windows;

		mean[w] = isnan(share[w])
				  ? NAN
				  : (sum[to] - sum[from]) / (double)(count[to] - count[from]);
	}
}

static int add_means(struct fplot_share_data *s)
{
	double *sum = calloc(s->windows + 1, sizeof(*sum));
	size_t *count = calloc(s->windows + 1, sizeof(*count));
	int e = -ENOMEM;

	s->mean = calloc(s->n * s->windows, sizeof(*s->mean));
	if (sum && count && s->mean) {
		for (size_t i = 0; i < s->n; i++)
			average(s, i, sum, count);
		e = 0;
	}
	free(sum);
	free(count);
	return e;
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct fan_r_series *series = &p->report->series;
	struct fplot_share_data s = {
		.page = p,
		.r = p->report,
		.curves = series->groups.items,
		.n = series->groups.n,
		.windows = series->t_ns.n,
	};
	int e = 0;

	s.drawn = s.n < FPLOT_GROUPS ? s.n : FPLOT_GROUPS;
	if (s.windows / PARTS >= 2)
		s.span = s.windows / PARTS | 1;
	s.stride = s.span ? 3 : 2;
	if (s.span && add_means(&s) < 0)
		e = fcap_fail(err, ENOMEM, "out of memory");
	if (e == 0)
		e = fplot_write(dir, NAME ".tsv", put_windows, &s, err);
	if (e == 0)
		e = fplot_write(dir, NAME "-groups.tsv", put_groups, &s, err);
	if (e == 0)
		e = fplot_write(dir, NAME ".gp", fplot_share_put_script, &s, err);
	free(s.mean);
	return e;
}

const struct fplot_figure fplot_share = {
	.name = NAME,
	.title = TITLE,
	.extra = NAME "-groups.tsv",
	.check = check,
	.draw = draw,
};
