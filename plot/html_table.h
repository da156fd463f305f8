/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of a page, driven by the field tables: heads, units and explanations are theirs, so that
 * a new field is shown without a line here. What no row has is left out. Knows no field by name.
 */
#ifndef FPLOT_HTML_TABLE_H
#define FPLOT_HTML_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analyze/report/tree.h"
#include "plot/html.h"

/* Where a page goes. */
struct fplot_out {
	FILE *f;
	const struct fplot_words *words;
	int e; /* 0, or -ENOMEM from then on */
};

enum fplot_shown {
	FPLOT_ALL_OF_IT,
	FPLOT_POINT,	/* of an estimate, its value alone */
	FPLOT_INTERVAL, /* and its interval alone */
	FPLOT_PART,	/* of a time: in percent of the sum of all parts of its row */
	FPLOT_RARE,	/* no column where all is 0 */
};

/* A column: a field (of a struct, all its fields), or what put() makes of the item; with both, it
 * is put() that writes where there is a value. */
struct fplot_column {
	const char *path; /* names of the field tables: "share", "steal.closure"; NULL: none */
	const char *head; /* NULL: made of the path */
	enum fplot_shown shown;
	void (*put)(FILE *f, const void *item);
};

struct fplot_table {
	const struct fan_table *fields;
	const struct fan_array *items; /* of these fields */
	const char *caption;	       /* NULL: none */
	const struct fplot_column *columns;
	size_t ncolumns;   /* 0: all fields but arrays */
	bool is_explained; /* what the columns mean stands below, for those who cannot point */
	/* which items; NULL: all */
	bool (*is_in)(const void *item, const void *arg);
	const void *arg;
	size_t most; /* rows; the others are counted; 0: all */
};

/* Writes the table; nothing if no row has anything but its first column. */
void fplot_html_table(struct fplot_out *o, const struct fplot_table *t);

/* A table of all that an array tells, with what its columns mean; of 200 items at most. */
void fplot_html_array(struct fplot_out *o, const struct fan_table *fields,
		      const struct fan_array *items, const char *caption);

/*
 * Writes all fields but arrays, a row each with what it means, and a column an item: of so many
 * items at most. Nothing if no item has any.
 */
void fplot_html_fields(struct fplot_out *o, const struct fan_table *fields,
		       const struct fan_array *items, size_t most);

/* The same of one struct. */
void fplot_html_struct(struct fplot_out *o, const struct fan_table *fields, const void *item);

/* Writes a verdict's word in its colour. */
void fplot_html_verdict(FILE *f, const struct fan_verdict_text *v);

/* The table of the field of this name, which has one. */
const struct fan_table *fplot_sub_table(const struct fan_table *fields, const char *name);

#endif
