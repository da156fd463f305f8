/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set of figures. One more costs a file of its own and a row in figures.c. */
#ifndef FPLOT_FIGURES_H
#define FPLOT_FIGURES_H

#include <stddef.h>

#include "fcap/err.h"
#include "plot/page.h"

/* Figure i from 0, in the order in which they are drawn; NULL behind the last. */
const struct fplot_figure *fplot_figure_at(size_t i);

/* "share,lag" to a bit for each, 1 << its number. 0, or -EINVAL; *ret only on success. */
int fplot_figures_parse(const char *list, unsigned int *ret);

/*
 * 0: the page can be drawn as this figure; -EINVAL with a sentence why not. The sentence of a
 * page of the wrong kind says which kind the figure is of.
 */
int fplot_figure_check(const struct fplot_figure *figure, const struct fplot_page *p,
		       struct fcap_err *err);

#endif
