/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lying bars, each cut into the same parts, of a table that has a row a bar. */
#ifndef FPLOT_STACK_H
#define FPLOT_STACK_H

#include <stddef.h>
#include <stdio.h>

#include "plot/page.h"

#define FPLOT_PARTS_MAX 32

/*
 * RRGGBB of what group i ran: none is red, the colour of what must not be. Beyond FPLOT_FILLS they
 * begin again.
 */
#define FPLOT_FILLS 6
const char *fplot_fill(size_t i);

struct fplot_stack_part {
	const char *name;   /* in the legend */
	const char *colour; /* RRGGBB */
	size_t column;	    /* of the table, from 1 */
};

struct fplot_stack {
	const char *table;
	struct fplot_stack_part parts[FPLOT_PARTS_MAX];
	size_t nparts, nbars;
	const char *xlabel;
	double longest;	  /* bar in the unit of the table; NaN: as it comes */
	const char *also; /* what else to plot; NULL: nothing */
};

/* Adds a part; beyond FPLOT_PARTS_MAX nothing. */
void fplot_stack_add(struct fplot_stack *s, const char *name, const char *colour, size_t column);

/* Inches for the bars, their axis and the legend. */
double fplot_stack_height(const struct fplot_stack *s, double width_in);

/* The settings but for the names of the bars, and the plot command. */
void fplot_put_stack(FILE *f, const struct fplot_stack *s, double width_in);

/* One of the names of the bars, from 0 to n - 1, in turn: all of "set ytics". */
void fplot_put_bar_name(FILE *f, size_t i, size_t n, const char *name);

/* Room for the names, the longest of which has so many letters; formats other than SVG find it
 * themselves. */
void fplot_put_name_room(FILE *f, size_t letters);

#endif
