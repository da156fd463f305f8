// SPDX-License-Identifier: GPL-3.0-or-later
/* Paths through result trees. Knows the field types but no field by name. */
#include "analyze/report/path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/print.h"
#include "analyze/report/words.h"
#include "fcap/nearest.h"
#include "fcap/num.h"

#define NAMES_TOLD 8 /* of a list, where a name is not in it */

/* How far a path was followed. */
struct walk {
	const char *path, *s; /* s: the rest of it */
	enum fan_field_type type;
	const struct fan_table *sub;
	const char *at; /* what was reached; NULL: only the tables are asked, or it is gone */
	bool is_number; /* value is what was reached: nothing can follow */
	double value;
	struct fcap_err *err;
};

/* What estimates and verdicts consist of is in no table. */
static const char *const est_numbers[] = { "value",  "se", "lo",    "hi", "lo_adj",
					   "hi_adj", "m",  "level", "n",  "df" };
static const char *const est_texts[] = { "unit", "method", "flags" };
static const char *const verdict_numbers[] = { "indicative", "margin" };
static const char *const verdict_texts[] = { "word", "reasons" };

size_t fan_path_length(const char *text)
{
	bool is_inside = false;
	size_t i;

	for (i = 0; text[i]; i++) {
		if (!is_inside && strchr(" \t<>=!", text[i]))
			break;
		is_inside = text[i] == '[' || (is_inside && text[i] != ']');
	}
	return i;
}

/* What was followed so far, as two arguments of "%.*s". */
#define SO_FAR(w) (int)((w)->s - (w)->path), (w)->path

static int fail_text(const struct walk *w, int len)
{
	return fcap_fail(w->err, EINVAL, "%.*s%.*s is no number", SO_FAR(w), len, w->s);
}

/* The names of a table that are nearest to what was typed. */
static int fail_unknown(const struct walk *w, int len, struct fcap_near *near)
{
	const char *dot = w->s > w->path ? " in " : "", *guess = fcap_near_guess(near);

	return fcap_fail(w->err, EINVAL, "no \"%.*s\"%s%.*s; %s%s%s", len, w->s, dot,
			 (int)(w->s - w->path) - (*dot ? 1 : 0), w->path,
			 guess ? "did you mean \"" : "fanalyze schema lists what there is",
			 guess ? guess : "", guess ? "\"?" : "");
}

static bool is_word(const char *word, const char *s, size_t len)
{
	return strlen(word) == len && strncmp(word, s, len) == 0;
}

static void set_number(struct walk *w, double value)
{
	w->is_number = true;
	w->value = value;
}

/* --- a name after a dot --- */

static int take_struct(struct walk *w, size_t len)
{
	struct fcap_near near = fcap_near_to(w->s, len);

	for (size_t i = 0; i < w->sub->n; i++) {
		const struct fan_field *field = &w->sub->fields[i];

		fcap_near_try(&near, field->name);
		if (!is_word(field->name, w->s, len))
			continue;
		w->type = field->type;
		w->sub = field->sub;
		w->at = w->at ? w->at + field->offset : NULL;
		return 0;
	}
	return fail_unknown(w, (int)len, &near);
}

/* One of these words; the texts are only there to be told apart from what does not exist. */
static int take_member(struct walk *w, size_t len, const char *const *numbers, size_t nnumbers,
		       const char *const *texts, size_t ntexts, const double *values)
{
	struct fcap_near near = fcap_near_to(w->s, len);

	for (size_t i = 0; i < nnumbers; i++) {
		fcap_near_try(&near, numbers[i]);
		if (is_word(numbers[i], w->s, len)) {
			set_number(w, values ? values[i] : NAN);
			return 0;
		}
	}
	for (size_t i = 0; i < ntexts; i++)
		if (is_word(texts[i], w->s, len))
			return fail_text(w, (int)len);
	return fail_unknown(w, (int)len, &near);
}

static int take_est(struct walk *w, size_t len)
{
	const struct fan_est *e = (const void *)w->at;
	double values[sizeof(est_numbers) / sizeof(est_numbers[0])];

	if (e) {
		const double list[] = { e->value,  e->se, e->lo,    e->hi,	  e->lo_adj,
					e->hi_adj, e->m,  e->level, (double)e->n, e->df };

		memcpy(values, list, sizeof(values));
	}
	return take_member(w, len, est_numbers, sizeof(est_numbers) / sizeof(est_numbers[0]),
			   est_texts, sizeof(est_texts) / sizeof(est_texts[0]), e ? values : NULL);
}

static int take_verdict(struct walk *w, size_t len)
{
	const struct fan_verdict_text *v = (const void *)w->at;
	const double values[] = { v && v->indicative, v ? v->margin : NAN };

	return take_member(w, len, verdict_numbers,
			   sizeof(verdict_numbers) / sizeof(verdict_numbers[0]), verdict_texts,
			   sizeof(verdict_texts) / sizeof(verdict_texts[0]), v ? values : NULL);
}

static int take_name(struct walk *w)
{
	const size_t len = strcspn(w->s, ".[");
	int r;

	if (len == 0)
		return fcap_fail(w->err, EINVAL, "\"%s\": a name is needed after \"%.*s\"", w->path,
				 SO_FAR(w));
	if (!w->is_number && w->type == FAN_F_STRUCT)
		r = take_struct(w, len);
	else if (!w->is_number && w->type == FAN_F_EST)
		r = take_est(w, len);
	else if (!w->is_number && w->type == FAN_F_VERDICT)
		r = take_verdict(w, len);
	else
		r = fcap_fail(w->err, EINVAL, "there is no \"%.*s\" in %.*s, which is %s", (int)len,
			      w->s, (int)(w->s - w->path) - 1, w->path,
			      w->is_number || w->type <= FAN_F_BOOL
				      ? "no object"
				      : "a list: choose one of it, as in [0] or [NAME]");
	w->s += r == 0 ? len : 0;
	return r;
}

/* --- an item in brackets --- */

/* The field by which items are called; NULL: they have numbers only. */
static const struct fan_field *name_field(const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		if (table->fields[i].type == FAN_F_STR)
			return &table->fields[i];
	return NULL;
}

static const char *name_at(const struct fan_array *array, const struct fan_table *table, size_t i)
{
	const struct fan_field *field = name_field(table);
	const char *item = (const char *)array->items + i * table->size;

	return field ? *(char *const *)(item + field->offset) : NULL;
}

static int fail_names(const struct walk *w, const char *key, const struct fan_array *array)
{
	struct fan_strs names = { 0 };
	char *joined = NULL, *text = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < array->n && i < NAMES_TOLD; i++) {
		const char *name = name_at(array, w->sub, i);

		r = name ? fan_strs_add(&names, "%s", name) : 0;
	}
	if (r == 0)
		joined = fan_join(&names, ", ");
	if (joined)
		text = fan_safe("%s%s", joined, array->n > NAMES_TOLD ? ", ..." : "");
	r = !text   ? fcap_fail(w->err, ENOMEM, "out of memory")
	    : *text ? fcap_fail(w->err, ENOENT, "there is no \"%s\" in %.*s, but %s", key,
				SO_FAR(w), text)
		    : fcap_fail(w->err, ENOENT, "there is no %s in %.*s, which has %zu, from 0 on",
				key, SO_FAR(w), array->n);
	fan_strs_free(&names);
	free(joined);
	free(text);
	return r;
}

/* A number below n; -1: it is none. */
static int64_t index_of(const char *key, size_t n)
{
	int64_t ret;

	return fcap_parse_i64(key, 0, (int64_t)n - 1, &ret) < 0 ? -1 : ret;
}

static int find_struct(const struct walk *w, const char *key, const struct fan_array *array,
		       int64_t *ret)
{
	size_t found = 0;

	*ret = index_of(key, array->n);
	for (size_t i = 0; i < array->n; i++) {
		const char *name = name_at(array, w->sub, i);

		if (!name || strcmp(name, key) != 0)
			continue;
		*ret = (int64_t)i;
		found++;
	}
	if (found > 1)
		return fcap_fail(w->err, ENOENT,
				 "%zu in %.*s are called \"%s\": choose one by its number, from 0",
				 found, SO_FAR(w), key);
	return *ret < 0 ? fail_names(w, key, array) : 0;
}

static int choose_struct(struct walk *w, const char *key)
{
	const struct fan_array *array = (const void *)w->at;
	/* where a name has but one value, that is what stands behind the name in JSON */
	const bool is_value = w->type == FAN_F_NAMED && w->sub->n == 2;
	const struct fan_field *value = &w->sub->fields[1];
	int64_t i = 0;
	int r = 0;

	if (array && array->n > 0)
		r = find_struct(w, key, array, &i);
	if (r < 0)
		return r;
	w->at = array && array->n > 0 ? (const char *)array->items + (size_t)i * w->sub->size
				      : NULL;
	if (is_value && w->at)
		w->at += value->offset;
	w->type = is_value ? value->type : FAN_F_STRUCT;
	w->sub = is_value ? value->sub : w->sub;
	return 0;
}

/* Of a list of numbers, or of lists of them. */
static int choose_plain(struct walk *w, const char *key)
{
	/* all three begin with a pointer and a length */
	const struct fan_array *array = (const void *)w->at;
	const struct fan_ints *ints = (const void *)w->at;
	const struct fan_reals *reals = (const void *)w->at;
	const size_t n = !array			  ? 0
			 : w->type == FAN_F_INTS  ? ints->n
			 : w->type == FAN_F_REALS ? reals->n
						  : array->n;
	const int64_t i = index_of(key, n);

	if (n > 0 && i < 0)
		return fcap_fail(w->err, ENOENT, "there is no %s in %.*s, which has %zu, from 0 on",
				 key, SO_FAR(w), n);
	if (w->type == FAN_F_CPUS) {
		w->type = FAN_F_INTS;
		w->at = n > 0 ? (const char *)((const struct fan_ints *)array->items + i) : NULL;
	} else if (w->type == FAN_F_REALS) {
		set_number(w, n > 0 ? reals->items[i] : NAN);
	} else {
		set_number(w, n > 0 && ints->items[i] != FAN_NONE ? (double)ints->items[i] : NAN);
	}
	return 0;
}

static int take_item(struct walk *w)
{
	const char *end = strchr(w->s, ']');
	char *key;
	int r;

	if (!end || end == w->s + 1)
		return fcap_fail(w->err, EINVAL,
				 "\"%s\": the bracket needs a name or a number and "
				 "its end",
				 w->path);
	key = strndup(w->s + 1, (size_t)(end - w->s) - 1);
	if (!key)
		return fcap_fail(w->err, ENOMEM, "out of memory");
	if (!w->is_number && (w->type == FAN_F_ARRAY || w->type == FAN_F_NAMED))
		r = choose_struct(w, key);
	else if (!w->is_number &&
		 (w->type == FAN_F_INTS || w->type == FAN_F_REALS || w->type == FAN_F_CPUS))
		r = choose_plain(w, key);
	else
		r = fcap_fail(w->err, EINVAL, "%.*s is no list of numbers or objects", SO_FAR(w));
	w->s = r == 0 ? end + 1 : w->s;
	free(key);
	return r;
}

/* --- the end --- */

static int take_number(const struct walk *w, double *ret)
{
	const int64_t *i64 = (const void *)w->at;

	*ret = NAN;
	if (w->is_number)
		*ret = w->value;
	else if (w->type == FAN_F_EST)
		return fcap_fail(w->err, EINVAL, "%s is an estimate; did you mean \"%s.value\"?",
				 w->path, w->path);
	else if (w->type != FAN_F_I64 && w->type != FAN_F_REAL && w->type != FAN_F_BOOL)
		return fcap_fail(w->err, EINVAL, "%s is no number", w->path);
	else if (w->at && w->type == FAN_F_I64)
		*ret = *i64 == FAN_NONE ? NAN : (double)*i64;
	else if (w->at && w->type == FAN_F_REAL)
		*ret = *(const double *)(const void *)w->at;
	else if (w->at)
		*ret = *(const bool *)w->at;
	return 0;
}

int fan_path_value(const char *path, const struct fan_table *table, const void *item, double *ret,
		   struct fcap_err *err)
{
	struct walk w = {
		.path = path, .s = path, .type = FAN_F_STRUCT, .sub = table, .at = item, .err = err
	};
	int r = take_name(&w);

	while (r == 0 && *w.s) {
		const bool is_dot = *w.s == '.';

		w.s += is_dot;
		/* only a dot or a bracket ends a name, and only a bracket can be followed by more
		 */
		r = is_dot	  ? take_name(&w)
		    : *w.s == '[' ? take_item(&w)
				  : fcap_fail(err, EINVAL, "\"%s\": a dot is needed after \"%.*s\"",
					      path, SO_FAR(&w));
	}
	return r < 0 ? r : take_number(&w, ret);
}
