// SPDX-License-Identifier: GPL-3.0-or-later
/* All fields of a struct, or of several side by side, with what each means. */
#include <errno.h>
#include <string.h>

#include "plot/html_columns.h"
#include "plot/html_text.h"

static bool has_any(const struct fplot_table *t, const struct fplot_flat *flat)
{
	return flat->is_known && t->items->n > 0;
}

/* The names of the items, where the first field is a name. */
static void put_head(struct fplot_out *o, const struct fplot_table *t, size_t n)
{
	const struct fan_field *first = &t->fields->fields[0];

	if (t->items->n < 2 && strcmp(first->name, "name") != 0)
		return;
	fputs("<thead><tr><td></td>", o->f);
	for (size_t i = 0; i < n; i++) {
		fputs("<th scope=\"col\">", o->f);
		fplot_html_value(o, first, (const char *)fplot_item(t, i) + first->offset, false);
		fputs("</th>", o->f);
	}
	fputs("</tr></thead>\n", o->f);
}

static void put_row(struct fplot_out *o, const struct fplot_table *t, const struct fplot_flat *flat,
		    size_t n)
{
	const struct fan_field *field = fplot_flat_field(flat);

	fputs("<tr><th scope=\"row\">", o->f);
	fplot_html_text(o->f, flat->head);
	if (flat->field->doc) {
		fputs("<small>", o->f);
		fplot_html_text(o->f, flat->field->doc);
		fputs("</small>", o->f);
	}
	fputs("</th>", o->f);
	for (size_t i = 0; i < n; i++) {
		const void *at = fplot_flat_at(flat, fplot_item(t, i));

		fputs("<td>", o->f);
		if (at)
			fplot_html_value(o, field, at, true);
		else
			fputs(FPLOT_HTML_NONE, o->f);
		fputs("</td>", o->f);
	}
	fputs("</tr>\n", o->f);
}

static void put_all(struct fplot_out *o, const struct fplot_table *t,
		    const struct fplot_flats *flats)
{
	const size_t n = t->most && t->items->n > t->most ? t->most : t->items->n;

	fputs("<div class=\"wide\" tabindex=\"0\"><table class=\"fields\">\n", o->f);
	put_head(o, t, n);
	fputs("<tbody>\n", o->f);
	for (size_t i = 0; i < flats->n; i++)
		if (has_any(t, &flats->items[i]))
			put_row(o, t, &flats->items[i], n);
	fputs("</tbody></table></div>\n", o->f);
	if (n < t->items->n)
		fprintf(o->f, "<p class=\"foot\">%zu more: see the report as JSON.</p>\n",
			t->items->n - n);
}

void fplot_html_fields(struct fplot_out *o, const struct fan_table *fields,
		       const struct fan_array *items, size_t most)
{
	const struct fplot_table t = { .fields = fields, .items = items, .most = most };
	struct fplot_flats flats;
	bool has_row = false;

	if (o->e < 0)
		return;
	o->e = fplot_flatten(&flats, &t);
	for (size_t i = 0; o->e == 0 && i < flats.n; i++)
		has_row |= has_any(&t, &flats.items[i]);
	if (has_row)
		put_all(o, &t, &flats);
	fplot_flats_free(&flats);
}

void fplot_html_struct(struct fplot_out *o, const struct fan_table *fields, const void *item)
{
	/* the items of an array may be written to; these are not */
	union {
		const void *from;
		void *to;
	} one = { .from = item };

	fplot_html_fields(o, fields, &(const struct fan_array){ one.to, 1 }, 1);
}
