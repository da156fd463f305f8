// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/worst.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/model/room.h"

void fan_worst_free(struct fan_worst *w)
{
	free(w->cells);
	w->cells = NULL;
	w->n = w->room = 0;
}

static inline bool are_alike(const struct fan_worst_cell *a, const struct fan_worst_cell *b)
{
	return a->open == b->open && a->so_far == b->so_far && a->is_possible == b->is_possible;
}

/* To the cell of the same kind, or a new one. 0 or -ENOMEM. */
static int add(struct fan_worst *w, const struct fan_worst_cell *cell)
{
	void *cells = w->cells;

	for (size_t i = 0; i < w->n; i++) {
		if (are_alike(&w->cells[i], cell)) {
			w->cells[i].ns += cell->ns;
			return 0;
		}
	}
	if (fan_reserve(&cells, w->n, 1, &w->room, sizeof(*cell)) < 0)
		return -ENOMEM;
	w->cells = cells;
	w->cells[w->n++] = *cell;
	return 0;
}

/* What went on since the last change. */
static inline int book(struct fan_worst *w, uint64_t now_ns)
{
	const struct fan_worst_cell cell = { w->active, now_ns - w->since_ns, FAN_WORST_NONE,
					     w->is_possible };

	w->since_ns = now_ns;
	if (cell.ns == 0 || (!cell.open && !cell.is_possible))
		return 0;
	if (cell.open)
		return add(w, &cell);
	fan_worst_settle(w, cell.ns, FAN_WORST_NONE, true);
	return 0;
}

int fan_worst_change(struct fan_worst *w, uint64_t now_ns, uint64_t active, bool is_possible)
{
	const int r = book(w, now_ns);

	w->active = active;
	w->is_possible = is_possible;
	return r;
}

/* What is decided of this cell leaves it nothing of its own: true, and its time is elsewhere. */
static inline bool is_over(struct fan_worst *w, const struct fan_worst_cell *cell)
{
	if (!cell->open) {
		fan_worst_settle(w, cell->ns, cell->so_far, cell->is_possible);
		return true;
	}
	for (size_t i = 0; i < w->n; i++) {
		if (&w->cells[i] != cell && are_alike(&w->cells[i], cell)) {
			w->cells[i].ns += cell->ns;
			return true;
		}
	}
	return false;
}

int fan_worst_resolve(struct fan_worst *w, uint64_t now_ns, uint64_t slot,
		      enum fan_worst_class worst_class)
{
	const int r = book(w, now_ns);
	size_t i = 0;

	while (i < w->n) {
		struct fan_worst_cell *cell = &w->cells[i];

		if (cell->open & slot) {
			cell->open &= ~slot;
			if (worst_class > cell->so_far)
				cell->so_far = worst_class;
			if (is_over(w, cell)) {
				*cell = w->cells[--w->n];
				continue;
			}
		}
		i++;
	}
	return r;
}
