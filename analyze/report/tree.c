// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Builds and releases the result tree, driven by the tables of tables.c. Knows no field by
 * name.
 */
#include "analyze/report/tree.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void init_field(void *at, const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		*(char **)at = NULL;
		break;
	case FAN_F_I64:
		*(int64_t *)at = FAN_NONE;
		break;
	case FAN_F_REAL:
		*(double *)at = NAN;
		break;
	case FAN_F_BOOL:
		*(bool *)at = false;
		break;
	case FAN_F_STRS:
		*(struct fan_strs *)at = (struct fan_strs){ 0 };
		break;
	case FAN_F_STRUCT:
		fan_tree_init(at, field->sub);
		break;
	case FAN_F_ARRAY:
	case FAN_F_NAMED:
	case FAN_F_MAP:
	case FAN_F_CPUS:
		*(struct fan_array *)at = (struct fan_array){ 0 };
		break;
	case FAN_F_INTS:
		*(struct fan_ints *)at = (struct fan_ints){ 0 };
		break;
	case FAN_F_REALS:
		*(struct fan_reals *)at = (struct fan_reals){ 0 };
		break;
	case FAN_F_EST:
		fan_est_init(at, NULL, NAN, 1);
		break;
	case FAN_F_VERDICT:
		*(struct fan_verdict_text *)at = (struct fan_verdict_text){ .margin = NAN };
		break;
	}
}

void fan_tree_init(void *item, const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		init_field((char *)item + table->fields[i].offset, &table->fields[i]);
}

void fan_strs_free(struct fan_strs *strs)
{
	for (size_t i = 0; i < strs->n; i++)
		free(strs->items[i]);
	free(strs->items);
	*strs = (struct fan_strs){ 0 };
}

static void free_array(struct fan_array *array, const struct fan_table *table)
{
	for (size_t i = 0; i < array->n; i++)
		fan_tree_free((char *)array->items + i * table->size, table);
	free(array->items);
}

static void free_pairs(struct fan_array *pairs)
{
	struct fan_pair *pair = pairs->items;

	for (size_t i = 0; i < pairs->n; i++) {
		free(pair[i].key);
		free(pair[i].value);
	}
	free(pair);
}

static void free_cpu_lists(struct fan_array *lists)
{
	struct fan_ints *list = lists->items;

	for (size_t i = 0; i < lists->n; i++)
		free(list[i].items);
	free(list);
}

static void free_field(void *at, const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		free(*(char **)at);
		break;
	case FAN_F_STRS:
		fan_strs_free(at);
		break;
	case FAN_F_STRUCT:
		fan_tree_free(at, field->sub);
		break;
	case FAN_F_ARRAY:
	case FAN_F_NAMED:
		free_array(at, field->sub);
		break;
	case FAN_F_INTS:
		free(((struct fan_ints *)at)->items);
		break;
	case FAN_F_REALS:
		free(((struct fan_reals *)at)->items);
		break;
	case FAN_F_MAP:
		free_pairs(at);
		break;
	case FAN_F_CPUS:
		free_cpu_lists(at);
		break;
	case FAN_F_VERDICT:
		fan_strs_free(&((struct fan_verdict_text *)at)->reasons);
		break;
	case FAN_F_I64:
	case FAN_F_REAL:
	case FAN_F_BOOL:
	case FAN_F_EST:
		break;
	}
}

void fan_tree_free(void *item, const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		free_field((char *)item + table->fields[i].offset, &table->fields[i]);
	fan_tree_init(item, table);
}

void fan_report_free(struct fan_report *r)
{
	fan_tree_free(r, &fan_report_table);
}

/*
 * Room for one more behind n items of this size. Arrays grow by doubling at powers of two, so
 * their capacity need not be kept. The new block, or NULL (the old one stays good).
 */
static void *grow(void *items, size_t n, size_t size)
{
	if (n > 0 && (n & (n - 1)) != 0)
		return items;
	return reallocarray(items, n > 0 ? 2 * n : 1, size);
}

void *fan_array_add(struct fan_array *array, const struct fan_table *table)
{
	void *items = grow(array->items, array->n, table->size), *item;

	if (!items)
		return NULL;
	array->items = items;
	item = (char *)items + array->n++ * table->size;
	memset(item, 0, table->size);
	fan_tree_init(item, table);
	return item;
}

int fan_str_set(char **dst, const char *src)
{
	char *copy = src ? strdup(src) : NULL;

	if (!src)
		return 0;
	if (!copy)
		return -ENOMEM;
	free(*dst);
	*dst = copy;
	return 0;
}

int fan_pairs_add(struct fan_array *pairs, const char *key, const char *value)
{
	struct fan_pair *items = grow(pairs->items, pairs->n, sizeof(*items));
	struct fan_pair pair;

	if (!items)
		return -ENOMEM;
	pairs->items = items;
	pair.key = strdup(key);
	pair.value = strdup(value);
	if (!pair.key || !pair.value) {
		free(pair.key);
		free(pair.value);
		return -ENOMEM;
	}
	items[pairs->n++] = pair;
	return 0;
}

struct fan_ints *fan_cpu_lists_add(struct fan_array *lists)
{
	struct fan_ints *items = grow(lists->items, lists->n, sizeof(*items));

	if (!items)
		return NULL;
	lists->items = items;
	items[lists->n] = (struct fan_ints){ 0 };
	return &items[lists->n++];
}

int fan_reals_add(struct fan_reals *list, double value)
{
	double *items = grow(list->items, list->n, sizeof(*items));

	if (!items)
		return -ENOMEM;
	list->items = items;
	items[list->n++] = value;
	return 0;
}

int fan_ints_add(struct fan_ints *list, int64_t value)
{
	int64_t *items = grow(list->items, list->n, sizeof(*items));

	if (!items)
		return -ENOMEM;
	list->items = items;
	items[list->n++] = value;
	return 0;
}

int fan_strs_add(struct fan_strs *strs, const char *fmt, ...)
{
	char **items = grow(strs->items, strs->n, sizeof(*items));
	char *text;
	va_list ap;
	int r;

	if (!items)
		return -ENOMEM;
	strs->items = items;
	va_start(ap, fmt);
	r = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (r < 0)
		return -ENOMEM;
	items[strs->n++] = text;
	return 0;
}
