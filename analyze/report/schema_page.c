// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables, and the flags that fields hold, as paragraphs of a manual page. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/schema.h"
#include "analyze/report/words.h"

#define DEPTH_MAX 24 /* three parts for each table within a table */

/* Where a field stands: what comes before its name. */
struct place {
	const char *part[DEPTH_MAX];
	size_t n;
};

/* In words, of a field with a unit or without. */
static const char *type_of(const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		return "string or null";
	case FAN_F_I64:
		return "integer or null";
	case FAN_F_REAL:
		return "number or null";
	case FAN_F_BOOL:
		return "true or false";
	case FAN_F_STRS:
		return "list of strings";
	case FAN_F_INTS:
		return "list of integers";
	case FAN_F_REALS:
		return "list of numbers";
	case FAN_F_MAP:
		return "strings by name";
	case FAN_F_EST:
		return "estimate";
	case FAN_F_VERDICT:
		return "verdict";
	case FAN_F_CPUS:
		return "list of lists of CPUs";
	case FAN_F_STRUCT:
	case FAN_F_ARRAY:
	case FAN_F_NAMED:
		break;
	}
	return NULL;
}

/* Words as they are: roff takes \, and ' and . at the begin of a line, for its own. */
static void put(const char *s, FILE *f)
{
	for (; *s; s++) {
		if (*s == '\\')
			fputs("\\e", f);
		else if (*s == '-')
			fputs("\\-", f);
		else
			fputc(*s, f);
	}
}

static void put_table(const struct fan_table *table, size_t from, struct place *at, FILE *f);

static void put_field(const struct fan_field *field, struct place *at, FILE *f)
{
	const char *type = type_of(field);
	const char *behind = field->type == FAN_F_ARRAY	  ? "[]"
			     : field->type == FAN_F_NAMED ? "{NAME}"
							  : "";
	const bool pairs = field->type == FAN_F_NAMED && field->sub->n == 2;

	fputs(".TP\n\\fB", f);
	for (size_t i = 0; i < at->n; i++)
		put(at->part[i], f);
	put(field->name, f);
	fprintf(f, "%s\\fR", behind);
	if (pairs)
		type = type_of(&field->sub->fields[1]);
	if (type)
		fprintf(f, " (%s%s%s)", type, field->unit ? ", " : "",
			field->unit ? field->unit : "");
	fputs("\n\\&", f);
	put(field->doc ? field->doc : "", f);
	fputc('\n', f);
	if (!field->sub || pairs || at->n + 3 > DEPTH_MAX)
		return;
	at->part[at->n++] = field->name;
	at->part[at->n++] = behind;
	at->part[at->n++] = ".";
	put_table(field->sub, field->type == FAN_F_NAMED, at, f);
	at->n -= 3;
}

static void put_table(const struct fan_table *table, size_t from, struct place *at, FILE *f)
{
	for (size_t i = from; i < table->n; i++)
		put_field(&table->fields[i], at, f);
}

/* 0, or the error of the stream. */
static int finish(FILE *f, struct fcap_err *err)
{
	int e;

	if (!ferror(f) && fflush(f) == 0)
		return 0;
	e = errno > 0 ? errno : EIO;
	return fcap_fail(err, e, "the page cannot be written: %s", strerror(e));
}

int fan_schema_page(const struct fan_schema *schema, FILE *f, struct fcap_err *err)
{
	struct place at = { .n = 0 };

	fprintf(f, ".SH %s\n", schema->name);
	put(schema->doc, f);
	fputc('\n', f);
	errno = 0;
	put_table(schema->table, 0, &at, f);
	return finish(f, err);
}

static void put_flag(const char *name, const char *words, FILE *f)
{
	fputs(".TP\n\\fB", f);
	put(name, f);
	fputs("\\fR\n\\&", f);
	put(words, f);
	fputc('\n', f);
}

int fan_schema_flags_page(FILE *f, struct fcap_err *err)
{
	errno = 0;
	fputs(".SH FLAGS OF AN ESTIMATE\n", f);
	for (uint32_t bit = 1; fan_est_flag_name(bit); bit <<= 1) {
		char *words = fan_est_words(bit);

		if (!words)
			return fcap_fail(err, ENOMEM, "no memory for the page");
		put_flag(fan_est_flag_name(bit), words, f);
		free(words);
	}
	fputs(".SH FLAGS OF A RESULT\nThey stand in the lists\n.B flags\n"
	      "of a report, its groups and their work.\n",
	      f);
	for (size_t i = 0; fan_flag_name(i); i++)
		put_flag(fan_flag_name(i), fan_flag_words(fan_flag_name(i)), f);
	return finish(f, err);
}
