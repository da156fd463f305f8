/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report or a comparison as one HTML page that needs nothing else: no script, no other file. It
 * is well-formed XML, too. Runs nothing: the figures are drawn before, see html_figures.h.
 */
#ifndef FPLOT_HTML_H
#define FPLOT_HTML_H

#include <stdint.h>
#include <stdio.h>

#include "fcap/err.h"
#include "plot/html_figures.h"
#include "plot/page.h"

/* What the tree holds as tokens, in words: the caller's, as no writer of text is known here. */
struct fplot_words {
	/* what the page begins with: a paragraph a line, remarks behind "- " */
	const char *answer;
	const char *(*of_flag)(const char *flag);	/* of a report, group or work */
	const char *(*of_closure)(const char *closure); /* of fan_r_steal */
	const char *(*of_gap)(const char *name);	/* of fan_c_gap: what it is, as a title */
	char *(*of_est)(uint32_t flags); /* to be freed; "" without flags, NULL: no memory */
};

struct fplot_html {
	const struct fplot_page *page;
	const struct fplot_words *words;
	const struct fplot_drawings *drawings;
};

/* Writes the page and flushes f, which stays the caller's. 0, or a negative errno and a sentence.
 */
int fplot_html_write(const struct fplot_html *h, FILE *f, struct fcap_err *err);

#endif
