/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files need that take marker lines: keys of a line, copies, growing arrays. */
#ifndef FAN_MODEL_FACTS_PARTS_H
#define FAN_MODEL_FACTS_PARTS_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/marker.h"
#include "fcap/num.h"

/* The number of a key within its range, or missing if it is absent or not a number. */
static inline int64_t number(const struct fcap_marker *line, const char *key, int64_t missing)
{
	const char *text = fcap_marker_get(line, key);
	int64_t v;

	return text && fcap_parse_i64(text, INT32_MIN, INT64_MAX, &v) == 0 ? v : missing;
}

/* A counter that only grows, as told first and last; both are -1 before. */
static inline void keep_counter(const struct fcap_marker *line, const char *key, int64_t *first,
				int64_t *last)
{
	const int64_t v = number(line, key, -1);

	if (v < 0)
		return;
	*last = v;
	if (*first < 0)
		*first = v;
}

/* Replaces *dst by a copy of the key's value, if the line has the key. */
static inline int keep(char **dst, const struct fcap_marker *line, const char *key)
{
	const char *text = fcap_marker_get(line, key);
	char *copy;

	if (!text || (*dst && strcmp(*dst, text) == 0))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(*dst);
	*dst = copy;
	return 0;
}

/* Makes room for one more and returns it zeroed, or NULL. */
static inline void *append(void *array, size_t *n, size_t size)
{
	void **items = array;
	char *grown = *items;

	if ((*n & (*n - 1)) == 0) {
		grown = reallocarray(*items, *n ? *n * 2 : 1, size);
		if (!grown)
			return NULL;
		*items = grown;
	}
	grown += *n * size;
	memset(grown, 0, size);
	++*n;
	return grown;
}

#endif
