/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures by name; each is described in its file. For figures.c and tests. */
#ifndef FPLOT_SET_H
#define FPLOT_SET_H

#include "plot/page.h"

/*
 * Three files: share.tsv, a row a window with all groups; share-groups.tsv, a row a group; and
 * share.gp. The FPLOT_GROUPS largest groups are drawn, the rest is counted in the legend.
 */
extern const struct fplot_figure fplot_share;

extern const struct fplot_figure fplot_lag;	 /* a row a window, all groups */
extern const struct fplot_figure fplot_fairness; /* a row a length of window */
extern const struct fplot_figure fplot_time;	 /* a row a group */
extern const struct fplot_figure fplot_waited;	 /* a row for who and for whom */
extern const struct fplot_figure fplot_cores;	 /* a row a core */
extern const struct fplot_figure fplot_timeline; /* two rows a stretch of a CPU */
extern const struct fplot_figure fplot_waits;	 /* a row a thread */
extern const struct fplot_figure fplot_gaps;	 /* a row a gap of a comparison */
extern const struct fplot_figure fplot_runs;	 /* a row a VM and run of a comparison */

#endif
