// SPDX-License-Identifier: GPL-3.0-or-later
/* JSON to result tree. Knows the field types but no field by name, "schema" apart. */
#include "analyze/report/read_json.h"
#include "analyze/report/read_json_parts.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <jansson.h>

static int read_ints(struct fan_ints *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list of numbers is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const json_t *item = json_array_get(v, i);
		const struct fan_place here = fan_step_index(at, i);
		int64_t n = FAN_NONE;
		const int e = json_is_null(item) ? 0 : fan_read_i64(&n, item, &here);

		if (e < 0)
			return e;
		if (fan_ints_add(ret, n) < 0)
			return fan_read_no_memory(at);
	}
	return 0;
}

static int read_reals(struct fan_reals *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list of numbers is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const json_t *item = json_array_get(v, i);
		const struct fan_place here = fan_step_index(at, i);
		double x = NAN;
		const int e = json_is_null(item) ? 0 : fan_read_real(&x, item, &here);

		if (e < 0)
			return e;
		if (fan_reals_add(ret, x) < 0)
			return fan_read_no_memory(at);
	}
	return 0;
}

static int read_cpu_lists(struct fan_array *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list of lists is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const struct fan_place here = fan_step_index(at, i);
		struct fan_ints *list = fan_cpu_lists_add(ret);
		int e;

		if (!list)
			return fan_read_no_memory(at);
		e = read_ints(list, json_array_get(v, i), &here);
		if (e < 0)
			return e;
	}
	return 0;
}

static int read_map(struct fan_array *ret, const json_t *v, const struct fan_place *at)
{
	const char *key;
	json_t *value;

	if (!json_is_object(v))
		return fan_refuse(at, "an object is needed");
	json_object_foreach((json_t *)v, key, value)
	{
		const struct fan_place here = fan_step_key(at, key);

		if (!json_is_string(value))
			return fan_refuse(&here, "a string is needed");
		if (fan_pairs_add(ret, key, json_string_value(value)) < 0)
			return fan_read_no_memory(at);
	}
	return 0;
}

static int read_struct(void *item, const struct fan_table *table, const json_t *v,
		       const struct fan_place *at);

static int read_array(struct fan_array *ret, const struct fan_table *table, const json_t *v,
		      const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const struct fan_place here = fan_step_index(at, i);
		void *item = fan_array_add(ret, table);
		int e;

		if (!item)
			return fan_read_no_memory(at);
		e = read_struct(item, table, json_array_get(v, i), &here);
		if (e < 0)
			return e;
	}
	return 0;
}

static int read_field(void *to, const struct fan_field *field, const json_t *v,
		      const struct fan_place *at);

/* The first field is the key; the value is the one other field, or an object of the others. */
static int read_named(struct fan_array *ret, const struct fan_table *table, const json_t *v,
		      const struct fan_place *at)
{
	const char *key;
	json_t *value;

	if (!json_is_object(v))
		return fan_refuse(at, "an object is needed");
	json_object_foreach((json_t *)v, key, value)
	{
		const struct fan_place here = fan_step_key(at, key);
		char *item = fan_array_add(ret, table);
		int e = 0;

		if (!item || fan_str_set((char **)(item + table->fields[0].offset), key) < 0)
			return fan_read_no_memory(at);
		if (table->n != 2)
			e = read_struct(item, table, value, &here);
		else if (!json_is_null(value))
			e = read_field(item + table->fields[1].offset, &table->fields[1], value,
				       &here);
		if (e < 0)
			return e;
	}
	return 0;
}

static int read_field(void *to, const struct fan_field *field, const json_t *v,
		      const struct fan_place *at)
{
	switch (field->type) {
	case FAN_F_STR:
		return fan_read_str(to, v, at);
	case FAN_F_I64:
		return fan_read_i64(to, v, at);
	case FAN_F_REAL:
		return fan_read_real(to, v, at);
	case FAN_F_BOOL:
		return fan_read_bool(to, v, at);
	case FAN_F_STRS:
		return fan_read_strs(to, v, at);
	case FAN_F_STRUCT:
		return read_struct(to, field->sub, v, at);
	case FAN_F_ARRAY:
		return read_array(to, field->sub, v, at);
	case FAN_F_NAMED:
		return read_named(to, field->sub, v, at);
	case FAN_F_INTS:
		return read_ints(to, v, at);
	case FAN_F_REALS:
		return read_reals(to, v, at);
	case FAN_F_MAP:
		return read_map(to, v, at);
	case FAN_F_EST:
		return fan_read_est(to, v, at);
	case FAN_F_VERDICT:
		return fan_read_verdict(to, v, at);
	case FAN_F_CPUS:
		return read_cpu_lists(to, v, at);
	}
	return -EINVAL;
}

static int read_struct(void *item, const struct fan_table *table, const json_t *v,
		       const struct fan_place *at)
{
	if (!json_is_object(v))
		return fan_refuse(at, "an object is needed");
	for (size_t i = 0; i < table->n; i++) {
		const struct fan_field *field = &table->fields[i];
		const struct fan_place here = fan_step_key(at, field->name);
		const json_t *value = fan_read_member(v, field->name);
		const int e = value ? read_field((char *)item + field->offset, field, value, &here)
				    : 0;

		if (e < 0)
			return e;
	}
	return 0;
}

static int check_schema(const json_t *root, const char *schema, struct fcap_err *err)
{
	const char *found = json_string_value(json_object_get(root, "schema"));

	if (!found)
		return fcap_fail(err, EINVAL, "this JSON names no schema; %s is needed", schema);
	if (strcmp(found, schema) != 0)
		return fcap_fail(err, EINVAL, "this is %s; %s is needed", found, schema);
	return 0;
}

struct source {
	FILE *f;
	size_t read;
	bool is_too_long;
};

static size_t read_some(void *buffer, size_t size, void *ctx)
{
	struct source *s = ctx;
	const size_t n = fread(buffer, 1, size, s->f);

	s->read += n;
	s->is_too_long = s->read > FAN_JSON_MAX;
	return s->is_too_long || (n == 0 && ferror(s->f)) ? (size_t)-1 : n;
}

int fan_tree_read(void *item, const struct fan_table *table, const char *schema, FILE *f,
		  struct fcap_err *err)
{
	const struct fan_place top = { .err = err };
	struct source s = { .f = f };
	json_error_t error;
	json_t *root;
	int e;

	fan_tree_init(item, table);
	errno = 0;
	root = json_load_callback(read_some, &s, JSON_REJECT_DUPLICATES, &error);
	if (s.is_too_long)
		e = fcap_fail(err, EINVAL, "it is longer than %u MiB", FAN_JSON_MAX >> 20);
	else if (ferror(f))
		e = fcap_fail(err, errno > 0 ? errno : EIO, "cannot read it: %s", strerror(errno));
	else if (!root && json_error_code(&error) == json_error_out_of_memory)
		e = fan_read_no_memory(&top);
	else if (!root)
		e = fcap_fail(err, EINVAL, "it is no whole JSON: %s in line %d", error.text,
			      error.line);
	else
		e = check_schema(root, schema, err);
	if (e == 0)
		e = read_struct(item, table, root, &top);
	json_decref(root);
	return e;
}

bool fan_is_json(FILE *f)
{
	int c;

	do
		c = getc(f);
	while (c == ' ' || c == '\t' || c == '\r' || c == '\n');
	if (c != EOF)
		ungetc(c, f);
	return c == '{';
}
