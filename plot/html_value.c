// SPDX-License-Identifier: GPL-3.0-or-later
/* A value of the result tree as HTML, by its type and unit. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_columns.h"
#include "plot/html_text.h"

bool fplot_is_known(const struct fan_field *field, const void *at)
{
	switch (field->type) {
	case FAN_F_STR:
		return *(char *const *)at != NULL;
	case FAN_F_I64:
		return *(const int64_t *)at != FAN_NONE;
	case FAN_F_REAL:
		return isfinite(*(const double *)at);
	case FAN_F_EST:
		return isfinite(((const struct fan_est *)at)->value);
	case FAN_F_VERDICT:
		return ((const struct fan_verdict_text *)at)->word != NULL;
	case FAN_F_STRS:
		return ((const struct fan_strs *)at)->n > 0;
	case FAN_F_INTS:
		return ((const struct fan_ints *)at)->n > 0;
	case FAN_F_MAP:
	case FAN_F_CPUS:
		return ((const struct fan_array *)at)->n > 0;
	case FAN_F_BOOL:
		return true;
	default:
		return false;
	}
}

bool fplot_is_more(const struct fan_field *field, const void *at)
{
	if (!fplot_is_known(field, at))
		return false;
	if (field->type == FAN_F_I64)
		return *(const int64_t *)at != 0;
	return field->type != FAN_F_REAL || *(const double *)at != 0;
}

bool fplot_is_number(const struct fan_field *field)
{
	return field->type == FAN_F_I64 || field->type == FAN_F_REAL || field->type == FAN_F_EST;
}

static bool is_unit(const char *unit, const char *name)
{
	return unit && strcmp(unit, name) == 0;
}

static void put_real(FILE *f, double v, const char *unit)
{
	if (is_unit(unit, "percent"))
		fplot_html_fixed(f, v, fabs(v) < 0.1 ? 3 : 2, false);
	else if (is_unit(unit, "points"))
		fplot_html_fixed(f, v, 2, false);
	else
		fplot_html_real(f, v);
}

static void put_strs(FILE *f, const struct fan_strs *strs)
{
	for (size_t i = 0; i < strs->n; i++) {
		fputs(i > 0 ? "; " : "", f);
		fplot_html_text(f, strs->items[i]);
	}
}

static void put_ints(FILE *f, const struct fan_ints *list)
{
	for (size_t i = 0; i < list->n; i++) {
		fputs(i > 0 ? "," : "", f);
		fplot_html_i64(f, list->items[i]);
	}
}

static void put_pairs(FILE *f, const struct fan_array *pairs)
{
	const struct fan_pair *pair = pairs->items;

	for (size_t i = 0; i < pairs->n; i++) {
		fputs(i > 0 ? ", " : "", f);
		fplot_html_text(f, pair[i].key);
		fputc('=', f);
		fplot_html_text(f, pair[i].value);
	}
}

static void put_cpus(FILE *f, const struct fan_array *cores)
{
	const struct fan_ints *cpus = cores->items;

	for (size_t i = 0; i < cores->n; i++) {
		fputs(i > 0 ? " " : "", f);
		fputc('[', f);
		put_ints(f, &cpus[i]);
		fputc(']', f);
	}
}

void fplot_html_method(struct fplot_out *o, const struct fan_est *est)
{
	char *words = o->words->of_est(est->flags);

	if (!words) {
		o->e = -ENOMEM;
		return;
	}
	fplot_html_text(o->f, est->method ? est->method : "no interval");
	fprintf(o->f, ", n = %" PRIu64, est->n);
	if (isfinite(est->level) && est->method)
		fprintf(o->f, ", %g %%", 100 * est->level);
	if (est->m > 1)
		fprintf(o->f, ", adjusted for %u", est->m);
	fputs(*words ? "; " : "", o->f);
	fplot_html_text(o->f, words);
	free(words);
}

void fplot_html_point(struct fplot_out *o, const struct fan_est *est)
{
	const bool is_points = is_unit(est->unit, "points");

	if (!isfinite(est->value)) {
		fputs(FPLOT_HTML_NONE, o->f);
		return;
	}
	fputs("<span title=\"", o->f);
	fplot_html_method(o, est);
	fputs("\">", o->f);
	if (is_points || is_unit(est->unit, "percent") || fabs(est->value) < 10)
		fplot_html_fixed(o->f, est->value, fplot_html_decimals(est), is_points);
	else
		fplot_html_real(o->f, est->value);
	fputs("</span>", o->f);
}

static void put_est(struct fplot_out *o, const struct fan_est *est, bool with_method)
{
	fplot_html_point(o, est);
	if (isfinite(est->value) && isfinite(est->lo) && isfinite(est->hi)) {
		fputs(" <span class=\"in\">", o->f);
		fplot_html_interval(o->f, est);
		fputs("</span>", o->f);
	}
	if (with_method) {
		fputs("<small>", o->f);
		fplot_html_method(o, est);
		fputs("</small>", o->f);
	}
}

/* What a word is good or bad news as: the class of its colour. */
static const char *class_of(const char *word)
{
	static const char *const classes[][2] = {
		{ "fair", "good" },  { "equivalent", "good" }, { "isolated", "good" },
		{ "unfair", "bad" }, { "material", "bad" },    { "shared", "bad" },
		{ "off", "poor" },   { "different", "poor" },
	};

	for (size_t i = 0; word && i < sizeof(classes) / sizeof(classes[0]); i++)
		if (strcmp(word, classes[i][0]) == 0)
			return classes[i][1];
	return "open";
}

void fplot_html_verdict(FILE *f, const struct fan_verdict_text *v)
{
	fprintf(f, "<span class=\"word %s\" title=\"", class_of(v->word));
	put_strs(f, &v->reasons);
	fputs("\">", f);
	/* a token of ours: "cannot_tell" */
	for (const char *at = v->word ? v->word : "no verdict"; *at; at++)
		fputc(*at == '_' ? ' ' : *at, f);
	fputs(v->word && v->indicative ? "*</span>" : "</span>", f);
}

void fplot_html_value(struct fplot_out *o, const struct fan_field *field, const void *at,
		      bool with_method)
{
	switch (field->type) {
	case FAN_F_I64:
		if (is_unit(field->unit, "ns"))
			fplot_html_ns(o->f, *(const int64_t *)at);
		else
			fplot_html_i64(o->f, *(const int64_t *)at);
		return;
	case FAN_F_REAL:
		put_real(o->f, *(const double *)at, field->unit);
		return;
	case FAN_F_BOOL:
		fputs(*(const bool *)at ? "yes" : "no", o->f);
		return;
	case FAN_F_EST:
		put_est(o, at, with_method);
		return;
	case FAN_F_VERDICT:
		fplot_html_verdict(o->f, at);
		return;
	case FAN_F_STRS:
		put_strs(o->f, at);
		return;
	case FAN_F_INTS:
		put_ints(o->f, at);
		return;
	case FAN_F_MAP:
		put_pairs(o->f, at);
		return;
	case FAN_F_CPUS:
		put_cpus(o->f, at);
		return;
	default:
		fplot_html_text(o->f, field->type == FAN_F_STR ? *(char *const *)at : NULL);
	}
}
