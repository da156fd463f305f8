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

/* To the cell of the same kind, or a new one; undecided nothing is settled at once. */
static int add(struct fan_worst *w, struct fan_worst_cell cell)
{
	void *cells = w->cells;

	if (!cell.open) {
		fan_worst_settle(w, cell.ns, cell.so_far, cell.is_possible);
		return 0;
	}
	for (size_t i = 0; i < w->n; i++) {
		struct fan_worst_cell *c = &w->cells[i];

		if (c->open == cell.open && c->so_far == cell.so_far &&
		    c->is_possible == cell.is_possible) {
			c->ns += cell.ns;
			return 0;
		}
	}
	if (fan_reserve(&cells, w->n, 1, &w->room, sizeof(cell)) < 0)
		return -ENOMEM;
	w->cells = cells;
	w->cells[w->n++] = cell;
	return 0;
}

/* What went on since the last change. */
static int book(struct fan_worst *w, uint64_t now_ns)
{
	const uint64_t ns = now_ns - w->since_ns;

	w->since_ns = now_ns;
	if (ns == 0 || (!w->active && !w->is_possible))
		return 0;
	return add(w, (struct fan_worst_cell){ w->active, ns, FAN_WORST_NONE, w->is_possible });
}

int fan_worst_change(struct fan_worst *w, uint64_t now_ns, uint64_t active, bool is_possible)
{
	const int r = book(w, now_ns);

	w->active = active;
	w->is_possible = is_possible;
	return r;
}

int fan_worst_resolve(struct fan_worst *w, uint64_t now_ns, uint64_t slot,
		      enum fan_worst_class worst_class)
{
	int r = book(w, now_ns);
	size_t i = 0;

	while (r == 0 && i < w->n) {
		struct fan_worst_cell cell;

		if (!(w->cells[i].open & slot)) {
			i++;
			continue;
		}
		cell = w->cells[i];
		w->cells[i] = w->cells[--w->n];
		cell.open &= ~slot;
		if (worst_class > cell.so_far)
			cell.so_far = worst_class;
		/* what comes to the end of the list has no such bit */
		r = add(w, cell);
	}
	return r;
}
