// SPDX-License-Identifier: GPL-3.0-or-later
/* Structs to CSV. Knows the field types but no field by name. */
#include "analyze/report/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/print.h"
#include "analyze/report/words.h"

/* A line under way; r is 0 or -ENOMEM. */
struct line {
	FILE *f;
	bool has_cells;
	int r;
};

static void next_cell(struct line *l)
{
	if (l->has_cells)
		fputc(',', l->f);
	l->has_cells = true;
}

static void put_text(struct line *l, const char *s)
{
	char *text = fan_safe("%s%s", s && *s && strchr("=+-@", *s) ? "'" : "", s ? s : "");
	const bool is_quoted = text && strpbrk(text, ",\"") != NULL;

	next_cell(l);
	if (!text) {
		l->r = -ENOMEM;
		return;
	}
	if (is_quoted)
		fputc('"', l->f);
	for (const char *at = text; *at; at++)
		fprintf(l->f, *at == '"' ? "\"\"" : "%c", *at);
	if (is_quoted)
		fputc('"', l->f);
	free(text);
}

static void put_real(struct line *l, double v)
{
	next_cell(l);
	if (isfinite(v))
		fprintf(l->f, "%.17g", v);
}

static void put_i64(struct line *l, int64_t v)
{
	next_cell(l);
	if (v != FAN_NONE)
		fprintf(l->f, "%" PRId64, v);
}

static void put_strs(struct line *l, const struct fan_strs *strs)
{
	char *text = fan_join(strs, "; ");

	if (!text)
		l->r = -ENOMEM;
	put_text(l, text);
	free(text);
}

static void put_flags(struct line *l, uint32_t flags)
{
	struct fan_strs tokens = { 0 };

	for (uint32_t bit = 1; fan_est_flag_name(bit); bit <<= 1)
		if ((flags & bit) && fan_strs_add(&tokens, "%s", fan_est_flag_name(bit)) < 0)
			l->r = -ENOMEM;
	put_strs(l, &tokens);
	fan_strs_free(&tokens);
}

static const char *const est_names[] = { "value", "se",	  "lo",	    "hi", "lo_adj", "hi_adj", "m",
					 "level", "unit", "method", "n",  "df",	    "flags" };

static void put_est(struct line *l, const struct fan_est *e)
{
	put_real(l, e->value);
	put_real(l, e->se);
	put_real(l, e->lo);
	put_real(l, e->hi);
	put_real(l, e->lo_adj);
	put_real(l, e->hi_adj);
	put_i64(l, e->m);
	put_real(l, e->level);
	put_text(l, e->unit);
	put_text(l, e->method);
	put_i64(l, (int64_t)e->n);
	put_real(l, e->df);
	put_flags(l, e->flags);
}

static const char *const verdict_names[] = { "word", "indicative", "margin", "reasons" };

static void put_verdict(struct line *l, const struct fan_verdict_text *v)
{
	put_text(l, v->word);
	put_text(l, !v->word ? NULL : v->indicative ? "true" : "false");
	put_real(l, v->margin);
	put_strs(l, &v->reasons);
}

static void put_struct(struct line *l, const char *item, const struct fan_table *table);

static void put_field(struct line *l, const void *at, const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		put_text(l, *(char *const *)at);
		break;
	case FAN_F_I64:
		put_i64(l, *(const int64_t *)at);
		break;
	case FAN_F_REAL:
		put_real(l, *(const double *)at);
		break;
	case FAN_F_BOOL:
		put_text(l, *(const bool *)at ? "true" : "false");
		break;
	case FAN_F_STRS:
		put_strs(l, at);
		break;
	case FAN_F_STRUCT:
		put_struct(l, at, field->sub);
		break;
	case FAN_F_EST:
		put_est(l, at);
		break;
	case FAN_F_VERDICT:
		put_verdict(l, at);
		break;
	case FAN_F_ARRAY:
	case FAN_F_MAP:
	case FAN_F_INTS:
	case FAN_F_REALS:
	case FAN_F_NAMED:
	case FAN_F_CPUS:
		break;
	}
}

static void put_struct(struct line *l, const char *item, const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		put_field(l, item + table->fields[i].offset, &table->fields[i]);
}

static void put_names(struct line *l, const struct fan_table *table, const char *prefix);

static void put_member_names(struct line *l, const char *prefix, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		next_cell(l);
		fprintf(l->f, "%s.%s", prefix, names[i]);
	}
}

/* What a name needs behind it so that it tells its unit; "" where it does. */
static const char *unit_suffix(const struct fan_field *field, const char *prefix)
{
	static const struct {
		const char *unit, *suffix;
	} list[] = {
		{ "ns", "_ns" }, { "percent", "_pct" }, { "points", "_pp" }, { "CPUs", "_cpus" }
	};
	const bool is_number = field->type == FAN_F_I64 || field->type == FAN_F_REAL;

	for (size_t i = 0; is_number && field->unit && i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(field->unit, list[i].unit) == 0 && !strstr(prefix, list[i].suffix) &&
		    !strstr(field->name, list[i].suffix))
			return list[i].suffix;
	return "";
}

static void put_name(struct line *l, const struct fan_field *field, const char *prefix)
{
	char *name;

	if (asprintf(&name, "%s%s%s%s", prefix, *prefix ? "." : "", field->name,
		     unit_suffix(field, prefix)) < 0) {
		l->r = -ENOMEM;
		return;
	}
	switch (field->type) {
	case FAN_F_STR:
	case FAN_F_I64:
	case FAN_F_REAL:
	case FAN_F_BOOL:
	case FAN_F_STRS:
		put_text(l, name);
		break;
	case FAN_F_STRUCT:
		put_names(l, field->sub, name);
		break;
	case FAN_F_EST:
		put_member_names(l, name, est_names, sizeof(est_names) / sizeof(est_names[0]));
		break;
	case FAN_F_VERDICT:
		put_member_names(l, name, verdict_names,
				 sizeof(verdict_names) / sizeof(verdict_names[0]));
		break;
	case FAN_F_ARRAY:
	case FAN_F_MAP:
	case FAN_F_INTS:
	case FAN_F_REALS:
	case FAN_F_NAMED:
	case FAN_F_CPUS:
		break;
	}
	free(name);
}

static void put_names(struct line *l, const struct fan_table *table, const char *prefix)
{
	for (size_t i = 0; i < table->n; i++)
		put_name(l, &table->fields[i], prefix);
}

int fan_csv_of(const struct fan_csv_constant *constants, size_t n, const struct fan_array *items,
	       const struct fan_table *table, FILE *f, struct fcap_err *err)
{
	struct fan_print p = { .f = f };
	struct line l = { .f = f };

	errno = 0;
	for (size_t i = 0; i < n; i++)
		put_text(&l, constants[i].name);
	put_names(&l, table, "");
	fputc('\n', f);
	for (size_t i = 0; l.r == 0 && i < items->n; i++) {
		l.has_cells = false;
		for (size_t k = 0; k < n; k++)
			put_text(&l, constants[k].value);
		put_struct(&l, (const char *)items->items + i * table->size, table);
		fputc('\n', f);
	}
	p.r = l.r;
	return fan_print_finish(&p, err);
}

int fan_csv(const struct fan_array *items, const struct fan_table *table, FILE *f,
	    struct fcap_err *err)
{
	return fan_csv_of(NULL, 0, items, table, f, err);
}
