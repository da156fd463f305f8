// SPDX-License-Identifier: GPL-3.0-or-later
/* Result tree to JSON. Knows the field types but no field by name. */
#include "analyze/report/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analyze/report/utf8.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* A copy with every byte that is not UTF-8 replaced; NULL when memory is short. */
static char *make_utf8(const char *s)
{
	const size_t most = strlen(REPLACEMENT);
	char *ret = malloc(most * strlen(s) + 1), *out = ret;

	if (!ret)
		return NULL;
	while (*s) {
		const size_t len = fan_utf8_length((const unsigned char *)s);

		if (len > 0) {
			memcpy(out, s, len);
			out += len;
			s += len;
		} else {
			memcpy(out, REPLACEMENT, most);
			out += most;
			s++;
		}
	}
	*out = '\0';
	return ret;
}

/* In all make_*: a new reference, or NULL when memory is short. */
static json_t *make_str(const char *s)
{
	json_t *ret;
	char *clean;

	if (!s)
		return json_null();
	clean = make_utf8(s);
	if (!clean)
		return NULL;
	ret = json_string_nocheck(clean);
	free(clean);
	return ret;
}

static json_t *make_real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *make_i64(int64_t v)
{
	return v == FAN_NONE ? json_null() : json_integer(v);
}

static json_t *make_strs(const struct fan_strs *strs)
{
	json_t *ret = json_array();

	for (size_t i = 0; ret && i < strs->n; i++)
		if (json_array_append_new(ret, make_str(strs->items[i])) < 0) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

static json_t *make_map(const struct fan_array *pairs)
{
	const struct fan_pair *pair = pairs->items;
	json_t *ret = json_object();

	for (size_t i = 0; ret && i < pairs->n; i++) {
		char *key = make_utf8(pair[i].key);
		int r = -1;

		if (key)
			r = json_object_set_new_nocheck(ret, key, make_str(pair[i].value));
		free(key);
		if (r < 0) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

static json_t *make_reals(const struct fan_reals *list)
{
	json_t *ret = json_array();

	for (size_t i = 0; ret && i < list->n; i++)
		if (json_array_append_new(ret, make_real(list->items[i])) < 0) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

static json_t *make_ints(const struct fan_ints *list)
{
	json_t *ret = json_array();

	for (size_t i = 0; ret && i < list->n; i++)
		if (json_array_append_new(ret, make_i64(list->items[i])) < 0) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

static json_t *make_cpu_lists(const struct fan_array *lists)
{
	const struct fan_ints *list = lists->items;
	json_t *ret = json_array();

	for (size_t i = 0; ret && i < lists->n; i++)
		if (json_array_append_new(ret, make_ints(&list[i])) < 0) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

static json_t *make_est_flags(uint32_t flags)
{
	json_t *ret = json_array();

	for (uint32_t bit = 1; ret && bit; bit <<= 1)
		if ((flags & bit) &&
		    json_array_append_new(ret, make_str(fan_est_flag_name(bit))) < 0) {
			json_decref(ret);
			return NULL;
		}
	return ret;
}

struct member {
	const char *key;
	json_t *value;
};

/* An object of these members in this order; takes the references, also when it fails. */
static json_t *make_object(const struct member *members, size_t n)
{
	json_t *ret = json_object();
	bool failed = !ret;

	for (size_t i = 0; i < n; i++)
		if (json_object_set_new(ret, members[i].key, members[i].value) < 0)
			failed = true;
	if (failed) {
		json_decref(ret);
		return NULL;
	}
	return ret;
}

static json_t *make_est(const struct fan_est *est)
{
	const struct member members[] = {
		{ "value", make_real(est->value) },
		{ "se", make_real(est->se) },
		{ "lo", make_real(est->lo) },
		{ "hi", make_real(est->hi) },
		{ "lo_adj", make_real(est->lo_adj) },
		{ "hi_adj", make_real(est->hi_adj) },
		{ "m", json_integer(est->m) },
		{ "level", make_real(est->level) },
		{ "unit", make_str(est->unit) },
		{ "method", make_str(est->method) },
		{ "n", json_integer((json_int_t)est->n) },
		{ "df", make_real(est->df) },
		{ "flags", make_est_flags(est->flags) },
	};

	return make_object(members, sizeof(members) / sizeof(members[0]));
}

static json_t *make_verdict(const struct fan_verdict_text *verdict)
{
	const struct member members[] = {
		{ "word", make_str(verdict->word) },
		{ "indicative", json_boolean(verdict->indicative) },
		{ "margin", make_real(verdict->margin) },
		{ "reasons", make_strs(&verdict->reasons) },
	};

	return make_object(members, sizeof(members) / sizeof(members[0]));
}

static json_t *make_struct(const void *item, const struct fan_table *table);

static json_t *make_array(const struct fan_array *array, const struct fan_table *table)
{
	json_t *ret = json_array();

	for (size_t i = 0; ret && i < array->n; i++) {
		const void *item = (const char *)array->items + i * table->size;

		if (json_array_append_new(ret, make_struct(item, table)) < 0) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

static json_t *make_field(const void *at, const struct fan_field *field);

/* What stands behind the key: the one other field, or an object of the others. */
static json_t *make_named_value(const char *item, const struct fan_table *table)
{
	json_t *ret;

	if (table->n == 2)
		return make_field(item + table->fields[1].offset, &table->fields[1]);
	ret = make_struct(item, table);
	if (ret)
		json_object_del(ret, table->fields[0].name);
	return ret;
}

/* An object: the first field of each item, a string, is the key. */
static json_t *make_named(const struct fan_array *array, const struct fan_table *table)
{
	json_t *ret = json_object();

	for (size_t i = 0; ret && i < array->n; i++) {
		const char *item = (const char *)array->items + i * table->size;
		const char *name = *(char *const *)(item + table->fields[0].offset);
		json_t *value = make_named_value(item, table);
		char *key = make_utf8(name ? name : "");
		int r = -1;

		if (key)
			r = json_object_set_new_nocheck(ret, key, value);
		free(key);
		if (r < 0) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

static json_t *make_field(const void *at, const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		return make_str(*(char *const *)at);
	case FAN_F_I64:
		return make_i64(*(const int64_t *)at);
	case FAN_F_REAL:
		return make_real(*(const double *)at);
	case FAN_F_BOOL:
		return json_boolean(*(const bool *)at);
	case FAN_F_STRS:
		return make_strs(at);
	case FAN_F_STRUCT:
		return make_struct(at, field->sub);
	case FAN_F_ARRAY:
		return make_array(at, field->sub);
	case FAN_F_NAMED:
		return make_named(at, field->sub);
	case FAN_F_INTS:
		return make_ints(at);
	case FAN_F_REALS:
		return make_reals(at);
	case FAN_F_MAP:
		return make_map(at);
	case FAN_F_EST:
		return make_est(at);
	case FAN_F_VERDICT:
		return make_verdict(at);
	case FAN_F_CPUS:
		return make_cpu_lists(at);
	}
	return NULL;
}

static json_t *make_struct(const void *item, const struct fan_table *table)
{
	json_t *ret = json_object();

	for (size_t i = 0; ret && i < table->n; i++) {
		const struct fan_field *field = &table->fields[i];
		json_t *value = make_field((const char *)item + field->offset, field);

		if (json_object_set_new(ret, field->name, value) < 0) {
			json_decref(ret);
			return NULL;
		}
	}
	return ret;
}

int fan_tree_json(const void *item, const struct fan_table *table, FILE *f, struct fcap_err *err)
{
	const size_t style = JSON_INDENT(2) | JSON_REAL_PRECISION(17) | JSON_ENSURE_ASCII;
	json_t *root = make_struct(item, table);
	int code = ENOMEM;

	errno = 0;
	/* json_dumpf() also fails for want of memory, and then leaves the stream without error */
	if (root && (json_dumpf(root, f, style) == 0 || ferror(f))) {
		code = 0;
		if (ferror(f) || fputc('\n', f) == EOF || fflush(f) == EOF)
			code = errno > 0 ? errno : EIO;
	}
	json_decref(root);
	if (code == ENOMEM)
		return fcap_fail(err, ENOMEM, "no memory for the report; free some and run again");
	if (code > 0)
		return fcap_fail(err, code,
				 "the JSON report cannot be written: %s; free some space or "
				 "choose another file",
				 strerror(code));
	return 0;
}
