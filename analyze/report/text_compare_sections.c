// SPDX-License-Identifier: GPL-3.0-or-later
/* A table with titles between its rows, fitted into the width of a line. */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <string.h>

#define COLUMNS_MOST 10

struct layout {
	const struct fan_grid *g;
	size_t ncols;
	int width[COLUMNS_MOST];
};

static const char *cell(const struct layout *l, size_t row, size_t column)
{
	return l->g->cells.items[row * l->ncols + column];
}

static bool is_title(const struct layout *l, size_t row)
{
	for (size_t i = 1; i < l->ncols; i++)
		if (*cell(l, row, i))
			return false;
	return true;
}

/* The first column gets what the others leave, if it needs as much. */
static void measure(struct layout *l)
{
	int left = FAN_PRINT_WIDTH;

	for (size_t row = 0; row < l->g->cells.n / l->ncols; row++)
		for (size_t i = 0; i < l->ncols && !is_title(l, row); i++) {
			const int len = (int)strlen(cell(l, row, i));

			l->width[i] = len > l->width[i] ? len : l->width[i];
		}
	for (size_t i = 1; i < l->ncols; i++)
		left -= l->width[i] + 2;
	if (left < 0)
		left = 0;
	l->width[0] = l->width[0] < left ? l->width[0] : left;
}

static void print_row(const struct layout *l, size_t row, struct fan_print *p)
{
	const char *label = cell(l, row, 0);
	const bool is_wide = (int)strlen(label) > l->width[0];
	size_t last = l->ncols;

	while (last > 1 && !*cell(l, row, last - 1))
		last--;
	if (is_wide)
		fan_print_para(p, 4, "%s", label);
	fprintf(p->f, "%-*s  ", l->width[0], is_wide ? "" : label);
	for (size_t i = 1; i < last; i++)
		fan_grid_put(l->g, row * l->ncols + i, l->width[i], i + 1 == last, p);
	fputc('\n', p->f);
	if (p->r == 0 && ferror(p->f))
		p->r = errno > 0 ? -errno : -EIO;
}

void fan_print_sections(struct fan_grid *g, struct fan_print *p)
{
	struct layout l = { .g = g, .ncols = strlen(g->columns) };

	if (g->r < 0)
		p->r = p->r < 0 ? p->r : g->r;
	if (l.ncols > COLUMNS_MOST)
		p->r = -EINVAL;
	if (p->r == 0)
		measure(&l);
	for (size_t row = 0; p->r == 0 && row < g->cells.n / l.ncols; row++)
		if (is_title(&l, row))
			fan_print_para(p, 2, "%s", cell(&l, row, 0));
		else
			print_row(&l, row, p);
	fan_grid_free(g);
}
