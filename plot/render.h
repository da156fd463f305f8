/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot, as a program of its own and without a shell, on the script of a figure. */
#ifndef FPLOT_RENDER_H
#define FPLOT_RENDER_H

#include "fcap/err.h"

/*
 * Runs NAME.gp in dir and waits for it. Images of these formats (bits of enum fplot_format) that
 * are there from before go first, and after a failure none is left: an image is the one that
 * belongs to the data beside it. 0; -ENOENT: there is no gnuplot; another negative errno, or
 * -EIO with what gnuplot said, and a sentence.
 */
int fplot_render(const char *dir, const char *name, unsigned int formats, struct fcap_err *err);

#endif
