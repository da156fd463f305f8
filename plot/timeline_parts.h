/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of the figure "timeline" share: its table, and its script. */
#ifndef FPLOT_TIMELINE_PARTS_H
#define FPLOT_TIMELINE_PARTS_H

#include <stdbool.h>

#include "plot/page.h"

#define FPLOT_TIMELINE_FIRST 6 /* column of the first group in the table, from 1 */

/* Columns behind those of the groups. The first four fill up a lane on top of the groups. */
enum fplot_timeline_kind {
	FPLOT_HOST,
	FPLOT_UNKNOWN,
	FPLOT_FORCED,
	FPLOT_IDLE,
	FPLOT_VIOLATION,
	FPLOT_UNRESOLVED,
	FPLOT_TIMELINE_KINDS
};

struct fplot_timeline_look {
	const char *column, *name, *fill; /* fill: what gnuplot is to be told */
};
extern const struct fplot_timeline_look fplot_timeline_kinds[FPLOT_TIMELINE_KINDS];

/* Downwards, in heights of a lane. */
struct fplot_place {
	double y;     /* the lower end of the lane */
	double strip; /* of the strip of its core; NaN: in the rows of a sibling, or none */
};

struct fplot_timeline {
	const struct fplot_page *page;
	struct fplot_place *places;	   /* by lane */
	double height, lane_in;		   /* of all lanes, in lanes; of a lane, in inches */
	size_t columns;			   /* of parts, groups included */
	bool occurs[FPLOT_TIMELINE_KINDS]; /* anywhere */
	bool has_rest;			   /* groups beyond those with a colour of their own ran */
	struct fplot_legend legend;
};

/* What occurs, and what that takes in the legend. */
void fplot_lay_out_timeline(struct fplot_timeline *t);

/* The settings and the plot command; what is a struct fplot_timeline. */
void fplot_put_timeline(const void *what, FILE *f);

#endif
