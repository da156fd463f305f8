// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/wide.h"

#define FIRST_WIDTH 10000000ULL /* 10 ms */
#define WINDOWS_MAX 16384	/* beyond: wider windows */
#define BLOCKS_MAX  21845 /* of 64 cells: 32 MiB; and one more a row, which has at least one */
#define BLOCK	    64
#define NO_WINDOW   UINT32_MAX

struct block {
	struct fan_cell cell[BLOCK];
};

/* Blocks exist where there is time to book: most processes run rarely. */
struct row {
	struct block **blocks;
	uint32_t n;
	/* of the last add: number of the window, from 1 on, and its cell */
	uint32_t window;
	struct fan_cell *cell;
	uint64_t run_ns; /* in all windows */
};

struct fan_series {
	uint64_t start, width;
	uint64_t end; /* of the last window there may be at this width */
	struct row *rows;
	size_t nrows, blocks;
	/* the window of the last add: most spans lie in it */
	uint64_t cached_from, cached_to, cached;
	uint32_t ready; /* its number, from 1 on, if rows may book in it at once; NO_WINDOW */
};

struct fan_series *fan_series_new(void)
{
	struct fan_series *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->width = FIRST_WIDTH;
	s->end = FIRST_WIDTH * WINDOWS_MAX;
	s->ready = NO_WINDOW;
	return s;
}

static void free_row(struct row *row)
{
	for (size_t i = 0; i < row->n; i++)
		free(row->blocks[i]);
	free(row->blocks);
}

void fan_series_free(struct fan_series *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nrows; i++)
		free_row(&s->rows[i]);
	free(s->rows);
	free(s);
}

void fan_series_start(struct fan_series *s, uint64_t start_ns)
{
	s->start = start_ns;
	s->end = start_ns + s->width * WINDOWS_MAX;
}

uint64_t fan_series_width_ns(const struct fan_series *s)
{
	return s->width;
}

static int reach_row(struct fan_series *s, size_t row)
{
	const size_t n = (row | 63) + 1;
	struct row *grown;

	if (row < s->nrows)
		return 0;
	grown = reallocarray(s->rows, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + s->nrows, 0, (n - s->nrows) * sizeof(*grown));
	s->rows = grown;
	s->nrows = n;
	return 0;
}

static bool has_too_many_blocks(const struct fan_series *s)
{
	return s->blocks > BLOCKS_MAX + s->nrows;
}

/* The cell of window w, made if need be; NULL without memory. */
static struct fan_cell *reach_cell(struct fan_series *s, struct row *row, uint64_t w)
{
	const size_t i = (size_t)(w / BLOCK);
	struct block **grown;

	if (i >= row->n) {
		const size_t n = (i | 7) + 1;

		grown = reallocarray(row->blocks, n, sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + row->n, 0, (n - row->n) * sizeof(*grown));
		row->blocks = grown;
		row->n = (uint32_t)n;
	}
	if (!row->blocks[i]) {
		row->blocks[i] = calloc(1, sizeof(*row->blocks[i]));
		if (!row->blocks[i])
			return NULL;
		s->blocks++;
	}
	return &row->blocks[i]->cell[w % BLOCK];
}

static void add_cell(struct fan_cell *to, const struct fan_cell *more)
{
	to->run_ns += more->run_ns;
	to->wait_ns += more->wait_ns;
	to->due_ns += more->due_ns;
}

/* Joins each factor windows of a row into one. */
static int widen_row(struct fan_series *s, struct row *row, unsigned int factor)
{
	struct row wide = { .run_ns = row->run_ns };

	for (size_t w = 0; w < row->n * BLOCK; w++) {
		const struct block *b = row->blocks[w / BLOCK];
		const struct fan_cell *from = b ? &b->cell[w % BLOCK] : NULL;
		struct fan_cell *to;

		if (!from || !(from->run_ns | from->wait_ns | from->due_ns))
			continue;
		to = reach_cell(s, &wide, w / factor);
		if (!to) {
			free_row(&wide);
			return -ENOMEM;
		}
		add_cell(to, from);
	}
	free_row(row);
	*row = wide;
	return 0;
}

static int widen(struct fan_series *s)
{
	const unsigned int factor = fan_series_factor(s->width);
	int r = 0;

	s->blocks = 0;
	for (size_t i = 0; r == 0 && i < s->nrows; i++)
		r = widen_row(s, &s->rows[i], factor);
	s->width *= factor;
	s->end = s->start + s->width * WINDOWS_MAX;
	s->cached_to = 0;
	s->ready = NO_WINDOW;
	return r;
}

int fan_series_widen(struct fan_series *s, uint64_t width_ns)
{
	int r = 0;

	while (r == 0 && s->width < width_ns)
		r = widen(s);
	return r;
}

static uint64_t window_of(struct fan_series *s, uint64_t t)
{
	if (t >= s->cached_from && t < s->cached_to)
		return s->cached;
	s->cached = (t - s->start) / s->width;
	s->cached_from = s->start + s->cached * s->width;
	s->cached_to = s->cached_from + s->width;
	return s->cached;
}

static inline bool is_full(const struct fan_series *s, uint64_t t1)
{
	return t1 > s->end || has_too_many_blocks(s);
}

/* So wide that there is room up to t1. */
static int fit(struct fan_series *s, uint64_t t1)
{
	int r = 0;

	while (r == 0 && is_full(s, t1))
		r = widen(s);
	return r;
}

/* The cell of a row in the window that t is in, made if need be; NULL without memory. */
static struct fan_cell *cell_at(struct fan_series *s, size_t row, uint64_t t)
{
	const uint64_t w = window_of(s, t);
	struct fan_cell *cell = reach_cell(s, &s->rows[row], w);

	s->rows[row].window = cell ? (uint32_t)w + 1 : 0;
	s->rows[row].cell = cell;
	/* where there are too many blocks the windows grow before the next add */
	s->ready = has_too_many_blocks(s) ? NO_WINDOW : (uint32_t)w + 1;
	return cell;
}

enum what { RUN, WAIT };

/* Nearly always a span lies in the window of the last one, where its row has booked before. */
static inline bool has_cell(const struct fan_series *s, size_t row, uint64_t t0, uint64_t t1)
{
	return row < s->nrows && s->rows[row].window == s->ready && t0 >= s->cached_from &&
	       t1 <= s->cached_to;
}

static __attribute__((noinline)) int add(struct fan_series *s, size_t row, enum what what,
					 uint64_t t0, uint64_t t1)
{
	int r = reach_row(s, row);

	if (t0 < s->start)
		return -EINVAL;
	if (r == 0 && is_full(s, t1))
		r = fit(s, t1);
	while (r == 0 && t0 < t1) {
		struct fan_cell *cell = cell_at(s, row, t0);
		const uint64_t end = s->cached_to < t1 ? s->cached_to : t1;

		if (!cell)
			return -ENOMEM;
		*(what == RUN ? &cell->run_ns : &cell->wait_ns) += end - t0;
		s->rows[row].run_ns += what == RUN ? end - t0 : 0;
		t0 = end;
	}
	return r;
}

int fan_series_add_run(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns)
{
	if (!has_cell(s, row, t0_ns, t1_ns))
		return add(s, row, RUN, t0_ns, t1_ns);
	s->rows[row].cell->run_ns += t1_ns - t0_ns;
	s->rows[row].run_ns += t1_ns - t0_ns;
	return 0;
}

bool fan_series_add_wait_here(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns)
{
	if (!has_cell(s, row, t0_ns, t1_ns))
		return false;
	s->rows[row].cell->wait_ns += t1_ns - t0_ns;
	return true;
}

uint64_t fan_series_run_ns(const struct fan_series *s, size_t row)
{
	return row < s->nrows ? s->rows[row].run_ns : 0;
}

int fan_series_add_wait(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns)
{
	return fan_series_add_wait_here(s, row, t0_ns, t1_ns) ? 0 : add(s, row, WAIT, t0_ns, t1_ns);
}

int fan_series_add_due(struct fan_series *s, size_t row, uint64_t t_ns, uint64_t ns)
{
	struct fan_cell *cell;
	int r = reach_row(s, row);

	if (t_ns < s->start)
		return -EINVAL;
	if (r == 0)
		r = fit(s, t_ns + 1);
	if (r < 0)
		return r;
	cell = cell_at(s, row, t_ns);
	if (!cell)
		return -ENOMEM;
	cell->due_ns += ns;
	return 0;
}

/* Of an amount over len, what has come together by at. */
static uint64_t part(uint64_t amount, uint64_t at, uint64_t len)
{
	if ((amount | at) >> 32 == 0)
		return amount * at / len;
	return (uint64_t)((fan_u128)amount * at / len);
}

int fan_series_spread(struct fan_series *s, size_t row, const struct fan_cell *amount,
		      uint64_t t0_ns, uint64_t t1_ns)
{
	const uint64_t len = t1_ns - t0_ns;
	struct fan_cell done = { 0 }; /* what was booked so far */
	int r = reach_row(s, row);

	if (t0_ns < s->start || t1_ns <= t0_ns)
		return -EINVAL;
	if (r == 0)
		r = fit(s, t1_ns);
	for (uint64_t t = t0_ns, end; r == 0 && t < t1_ns; t = end) {
		struct fan_cell *cell = cell_at(s, row, t), upto;

		if (!cell)
			return -ENOMEM;
		end = s->cached_to < t1_ns ? s->cached_to : t1_ns;
		upto.run_ns = part(amount->run_ns, end - t0_ns, len);
		upto.wait_ns = part(amount->wait_ns, end - t0_ns, len);
		upto.due_ns = part(amount->due_ns, end - t0_ns, len);
		cell->run_ns += upto.run_ns - done.run_ns;
		cell->wait_ns += upto.wait_ns - done.wait_ns;
		cell->due_ns += upto.due_ns - done.due_ns;
		done = upto;
	}
	return r;
}

struct fan_cell fan_series_sum(const struct fan_series *s, size_t row, uint64_t w, uint64_t n)
{
	struct fan_cell sum = { 0 };

	for (; row < s->nrows && n && w / BLOCK < s->rows[row].n; w++, n--) {
		const struct block *b = s->rows[row].blocks[w / BLOCK];

		if (b)
			add_cell(&sum, &b->cell[w % BLOCK]);
	}
	return sum;
}
