/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stable sorting by a number. */
#ifndef FAN_TRACE_ORDER_H
#define FAN_TRACE_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct fan_entry {
	uint32_t key, index;
};

/*
 * Sorts n entries by key; those with equal keys keep their order. spare has room for as many.
 * max is at least the largest key. Returns entries or spare, wherever the result lies.
 */
const struct fan_entry *fan_order(struct fan_entry *entries, struct fan_entry *spare, size_t n,
				  uint32_t max);

#endif
