/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all figures share: complete files in a directory, text that gnuplot and readers of TSV
 * take as it is meant, and the formats of images. Knows no figure and runs nothing.
 */
#ifndef FPLOT_FIGURE_H
#define FPLOT_FIGURE_H

#include <stddef.h>
#include <stdio.h>

#include "fcap/err.h"

enum fplot_format {
	FPLOT_SVG = 1 << 0,
	FPLOT_PDF = 1 << 1,
	FPLOT_PNG = 1 << 2,
	FPLOT_TEX = 1 << 3, /* NAME-tex.tex for LaTeX, which takes in NAME-tex.pdf */
	FPLOT_ALL = FPLOT_SVG | FPLOT_PDF | FPLOT_PNG, /* unless asked otherwise */
};

#define FPLOT_ONE_COLUMN_IN 3.4 /* inches: of a paper in two columns */
#define FPLOT_TWO_COLUMN_IN 7.0
#define FPLOT_WIDTH_MIN_MM  60
#define FPLOT_WIDTH_MAX_MM  500

/* "svg,png" to bits of enum fplot_format. 0, or -EINVAL; *ret only on success. */
int fplot_formats_parse(const char *list, unsigned int *ret);

/* "1col", "2col" or millimetres within the bounds above, to inches. 0, or -EINVAL. */
int fplot_width_parse(const char *word, double *ret);

/* The end of a file's name for one bit ("svg"), a static string; NULL: no such format. */
const char *fplot_format_name(unsigned int bit);

/* What stands behind NAME in the name of the image of a bit: ".svg", "-tex.tex". */
const char *fplot_image_end(unsigned int bit);

/* Creates dir and what is missing above it. 0, or the error of mkdir with a sentence. */
int fplot_make_dir(const char *dir, struct fcap_err *err);

/* Writes all of one file to f; write errors are found afterwards. 0, or a negative errno. */
typedef int (*fplot_put)(const void *what, FILE *f);

/*
 * Lets put write dir/name. What was there stays until the new file is complete; after a failure
 * nothing new is there. 0, or a negative errno with a sentence.
 */
int fplot_write(const char *dir, const char *name, fplot_put put, const void *what,
		struct fcap_err *err);

/* Bytes of the printable character of UTF-8 at s (NUL-terminated); 0: there is none. */
size_t fplot_printable(const char *s);

/*
 * Writes s on one line: printable UTF-8 as it is, all other bytes and the characters in also
 * (ASCII) as \xHH; "-" for NULL.
 */
void fplot_put_text(FILE *f, const char *s, const char *also);

/*
 * The same as a string of gnuplot's in single quotes, in which it expands nothing. Of more than
 * max characters (at least 3) the middle becomes an ellipsis.
 */
void fplot_put_quoted(FILE *f, const char *s, size_t max);

#endif
