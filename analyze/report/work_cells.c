// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/work_cells.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define CELLS_MAX 16384
#define NS_PER_S  1e9

struct range {
	uint64_t from, to; /* ns */
};

/* What both have in common; empty: from == to. */
static struct range cut(struct range a, struct range b)
{
	const uint64_t from = a.from > b.from ? a.from : b.from;
	const uint64_t to = a.to < b.to ? a.to : b.to;

	return (struct range){ from, to > from ? to : from };
}

static struct range range_of(const struct fan_work_line *line)
{
	return (struct range){ line->t0_ns, line->t1_ns };
}

static double length_ns(struct range r)
{
	return (double)(r.to - r.from);
}

/* The part of the line's work that lies in r. */
static double work_in(const struct fan_work_line *line, struct range r)
{
	return line->n * (length_ns(cut(range_of(line), r)) / length_ns(range_of(line)));
}

static double cpu_in(const struct fan_cpu_windows *w, struct range r)
{
	double sum = 0;

	for (uint64_t i = (r.from - w->from_ns) / w->window_ns; i < w->windows; i++) {
		const uint64_t begin = w->from_ns + i * w->window_ns;

		if (begin >= r.to)
			break;
		sum += w->cpu_ns[i] *
		       (length_ns(cut(r, (struct range){ begin, begin + w->window_ns })) /
			(double)w->window_ns);
	}
	return sum;
}

/* Do the lines follow each other? One percent is what rounded times may be off. */
static bool is_one_after_another(const struct fan_work_series *s)
{
	for (size_t i = 1; i < s->n; i++) {
		const struct fan_work_line *line = &s->lines[i];

		if (line->t0_ns + (line->t1_ns - line->t0_ns) / 100 < s->lines[i - 1].t1_ns)
			return false;
	}
	return true;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The median length of the lines in ns, or -ENOMEM. */
static int find_median(const struct fan_work_series *s, uint64_t *ret)
{
	uint64_t *lengths = calloc(s->n, sizeof(*lengths));

	if (!lengths)
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++)
		lengths[i] = s->lines[i].t1_ns - s->lines[i].t0_ns;
	qsort(lengths, s->n, sizeof(*lengths), by_size);
	*ret = lengths[s->n / 2];
	free(lengths);
	return 0;
}

/* From the first line's begin to the last one's end, inside the windows. */
static struct range find_span(const struct fan_work_series *s, struct range all)
{
	struct range span = { UINT64_MAX, s->lines[s->n - 1].t1_ns };

	for (size_t i = 0; i < s->n; i++)
		span.from = s->lines[i].t0_ns < span.from ? s->lines[i].t0_ns : span.from;
	return cut(span, all);
}

static void set_cell(struct fan_work_cells *c, size_t i, struct range r,
		     const struct fan_cpu_windows *w)
{
	c->dt_s[i] = length_ns(r) / NS_PER_S;
	if (c->cpu_s)
		c->cpu_s[i] = cpu_in(w, r) / NS_PER_S;
}

static int make_room(struct fan_work_cells *c, size_t n, bool has_cpu)
{
	c->n = calloc(n + 1, sizeof(*c->n));
	c->dt_s = calloc(n + 1, sizeof(*c->dt_s));
	if (has_cpu)
		c->cpu_s = calloc(n + 1, sizeof(*c->cpu_s));
	return c->n && c->dt_s && (c->cpu_s || !has_cpu) ? 0 : -ENOMEM;
}

static int fill_by_line(struct fan_work_cells *c, const struct fan_work_series *s,
			const struct fan_cpu_windows *w, struct range all)
{
	const int r = make_room(c, s->n, w->cpu_ns);

	for (size_t i = 0; r == 0 && i < s->n; i++) {
		const struct range part = cut(range_of(&s->lines[i]), all);

		if (part.from == part.to)
			continue;
		c->n[c->cells] = work_in(&s->lines[i], part);
		set_cell(c, c->cells++, part, w);
	}
	return r;
}

/* The cells of a line get their parts of its work. */
static void spread(struct fan_work_cells *c, const struct fan_work_line *line, struct range span,
		   uint64_t width)
{
	const struct range part = cut(range_of(line), span);

	for (uint64_t t = part.from; t < part.to;) {
		const size_t i = (size_t)((t - span.from) / width);
		const uint64_t end = span.from + (i + 1) * width;
		const struct range cell = { t, end < part.to ? end : part.to };

		c->n[i] += work_in(line, cell);
		t = cell.to;
	}
}

static int fill_grid(struct fan_work_cells *c, const struct fan_work_series *s,
		     const struct fan_cpu_windows *w, struct range all)
{
	const struct range span = find_span(s, all);
	uint64_t width = 0;
	int r = find_median(s, &width);

	if (r < 0)
		return r;
	while ((span.to - span.from) / width >= CELLS_MAX)
		width *= 2;
	c->cells = (size_t)((span.to - span.from + width - 1) / width);
	r = make_room(c, c->cells, w->cpu_ns);
	for (size_t i = 0; r == 0 && i < c->cells; i++) {
		const uint64_t begin = span.from + i * width;

		set_cell(c, i, cut((struct range){ begin, begin + width }, span), w);
	}
	for (size_t i = 0; r == 0 && i < s->n; i++)
		spread(c, &s->lines[i], span, width);
	return r;
}

int fan_work_cells_make(struct fan_work_cells *ret, const struct fan_work_series *s,
			const struct fan_cpu_windows *w)
{
	const struct range all = { w->from_ns, w->from_ns + w->windows * w->window_ns };
	int r = 0;

	*ret = (struct fan_work_cells){ 0 };
	if (s->n == 0)
		return make_room(ret, 0, w->cpu_ns);
	r = is_one_after_another(s) ? fill_by_line(ret, s, w, all) : fill_grid(ret, s, w, all);
	for (size_t i = 0; r == 0 && i < s->n; i++)
		ret->total += work_in(&s->lines[i], all);
	return r;
}

void fan_work_cells_free(struct fan_work_cells *c)
{
	free(c->n);
	free(c->dt_s);
	free(c->cpu_s);
}
