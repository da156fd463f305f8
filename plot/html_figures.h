/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a page as SVG in memory, drawn by gnuplot in a folder that is gone afterwards. */
#ifndef FPLOT_HTML_FIGURES_H
#define FPLOT_HTML_FIGURES_H

#include <stddef.h>

#include "fcap/err.h"
#include "plot/figure.h"
#include "plot/page.h"

/* A figure, or why there is none; neither where nothing was drawn at all. */
struct fplot_drawing {
	const struct fplot_figure *figure;
	char *svg; /* as gnuplot wrote it */
	char *why; /* a sentence */
};

struct fplot_drawings {
	struct fplot_drawing *items; /* in the order of fplot_figure_at() */
	size_t n;
	char *why; /* what failed, a sentence; NULL: nothing did */
};

/*
 * Draws all figures of the page's kind; of p the tree is used and nothing else. *ret is always to
 * be given to fplot_drawings_free(). 0; -ENOMEM; -ENOENT: there is no gnuplot; or the negative
 * errno of what failed last, with its sentence in err and *ret, where all else was drawn.
 */
int fplot_drawings_make(struct fplot_drawings *ret, const struct fplot_page *p,
			struct fcap_err *err);
void fplot_drawings_free(struct fplot_drawings *d);

#endif
