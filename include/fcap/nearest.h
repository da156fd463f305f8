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

/*
 * The better guess of best (NULL: none yet) and next for word: next, if it is nearer and at most
 * a third of its letters, and never fewer than one, are wrong.
 */
static inline const char *fcap_nearer(const char *word, const char *best, const char *next)
{
	const size_t wrong = fcap_distance(word, next), length = strlen(next);
	const size_t allowed = length < 6 ? 1 : length / 3;

	if (wrong > allowed || (best && wrong >= fcap_distance(word, best)))
		return best;
	return next;
}

#endif
