/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a figure is, and what all of them write the same way: where the numbers come from, names
 * and numbers of tables, and the frame of a script. Knows no figure.
 */
#ifndef FPLOT_PAGE_H
#define FPLOT_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "analyze/report/compare_tree.h"
#include "analyze/report/tree.h"
#include "fcap/err.h"
#include "plot/figure.h"

#define FPLOT_GROUPS	     8	/* groups that have a colour of their own */
#define FPLOT_NAME_MAX_CHARS 22 /* of a name in a figure */

/* What is drawn, borrowed, and how it is to look. */
struct fplot_page {
	const struct fan_report *report;   /* NULL: of a comparison */
	const struct fan_compare *compare; /* NULL: of one report */
	unsigned int formats;		   /* bits of enum fplot_format */
	double width_in;		   /* inches */
};

struct fplot_figure {
	const char *name;  /* what the names of its files begin with */
	const char *title; /* what it shows, in a line */
	const char *extra; /* a second table beside NAME.tsv; NULL: none */
	bool is_of_compare;
	/* 0; -EINVAL with a sentence: the page, of the right kind, does not have what it needs */
	int (*check)(const struct fplot_page *p, struct fcap_err *err);
	/* for a page that was checked, all tables and the script; 0, or a negative errno */
	int (*draw)(const struct fplot_page *p, const char *dir, struct fcap_err *err);
};

/* Writes comment lines: version, command, trace, machine, labels and window, as far as told. */
void fplot_put_origin(FILE *f, const struct fplot_page *p);

/* One comment line; NULL: no line. */
void fplot_put_comment(FILE *f, const char *label, const char *text);

/* A name as a field of a table. */
void fplot_put_name(FILE *f, const char *name);

/* A tab and a number of a table; NaN where there is none. digits are behind the point. */
void fplot_put_real(FILE *f, double v, int digits);

/* The same of a time, in seconds; ns may be FAN_NONE. */
void fplot_put_seconds(FILE *f, int64_t ns);

/* NaN for FAN_NONE. */
double fplot_seconds(int64_t ns);

/* A step in which people count, 1, 2 or 5 times a power of ten, 3 to 7 of which make range. */
double fplot_step(double range);

/* What the files of a figure hold: put_data behind the comments, put_script inside the loop. */
struct fplot_content {
	const struct fplot_page *page;
	const struct fplot_figure *figure;
	double height_in;
	const void *what; /* for the three */
	int (*put_data)(const void *what, FILE *f);
	/* assignments in front of the loop; NULL: none */
	void (*put_values)(const void *what, FILE *f);
	/* settings and plot commands, a tab in front of each line, for the image in "format" */
	void (*put_plot)(const void *what, FILE *f);
};

/* Writes NAME.tsv and NAME.gp to dir. 0, or a negative errno with a sentence. */
int fplot_write_content(const struct fplot_content *c, const char *dir, struct fcap_err *err);

/* "say('...')" of a name, cut to FPLOT_NAME_MAX_CHARS. */
void fplot_put_label(FILE *f, const char *name);

/* "tic('...')", the same for the marks of an axis, where gnuplot takes % for a format. */
void fplot_put_tic(FILE *f, const char *name);

/*
 * The line that tells gnuplot of UTF-8, if a name of the page needs it: in a locale without UTF-8
 * the line alone makes gnuplot complain.
 */
void fplot_put_encoding(FILE *f, const struct fplot_page *p);

/* The lines of a script in which formats, width and height are set. */
void fplot_put_size(FILE *f, const struct fplot_page *p, double height_in);

/* The functions say() and tic(), which make a string harmless to the format; the terminals; the
 * name of the image. */
void fplot_put_text_function(FILE *f);
void fplot_put_terminals(FILE *f);
void fplot_put_output(FILE *f, const char *name);

struct fplot_legend {
	size_t columns, rows;
};

/* As many columns as entries fit side by side, of which the longest text has that many letters. */
struct fplot_legend fplot_legend_of(size_t entries, size_t longest, double width_in);

/*
 * Inches that a legend of so many rows takes above the plot; and the settings that put it there,
 * in the middle of the image, however much room the names on the left take. extra is more of
 * "set key".
 */
double fplot_legend_in(const struct fplot_legend *l);
void fplot_put_key(FILE *f, const struct fplot_legend *l, const char *extra);

/* Of a group, from 0: RRGGBB in hex, and the mark of its line. */
const char *fplot_colour(size_t i);
int fplot_mark(size_t i);

#endif
