// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "waits": percentiles of the waits of each vCPU, of every thread where there is no
 * vCPU, on a logarithmic axis.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "plot/set.h"
#include "plot/stack.h"

static const struct fplot_legend legend = { .columns = 4, .rows = 1 };

#define ROW_IN	  0.14
#define AROUND_IN 0.7
#define DRAWN	  40  /* those that waited longest; the rest is in the table */
#define ROOM	  1.2 /* beside the marks */
#define MS_PER_S  1000.0

struct row {
	const struct fan_r_group *group;
	const struct fan_r_thread *thread;
	bool is_drawn;
};

struct rows {
	struct row *items;
	size_t n, drawn;
};

static bool waited(const struct fan_r_thread *t)
{
	return t->wait.max_ns != FAN_NONE && t->wait.max_ns > 0;
}

static bool has_vcpu(const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;

	for (size_t i = 0; i < r->groups.n; i++) {
		const struct fan_r_thread *t = g[i].threads.items;

		for (size_t k = 0; k < g[i].threads.n; k++)
			if (t[k].vcpu != FAN_NONE && waited(&t[k]))
				return true;
	}
	return false;
}

static bool is_row(const struct fan_r_thread *t, bool vcpus)
{
	return waited(t) && (!vcpus || t->vcpu != FAN_NONE);
}

static size_t count(const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	const bool vcpus = has_vcpu(r);
	size_t n = 0;

	for (size_t i = 0; i < r->groups.n; i++) {
		const struct fan_r_thread *t = g[i].threads.items;

		for (size_t k = 0; k < g[i].threads.n; k++)
			n += is_row(&t[k], vcpus);
	}
	return n;
}

/* Is it among the DRAWN that waited longest? Of equals the first. */
static bool is_among_longest(const struct rows *rows, size_t i)
{
	size_t before = 0;

	for (size_t k = 0; k < rows->n; k++) {
		const int64_t a = rows->items[k].thread->wait.max_ns;
		const int64_t b = rows->items[i].thread->wait.max_ns;

		before += a > b || (a == b && k < i);
	}
	return before < DRAWN;
}

/* rows->items is to be freed. */
static int collect(struct rows *rows, const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	const bool vcpus = has_vcpu(r);

	*rows = (struct rows){ .items = calloc(count(r) + 1, sizeof(*rows->items)) };
	if (!rows->items)
		return -ENOMEM;
	for (size_t i = 0; i < r->groups.n; i++) {
		const struct fan_r_thread *t = g[i].threads.items;

		for (size_t k = 0; k < g[i].threads.n; k++)
			if (is_row(&t[k], vcpus))
				rows->items[rows->n++] = (struct row){ .group = &g[i],
								       .thread = &t[k] };
	}
	for (size_t i = 0; i < rows->n; i++) {
		rows->items[i].is_drawn = is_among_longest(rows, i);
		rows->drawn += rows->items[i].is_drawn;
	}
	return 0;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	if (count(p->report) == 0)
		return fcap_fail(err, EINVAL, "no thread of a group waited for a CPU");
	return 0;
}

/* A wait of 0 has no place on a logarithmic axis: it stays in the table, and no mark is drawn. */
static int put_data(const void *what, FILE *f)
{
	const struct rows *rows = what;
	int y = 0;

	fputs("# y\tp50_ms\tp95_ms\tp99_ms\tmax_ms\tarrivals\tgroup\ttid\tvcpu\tthread\n", f);
	for (size_t i = 0; i < rows->n; i++) {
		const struct fan_r_thread *t = rows->items[i].thread;

		fprintf(f, "%d", rows->items[i].is_drawn ? y++ : -1);
		fplot_put_real(f, MS_PER_S * fplot_seconds(t->wait.p50_ns), 6);
		fplot_put_real(f, MS_PER_S * fplot_seconds(t->wait.p95_ns), 6);
		fplot_put_real(f, MS_PER_S * fplot_seconds(t->wait.p99_ns), 6);
		fplot_put_real(f, MS_PER_S * fplot_seconds(t->wait.max_ns), 6);
		fplot_put_real(f, t->arrivals == FAN_NONE ? NAN : (double)t->arrivals, 0);
		fputc('\t', f);
		fplot_put_name(f, rows->items[i].group->name);
		fplot_put_real(f, t->tid == FAN_NONE ? NAN : (double)t->tid, 0);
		fplot_put_real(f, t->vcpu == FAN_NONE ? NAN : (double)t->vcpu, 0);
		fputc('\t', f);
		fplot_put_name(f, t->name);
		fputc('\n', f);
	}
	return 0;
}

/* Of its number: a group of several VMs, or one that began again, has several. */
static bool is_only_one(const struct row *row)
{
	const struct fan_r_thread *t = row->group->threads.items;
	size_t n = 0;

	for (size_t i = 0; i < row->group->threads.n; i++)
		n += t[i].vcpu == row->thread->vcpu && waited(&t[i]);
	return n == 1;
}

/* What the axis is to show, in ms. */
static void find_range(const struct rows *rows, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = 0;
	for (size_t i = 0; i < rows->n; i++) {
		const struct fan_r_quantiles *q = &rows->items[i].thread->wait;
		const int64_t least = q->p50_ns > 0 ? q->p50_ns : q->max_ns;

		if (!rows->items[i].is_drawn)
			continue;
		*lo = fmin(*lo, MS_PER_S * fplot_seconds(least));
		*hi = fmax(*hi, MS_PER_S * fplot_seconds(q->max_ns));
	}
}

/* Decades; 1, 2, 5 where there are but two of them or less. */
static void put_axis(FILE *f, const struct rows *rows)
{
	static const int within[] = { 1, 2, 5 };
	double lo, hi;
	const char *before = "\tset xtics (";

	find_range(rows, &lo, &hi);
	lo /= ROOM;
	hi *= ROOM;
	fprintf(f, "\tset logscale x 10\n\tset xrange [%.4g:%.4g]\n", lo, hi);
	if (hi / lo > 200) {
		fputs("\tset format x '%g'\n\tset xtics offset 0,0.3\n", f);
		return;
	}
	for (int decade = (int)floor(log10(lo)); decade <= (int)floor(log10(hi)); decade++)
		for (size_t i = 0; i < 3; i++) {
			const double at = within[i] * pow(10, decade);

			if (at < lo || at > hi)
				continue;
			fprintf(f, "%s'%g' %g", before, at, at);
			before = ", ";
		}
	fputs(*before == ',' ? ") offset 0,0.3\n" : "\tset xtics offset 0,0.3\n", f);
}

static void put_row_name(FILE *f, const struct row *row)
{
	const struct fan_r_thread *t = row->thread;

	fplot_put_tic(f, row->group->name);
	if (t->vcpu == FAN_NONE)
		fprintf(f, ".' tid %" PRId64 "'", t->tid);
	else if (is_only_one(row))
		fprintf(f, ".' %" PRId64 "'", t->vcpu);
	else
		fprintf(f, ".' %" PRId64 " (tid %" PRId64 ")'", t->vcpu, t->tid);
}

static void put_plot(const void *what, FILE *f)
{
	const struct rows *rows = what;
	size_t y = 0;

	fputs("\tset ytics (", f);
	for (size_t i = 0; i < rows->n; i++) {
		if (!rows->items[i].is_drawn)
			continue;
		fputs(y ? ", \\\n\t\t" : "", f);
		put_row_name(f, &rows->items[i]);
		fprintf(f, " %zu", y++);
	}
	fputs(") scale 0 font ',7'\n"
	      "\tset grid xtics lc rgb 0xD8D8D8 lw 0.5 lt 1\n"
	      "\tset border 1 lw 0.75\n"
	      "\tset rmargin 3\n",
	      f);
	put_axis(f, rows);
	fprintf(f, "\tset xlabel say('wait for a CPU (ms)%s') offset 0,0.6\n",
		rows->drawn < rows->n ? ", longest only" : "");
	fprintf(f, "\tset yrange [%zu.5:-0.5]\n", rows->drawn - 1);
	fplot_put_key(f, &legend, "samplen 0.8");
	fputs("\tat(c) = $1 < 0 || !(column(c) > 0) ? NaN : column(c)\n"
	      "\tleast(a,b) = b > 0 ? b : a\n"
	      "\tplot \\\n"
	      "\t\t'waits.tsv' using (least(at(5),at(2))):1:(at(5)-least(at(5),at(2))):(0) \\\n"
	      "\t\t\twith vectors nohead lc rgb 0xA0A0A0 lw 1 notitle, \\\n"
	      "\t\t'' using (at(2)):1 with points pt 7 ps dot*1.3 lc rgb 0x0072B2 "
	      "title say('median'), \\\n"
	      "\t\t'' using (at(3)):1 with points pt 9 ps dot*1.4 lc rgb 0x009E73 "
	      "title say('95 %'), \\\n"
	      "\t\t'' using (at(4)):1 with points pt 5 ps dot*1.2 lc rgb 0xE69F00 "
	      "title say('99 %'), \\\n"
	      "\t\t'' using (at(5)):1 with points pt 2 ps dot*1.4 lc rgb 0x000000 "
	      "title say('longest')\n",
	      f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	struct rows rows;
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_waits,
		.what = &rows,
		.put_data = put_data,
		.put_plot = put_plot,
	};
	int e;

	if (collect(&rows, p->report) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	c.height_in = AROUND_IN + ROW_IN * (double)(rows.drawn > 2 ? rows.drawn : 3);
	e = fplot_write_content(&c, dir, err);
	free(rows.items);
	return e;
}

const struct fplot_figure fplot_waits = {
	.name = "waits",
	.title = "How long each vCPU waited for a CPU: 50, 95, 99 % and the longest",
	.check = check,
	.draw = draw,
};
