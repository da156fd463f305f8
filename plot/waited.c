// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "waited": for whom each group waited, in percent of its wait. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "plot/set.h"
#include "plot/stack.h"

#define ROW_IN	    0.26
#define AROUND_IN   1.05 /* the names above, and the scale */
#define SHOWN_PCT   0.05 /* columns below that in every row are in the table alone */
#define HOLDERS_MAX 16	 /* columns that can be read */

static const struct {
	const char *name;
	size_t offset;
} others[] = {
	{ "itself", offsetof(struct fan_r_waited_for, self_ns) },
	{ "host", offsetof(struct fan_r_waited_for, host_ns) },
	{ "throttled", offsetof(struct fan_r_waited_for, throttled_or_contended_ns) },
	{ "forced idle", offsetof(struct fan_r_waited_for, forced_idle_ns) },
	{ "CPU idle", offsetof(struct fan_r_waited_for, idle_ns) },
	{ "not known", offsetof(struct fan_r_waited_for, unknown_ns) },
};

#define OTHERS (sizeof(others) / sizeof(others[0]))

static int64_t other_ns(const struct fan_r_group *g, size_t i)
{
	int64_t ns;

	memcpy(&ns, (const char *)&g->waited_for + others[i].offset, sizeof(ns));
	return ns == FAN_NONE ? 0 : ns;
}

static int64_t group_ns(const struct fan_r_group *g, const char *name)
{
	const struct fan_r_amount *a = g->waited_for.groups.items;

	for (size_t i = 0; i < g->waited_for.groups.n; i++)
		if (a[i].name && name && strcmp(a[i].name, name) == 0)
			return a[i].ns;
	return 0;
}

static bool is_told(const struct fan_r_group *g)
{
	return g->wait_ns > 0 && g->waited_for.self_ns != FAN_NONE;
}

/* Holder i: the groups in their order, then the others. */
static const char *holder_name(const struct fan_report *r, size_t i)
{
	const struct fan_r_group *g = r->groups.items;

	return i < r->groups.n ? g[i].name : others[i - r->groups.n].name;
}

static int64_t held_ns(const struct fan_report *r, const struct fan_r_group *waiter, size_t i)
{
	const struct fan_r_group *g = r->groups.items;

	return i < r->groups.n ? group_ns(waiter, g[i].name) : other_ns(waiter, i - r->groups.n);
}

static double percent(const struct fan_report *r, const struct fan_r_group *waiter, size_t i)
{
	return 100 * (double)held_ns(r, waiter, i) / (double)waiter->wait_ns;
}

/* Whether somebody waited long enough for holder i for it to be drawn. */
static bool is_drawn(const struct fan_report *r, size_t i)
{
	const struct fan_r_group *g = r->groups.items;

	for (size_t k = 0; k < r->groups.n; k++)
		if (is_told(&g[k]) && percent(r, &g[k], i) >= SHOWN_PCT)
			return true;
	return false;
}

static size_t holders_of(const struct fan_report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->groups.n + OTHERS; i++)
		n += is_drawn(r, i);
	return n;
}

static size_t waiters_of(const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	size_t n = 0;

	for (size_t i = 0; i < r->groups.n; i++)
		n += is_told(&g[i]);
	return n;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	if (waiters_of(p->report) == 0)
		return fcap_fail(err, EINVAL, "no group waited, or for whom is not told");
	if (holders_of(p->report) > HOLDERS_MAX)
		return fcap_fail(err, EINVAL,
				 "%zu groups and causes are more than can be told apart; "
				 "fanalyze report has the table",
				 holders_of(p->report));
	return 0;
}

/* The columns x and y are the places in the figure; -1 is not drawn. */
static int put_data(const void *what, FILE *f)
{
	const struct fan_report *r = what;
	const struct fan_r_group *g = r->groups.items;
	int y = 0;

	fputs("# x\ty\tpct_of_wait\twaited_s\twaiter\tfor\n", f);
	for (size_t k = 0; k < r->groups.n; k++) {
		int x = 0;

		if (!is_told(&g[k]))
			continue;
		for (size_t i = 0; i < r->groups.n + OTHERS; i++) {
			fprintf(f, "%d\t%d", is_drawn(r, i) ? x++ : -1, y);
			fplot_put_real(f, percent(r, &g[k], i), 4);
			fplot_put_seconds(f, held_ns(r, &g[k], i));
			fputc('\t', f);
			fplot_put_name(f, g[k].name);
			fputc('\t', f);
			fplot_put_name(f, holder_name(r, i));
			fputc('\n', f);
		}
		y++;
	}
	return 0;
}

static void put_names(FILE *f, const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	size_t n = 0;

	for (size_t i = 0; i < r->groups.n; i++)
		if (is_told(&g[i]))
			fplot_put_bar_name(f, n++, waiters_of(r), g[i].name);
	n = 0;
	for (size_t i = 0; i < r->groups.n + OTHERS; i++) {
		if (!is_drawn(r, i))
			continue;
		fputs(n ? ", \\\n\t\t" : "\tset x2tics (", f);
		fplot_put_label(f, holder_name(r, i));
		fprintf(f, " %zu", n++);
	}
	fputs(") scale 0 rotate by 30 left offset -0.5,0\n", f);
}

static void put_plot(const void *what, FILE *f)
{
	const struct fan_report *r = what;

	fputs("\tunset border\n\tunset xtics\n\tunset key\n", f);
	put_names(f, r);
	fprintf(f, "\tset xrange [-0.5:%zu.5]\n\tset x2range [-0.5:%zu.5]\n", holders_of(r) - 1,
		holders_of(r) - 1);
	fprintf(f, "\tset yrange [%zu.5:-0.5]\n", waiters_of(r) - 1);
	fputs("\tset ylabel say('who waited') offset 1,0\n"
	      "\tset x2label say('for whom, or what') offset 0,-0.4\n"
	      "\tset palette defined (0 0xFFFFFF, 50 0x56A0D0, 100 0x00304E) maxcolors 100\n"
	      "\tset cbrange [0:100]\n"
	      "\tset cblabel say('of its wait (%)') offset -0.5,0\n"
	      "\tset cbtics 50 scale 0 offset -0.5,0\n"
	      "\tset colorbox user size 0.02,graph 1 origin graph 1.03,graph 0 noborder\n"
	      "\tset rmargin 8\n"
	      "\tset bmargin 1\n"
	      "\tplot 'waited.tsv' using ($1 < 0 ? NaN : "
	      "$1):2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 "
	      "\\\n\t\t\twith boxxyerror fs solid 1 border rgb 0xFFFFFF fc palette notitle, \\\n"
	      "\t\t'' using ($1 < 0 ? NaN : $1):2:(sprintf($3 >= 9.95 ? '%.0f' : '%.1f', $3)) \\\n"
	      "\t\t\t:($3 > 50 ? 0xFFFFFF : 0x000000) with labels font ',7' tc rgb variable "
	      "notitle\n",
	      f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_waited,
		.height_in = AROUND_IN + ROW_IN * (double)waiters_of(p->report),
		.what = p->report,
		.put_data = put_data,
		.put_plot = put_plot,
	};

	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_waited = {
	.name = "waited",
	.title = "Who waited for whom, in percent of each group's wait",
	.check = check,
	.draw = draw,
};
