// SPDX-License-Identifier: GPL-3.0-or-later
/* CSV and TSV with a header. */
#include "analyze/report/score_read.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "fcap/num.h"

static const char *const names[FAN_SCORE_KNOWN] = {
	"run",	 "order",     "window", "config",	"vm",
	"score", "share_pct", "total",	"expected_pct", "gap_pct",
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cuts blanks off the end of [from, end). */
static void trim(const char *from, char *end)
{
	while (end > from && is_blank(end[-1]))
		end--;
	*end = '\0';
}

/* Unquotes the field that begins at s, in place; *ret_end is behind its closing quote. */
static int unquote(char *s, char **ret_end)
{
	char *to = s;

	for (s++; *s && (*s != '"' || s[1] == '"'); s++) {
		s += *s == '"';
		*to++ = *s;
	}
	if (!*s)
		return -EINVAL;
	*ret_end = s + 1;
	*to = '\0';
	return 0;
}

/* Ends the field at s; *ret_next is the next one, NULL after the last. */
static int cut_field(char *s, char separator, char **ret_next)
{
	char *end;

	if (*s != '"') {
		end = strchr(s, separator);
		*ret_next = end ? end + 1 : NULL;
		trim(s, end ? end : s + strlen(s));
		return 0;
	}
	if (unquote(s, &end) < 0)
		return -EINVAL;
	while (is_blank(*end) && *end != separator)
		end++;
	if (*end && *end != separator)
		return -EINVAL;
	*ret_next = *end ? end + 1 : NULL;
	return 0;
}

int fan_csv_split(char *line, char separator, char **ret_fields, size_t max, size_t *ret_n)
{
	size_t n = 0;

	for (char *next; line; line = next) {
		while (is_blank(*line) && *line != separator)
			line++;
		if (n == max)
			return -E2BIG;
		ret_fields[n++] = line;
		if (cut_field(line, separator, &next) < 0)
			return -EINVAL;
	}
	*ret_n = n;
	return 0;
}

static int split(char *line, char separator, char **ret_fields, size_t *ret_n,
		 const struct fan_score_place *place)
{
	const int r = fan_csv_split(line, separator, ret_fields, FAN_SCORE_COLUMNS, ret_n);

	if (r == -E2BIG)
		return fan_score_fail(place, EINVAL, "more than %d columns", FAN_SCORE_COLUMNS);
	if (r < 0)
		return fan_score_fail(place, EINVAL,
				      "a quote is not closed, or more follows it before the next "
				      "separator; quotes inside quotes are doubled");
	return 0;
}

static int add_column(struct fan_score_header *h, struct fan_score_table *t, const char *name,
		      int at, const struct fan_score_place *place)
{
	size_t k = 0;

	while (k < FAN_SCORE_KNOWN && strcasecmp(names[k], name) != 0)
		k++;
	if (k == FAN_SCORE_KNOWN) {
		for (size_t i = 0; i < t->unused.n; i++)
			if (strcmp(t->unused.items[i], name) == 0)
				return 0;
		return fan_strs_add(&t->unused, "%s", name);
	}
	if (h->column[k] >= 0)
		return fan_score_fail(place, EINVAL, "two columns have the name %s", names[k]);
	h->column[k] = at;
	return 0;
}

/* The kind that these columns make, or FAN_SCORES_NONE with what is wrong. */
static enum fan_score_kind kind_of(const struct fan_score_header *h, const char **ret_wrong)
{
	const int *c = h->column;
	const bool has_value = c[FAN_SCORE_SCORE] >= 0 || c[FAN_SCORE_SHARE] >= 0;

	*ret_wrong = NULL;
	if (c[FAN_SCORE_GAP] >= 0) {
		if (c[FAN_SCORE_RUN] < 0 && c[FAN_SCORE_WINDOW] < 0 && !has_value)
			return FAN_SCORES_SUMMARY;
		*ret_wrong = "a gap_pct is a summary: it stands without runs, windows and scores";
	} else if (c[FAN_SCORE_RUN] >= 0 && c[FAN_SCORE_WINDOW] >= 0) {
		*ret_wrong = "both run and window: give the scores of runs, or the windows of one "
			     "run";
	} else if (c[FAN_SCORE_RUN] < 0 && c[FAN_SCORE_WINDOW] < 0) {
		*ret_wrong = "the header names neither run nor window; it is to name run (or "
			     "window), vm and score, and may name config";
	} else if (c[FAN_SCORE_VM] < 0) {
		*ret_wrong = "the header does not name vm";
	} else if (!has_value) {
		*ret_wrong = "the header names neither score nor share_pct";
	} else if (c[FAN_SCORE_SCORE] >= 0 && c[FAN_SCORE_SHARE] >= 0) {
		*ret_wrong = "both score and share_pct: one of them is the value";
	} else if (c[FAN_SCORE_SHARE] >= 0 && c[FAN_SCORE_RUN] >= 0) {
		*ret_wrong = "share_pct is for windows; of runs give the scores";
	}
	if (*ret_wrong)
		return FAN_SCORES_NONE;
	if (c[FAN_SCORE_RUN] >= 0)
		return FAN_SCORES_RUNS;
	return c[FAN_SCORE_SHARE] >= 0 ? FAN_SCORES_SHARES : FAN_SCORES_WORK;
}

int fan_score_header(struct fan_score_header *ret, struct fan_score_table *t, char *line,
		     const struct fan_score_place *place)
{
	char *fields[FAN_SCORE_COLUMNS];
	const char *wrong;
	int r;

	ret->separator = strchr(line, '\t') ? '\t' : ',';
	for (size_t i = 0; i < FAN_SCORE_KNOWN; i++)
		ret->column[i] = -1;
	r = split(line, ret->separator, fields, &ret->n, place);
	for (size_t i = 0; r == 0 && i < ret->n; i++)
		r = add_column(ret, t, fields[i], (int)i, place);
	if (r < 0)
		return r;
	ret->kind = kind_of(ret, &wrong);
	if (wrong)
		return fan_score_fail(place, EINVAL, "%s", wrong);
	if (place->config && ret->column[FAN_SCORE_CONFIG] >= 0)
		return fan_score_fail(place, EINVAL,
				      "the file has a column config, so --config %s cannot apply",
				      place->config);
	return 0;
}

/* A finite number, or an error that names the column. */
static int read_number(const char *text, enum fan_score_column column, double *ret,
		       const struct fan_score_place *place)
{
	static const char *const missing[] = { "", "-", "na", "n/a", "nan", "null" };

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (strcasecmp(text, missing[i]) == 0)
			return fan_score_fail(place, EINVAL,
					      "the value of %s is missing; leave the whole line "
					      "out where there is none",
					      names[column]);
	if (fcap_parse_real(text, ret) < 0)
		return fan_score_fail(place, EINVAL, "%s: \"%.40s\" is not a finite number",
				      names[column], text);
	return 0;
}

/* The number in this column; *ret stays as it is where there is no such column. */
static int number_of(const struct fan_score_header *h, char *const *fields,
		     enum fan_score_column column, double *ret, const struct fan_score_place *place)
{
	const int at = h->column[column];

	return at < 0 ? 0 : read_number(fields[at], column, ret, place);
}

/* The index of the name in this column, -1 where there is none. */
static int name_of(const struct fan_score_header *h, char *const *fields,
		   enum fan_score_column column, struct fan_strs *list, int32_t *ret,
		   const struct fan_score_place *place)
{
	const int at = h->column[column];
	int r;

	if (at < 0)
		return 0;
	if (!*fields[at])
		return fan_score_fail(place, EINVAL, "the name of the %s is missing",
				      names[column]);
	r = fan_score_intern(list, fields[at], names[column], place);
	*ret = r;
	return r < 0 ? r : 0;
}

int fan_score_csv_row(struct fan_score_table *t, const struct fan_score_header *h, char *line,
		      const struct fan_score_place *place)
{
	static const enum fan_score_column value[] = { [FAN_SCORES_RUNS] = FAN_SCORE_SCORE,
						       [FAN_SCORES_WORK] = FAN_SCORE_SCORE,
						       [FAN_SCORES_SHARES] = FAN_SCORE_SHARE,
						       [FAN_SCORES_SUMMARY] = FAN_SCORE_GAP };
	struct fan_score_row row = { -1, -1, -1, place->file, place->line, NAN, NAN, NAN, NAN };
	char *fields[FAN_SCORE_COLUMNS];
	size_t n = 0;
	int r = split(line, h->separator, fields, &n, place);

	if (r == 0 && n != h->n)
		r = fan_score_fail(place, EINVAL, "%zu fields, but the header has %zu", n, h->n);
	if (r == 0)
		r = name_of(h, fields, FAN_SCORE_RUN, &t->runs, &row.run, place);
	if (r == 0)
		r = name_of(h, fields, FAN_SCORE_CONFIG, &t->configs, &row.config, place);
	if (r == 0)
		r = name_of(h, fields, FAN_SCORE_VM, &t->vms, &row.vm, place);
	if (r == 0)
		r = number_of(h, fields,
			      h->kind == FAN_SCORES_RUNS ? FAN_SCORE_ORDER : FAN_SCORE_WINDOW,
			      &row.window, place);
	if (r == 0)
		r = number_of(h, fields, value[h->kind], &row.value, place);
	if (r == 0)
		r = number_of(h, fields, FAN_SCORE_TOTAL, &row.total, place);
	if (r == 0)
		r = number_of(h, fields, FAN_SCORE_EXPECTED, &row.expected_pct, place);
	return r < 0 ? r : fan_score_add(t, h->kind, &row, place);
}
