// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands above the table of groups, and the bars in it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_parts.h"
#include "plot/html_text.h"

/* Something that is said of a group; parts are separated. */
static void say(FILE *f, const char *what)
{
	if (*what)
		fprintf(f, "%s%s", ftell(f) > 0 ? "; " : "", what);
}

static void say_reasons(FILE *f, const struct fan_verdict_text *v)
{
	if (v->reasons.n == 0)
		return;
	say(f, v->word ? v->indicative ? "* indicative: " : "verdict: " : "no verdict: ");
	for (size_t i = 0; i < v->reasons.n; i++)
		fprintf(f, "%s%s", i > 0 ? ", " : "", v->reasons.items[i]);
}

/* What must be known to read the numbers of g, "" if nothing; to be freed. NULL: no memory. */
static char *remark_on(const struct fplot_words *words, const struct fan_r_group *g)
{
	char *weak = words->of_est(g->share.flags | g->deviation.flags), *ret = NULL;
	size_t size;
	FILE *f = weak ? open_memstream(&ret, &size) : NULL;

	if (!f) {
		free(weak);
		return NULL;
	}
	if (isnan(g->share.lo))
		say(f, "no interval");
	say_reasons(f, &g->verdict);
	/* as a rule the reasons say the same in other words */
	if (g->verdict.reasons.n == 0)
		say(f, weak);
	for (size_t i = 0; i < g->flags.n; i++)
		say(f, words->of_flag(g->flags.items[i]));
	if (g->share_bounds.hi - g->share_bounds.lo >= 0.005)
		fprintf(f, "%sshare from %.2f to %.2f %% with all unknown time against and for it",
			ftell(f) > 0 ? "; " : "", g->share_bounds.lo, g->share_bounds.hi);
	free(weak);
	if (fclose(f) == EOF) {
		free(ret);
		return NULL;
	}
	return ret;
}

/* The names of those who share a remark, which is told at the first of them. */
static void put_remark(struct fplot_out *o, const struct fan_array *groups, char *const *remarks,
		       size_t i)
{
	const struct fan_r_group *g = groups->items;
	size_t sharing = 0;

	for (size_t k = 0; k < groups->n; k++) {
		if (strcmp(remarks[k], remarks[i]) != 0)
			continue;
		if (k < i)
			return;
		sharing++;
	}
	fputs("<li>", o->f);
	if (sharing == groups->n && sharing > 1) {
		fputs("all", o->f);
		sharing = 0;
	}
	for (size_t k = i; sharing > 0 && k < groups->n; k++) {
		if (strcmp(remarks[k], remarks[i]) != 0)
			continue;
		fputs(k > i ? ", " : "", o->f);
		fplot_html_text(o->f, g[k].name);
	}
	fputs(": ", o->f);
	fplot_html_text(o->f, remarks[i]);
	fputs("</li>\n", o->f);
}

void fplot_html_remarks(struct fplot_out *o, const struct fan_array *groups)
{
	const struct fan_r_group *g = groups->items;
	char **remarks = calloc(groups->n + 1, sizeof(*remarks));
	bool has_any = false;

	if (!remarks) {
		o->e = -ENOMEM;
		return;
	}
	for (size_t i = 0; o->e == 0 && i < groups->n; i++) {
		remarks[i] = remark_on(o->words, &g[i]);
		o->e = remarks[i] ? 0 : -ENOMEM;
		has_any |= remarks[i] && *remarks[i];
	}
	if (has_any && o->e == 0) {
		fputs("<ul class=\"notes\">\n", o->f);
		for (size_t i = 0; i < groups->n; i++)
			if (*remarks[i])
				put_remark(o, groups, remarks, i);
		fputs("</ul>\n", o->f);
	}
	for (size_t i = 0; i < groups->n; i++)
		free(remarks[i]);
	free(remarks);
}

static double percent(double v)
{
	return v < 0 ? 0 : v > 100 ? 100 : v;
}

void fplot_html_bar(FILE *f, const void *group)
{
	const struct fan_r_group *g = group;

	if (!isfinite(g->share.value)) {
		fputs(FPLOT_HTML_NONE, f);
		return;
	}
	fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"bar\" viewBox=\"0 0 100 10\" "
	      "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
	      "<rect class=\"all\" width=\"100\" height=\"10\"/>",
	      f);
	fprintf(f, "<rect class=\"got\" y=\"2\" width=\"%.3f\" height=\"6\"/>",
		percent(g->share.value));
	if (isfinite(g->expected_pct))
		fprintf(f, "<path class=\"due\" d=\"M%.3f 0V10\"/>", percent(g->expected_pct));
	fputs("</svg>", f);
}
