/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for LaTeX with booktabs, from the grids that the text writers print. */
#ifndef FAN_REPORT_TEX_H
#define FAN_REPORT_TEX_H

#include "analyze/report/print.h"
#include "analyze/report/table.h"

/* A comment line; what would end it is escaped. */
__attribute__((format(printf, 2, 3))) void fan_tex_comment(struct fan_print *p, const char *fmt,
							   ...);

/*
 * One tabular of the whole rows of the grid, the first one its head, and the caption as a comment
 * above; empties the grid. Characters that LaTeX treats as its own are escaped, a minus is one. In
 * the file that takes it in: \usepackage{booktabs}.
 */
void fan_tex_grid(struct fan_grid *g, const char *caption, struct fan_print *p);

#endif
