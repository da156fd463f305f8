// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "latency": how many waits for a CPU were no longer than so much, of each group and of
 * each of its vCPUs. Above 90 % the axis is stretched, as what hurts is in the last percents.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plot/latency_parts.h"
#include "plot/set.h"

#define NAME	  "latency"
#define HEIGHT_IN 2.1
#define NOTES	  2   /* entries of the legend besides the groups: marks, single vCPUs */
#define LETTERS	  14  /* of the longer of these */
#define FEW_PCT	  1   /* of the waits that the axis may leave out on the left */
#define NINE_IN	  0.1 /* for each nine behind 99.9 % */

static int64_t waits_in(const struct fan_r_histogram *h)
{
	int64_t n = 0;

	for (size_t i = 0; i < h->count.n; i++)
		n += h->count.items[i];
	return n;
}

static bool is_whole(const struct fan_r_histogram *h)
{
	for (size_t i = 0; i < h->count.n; i++)
		if (h->count.items[i] < 1 || i >= h->upto_ns.n || h->upto_ns.items[i] < 0 ||
		    (i > 0 && h->upto_ns.items[i] <= h->upto_ns.items[i - 1]))
			return false;
	return h->count.n == h->upto_ns.n;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_group_waits *g = p->report->histograms.items;
	bool has_any = false;

	if (p->report->groups.n > 0 && p->report->histograms.n == 0)
		return fcap_fail(err, EINVAL, "the report does not tell how long waits were");
	for (size_t i = 0; i < p->report->histograms.n; i++) {
		const struct fan_r_vcpu_waits *v = g[i].vcpus.items;

		has_any |= g[i].waits.count.n > 0;
		for (size_t k = 0; k <= g[i].vcpus.n; k++)
			if (!is_whole(k < g[i].vcpus.n ? &v[k].waits : &g[i].waits))
				return fcap_fail(err, EINVAL,
						 "its histogram of %s is damaged; make it again",
						 g[i].name ? g[i].name : "a group");
	}
	return has_any ? 0 : fcap_fail(err, EINVAL, "no thread of a group waited for a CPU");
}

/* Of a thread of the group; NULL: it is not there. */
static const struct fan_r_quantiles *quantiles_of(const struct fan_report *r, const char *name,
						  int64_t tid)
{
	const struct fan_r_group *g = r->groups.items;

	for (size_t i = 0; i < r->groups.n; i++) {
		const struct fan_r_thread *t = g[i].threads.items;

		if (!g[i].name || !name || strcmp(g[i].name, name) != 0)
			continue;
		for (size_t k = 0; k < g[i].threads.n; k++)
			if (t[k].tid == tid)
				return &t[k].wait;
	}
	return NULL;
}

/* Those of a thread stand in its group. */
static struct fan_r_quantiles percentiles_of(const struct fan_report *r,
					     const struct fplot_latency_line *line)
{
	const struct fan_r_quantiles none = { FAN_NONE, FAN_NONE, FAN_NONE, FAN_NONE };
	const struct fan_r_quantiles *q;

	if (!line->vcpu)
		return line->group->wait;
	q = quantiles_of(r, line->group->name, line->vcpu->tid);
	return q ? *q : none;
}

static void put_int(FILE *f, int64_t v)
{
	if (v == FAN_NONE)
		fputs("\tNaN", f);
	else
		fprintf(f, "\t%" PRId64, v);
}

/* One curve, and two empty lines behind it, by which gnuplot tells curves apart. */
static void put_curve(FILE *f, const struct fplot_latency_line *line)
{
	const struct fan_r_histogram *h = line->waits;
	const double all = (double)waits_in(h);
	int64_t sum = 0;

	/* all of them are longer than nothing: the curve begins at 0 % */
	for (size_t i = 0; i <= h->count.n; i++) {
		const size_t at = i ? i - 1 : 0;
		const int64_t n = i ? h->count.items[at] : 0;

		sum += n;
		fprintf(f, "%.6f\t%" PRId64, 1e3 * fplot_seconds(h->upto_ns.items[at]), n);
		fplot_put_real(f, 100 * (double)sum / all, 6);
		fputc('\t', f);
		fplot_put_name(f, line->group->name);
		put_int(f, line->vcpu ? line->vcpu->vcpu : FAN_NONE);
		put_int(f, line->vcpu ? line->vcpu->tid : FAN_NONE);
		fputc('\n', f);
	}
	fputs("\n\n", f);
}

static int put_data(const void *what, FILE *f)
{
	const struct fplot_latency *l = what;

	fputs("# of all threads of the group together: vcpu and tid NaN\n"
	      "# upto_ms\tcount\tat_most_that_pct\tgroup\tvcpu\ttid\n",
	      f);
	for (size_t i = 0; i < l->n; i++)
		put_curve(f, &l->lines[i]);
	return 0;
}

/* Percentiles, a row for each curve and in their order; drawn: the number of its colour. */
static int put_percentiles(const void *what, FILE *f)
{
	const struct fplot_latency *l = what;

	fprintf(f, "# %s: percentiles\n#\n", fplot_latency.title);
	fplot_put_origin(f, l->page);
	fputs("# drawn\tp50_ms\tp95_ms\tp99_ms\tlongest_ms\twaits\tgroup\tvcpu\ttid\n", f);
	for (size_t i = 0; i < l->n; i++) {
		const struct fplot_latency_line *line = &l->lines[i];
		const struct fan_r_vcpu_waits *v = line->vcpu;
		const struct fan_r_quantiles q = percentiles_of(l->page->report, line);

		fprintf(f, "%d", v || line->number >= FPLOT_GROUPS ? -1 : (int)line->number);
		fplot_put_real(f, 1e3 * fplot_seconds(q.p50_ns), 6);
		fplot_put_real(f, 1e3 * fplot_seconds(q.p95_ns), 6);
		fplot_put_real(f, 1e3 * fplot_seconds(q.p99_ns), 6);
		fplot_put_real(f, 1e3 * fplot_seconds(q.max_ns), 6);
		put_int(f, waits_in(line->waits));
		fputc('\t', f);
		fplot_put_name(f, line->group->name);
		put_int(f, v ? v->vcpu : FAN_NONE);
		put_int(f, v ? v->tid : FAN_NONE);
		fputc('\n', f);
	}
	return 0;
}

/* Where the curve leaves the ground: FEW_PCT are no longer than that. What is 0 has no place. */
static double begin_ms(const struct fan_r_histogram *h)
{
	const double all = (double)waits_in(h);
	int64_t sum = 0;

	for (size_t i = 0; i < h->count.n; i++) {
		sum += h->count.items[i];
		if (h->upto_ns.items[i] > 0 && 100 * (double)sum >= FEW_PCT * all)
			return 1e3 * fplot_seconds(h->upto_ns.items[i]);
	}
	return INFINITY;
}

static void add_line(struct fplot_latency *l, struct fplot_latency_line line)
{
	const struct fan_ints *upto = &line.waits->upto_ns;

	if (upto->n == 0)
		return;
	l->lines[l->n++] = line;
	if (line.number >= FPLOT_GROUPS)
		return;
	l->most = fmax(l->most, (double)waits_in(line.waits));
	l->hi_ms = fmax(l->hi_ms, 1e3 * fplot_seconds(upto->items[upto->n - 1]));
	l->lo_ms = fmin(l->lo_ms, begin_ms(line.waits));
}

/* The curves of single vCPUs first: that of their group lies on top. l->lines is to be freed. */
static int collect(struct fplot_latency *l, const struct fan_array *groups)
{
	const struct fan_r_group_waits *g = groups->items;
	size_t most = groups->n;

	for (size_t i = 0; i < groups->n; i++)
		most += g[i].vcpus.n;
	l->lines = calloc(most + 1, sizeof(*l->lines));
	if (!l->lines)
		return -ENOMEM;
	l->lo_ms = INFINITY;
	for (size_t i = 0; i < groups->n; i++) {
		const struct fan_r_vcpu_waits *v = g[i].vcpus.items;

		for (size_t k = 0; k < g[i].vcpus.n; k++)
			add_line(l, (struct fplot_latency_line){ &g[i], &v[k], &v[k].waits, i });
		l->has_vcpus |= i < FPLOT_GROUPS && g[i].vcpus.n > 1;
	}
	for (size_t i = 0; i < groups->n; i++)
		add_line(l, (struct fplot_latency_line){ &g[i], NULL, &g[i].waits, i });
	return 0;
}

static struct fplot_legend legend_of(const struct fplot_page *p)
{
	const struct fan_r_group_waits *g = p->report->histograms.items;
	const size_t n = p->report->histograms.n;
	const size_t drawn = n < FPLOT_GROUPS ? n : FPLOT_GROUPS;
	size_t longest = LETTERS;

	for (size_t i = 0; i < drawn; i++) {
		const size_t len = g[i].name ? strlen(g[i].name) : 1;

		longest = len > longest ? len : longest;
	}
	return fplot_legend_of(drawn + NOTES + (n > drawn), longest, p->width_in);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	struct fplot_latency l = { .page = p, .legend = legend_of(p) };
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_latency,
		.what = &l,
		.put_data = put_data,
		.put_plot = fplot_latency_put_plot,
	};
	int e;

	if (collect(&l, &p->report->histograms) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	c.height_in = HEIGHT_IN + fplot_legend_in(&l.legend) + NINE_IN * fmax(0, log10(l.most) - 3);
	e = fplot_write_content(&c, dir, err);
	if (e == 0)
		e = fplot_write(dir, NAME "-percentiles.tsv", put_percentiles, &l, err);
	free(l.lines);
	return e;
}

const struct fplot_figure fplot_latency = {
	.name = NAME,
	.title = "How long the waits for a CPU of each group and vCPU were",
	.extra = NAME "-percentiles.tsv",
	.check = check,
	.draw = draw,
};
