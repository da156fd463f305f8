// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/near.h"

#include <stdint.h>
#include <string.h>

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct fan_near fan_near_to(const char *typed, size_t len)
{
	return (struct fan_near){ typed, min(len, FAN_NEAR_LONGEST), SIZE_MAX, NULL };
}

void fan_near_try(struct fan_near *near, const char *name)
{
	const size_t len = min(strlen(name), FAN_NEAR_LONGEST);
	size_t row[FAN_NEAR_LONGEST + 1]; /* distances of what was typed so far to each beginning */

	for (size_t k = 0; k <= len; k++)
		row[k] = k;
	for (size_t i = 0; i < near->len; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t k = 0; k < len; k++) {
			const size_t changed = diagonal + (near->typed[i] != name[k]);

			diagonal = row[k + 1];
			row[k + 1] = min(changed, min(row[k], row[k + 1]) + 1);
		}
	}
	if (row[len] < near->distance) {
		near->distance = row[len];
		near->best = name;
	}
}
