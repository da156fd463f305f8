// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/vcpu_windows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/wide.h"

#define CELLS_MAX 381300 /* 32 MiB; and one chunk more a row, which has at least one */
#define CHUNK	  64	 /* cells */

/* The windows of a party from the first to the last with something in it: VMs come and go. */
struct row {
	int32_t account; /* -1: nothing was booked yet */
	uint64_t first;
	struct fan_vcpu_sums *cells;
	size_t n, room;
};

/* A vCPU thread at the end of the last window. */
struct snapshot {
	bool is_taken, is_halted;
	enum fan_state state;
	uint64_t since_ns; /* of the state */
	uint64_t taken_ns; /* the end of that window */
	struct fan_vcpu_sums sums;
};

struct fan_vcpu_windows {
	const struct fan_threads *threads;
	const struct fan_parties *parties;
	struct fan_series *series;
	uint64_t start, width;
	uint64_t next; /* end of the window under way; UINT64_MAX: not begun */
	bool is_told;  /* not only names tell of vCPUs */
	struct row *rows;
	size_t nrows, cells;   /* rooms of all rows */
	struct snapshot *last; /* in the order of fan_parties_vcpus() */
	size_t nlast;
};

struct fan_vcpu_windows *fan_vcpu_windows_new(const struct fan_threads *threads,
					      const struct fan_parties *parties,
					      struct fan_series *series)
{
	struct fan_vcpu_windows *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->threads = threads;
	w->parties = parties;
	w->series = series;
	w->width = fan_series_width_ns(series);
	w->next = UINT64_MAX;
	return w;
}

static void drop_rows(struct fan_vcpu_windows *w)
{
	for (size_t i = 0; i < w->nrows; i++)
		free(w->rows[i].cells);
	free(w->rows);
	w->rows = NULL;
	w->nrows = w->cells = 0;
}

void fan_vcpu_windows_free(struct fan_vcpu_windows *w)
{
	if (!w)
		return;
	drop_rows(w);
	free(w->last);
	free(w);
}

void fan_vcpu_windows_begin(struct fan_vcpu_windows *w, uint64_t from_ns)
{
	w->start = from_ns;
	w->next = from_ns + w->width;
}

static void add(struct fan_vcpu_sums *to, const struct fan_vcpu_sums *more)
{
	for (size_t i = 0; i < FAN_SUMS; i++)
		to->ns[i] += more->ns[i];
}

static struct fan_vcpu_sums difference(const struct fan_vcpu_sums *a, const struct fan_vcpu_sums *b)
{
	struct fan_vcpu_sums ret;

	for (size_t i = 0; i < FAN_SUMS; i++)
		ret.ns[i] = a->ns[i] - b->ns[i];
	return ret;
}

/* Room for n cells, or no more than that. */
static int resize(struct fan_vcpu_windows *w, struct row *row, size_t n)
{
	const size_t room = (n + CHUNK - 1) / CHUNK * CHUNK;
	struct fan_vcpu_sums *resized;

	if (room == row->room)
		return 0;
	resized = reallocarray(row->cells, room, sizeof(*resized));
	if (!resized)
		return -ENOMEM;
	w->cells += room - row->room;
	row->cells = resized;
	row->room = room;
	return 0;
}

/* Room for n cells at least: by half more than there was, so that growing is rare. */
static int reach(struct fan_vcpu_windows *w, struct row *row, size_t n)
{
	const size_t more = row->room + row->room / 2;

	return n <= row->room ? 0 : resize(w, row, n > more ? n : more);
}

/* Makes the row reach from window first on, over n windows; what is new is 0. */
static int stretch(struct fan_vcpu_windows *w, struct row *row, uint64_t first, size_t n)
{
	const size_t before = (size_t)(row->first - first), old = row->n;

	if (reach(w, row, n) < 0)
		return -ENOMEM;
	if (before)
		memmove(row->cells + before, row->cells, old * sizeof(*row->cells));
	memset(row->cells, 0, before * sizeof(*row->cells));
	memset(row->cells + before + old, 0, (n - before - old) * sizeof(*row->cells));
	row->first = first;
	row->n = n;
	return 0;
}

/* The cell of a window, made if need be; NULL without memory. */
static struct fan_vcpu_sums *reach_cell(struct fan_vcpu_windows *w, struct row *row,
					uint64_t window)
{
	int r = 0;

	if (row->n == 0)
		row->first = window;
	if (window < row->first)
		r = stretch(w, row, window, row->n + (size_t)(row->first - window));
	else if (window >= row->first + row->n)
		r = stretch(w, row, row->first, (size_t)(window - row->first) + 1);
	return r < 0 ? NULL : &row->cells[window - row->first];
}

static int book(struct fan_vcpu_windows *w, struct row *row, uint64_t window,
		const struct fan_vcpu_sums *sums)
{
	struct fan_vcpu_sums *cell = reach_cell(w, row, window);

	if (!cell)
		return -ENOMEM;
	add(cell, sums);
	return 0;
}

/* Joins each factor windows into one. */
static int widen_row(struct fan_vcpu_windows *w, struct row *row, unsigned int factor)
{
	const uint64_t first = row->first / factor;
	size_t n = 0;

	for (size_t i = 0; i < row->n; i++) {
		const size_t to = (size_t)((row->first + i) / factor - first);

		if (to < n)
			add(&row->cells[to], &row->cells[i]);
		else
			row->cells[n++] = row->cells[i];
	}
	row->first = first;
	row->n = n;
	return n ? resize(w, row, n) : 0;
}

static int widen(struct fan_vcpu_windows *w)
{
	const unsigned int factor = fan_series_factor(w->width);
	int r = 0;

	for (size_t i = 0; r == 0 && i < w->nrows; i++)
		r = widen_row(w, &w->rows[i], factor);
	w->width *= factor;
	return r;
}

/* Windows as wide as those of the series, and so wide that there is room for them. */
static int fit(struct fan_vcpu_windows *w)
{
	int r = 0;

	while (r == 0 && (w->width < fan_series_width_ns(w->series) ||
			  w->cells > CELLS_MAX + CHUNK * w->nrows))
		r = widen(w);
	return r < 0 ? r : fan_series_widen(w->series, w->width);
}

static struct fan_vcpu_sums booked(const struct fan_thread *th)
{
	const struct fan_vcpu *v = th->vcpu;
	struct fan_vcpu_sums ret = { { 0 } };

	for (size_t i = 0; v && i < FAN_MODES; i++)
		ret.ns[i] = (int64_t)v->ns[i];
	if (!v)
		ret.ns[FAN_MODE_UNTOLD] = (int64_t)th->run_ns;
	ret.ns[FAN_SUM_WAIT] = (int64_t)th->wait_ns;
	ret.ns[FAN_SUM_STALE] = (int64_t)th->stale_ns;
	ret.ns[FAN_SUM_BLOCKED] = (int64_t)th->blocked_ns;
	ret.ns[FAN_SUM_UNKNOWN] = (int64_t)th->unknown_ns;
	ret.ns[FAN_SUM_HALTED] = v ? (int64_t)v->halted_ns : 0;
	return ret;
}

/* The sum that the thread's present state goes to; FAN_SUMS: to none. */
static size_t open_sum(const struct fan_thread *th)
{
	switch (th->state) {
	case FAN_ST_RUN:
		return th->vcpu ? th->vcpu->now.mode : FAN_MODE_UNTOLD;
	case FAN_ST_WAIT:
		return FAN_SUM_WAIT;
	case FAN_ST_NEW:
	case FAN_ST_BLOCKED:
		return FAN_SUM_BLOCKED;
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		return FAN_SUM_UNKNOWN;
	case FAN_ST_DEAD:
		break;
	}
	return FAN_SUMS;
}

/* The sums of a thread as of now, with its present state, which is booked only when it ends. */
static struct fan_vcpu_sums sums_at(const struct fan_vcpu_windows *w, const struct fan_thread *th,
				    uint64_t now_ns)
{
	const size_t open = open_sum(th);
	struct fan_vcpu_sums ret = booked(th);
	uint64_t from = th->since_ns > w->start ? th->since_ns : w->start;

	/* a kvm event splits run time before it is booked */
	if (th->state == FAN_ST_RUN && th->vcpu && th->vcpu->since_ns > from)
		from = th->vcpu->since_ns;
	if (open == FAN_SUMS || now_ns <= from)
		return ret;
	ret.ns[open] += (int64_t)(now_ns - from);
	if (th->state == FAN_ST_BLOCKED && th->vcpu && th->vcpu->is_halted)
		ret.ns[FAN_SUM_HALTED] += (int64_t)(now_ns - from);
	return ret;
}

/* ns of len of all; what is lost by rounding goes to the largest. */
static struct fan_vcpu_sums part_of(const struct fan_vcpu_sums *all, uint64_t ns, uint64_t len)
{
	struct fan_vcpu_sums ret;
	int64_t rest = (int64_t)ns;
	size_t largest = 0;

	for (size_t i = 0; i < FAN_SUMS; i++)
		ret.ns[i] = (int64_t)((fan_u128)all->ns[i] * ns / len);
	for (size_t i = 0; i < FAN_SUM_HALTED; i++) {
		rest -= ret.ns[i];
		largest = ret.ns[i] > ret.ns[largest] ? i : largest;
	}
	ret.ns[largest] += rest;
	return ret;
}

/* All that a thread has done so far, over the windows since it was born. */
static int spread(struct fan_vcpu_windows *w, struct row *row, const struct fan_thread *th,
		  const struct fan_vcpu_sums *all, uint64_t now_ns)
{
	const uint64_t to = th->state == FAN_ST_DEAD ? th->since_ns : now_ns;
	const uint64_t from = th->birth_ns > w->start ? th->birth_ns : w->start;
	struct fan_vcpu_sums before = { { 0 } }, upto, part;
	int r = 0;

	for (uint64_t i = (from - w->start) / w->width; r == 0; i++) {
		const uint64_t end = w->start + (i + 1) * w->width;

		upto = end < to ? part_of(all, end - from, to - from) : *all;
		part = difference(&upto, &before);
		r = book(w, row, i, &part);
		before = upto;
		if (end >= to)
			break;
	}
	return r;
}

static int reach_row(struct fan_vcpu_windows *w, size_t party)
{
	struct row *grown;

	if (party < w->nrows)
		return 0;
	grown = reallocarray(w->rows, party + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = w->nrows; i <= party; i++)
		grown[i] = (struct row){ .account = -1 };
	w->rows = grown;
	w->nrows = party + 1;
	return 0;
}

static bool is_halted(const struct fan_thread *th)
{
	return th->vcpu && th->vcpu->is_halted;
}

/* As it was at the end of the last window, off the CPU: nothing was booked since. */
static inline bool is_as_before(const struct fan_thread *th, const struct snapshot *last)
{
	return last->is_taken && th->since_ns == last->since_ns && th->state == last->state &&
	       th->state != FAN_ST_RUN && th->state != FAN_ST_WAIT &&
	       is_halted(th) == last->is_halted;
}

/* The row of a party; NULL without memory. */
static struct row *row_of(struct fan_vcpu_windows *w, size_t party, int32_t account)
{
	if (reach_row(w, party) < 0)
		return NULL;
	w->rows[party].account = account;
	return &w->rows[party];
}

/* The whole window goes where the one before went. */
static int take_same(struct fan_vcpu_windows *w, const struct fan_thread *th, struct snapshot *last,
		     uint64_t now_ns)
{
	const int32_t party = fan_parties_of(w->parties, th->account);
	const int64_t ns = (int64_t)(now_ns - last->taken_ns);
	const int64_t halted = th->state == FAN_ST_BLOCKED && last->is_halted ? ns : 0;
	const size_t open = open_sum(th);
	struct fan_vcpu_sums *cell;
	struct row *row;

	/* the dead do not make windows */
	if (open == FAN_SUMS)
		return 0;
	last->taken_ns = now_ns;
	last->sums.ns[open] += ns;
	last->sums.ns[FAN_SUM_HALTED] += halted;
	if (party < 0)
		return 0;
	row = row_of(w, (size_t)party, th->account);
	cell = row ? reach_cell(w, row, (now_ns - w->start - 1) / w->width) : NULL;
	if (!cell)
		return -ENOMEM;
	cell->ns[open] += ns;
	cell->ns[FAN_SUM_HALTED] += halted;
	return 0;
}

/* Time of a thread that is of no party is of no interest. */
static int take_thread(struct fan_vcpu_windows *w, const struct fan_thread *th,
		       struct snapshot *last, uint64_t now_ns)
{
	const struct fan_vcpu_sums now = sums_at(w, th, now_ns);
	const struct fan_vcpu_sums more = difference(&now, &last->sums);
	const int32_t party = fan_parties_of(w->parties, th->account);
	const bool is_new = !last->is_taken;
	const bool is_dead = !is_new && th->state == FAN_ST_DEAD &&
			     memcmp(&now, &last->sums, sizeof(now)) == 0;
	struct row *row;

	*last = (struct snapshot){ true, is_halted(th), th->state, th->since_ns, now_ns, now };
	if (is_dead || party < 0)
		return 0;
	row = row_of(w, (size_t)party, th->account);
	if (!row)
		return -ENOMEM;
	return is_new ? spread(w, row, th, &now, now_ns)
		      : book(w, row, (now_ns - w->start - 1) / w->width, &more);
}

static int reach_snapshots(struct fan_vcpu_windows *w, size_t n)
{
	struct snapshot *grown;

	if (n <= w->nlast)
		return 0;
	grown = reallocarray(w->last, 2 * n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + w->nlast, 0, (2 * n - w->nlast) * sizeof(*grown));
	w->last = grown;
	w->nlast = 2 * n;
	return 0;
}

/* From the moment that something tells of vCPUs names tell nothing. */
static void review_names(struct fan_vcpu_windows *w, const int32_t *thread, size_t n)
{
	bool is_misled = false;

	for (size_t i = 0; i < n; i++) {
		const bool is_vcpu = fan_threads_at(w->threads, (size_t)thread[i])->is_vcpu;

		w->is_told |= is_vcpu;
		is_misled |= !is_vcpu && w->last[i].is_taken;
	}
	if (!w->is_told || !is_misled)
		return;
	drop_rows(w);
	memset(w->last, 0, w->nlast * sizeof(*w->last));
}

static int take(struct fan_vcpu_windows *w, uint64_t now_ns)
{
	const int32_t *thread;
	const size_t n = fan_parties_vcpus(w->parties, &thread);
	int r = reach_snapshots(w, n);

	if (r == 0 && !w->is_told)
		review_names(w, thread, n);
	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct fan_thread *th = fan_threads_at(w->threads, (size_t)thread[i]);

		if (!th->is_vcpu && w->is_told)
			continue;
		if (is_as_before(th, &w->last[i]))
			r = take_same(w, th, &w->last[i], now_ns);
		else
			r = take_thread(w, th, &w->last[i], now_ns);
	}
	return r < 0 ? r : fit(w);
}

int fan_vcpu_windows_take(struct fan_vcpu_windows *w, uint64_t now_ns)
{
	int r = 0;

	while (r == 0 && w->next <= now_ns) {
		const uint64_t end = w->next;

		r = take(w, end);
		/* they may have become wider: then this one goes on */
		w->next = w->start + ((end - w->start) / w->width + 1) * w->width;
	}
	return r;
}

int fan_vcpu_windows_end(struct fan_vcpu_windows *w, uint64_t end_ns)
{
	const bool has_begun = w->next != UINT64_MAX && end_ns > w->start;

	w->next = UINT64_MAX;
	return has_begun ? take(w, end_ns) : 0;
}

size_t fan_vcpu_windows_rows(const struct fan_vcpu_windows *w)
{
	return w->nrows;
}

int32_t fan_vcpu_windows_account(const struct fan_vcpu_windows *w, size_t row)
{
	return w->rows[row].account;
}

struct fan_vcpu_sums fan_vcpu_windows_sum(const struct fan_vcpu_windows *w, size_t row,
					  uint64_t first, uint64_t n)
{
	const struct row *from = &w->rows[row];
	const uint64_t end = from->first + from->n;
	struct fan_vcpu_sums sum = { { 0 } };

	for (uint64_t i = first > from->first ? first : from->first; i < end && i - first < n; i++)
		add(&sum, &from->cells[i - from->first]);
	return sum;
}
