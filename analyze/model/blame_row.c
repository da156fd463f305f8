// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/blame_row.h"
#include "analyze/model/wide.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 8

/* Of this holder, or the free one where it belongs. */
static inline struct fan_holding *find(const struct fan_row *row, int32_t holder)
{
	struct fan_holding *slot = &row->slots[fan_row_place(row, holder)];
	const struct fan_holding *last = &row->slots[row->last];

	while (slot->holder != holder && slot->holder >= 0)
		slot = slot == last ? row->slots : slot + 1;
	return slot;
}

static int grow(struct fan_row *row, struct fan_row_room *room)
{
	const size_t old = fan_row_slots(row), n = old ? 2 * old : FIRST_SLOTS;
	struct fan_row grown = { .last = (uint32_t)n - 1 };

	grown.slots = calloc(n, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		grown.slots[i].holder = -1;
	for (size_t i = 0; i < old; i++)
		if (row->slots[i].holder >= 0)
			*find(&grown, row->slots[i].holder) = row->slots[i];
	room->slots -= n - old;
	free(row->slots);
	row->slots = grown.slots;
	row->last = grown.last;
	return 0;
}

/* Before another holder is put in: a quarter of the slots stays free. */
static bool is_full(const struct fan_row *row)
{
	return row->n >= fan_row_slots(row) / 4 * 3;
}

static bool can_grow(const struct fan_row *row, const struct fan_row_room *room)
{
	return room->slots >= (row->slots ? fan_row_slots(row) : FIRST_SLOTS);
}

/* The row does not have the holder yet. */
static __attribute__((noinline)) int add_new(struct fan_row *row, struct fan_row_room *room,
					     int32_t holder, uint64_t ns)
{
	if (is_full(row)) {
		if (!can_grow(row, room)) {
			room->refused_ns += ns;
			row->other_ns[~FAN_HELD_UNKNOWN] += ns;
			return 0;
		}
		if (grow(row, room) < 0)
			return -ENOMEM;
	}
	*find(row, holder) = (struct fan_holding){ ns, holder };
	row->n++;
	return 0;
}

__attribute__((noinline)) int fan_row_add_slowly(struct fan_row *row, struct fan_row_room *room,
						 int32_t holder, uint64_t ns)
{
	struct fan_holding *slot;

	if (holder < 0) {
		row->other_ns[~holder] += ns;
		return 0;
	}
	slot = row->slots ? find(row, holder) : NULL;
	if (!slot || slot->holder != holder)
		return add_new(row, room, holder, ns);
	slot->ns += ns;
	return 0;
}

void fan_row_clear(struct fan_row *row, struct fan_row_room *room)
{
	room->slots += fan_row_slots(row);
	free(row->slots);
	*row = (struct fan_row){ 0 };
}

int fan_row_merge(struct fan_row *to, struct fan_row *from, struct fan_row_room *room)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < fan_row_slots(from); i++)
		if (from->slots[i].ns)
			r = fan_row_add_slowly(to, room, from->slots[i].holder, from->slots[i].ns);
	for (size_t i = 0; i < FAN_HELD_OTHERS; i++)
		to->other_ns[i] += from->other_ns[i];
	to->throttled_ns += from->throttled_ns;
	fan_row_clear(from, room);
	return r;
}

struct owner {
	bool (*is_own)(void *ctx, int32_t holder);
	void *ctx;
};

/* Takes ns from the holders that are own, or from the others, each by its part. What it took. */
static uint64_t take_slots(struct fan_row *row, uint64_t ns, const struct owner *of, bool own)
{
	uint64_t all = 0, left, taken;

	for (size_t i = 0; i < fan_row_slots(row); i++)
		if (row->slots[i].ns && of->is_own(of->ctx, row->slots[i].holder) == own)
			all += row->slots[i].ns;
	taken = left = ns < all ? ns : all;
	for (size_t i = 0; left && i < fan_row_slots(row); i++) {
		struct fan_holding *slot = &row->slots[i];
		uint64_t part;

		if (!slot->ns || !all || of->is_own(of->ctx, slot->holder) != own)
			continue;
		part = (uint64_t)((fan_u128)slot->ns * left / all);
		all -= slot->ns;
		left -= part;
		slot->ns -= part;
	}
	return taken;
}

static uint64_t take_others(struct fan_row *row, uint64_t ns)
{
	static const enum fan_holder order[] = { FAN_HELD_IDLE, FAN_HELD_FORCED, FAN_HELD_MAYBE,
						 FAN_HELD_UNKNOWN };
	uint64_t left = ns;

	for (size_t i = 0; i < FAN_HELD_OTHERS; i++) {
		uint64_t *from = &row->other_ns[~order[i]];
		const uint64_t part = *from < left ? *from : left;

		*from -= part;
		left -= part;
	}
	return ns - left;
}

void fan_row_throttle(struct fan_row *row, uint64_t ns, bool (*is_own)(void *ctx, int32_t holder),
		      void *ctx)
{
	const struct owner of = { is_own, ctx };
	uint64_t taken = take_slots(row, ns, &of, false);

	taken += take_others(row, ns - taken);
	taken += take_slots(row, ns - taken, &of, true);
	row->throttled_ns += taken;
}
