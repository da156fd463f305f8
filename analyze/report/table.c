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

static int column_width(const struct fan_grid *g, size_t column)
{
	size_t ret = 0;

	for (size_t i = column; i < g->cells.n; i += strlen(g->columns)) {
		const size_t len = strlen(g->cells.items[i]);

		ret = len > ret ? len : ret;
	}
	return (int)ret;
}

static void print_row(const struct fan_grid *g, const int *width, size_t row, FILE *f)
{
	const size_t ncols = strlen(g->columns);
	size_t last = ncols;

	while (last > 0 && !*g->cells.items[row * ncols + last - 1])
		last--;
	for (size_t c = 0; c < last; c++) {
		const char *text = g->cells.items[row * ncols + c];

		if (g->columns[c] == 'r')
			fprintf(f, "%*s", width[c], text);
		else if (c + 1 < last)
			fprintf(f, "%-*s", width[c], text);
		else
			fputs(text, f);
		fputs(c + 1 < last ? "  " : "", f);
	}
	fputc('\n', f);
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
		print_row(g, width, row, p->f);
		if (ferror(p->f))
			p->r = errno > 0 ? -errno : -EIO;
	}
	free(width);
	fan_strs_free(&g->cells);
}
