/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figure "share over time": for each group the share of each window, its running mean, what
 * it should have got, and the interval of its share of the whole run.
 */
#ifndef FPLOT_SHARE_H
#define FPLOT_SHARE_H

#include "analyze/report/tree.h"
#include "fcap/err.h"

#define FPLOT_SHARE	   "share" /* what the names of its files begin with */
#define FPLOT_SHARE_GROUPS 8	   /* drawn, the largest; the rest is counted in the legend */

/* 0; -EINVAL with a sentence when r has nothing to draw, or curves of unequal length. */
int fplot_share_check(const struct fan_report *r, struct fcap_err *err);

/*
 * Writes three files to the directory dir, which exists: share.tsv, a row a window with all
 * groups; share-groups.tsv, a row a group; and share.gp, which draws them into images of these
 * formats (bits of enum fplot_format) beside itself. The same report gives the same bytes.
 * r has passed fplot_share_check(). 0, or a negative errno with a sentence.
 */
int fplot_share(const struct fan_report *r, const char *dir, unsigned int formats,
		struct fcap_err *err);

#endif
