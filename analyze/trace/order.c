// SPDX-License-Identifier: GPL-3.0-or-later
/* Radix sort, lowest digit first: its cost does not depend on the number of CPUs. */
#include "analyze/trace/order.h"

#include <string.h>

#define BITS_FEW  8 /* of a digit */
#define BITS_MANY 11
#define MANY	  2048 /* entries from which on the larger tables of longer digits pay */
#define FEW	  24   /* entries up to which insertion is quicker */

static void insert(struct fan_entry *e, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct fan_entry moved = e[i];
		size_t k = i;

		for (; k > 0 && e[k - 1].key > moved.key; k--)
			e[k] = e[k - 1];
		e[k] = moved;
	}
}

static void sort_digit(const struct fan_entry *from, struct fan_entry *to, size_t n,
		       unsigned int shift, unsigned int bits)
{
	const uint32_t mask = (1U << bits) - 1;
	uint32_t place[1U << BITS_MANY], sum = 0;

	memset(place, 0, sizeof(*place) << bits);
	for (size_t i = 0; i < n; i++)
		place[from[i].key >> shift & mask]++;
	for (uint32_t d = 0; d <= mask; d++) {
		const uint32_t count = place[d];

		place[d] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[place[from[i].key >> shift & mask]++] = from[i];
}

const struct fan_entry *fan_order(struct fan_entry *entries, struct fan_entry *spare, size_t n,
				  uint32_t max)
{
	const unsigned int bits = n < MANY ? BITS_FEW : BITS_MANY;
	struct fan_entry *from = entries, *to = spare, *swap;

	if (n <= FEW) {
		insert(entries, n);
		return entries;
	}
	for (unsigned int shift = 0; shift < 32 && max >> shift; shift += bits) {
		sort_digit(from, to, n, shift, bits);
		swap = from;
		from = to;
		to = swap;
	}
	return from;
}
