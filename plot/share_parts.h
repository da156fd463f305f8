/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What share.c (the data) and share_gp.c (the script) agree on; nobody else includes it. */
#ifndef FPLOT_SHARE_PARTS_H
#define FPLOT_SHARE_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "plot/page.h"

/*
 * The columns of share.tsv: 1 is the time; group i (from 0) has its share in 2 + i * stride,
 * what it should have got in the next, and, where span is not 0, the mean in the one after.
 */
struct fplot_share_data {
	const struct fplot_page *page;
	const struct fan_report *r;
	const struct fan_r_curve *curves;
	size_t n, windows;
	size_t drawn;  /* of the n curves */
	size_t span;   /* windows in the running mean, odd; 0: too few windows for one */
	size_t stride; /* columns of a group */
	double *mean;  /* windows of the first curve, of the second, ...; NULL without span */
};

/* The group of a curve; NULL: none has its name. */
const struct fan_r_group *fplot_share_group(const struct fplot_share_data *s, size_t curve);

/* Writes share.gp: an fplot_put of a const struct fplot_share. */
int fplot_share_put_script(const void *what, FILE *f);

#endif
