// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/html_table.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_columns.h"
#include "plot/html_text.h"

#define ARRAY_MOST 200 /* items */
#define LONG	   32  /* letters */
#define MANY	   12  /* columns, which are set smaller on paper */

static bool is_part(const struct fplot_flat *flat)
{
	return flat->column && flat->column->shown == FPLOT_PART;
}

/* The sum of the parts of a row; what does not exist has no part in it. */
static double sum_of(const struct fplot_flats *flats, const void *item)
{
	double ret = 0;

	for (size_t i = 0; i < flats->n; i++) {
		const int64_t *at = is_part(&flats->items[i])
					    ? fplot_flat_at(&flats->items[i], item)
					    : NULL;

		if (at && *at != FAN_NONE)
			ret += (double)*at;
	}
	return ret;
}

/* Zeros alone are told below the table, where nobody asked for the column by name. */
static bool has_column(const struct fplot_flat *flat)
{
	const bool is_asked = flat->column && flat->column->shown < FPLOT_PART;

	return flat->is_known && (flat->is_more || is_asked);
}

static void put_head(struct fplot_out *o, const struct fplot_flats *flats)
{
	fputs("<thead><tr>", o->f);
	for (size_t i = 0; i < flats->n; i++) {
		const struct fplot_flat *flat = &flats->items[i];
		const bool is_number = flat->field && fplot_is_number(fplot_flat_field(flat));

		if (!has_column(flat))
			continue;
		fprintf(o->f, "<th scope=\"col\"%s>", is_number ? " class=\"n\"" : "");
		if (flat->field && flat->field->doc) {
			fputs("<abbr title=\"", o->f);
			fplot_html_text(o->f, flat->field->doc);
			fputs("\">", o->f);
		}
		fplot_html_text(o->f, flat->head);
		fputs(flat->field && flat->field->doc ? "</abbr></th>" : "</th>", o->f);
	}
	fputs("</tr></thead>\n", o->f);
}

static void put_part(struct fplot_out *o, int64_t ns, double sum)
{
	const double pct = sum > 0 ? 100 * (double)ns / sum : NAN;

	if (ns == FAN_NONE || isnan(pct)) {
		fputs("<td class=\"n\">" FPLOT_HTML_NONE "</td>", o->f);
		return;
	}
	fprintf(o->f, "<td class=\"n part\" style=\"--p:%.1f%%\" title=\"", pct);
	fplot_html_ns(o->f, ns);
	fputs("\">", o->f);
	fplot_html_fixed(o->f, pct, ns ? 1 : 0, false);
	fputs("</td>", o->f);
}

/* Text that would make a line of its own is broken. */
static bool is_long(const struct fan_field *field, const void *at)
{
	const char *s = field->type == FAN_F_STR ? *(char *const *)at : NULL;

	return field->type == FAN_F_STRS || (s && strlen(s) > LONG);
}

static void put_cell(struct fplot_out *o, const struct fplot_flat *flat, const void *item,
		     double sum)
{
	const struct fan_field *field = flat->field ? fplot_flat_field(flat) : NULL;
	const void *at = field ? fplot_flat_at(flat, item) : NULL;

	if (!field) {
		fputs("<td>", o->f);
		flat->column->put(o->f, item);
	} else if (is_part(flat)) {
		put_part(o, at ? *(const int64_t *)at : FAN_NONE, sum);
		return;
	} else {
		fputs(fplot_is_number(field)	 ? "<td class=\"n\">"
		      : at && is_long(field, at) ? "<td class=\"long\">"
						 : "<td>",
		      o->f);
		if (!at)
			fputs(FPLOT_HTML_NONE, o->f);
		else if (flat->column && flat->column->put)
			flat->column->put(o->f, item);
		else if (flat->column && flat->column->shown == FPLOT_INTERVAL)
			fplot_html_interval(o->f, at);
		else if (flat->column && flat->column->shown == FPLOT_POINT)
			fplot_html_point(o, at);
		else
			fplot_html_value(o, field, at, false);
	}
	fputs("</td>", o->f);
}

/* The first column names the row. */
static void put_row(struct fplot_out *o, const struct fplot_flats *flats, const void *item)
{
	const double sum = sum_of(flats, item);
	bool is_named = false;

	fputs("<tr>", o->f);
	for (size_t i = 0; i < flats->n; i++) {
		const struct fplot_flat *flat = &flats->items[i];

		if (!has_column(flat))
			continue;
		if (!is_named && flat->field) {
			fputs("<th scope=\"row\"><span>", o->f);
			fplot_html_value(o, fplot_flat_field(flat), fplot_flat_at(flat, item),
					 false);
			fputs("</span></th>", o->f);
		} else {
			put_cell(o, flat, item, sum);
		}
		is_named = true;
	}
	fputs("</tr>\n", o->f);
}

static void put_zeros(struct fplot_out *o, const struct fplot_flats *flats)
{
	const char *before = "<p class=\"foot\">0 in all rows: ";

	for (size_t i = 0; i < flats->n; i++) {
		const struct fplot_flat *flat = &flats->items[i];

		if (!flat->is_known || has_column(flat))
			continue;
		fputs(before, o->f);
		fplot_html_text(o->f, flat->head);
		before = ", ";
	}
	fputs(*before == ',' ? ".</p>\n" : "", o->f);
}

/* What the columns mean, for those who cannot point at them. */
static void put_terms(struct fplot_out *o, const struct fplot_flats *flats)
{
	fputs("<details class=\"terms\"><summary>What the columns mean</summary><dl>\n", o->f);
	for (size_t i = 0; i < flats->n; i++) {
		const struct fplot_flat *flat = &flats->items[i];

		if (!flat->field || !has_column(flat))
			continue;
		fputs("<div><dt>", o->f);
		fplot_html_text(o->f, flat->head);
		fputs("</dt><dd>", o->f);
		fplot_html_text(o->f, flat->field->doc);
		fputs("</dd></div>\n", o->f);
	}
	fputs("</dl></details>\n", o->f);
}

static size_t put_rows(struct fplot_out *o, const struct fplot_table *t,
		       const struct fplot_flats *flats)
{
	size_t shown = 0, all = 0;

	fputs("<tbody>\n", o->f);
	for (size_t i = 0; i < t->items->n; i++) {
		const void *item = fplot_item(t, i);

		if (!fplot_is_shown(t, item))
			continue;
		all++;
		if (t->most && shown == t->most)
			continue;
		put_row(o, flats, item);
		shown++;
	}
	fputs("</tbody>", o->f);
	return all - shown;
}

static void put_table(struct fplot_out *o, const struct fplot_table *t,
		      const struct fplot_flats *flats)
{
	size_t more, columns = 0;

	for (size_t i = 0; i < flats->n; i++)
		columns += has_column(&flats->items[i]);
	/* not a caption, which would be as wide as the table where that is wider than the page */
	if (t->caption) {
		fputs("<h3>", o->f);
		fplot_html_text(o->f, t->caption);
		fputs("</h3>\n", o->f);
	}
	fprintf(o->f, "<div class=\"wide\" tabindex=\"0\"><table%s>\n",
		columns > MANY ? " class=\"many\"" : "");
	put_head(o, flats);
	more = put_rows(o, t, flats);
	fputs("</table></div>\n", o->f);
	if (more)
		fprintf(o->f, "<p class=\"foot\">%zu more rows: see the report as JSON.</p>\n",
			more);
	put_zeros(o, flats);
	if (t->is_explained)
		put_terms(o, flats);
}

void fplot_html_table(struct fplot_out *o, const struct fplot_table *t)
{
	struct fplot_flats flats;
	size_t told = 0;

	if (o->e < 0)
		return;
	o->e = fplot_flatten(&flats, t);
	for (size_t i = 1; o->e == 0 && i < flats.n; i++)
		told += flats.items[i].field && has_column(&flats.items[i]);
	if (told)
		put_table(o, t, &flats);
	fplot_flats_free(&flats);
}

void fplot_html_array(struct fplot_out *o, const struct fan_table *fields,
		      const struct fan_array *items, const char *caption)
{
	const struct fplot_table t = { .fields = fields,
				       .items = items,
				       .caption = caption,
				       .is_explained = true,
				       .most = ARRAY_MOST };

	fplot_html_table(o, &t);
}
