/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns that a table of a page comes to, for html_table.c and html_fields.c alone. */
#ifndef FPLOT_HTML_COLUMNS_H
#define FPLOT_HTML_COLUMNS_H

#include "plot/html_table.h"

/* A field with its way to it resolved. */
struct fplot_flat {
	const struct fplot_column *column; /* NULL: of a table without a list of columns */
	const struct fan_field *field;	   /* NULL: column->put */
	const char *key;		   /* of FAN_F_NAMED, which of its items; else NULL */
	size_t offset;			   /* from the beginning of the item */
	char *head;
	bool is_known, is_more; /* is any there? is any of it not 0? */
};

struct fplot_flats {
	struct fplot_flat *items;
	size_t n;
};

/*
 * Resolves columns (all fields but arrays, without a list of them) for the items that are shown.
 * 0, -ENOMEM, or -EINVAL: there is no such field. To be freed in any case.
 */
int fplot_flatten(struct fplot_flats *ret, const struct fplot_table *t);
void fplot_flats_free(struct fplot_flats *flats);

/* The item of a table at i. */
const void *fplot_item(const struct fplot_table *t, size_t i);

/* Is it one of those that the table shows? */
bool fplot_is_shown(const struct fplot_table *t, const void *item);

/* Where the value of a column is in an item; NULL: not there, as of a key that it has not. */
const void *fplot_flat_at(const struct fplot_flat *flat, const void *item);

/* The field whose type and unit the value is of. */
const struct fan_field *fplot_flat_field(const struct fplot_flat *flat);

/* Does it exist; and is it something else than 0? */
bool fplot_is_known(const struct fan_field *field, const void *at);
bool fplot_is_more(const struct fan_field *field, const void *at);

/* Numbers stand on the right. */
bool fplot_is_number(const struct fan_field *field);

/* Writes the value; with_method: of an estimate n, method and flags too. */
void fplot_html_value(struct fplot_out *o, const struct fan_field *field, const void *at,
		      bool with_method);

/* Writes the value of an estimate alone; the rest is told to those who point at it. */
void fplot_html_point(struct fplot_out *o, const struct fan_est *est);

/* Writes "pw-ewc, n = 285, one run" of an estimate, escaped. */
void fplot_html_method(struct fplot_out *o, const struct fan_est *est);

#endif
