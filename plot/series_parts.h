/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What series.c (the data) and series_gp.c (the script) agree on; nobody else includes it. */
#ifndef FPLOT_SERIES_PARTS_H
#define FPLOT_SERIES_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plot/page.h"

/* One VM in one configuration: its windows, or its runs. */
struct fplot_series_line {
	const struct fan_c_configuration *config;
	const char *vm;
	const struct fan_c_windows *windows; /* NULL: the line is of runs */
	const struct fan_est *mean;
	double expected; /* percent; NaN: not known, and of runs */
	double from, to; /* x of the first and the last */
	double bar;	 /* x of the interval of the mean, right of them */
};

/* The lines are blocks of series.tsv and rows of series-means.tsv, in this order. */
struct fplot_series {
	const struct fplot_page *page;
	struct fplot_legend legend;
	bool is_windows;
	const char *unit; /* of runs; NULL: CPU time */
	struct fplot_series_line *lines;
	size_t n, drawn;	 /* the first of the n are drawn */
	size_t configs, vms;	 /* how many of each there are */
	double from, to, lo, hi; /* of what is drawn */
	size_t most;		 /* points of one line that is drawn */
	bool has_means, has_intervals, has_expected;
};

/* Entries of the legend, and letters of the longest; for what is drawn. */
void fplot_series_legend(const struct fplot_series *s, size_t *entries, size_t *longest);

/* Writes settings and plot commands; what is a struct fplot_series. */
void fplot_series_put_plot(const void *what, FILE *f);

#endif
