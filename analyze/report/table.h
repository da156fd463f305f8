/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for people: cells in reading order, columns as wide as their widest cell. */
#ifndef FAN_REPORT_TABLE_H
#define FAN_REPORT_TABLE_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* Zero but for columns, which has one letter a column: 'l' left, 'r' right. */
struct fan_grid {
	const char *columns;
	struct fan_strs cells; /* owned until fan_grid_print() or fan_grid_free() */
	struct fan_ints marks; /* likewise: of the cells up to the last that has one */
	int r;		       /* 0, or -ENOMEM from then on */
};

/* The next cell, row by row; the header is the first row like any other. */
__attribute__((format(printf, 2, 3))) void fan_grid_cell(struct fan_grid *g, const char *fmt, ...);

/* How the last cell looks where there is colour: a mark of style.h. */
void fan_grid_mark(struct fan_grid *g, unsigned int mark);

/* One cell, aligned in a column of this width; the last of a row needs no blanks behind it. */
void fan_grid_put(const struct fan_grid *g, size_t cell, int width, bool is_last,
		  struct fan_print *p);

/* Empties the grid. */
void fan_grid_free(struct fan_grid *g);

/* Prints the whole rows, two blanks between columns, none at line ends; empties the grid. */
void fan_grid_print(struct fan_grid *g, struct fan_print *p);

#endif
