// SPDX-License-Identifier: GPL-3.0-or-later
/* Which columns a table has: paths looked up in the field tables, and what is found in the items.
 */
#include "plot/html_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_text.h"

#define DEEPEST 4 /* structs within structs */

/* The names of the fields on the way down, and where that is. */
struct way {
	const struct fan_field *fields[DEEPEST];
	size_t depth, offset;
};

const void *fplot_item(const struct fplot_table *t, size_t i)
{
	return (const char *)t->items->items + i * t->fields->size;
}

bool fplot_is_shown(const struct fplot_table *t, const void *item)
{
	return !t->is_in || t->is_in(item, t->arg);
}

/* "run" of run_ns: the unit stands with the numbers, or behind the head. */
static void put_name(FILE *f, const char *name)
{
	static const char *const ends[] = { "_ns", "_s", "_pct", "_pp" };
	size_t len = strlen(name);

	if (strcmp(name, "ns") == 0) {
		fputs("time", f);
		return;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const size_t end = strlen(ends[i]);

		if (len > end && strcmp(name + len - end, ends[i]) == 0)
			len -= end;
	}
	for (size_t i = 0; i < len; i++)
		fputc(name[i] == '_' ? ' ' : name[i], f);
}

/* The column's own head; of a key, the key; else all names on the way to the field. */
static char *make_head(const struct way *way, const struct fplot_column *column, const char *key)
{
	const char *unit = way->fields[way->depth - 1]->unit;
	const char *own = !column ? NULL : key ? key : column->head;
	char *ret = NULL;
	size_t size;
	FILE *f = open_memstream(&ret, &size);

	if (!f)
		return NULL;
	fputs(own ? own : "", f);
	for (size_t i = 0; i < way->depth && !own; i++) {
		fputs(i > 0 ? " " : "", f);
		put_name(f, way->fields[i]->name);
	}
	if (key && !own)
		fprintf(f, ": %s", key);
	if (unit && !own && strcmp(unit, "ns") != 0)
		fprintf(f, ", %s", strcmp(unit, "percent") == 0 ? "%" : unit);
	if (fclose(f) == EOF) {
		free(ret);
		return NULL;
	}
	return ret;
}

static int append(struct fplot_flats *list, const struct way *way,
		  const struct fplot_column *column, const char *key)
{
	struct fplot_flat *grown = reallocarray(list->items, list->n + 1, sizeof(*grown)), *flat;

	if (!grown)
		return -ENOMEM;
	list->items = grown;
	flat = &grown[list->n++];
	*flat = (struct fplot_flat){ .column = column, .key = key, .offset = way->offset };
	if (way->depth == 0) {
		flat->head = strdup(column->head);
	} else {
		flat->field = way->fields[way->depth - 1];
		flat->head = make_head(way, column, key);
	}
	return flat->head ? 0 : -ENOMEM;
}

static bool is_one_value(const struct fan_table *sub)
{
	return sub && sub->n == 2 && sub->fields[0].type == FAN_F_STR;
}

static const char *key_of(const void *item, const struct fan_table *sub)
{
	const char *key = *(char *const *)((const char *)item + sub->fields[0].offset);

	return key ? key : FPLOT_HTML_NONE;
}

static bool has_key(const struct fplot_flats *list, size_t from, const char *key)
{
	for (size_t i = from; i < list->n; i++)
		if (strcmp(list->items[i].key, key) == 0)
			return true;
	return false;
}

/* The keys of an item; of_it: those alone that are the name of the other item, too. */
static int append_keys_of(struct fplot_flats *list, const struct way *way,
			  const struct fplot_column *column, const void *item, size_t from,
			  const char *of_it)
{
	const struct fan_table *sub = way->fields[way->depth - 1]->sub;
	const struct fan_array *named = (const void *)((const char *)item + way->offset);
	int e = 0;

	for (size_t k = 0; e == 0 && k < named->n; k++) {
		const char *key = key_of((const char *)named->items + k * sub->size, sub);

		if (!has_key(list, from, key) && (!of_it || strcmp(of_it, key) == 0))
			e = append(list, way, column, key);
	}
	return e;
}

/* A column for each key that any item has: first, as the rows, those that are items too. */
static int append_keys(struct fplot_flats *list, const struct fplot_table *t, const struct way *way,
		       const struct fplot_column *column)
{
	const size_t from = list->n, n = t->items->n;
	const struct fan_field *first = &t->fields->fields[0];
	int e = 0;

	for (size_t i = 0; e == 0 && i < n && first->type == FAN_F_STR; i++) {
		const char *name = key_of(fplot_item(t, i), t->fields);

		for (size_t k = 0; e == 0 && k < n; k++)
			if (fplot_is_shown(t, fplot_item(t, k)))
				e = append_keys_of(list, way, column, fplot_item(t, k), from, name);
	}
	for (size_t k = 0; e == 0 && k < n; k++)
		if (fplot_is_shown(t, fplot_item(t, k)))
			e = append_keys_of(list, way, column, fplot_item(t, k), from, NULL);
	return e;
}

/* Goes down to a field. False: it is deeper than any table is. */
static bool step(struct way *way, const struct fan_field *field)
{
	if (way->depth == DEEPEST)
		return false;
	way->fields[way->depth++] = field;
	way->offset += field->offset;
	return true;
}

static int append_field(struct fplot_flats *list, const struct fplot_table *t,
			const struct way *way, const struct fplot_column *column);

static int append_all(struct fplot_flats *list, const struct fplot_table *t, const struct way *way,
		      const struct fan_table *fields)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < fields->n; i++) {
		struct way next = *way;

		e = step(&next, &fields->fields[i]) ? append_field(list, t, &next, NULL) : -EINVAL;
	}
	return e;
}

static int append_field(struct fplot_flats *list, const struct fplot_table *t,
			const struct way *way, const struct fplot_column *column)
{
	const struct fan_field *field = way->fields[way->depth - 1];

	switch (field->type) {
	case FAN_F_STRUCT:
		return append_all(list, t, way, field->sub);
	case FAN_F_NAMED:
		return is_one_value(field->sub) ? append_keys(list, t, way, column) : 0;
	case FAN_F_ARRAY:
	case FAN_F_REALS:
		return 0;
	default:
		return append(list, way, column, NULL);
	}
}

static const struct fan_field *find_field(const struct fan_table *fields, const char *name,
					  size_t len)
{
	for (size_t i = 0; fields && i < fields->n; i++)
		if (strlen(fields->fields[i].name) == len &&
		    strncmp(fields->fields[i].name, name, len) == 0)
			return &fields->fields[i];
	return NULL;
}

const struct fan_table *fplot_sub_table(const struct fan_table *fields, const char *name)
{
	const struct fan_field *field = find_field(fields, name, strlen(name));

	return field ? field->sub : NULL;
}

static int append_path(struct fplot_flats *list, const struct fplot_table *t,
		       const struct fplot_column *column)
{
	const struct fan_table *fields = t->fields;
	const char *path = column->path;
	struct way way = { .depth = 0 };

	for (;;) {
		const size_t len = strcspn(path, ".");
		const struct fan_field *field = find_field(fields, path, len);

		if (!field || !step(&way, field))
			return -EINVAL;
		if (!path[len])
			return append_field(list, t, &way, column);
		fields = field->sub;
		path += len + 1;
	}
}

const void *fplot_flat_at(const struct fplot_flat *flat, const void *item)
{
	const void *at = (const char *)item + flat->offset;
	const struct fan_array *named = at;
	const struct fan_table *sub;

	if (!flat->key)
		return at;
	sub = flat->field->sub;
	for (size_t i = 0; i < named->n; i++) {
		const char *one = (const char *)named->items + i * sub->size;

		if (strcmp(key_of(one, sub), flat->key) == 0)
			return one + sub->fields[1].offset;
	}
	return NULL;
}

const struct fan_field *fplot_flat_field(const struct fplot_flat *flat)
{
	return flat->key ? &flat->field->sub->fields[1] : flat->field;
}

static void look(const struct fplot_table *t, struct fplot_flat *flat)
{
	for (size_t i = 0; i < t->items->n; i++) {
		const void *item = fplot_item(t, i), *at;

		if (!fplot_is_shown(t, item))
			continue;
		at = flat->field ? fplot_flat_at(flat, item) : NULL;
		flat->is_known |= at && fplot_is_known(fplot_flat_field(flat), at);
		flat->is_more |= at && fplot_is_more(fplot_flat_field(flat), at);
	}
	if (!flat->field)
		flat->is_known = flat->is_more = true;
}

int fplot_flatten(struct fplot_flats *ret, const struct fplot_table *t)
{
	const struct way none = { .depth = 0 };
	int e = 0;

	*ret = (struct fplot_flats){ 0 };
	if (t->ncolumns == 0)
		e = append_all(ret, t, &none, t->fields);
	for (size_t i = 0; e == 0 && i < t->ncolumns; i++)
		e = t->columns[i].path ? append_path(ret, t, &t->columns[i])
				       : append(ret, &none, &t->columns[i], NULL);
	for (size_t i = 0; e == 0 && i < ret->n; i++)
		look(t, &ret->items[i]);
	return e;
}

void fplot_flats_free(struct fplot_flats *flats)
{
	for (size_t i = 0; i < flats->n; i++)
		free(flats->items[i].head);
	free(flats->items);
	*flats = (struct fplot_flats){ 0 };
}
