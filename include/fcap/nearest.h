/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of several words was meant by one that is none of them. */
#ifndef FCAP_NEAREST_H
#define FCAP_NEAREST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FCAP_NEAREST_LEN 63 /* longer words are not compared */

static inline size_t fcap_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many single letters have to be added, dropped, replaced or swapped with their neighbour to
 * make b of a, no place twice (optimal string alignment); SIZE_MAX where a word is too long.
 */
static inline size_t fcap_distance(const char *a, const char *b)
{
	const size_t n = strlen(a), m = strlen(b);
	size_t row[3][FCAP_NEAREST_LEN + 1];

	if (n > FCAP_NEAREST_LEN || m > FCAP_NEAREST_LEN)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *two = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = fcap_least(before[j] + 1, now[j - 1] + 1);
			now[j] = fcap_least(now[j], before[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = fcap_least(now[j], two[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

/* Of a list of names the one that is most like what was typed. */
struct fcap_near {
	char typed[FCAP_NEAREST_LEN + 1];
	size_t distance;  /* of best; SIZE_MAX before the first try */
	const char *best; /* borrowed; NULL before the first try; of equally near ones the first */
};

/* len bytes of typed are looked at. */
static inline struct fcap_near fcap_near_to(const char *typed, size_t len)
{
	struct fcap_near near = { .distance = SIZE_MAX };

	memcpy(near.typed, typed, fcap_least(len, FCAP_NEAREST_LEN));
	return near;
}

/* One name more. */
static inline void fcap_near_try(struct fcap_near *near, const char *name)
{
	const size_t distance = fcap_distance(near->typed, name);

	if (distance >= near->distance)
		return;
	near->distance = distance;
	near->best = name;
}

/* The best one, if no more than a third of its letters, or one of few, is wrong; else NULL. */
static inline const char *fcap_near_guess(const struct fcap_near *near)
{
	const size_t length = near->best ? strlen(near->best) : 0;

	return near->best && near->distance <= (length < 6 ? 1 : length / 3) ? near->best : NULL;
}

#endif
