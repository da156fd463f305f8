/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row of "who waited for whom": what held the CPU while the threads of an account waited. */
#ifndef FAN_MODEL_BLAME_ROW_H
#define FAN_MODEL_BLAME_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A holder is the account of the thread that ran, or, below 0, one of these. */
enum fan_holder {
	FAN_HELD_IDLE = -1,    /* nobody: the waiter was on its way */
	FAN_HELD_UNKNOWN = -2, /* nobody knows */
	FAN_HELD_FORCED = -3,  /* nobody, as core scheduling forbids it */
	FAN_HELD_MAYBE = -4,   /* nobody, and perhaps for that reason: cookies are not told */
	FAN_HELD_OTHERS = 4,   /* how many of these there are */
};

struct fan_holding {
	uint64_t ns;	/* may be 0 */
	int32_t holder; /* -1: a free slot */
};

struct fan_row {
	struct fan_holding *slots; /* a hash table */
	size_t n;
	uint32_t last; /* if there are slots, how many less one: a power of two less one */
	uint64_t other_ns[FAN_HELD_OTHERS]; /* by ~holder */
	uint64_t throttled_ns;
};

/* How many slots all rows together may still get. */
struct fan_row_room {
	size_t slots;
	uint64_t refused_ns; /* told as unknown since there were too many pairs */
};

static inline size_t fan_row_slots(const struct fan_row *row)
{
	return row->slots ? (size_t)row->last + 1 : 0;
}

/* Where a holder belongs: accounts are numbered without gaps, and so spread by themselves. */
static inline size_t fan_row_place(const struct fan_row *row, int32_t holder)
{
	return (uint32_t)holder & row->last;
}

/* What the holder has, if it is found at its place; else NULL. The row has slots. */
static inline uint64_t *fan_row_ns(struct fan_row *row, int32_t holder)
{
	struct fan_holding *slot;

	if (holder < 0)
		return &row->other_ns[~holder];
	slot = &row->slots[fan_row_place(row, holder)];
	return slot->holder == holder ? &slot->ns : NULL;
}

/* fan_row_add() wherever it is. */
int fan_row_add_slowly(struct fan_row *row, struct fan_row_room *room, int32_t holder, uint64_t ns);

/* Adds ns > 0. Where there is no room for another holder, it is unknown. 0 or -ENOMEM. */
static inline int fan_row_add(struct fan_row *row, struct fan_row_room *room, int32_t holder,
			      uint64_t ns)
{
	uint64_t *has = row->slots ? fan_row_ns(row, holder) : NULL;

	if (!has)
		return fan_row_add_slowly(row, room, holder, ns);
	*has += ns;
	return 0;
}

/* Moves all of from to *to and empties it. 0 or -ENOMEM. */
int fan_row_merge(struct fan_row *to, struct fan_row *from, struct fan_row_room *room);

/*
 * Turns ns of the row, or all that it has if that is less, into throttled_ns: first what holders
 * that are not its own have, in proportion, then what nobody had, then its own.
 */
void fan_row_throttle(struct fan_row *row, uint64_t ns, bool (*is_own)(void *ctx, int32_t holder),
		      void *ctx);

void fan_row_clear(struct fan_row *row, struct fan_row_room *room);

#endif
