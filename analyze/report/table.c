// SPDX-License-Identifier: GPL-3.0-or-later
/* Column alignment of the text writers. Does not break cells. */
#include "analyze/report/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void fan_grid_cell(struct fan_grid *g, const char *fmt, ...)
{
	char *text;
	va_list ap;

	if (g->r < 0)
		return;
	va_start(ap, fmt);
	text = fan_safe_text(fmt, ap);
	va_end(ap);
	g->r = text ? fan_strs_add(&g->cells, "%s", text) : -ENOMEM;
	free(text);
}

void fan_grid_mark(struct fan_grid *g, unsigned int mark)
{
	while (mark && g->r == 0 && g->marks.n < g->cells.n)
		g->r = fan_ints_add(&g->marks, g->marks.n + 1 < g->cells.n ? 0 : (int64_t)mark);
}

void fan_grid_free(struct fan_grid *g)
{
	fan_strs_free(&g->cells);
	free(g->marks.items);
	g->marks = (struct fan_ints){ 0 };
}

void fan_grid_put(const struct fan_grid *g, size_t cell, int width, bool is_last,
		  struct fan_print *p)
{
	const char *text = g->cells.items[cell];
	const bool is_right = g->columns[cell % strlen(g->columns)] == 'r';
	const int blanks = width - (int)strlen(text);
	const bool is_marked = p->style.colour && *text && cell < g->marks.n;
	const char *begin = is_marked ? fan_mark_begin((unsigned int)g->marks.items[cell]) : "";

	fprintf(p->f, "%*s%s%s%s", is_right && blanks > 0 ? blanks : 0, "", begin, text,
		*begin ? FAN_MARK_END : "");
	if (!is_last)
		fprintf(p->f, "%*s", 2 + (is_right || blanks < 0 ? 0 : blanks), "");
}

static int column_width(const struct fan_grid *g, size_t column)
{
	size_t ret = 0;

	for (size_t i = column; i < g->cells.n; i += strlen(g->columns)) {
		const size_t len = strlen(g->cells.items[i]);

		ret = len > ret ? len : ret;
	}
	return (int)ret;
}

static void print_row(const struct fan_grid *g, const int *width, size_t row, struct fan_print *p)
{
	const size_t ncols = strlen(g->columns);
	size_t last = ncols;

	while (last > 0 && !*g->cells.items[row * ncols + last - 1])
		last--;
	for (size_t c = 0; c < last; c++)
		fan_grid_put(g, row * ncols + c, width[c], c + 1 == last, p);
	fputc('\n', p->f);
}

void fan_grid_print(struct fan_grid *g, struct fan_print *p)
{
	const size_t ncols = strlen(g->columns);
	int *width = calloc(ncols, sizeof(*width));

	if (!width || g->r < 0)
		p->r = p->r < 0 ? p->r : -ENOMEM;
	for (size_t c = 0; p->r == 0 && c < ncols; c++)
		width[c] = column_width(g, c);
	for (size_t row = 0; p->r == 0 && row < g->cells.n / ncols; row++) {
		print_row(g, width, row, p);
		if (ferror(p->f))
			p->r = errno > 0 ? -errno : -EIO;
	}
	free(width);
	fan_grid_free(g);
}
