/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a row of waits adds up to, for tests of what must not get lost. */
#ifndef TESTS_UNIT_ROW_SUM_H
#define TESTS_UNIT_ROW_SUM_H

#include "analyze/model/blame_row.h"

/* Everything in it. */
static inline uint64_t row_sum(const struct fan_row *row)
{
	uint64_t sum = row->throttled_ns;

	for (size_t i = 0; i < fan_row_slots(row); i++)
		sum += row->slots[i].ns;
	for (size_t i = 0; i < FAN_HELD_OTHERS; i++)
		sum += row->other_ns[i];
	return sum;
}

#endif
