/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time in which any of several things goes on whose class is known only when it ends: each instant
 * counts once, as the worst class of those that went on. Time is kept by which of them are still
 * undecided, so memory is for combinations of these, however long they last.
 */
#ifndef FAN_MODEL_WORST_H
#define FAN_MODEL_WORST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAN_WORST_SLOTS 64

/* The later the worse. */
enum fan_worst_class {
	FAN_WORST_NONE,
	FAN_WORST_TRANSITION,
	FAN_WORST_UNRESOLVED,
	FAN_WORST_VIOLATION,
	FAN_WORST_CLASSES
};

struct fan_worst_cell {
	uint64_t open; /* slots that went on and are undecided, as bits */
	uint64_t ns;
	enum fan_worst_class so_far; /* of those that are decided */
	bool is_possible;
};

/* All 0 is a beginning at 0 ns with nothing going on; since_ns may be set to begin later. */
struct fan_worst {
	/* settled; possible_ns is of the first two classes */
	uint64_t ns[FAN_WORST_CLASSES], possible_ns;
	/* --- for worst.c --- */
	struct fan_worst_cell *cells;
	size_t n, room;
	uint64_t active; /* slots that go on */
	bool is_possible;
	uint64_t since_ns;
};

void fan_worst_free(struct fan_worst *w);

/* For the two below, where they have something to do. */
int fan_worst_change(struct fan_worst *w, uint64_t now_ns, uint64_t active, bool is_possible);
int fan_worst_resolve(struct fan_worst *w, uint64_t now_ns, uint64_t slot,
		      enum fan_worst_class worst_class);

/*
 * From now_ns on these slots go on (as bits); is_possible: and something that nobody can see. 0 or
 * -ENOMEM.
 */
static inline int fan_worst_set(struct fan_worst *w, uint64_t now_ns, uint64_t active,
				bool is_possible)
{
	return w->active == active && w->is_possible == is_possible
		       ? 0
		       : fan_worst_change(w, now_ns, active, is_possible);
}

/* Time that is decided. */
static inline void fan_worst_settle(struct fan_worst *w, uint64_t ns,
				    enum fan_worst_class worst_class, bool is_possible)
{
	w->ns[worst_class] += ns;
	if (is_possible && worst_class < FAN_WORST_UNRESOLVED)
		w->possible_ns += ns;
}

/* All that this slot (its bit) was up to now_ns is of this class. 0 or -ENOMEM. */
static inline int fan_worst_decide(struct fan_worst *w, uint64_t now_ns, uint64_t slot,
				   enum fan_worst_class worst_class)
{
	if (w->n > 0 || (w->active & slot && w->active != slot))
		return fan_worst_resolve(w, now_ns, slot, worst_class);
	/* nothing else is undecided, nor goes on: mostly so */
	if (w->active == slot) {
		fan_worst_settle(w, now_ns - w->since_ns, worst_class, w->is_possible);
		w->since_ns = now_ns;
	}
	return 0;
}

#endif
