// SPDX-License-Identifier: GPL-3.0-or-later
/* The figure "waited": for whom each group waited, in percent of its wait. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "plot/set.h"
#include "plot/stack.h"

#define ROW_IN	    0.26
#define AROUND_IN   0.45 /* what is above the names, and below */
#define LINE_IN	    0.15
#define TOP_LINES   2.0
#define SLANT_LINES 0.42 /* what a letter of a name above takes of the height */
#define SHOWN_PCT   0.05 /* columns below that in every row are in the table alone */
#define HOLDERS_MAX 16	 /* columns that can be read */

static const struct {
	const char *name;
	size_t offset;
} others[] = {
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

/* Of other threads of its own group too. */
static int64_t group_ns(const struct fan_r_group *g, const char *name)
{
	const struct fan_r_amount *a = g->waited_for.groups.items;

	if (g->name && name && strcmp(g->name, name) == 0)
		return g->waited_for.self_ns;
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
		fplot_put_tic(f, holder_name(r, i));
		fprintf(f, " %zu", n++);
	}
	fputs(") scale 0 rotate by 40 left offset -0.5,0\n", f);
}

/* Of the names on one side, in characters as they are drawn. */
static size_t longest_name(const struct fan_report *r, bool of_holders)
{
	const size_t n = of_holders ? r->groups.n + OTHERS : r->groups.n;
	size_t ret = 0;

	for (size_t i = 0; i < n; i++) {
		const char *name = holder_name(r, i);
		const size_t len = name ? strlen(name) : 1;

		if ((!of_holders || is_drawn(r, i)) && len > ret)
			ret = len < FPLOT_NAME_MAX_CHARS ? len : FPLOT_NAME_MAX_CHARS;
	}
	return ret;
}

/* Room for the names: letters are narrower than gnuplot takes them for, lines are as it takes them.
 */
static void put_margins(FILE *f, const struct fan_report *r)
{
	fprintf(f,
		"\tset lmargin %.1f * (format eq 'tex' || format eq 'svg' ? 1.2 : 1)\n\tset "
		"tmargin %.1f\n",
		5.5 + 0.95 * (double)longest_name(r, false),
		TOP_LINES + SLANT_LINES * (double)longest_name(r, true));
	fputs("\tset rmargin 9\n\tset bmargin 0.6\n"
	      "\tset label 1 say('who waited') at screen 0.1/width, graph 0.5 center rotate by 90\n"
	      "\tset label 2 say('for whom, or what') at graph 0.5, screen 1 center offset "
	      "0,-0.8\n",
	      f);
}

static void put_plot(const void *what, FILE *f)
{
	const struct fan_report *r = what;

	fputs("\tunset border\n\tunset xtics\n\tunset key\n", f);
	put_names(f, r);
	put_margins(f, r);
	fprintf(f, "\tset xrange [-0.5:%zu.5]\n\tset x2range [-0.5:%zu.5]\n", holders_of(r) - 1,
		holders_of(r) - 1);
	fprintf(f, "\tset yrange [%zu.5:-0.5]\n", waiters_of(r) - 1);
	fputs("\tset palette defined (0 '#FFFFFF', 50 '#56A0D0', 100 '#00304E') maxcolors 100\n"
	      "\tset cbrange [0:100]\n"
	      "\tset cblabel say('of its wait (%)') offset (format eq 'svg' ? 0.8 : -0.5),0\n"
	      "\tset cbtics 50 scale 0 offset -0.5,0\n"
	      "\tset colorbox noborder\n"
	      "\tplot 'waited.tsv' using ($1 < 0 ? NaN : $1):2:($1-0.5):($1+0.5):($2-0.5):"
	      "($2+0.5):3 \\\n"
	      "\t\t\twith boxxyerror fs solid 1 border rgb 0xFFFFFF fc palette notitle, \\\n"
	      "\t\t'' using ($1 < 0 || $3 == 0 ? NaN : $1):2: \\\n"
	      "\t\t\t(gprintf($3 >= 9.95 ? '%.0f' : '%.1f', $3)): \\\n"
	      "\t\t\t($3 > 65 ? 0xFFFFFF : 0x000000) with labels font ',7' tc rgb variable "
	      "notitle\n",
	      f);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	const struct fplot_content c = {
		.page = p,
		.figure = &fplot_waited,
		.height_in = AROUND_IN +
			     LINE_IN * SLANT_LINES * (double)longest_name(p->report, true) +
			     ROW_IN * (double)waiters_of(p->report),
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
