/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that make a page share; see html.h. */
#ifndef FPLOT_HTML_PARTS_H
#define FPLOT_HTML_PARTS_H

#include "plot/html.h"
#include "plot/html_table.h"

/* A part of the page with a title; it is left out if nothing is in it. */
struct fplot_section {
	const char *id, *title;
	const char *lead;    /* what is to be known to read it; NULL: nothing */
	const char *figures; /* their names, with commas; NULL: none */
	/* in front of the figures and behind them; NULL: nothing */
	void (*put)(struct fplot_out *o, const struct fplot_page *p);
	void (*put_more)(struct fplot_out *o, const struct fplot_page *p);
};

struct fplot_sections {
	const struct fplot_section *items;
	size_t n;
};

extern const struct fplot_sections fplot_report_sections, fplot_compare_sections;

/* Writes what belongs into the style element. */
void fplot_html_style(FILE *f);

/* <li> for each string. */
void fplot_html_items(struct fplot_out *o, const struct fan_strs *strs);

/* Opens and closes a part that is folded up at first. */
void fplot_html_fold(struct fplot_out *o, const char *title, const char *of);
void fplot_html_unfold(struct fplot_out *o);

/* Isolation and forced idle. */
void fplot_html_isolation(struct fplot_out *o, const struct fplot_page *p);
void fplot_html_isolation_more(struct fplot_out *o, const struct fplot_page *p);

/* What must be known to read the numbers of the groups. */
void fplot_html_remarks(struct fplot_out *o, const struct fan_array *groups);

/* A cell: share and what was due as a bar. */
void fplot_html_bar(FILE *f, const void *group);

#endif
