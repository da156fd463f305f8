/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What latency.c (the data) and latency_gp.c (the script) agree on; nobody else includes it. */
#ifndef FPLOT_LATENCY_PARTS_H
#define FPLOT_LATENCY_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plot/page.h"

struct fplot_latency_line {
	const struct fan_r_group_waits *group;
	const struct fan_r_vcpu_waits *vcpu; /* NULL: of the group */
	const struct fan_r_histogram *waits; /* not empty */
	size_t number;			     /* of the group, by which it has its colour */
};

/* The lines are blocks of latency.tsv and rows of latency-percentiles.tsv, in this order. */
struct fplot_latency {
	const struct fplot_page *page;
	struct fplot_legend legend;
	struct fplot_latency_line *lines;
	size_t n;
	double lo_ms,
		hi_ms;	/* shortest but 0, INFINITY if there is none, and longest that is drawn */
	double most;	/* waits of one line that is drawn */
	bool has_vcpus; /* a group that is drawn has several */
};

/* Writes settings and plot commands; what is a struct fplot_latency. */
void fplot_latency_put_plot(const void *what, FILE *f);

#endif
