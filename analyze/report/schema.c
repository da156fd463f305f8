// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables as a JSON Schema. Says of each field type what json.c writes for it. */
#include "analyze/report/schema.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#define DIALECT "https://json-schema.org/draft/2020-12/schema"

/* Shared by all schemas: an estimate and a verdict, of which every field may miss its value. */
static const char definitions[] =
	"{\"estimate\": {\"type\": \"object\", \"description\": \"An estimated number; lo and hi "
	"are its interval at level, lo_adj and hi_adj the one for all m of its family.\","
	" \"additionalProperties\": false, \"required\": [\"value\", \"se\", \"lo\", \"hi\", "
	"\"lo_adj\", \"hi_adj\", \"m\", \"level\", \"unit\", \"method\", \"n\", \"df\", \"flags\"],"
	" \"properties\": {"
	"\"value\": {\"type\": [\"number\", \"null\"]}, \"se\": {\"type\": [\"number\", \"null\"]},"
	"\"lo\": {\"type\": [\"number\", \"null\"]}, \"hi\": {\"type\": [\"number\", \"null\"]},"
	"\"lo_adj\": {\"type\": [\"number\", \"null\"]}, "
	"\"hi_adj\": {\"type\": [\"number\", \"null\"]},"
	"\"m\": {\"type\": \"integer\", \"minimum\": 0},"
	"\"level\": {\"type\": [\"number\", \"null\"]}, \"unit\": {\"type\": [\"string\", "
	"\"null\"]},"
	"\"method\": {\"type\": [\"string\", \"null\"]},"
	"\"n\": {\"type\": \"integer\", \"minimum\": 0}, \"df\": {\"type\": [\"number\", "
	"\"null\"]},"
	"\"flags\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}}},"
	"\"verdict\": {\"type\": \"object\", \"description\": \"What was decided; word is null "
	"where no verdict is possible.\", \"additionalProperties\": false,"
	" \"required\": [\"word\", \"indicative\", \"margin\", \"reasons\"], \"properties\": {"
	"\"word\": {\"type\": [\"string\", \"null\"]}, \"indicative\": {\"type\": \"boolean\"},"
	"\"margin\": {\"type\": [\"number\", \"null\"]},"
	"\"reasons\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}}}}";

/* In all make_*: a new reference, or NULL when memory is short. */
static json_t *make_optional(const char *type)
{
	return json_pack("{s: [s, s]}", "type", type, "null");
}

static json_t *make_list(json_t *items)
{
	return items ? json_pack("{s: s, s: o}", "type", "array", "items", items) : NULL;
}

/* An object with any keys. */
static json_t *make_free(json_t *value)
{
	return value ? json_pack("{s: s, s: o}", "type", "object", "additionalProperties", value)
		     : NULL;
}

static json_t *make_field(const struct fan_field *field);

/* An object of the fields from this one on. */
static json_t *make_object(const struct fan_table *table, size_t from)
{
	json_t *properties = json_object(), *required = json_array();
	bool failed = !properties || !required;

	for (size_t i = from; i < table->n && !failed; i++) {
		const char *name = table->fields[i].name;

		failed = json_object_set_new(properties, name, make_field(&table->fields[i])) < 0 ||
			 json_array_append_new(required, json_string(name)) < 0;
	}
	if (failed) {
		json_decref(properties);
		json_decref(required);
		return NULL;
	}
	return json_pack("{s: s, s: b, s: o, s: o}", "type", "object", "additionalProperties", 0,
			 "required", required, "properties", properties);
}

static json_t *make_named(const struct fan_table *table)
{
	return make_free(table->n == 2 ? make_field(&table->fields[1]) : make_object(table, 1));
}

static json_t *make_type(const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		return make_optional("string");
	case FAN_F_I64:
		return make_optional("integer");
	case FAN_F_REAL:
		return make_optional("number");
	case FAN_F_BOOL:
		return json_pack("{s: s}", "type", "boolean");
	case FAN_F_STRS:
		return make_list(json_pack("{s: s}", "type", "string"));
	case FAN_F_STRUCT:
		return make_object(field->sub, 0);
	case FAN_F_ARRAY:
		return make_list(make_object(field->sub, 0));
	case FAN_F_NAMED:
		return make_named(field->sub);
	case FAN_F_INTS:
		return make_list(make_optional("integer"));
	case FAN_F_REALS:
		return make_list(make_optional("number"));
	case FAN_F_MAP:
		return make_free(make_optional("string"));
	case FAN_F_EST:
		return json_pack("{s: s}", "$ref", "#/$defs/estimate");
	case FAN_F_VERDICT:
		return json_pack("{s: s}", "$ref", "#/$defs/verdict");
	case FAN_F_CPUS:
		return make_list(make_list(json_pack("{s: s}", "type", "integer")));
	}
	return NULL;
}

static json_t *make_field(const struct fan_field *field)
{
	json_t *ret = make_type(field);
	int r = 0;

	if (!ret)
		return NULL;
	if (field->doc)
		r = json_object_set_new(ret, "description", json_string(field->doc));
	if (r == 0 && field->unit) /* not a word of the standard: validators pass over it */
		r = json_object_set_new(ret, "unit", json_string(field->unit));
	if (r == 0)
		return ret;
	json_decref(ret);
	return NULL;
}

static json_t *make_schema(const struct fan_schema *schema)
{
	json_t *ret = json_pack("{s: s, s: s, s: s}", "$schema", DIALECT, "title", schema->name,
				"description", schema->doc);
	json_t *body = make_object(schema->table, 0);
	json_t *name = json_object_get(json_object_get(body, "properties"), "schema");
	json_t *defs = json_loads(definitions, 0, NULL);

	if (!ret || !body || !name || !defs ||
	    json_object_set_new(name, "const", json_string(schema->name)) < 0 ||
	    json_object_update(ret, body) < 0 || json_object_set(ret, "$defs", defs) < 0) {
		json_decref(ret);
		ret = NULL;
	}
	json_decref(body);
	json_decref(defs);
	return ret;
}

int fan_schema_json(const struct fan_schema *schema, FILE *f, struct fcap_err *err)
{
	json_t *root = make_schema(schema);
	int r;

	if (!root)
		return fcap_fail(err, ENOMEM, "no memory for the schema; free some and run again");
	errno = 0;
	r = json_dumpf(root, f, JSON_INDENT(2) | JSON_ENSURE_ASCII);
	json_decref(root);
	if (r == 0 && fputc('\n', f) != EOF && fflush(f) != EOF)
		return 0;
	r = errno > 0 ? errno : EIO;
	return fcap_fail(err, r, "the schema cannot be written: %s", strerror(r));
}
