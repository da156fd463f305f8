/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FPLOT_HTML_SVG_H
#define FPLOT_HTML_SVG_H

#include <stdio.h>

/*
 * Writes an SVG document as an element of a page: without prologue, fixed size, titles and
 * descriptions; "PREFIX-" in front of each id and of each reference to one, so that several can
 * be in one page, and without ids that nothing refers to; references to anything outside are left
 * out. It is called label (any text). 0, or -EINVAL: it is no SVG, and nothing was written.
 */
int fplot_svg_inline(FILE *f, const char *svg, const char *prefix, const char *label);

#endif
