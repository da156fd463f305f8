// SPDX-License-Identifier: GPL-3.0-or-later
/* Plain values out of JSON, and the sentence for one of the wrong type. */
#include "analyze/report/read_json_parts.h"

#include <errno.h>
#include <stdio.h>

#define PATH_MAX_TEXT 160

struct fan_place fan_step_key(const struct fan_place *up, const char *key)
{
	return (struct fan_place){ up, key, 0, up->err };
}

struct fan_place fan_step_index(const struct fan_place *up, size_t index)
{
	return (struct fan_place){ up, NULL, index, up->err };
}

static size_t print_path(const struct fan_place *at, char *ret, size_t size)
{
	size_t len;

	if (!at->up)
		return 0;
	len = print_path(at->up, ret, size);
	if (len >= size)
		return len;
	if (!at->key)
		return len + (size_t)snprintf(ret + len, size - len, "[%zu]", at->index);
	return len + (size_t)snprintf(ret + len, size - len, "%s%s", len > 0 ? "." : "", at->key);
}

int fan_refuse(const struct fan_place *at, const char *text)
{
	char path[PATH_MAX_TEXT] = "";

	print_path(at, path, sizeof(path));
	return fcap_fail(at->err, EINVAL, "at %s: %s; is it what fanalyze wrote?",
			 *path ? path : "the top", text);
}

int fan_read_no_memory(const struct fan_place *at)
{
	return fcap_fail(at->err, ENOMEM, "out of memory");
}

int fan_read_str(char **ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_string(v))
		return fan_refuse(at, "a string is needed");
	return fan_str_set(ret, json_string_value(v)) < 0 ? fan_read_no_memory(at) : 0;
}

int fan_read_i64(int64_t *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_integer(v))
		return fan_refuse(at, "a whole number is needed");
	*ret = json_integer_value(v);
	return 0;
}

int fan_read_real(double *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_number(v))
		return fan_refuse(at, "a number is needed");
	*ret = json_number_value(v);
	return 0;
}

int fan_read_bool(bool *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_boolean(v))
		return fan_refuse(at, "true or false is needed");
	*ret = json_is_true(v);
	return 0;
}

int fan_read_strs(struct fan_strs *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list of strings is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const json_t *item = json_array_get(v, i);
		const struct fan_place here = fan_step_index(at, i);

		if (!json_is_string(item))
			return fan_refuse(&here, "a string is needed");
		if (fan_strs_add(ret, "%s", json_string_value(item)) < 0)
			return fan_read_no_memory(at);
	}
	return 0;
}

const json_t *fan_read_member(const json_t *v, const char *key)
{
	const json_t *ret = json_object_get(v, key);

	return json_is_null(ret) ? NULL : ret;
}
