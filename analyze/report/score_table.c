// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows of score tables: names, checks, order. Reads no file. */
#include "analyze/report/score_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/score_read.h"
#include "analyze/stats/input.h"

int fan_score_fail(const struct fan_score_place *place, int code, const char *fmt, ...)
{
	char text[sizeof(place->err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (place->line == 0)
		return fcap_fail(place->err, code, "%s: %s", place->path, text);
	return fcap_fail(place->err, code, "%s:%zu: %s", place->path, place->line, text);
}

static int no_memory(const struct fan_score_place *place)
{
	return fan_score_fail(place, ENOMEM, "out of memory");
}

int fan_score_intern(struct fan_strs *names, const char *name, const char *what,
		     const struct fan_score_place *place)
{
	/* rows of one name mostly follow each other: look at the newest first */
	for (size_t i = names->n; i-- > 0;)
		if (strcmp(names->items[i], name) == 0)
			return (int)i;
	if (names->n == FAN_SCORE_NAMES)
		return fan_score_fail(place, EINVAL, "more than %d different names of a %s",
				      FAN_SCORE_NAMES, what);
	if (fan_strs_add(names, "%s", name) < 0)
		return no_memory(place);
	return (int)names->n - 1;
}

const char *fan_score_name(const struct fan_strs *names, int32_t index)
{
	return index < 0 ? "" : names->items[index];
}

static const char *kind_words(enum fan_score_kind kind)
{
	static const char *const words[] = {
		[FAN_SCORES_RUNS] = "scores of runs",
		[FAN_SCORES_WORK] = "windows of work",
		[FAN_SCORES_SHARES] = "windows of shares",
		[FAN_SCORES_SUMMARY] = "a summary",
	};

	return words[kind];
}

/* Puts a share within rounding of 0 .. 100 into it; false: it is further out. */
static bool clamp_share(struct fan_score_table *t, double *share)
{
	const double inside = fmin(fmax(*share, 0), 100);

	if (fabs(*share - inside) > FAN_INPUT_SLACK)
		return false;
	if (*share != inside)
		t->notes |= FAN_SCORES_CLAMPED;
	*share = inside;
	return true;
}

static int check_row(struct fan_score_table *t, enum fan_score_kind kind, struct fan_score_row *row,
		     const struct fan_score_place *place)
{
	if (t->kind != FAN_SCORES_NONE && t->kind != kind)
		return fan_score_fail(place, EINVAL, "this holds %s, %s held %s: give them apart",
				      kind_words(kind), t->files.items[t->rows[0].file],
				      kind_words(t->kind));
	if (t->n == FAN_SCORE_ROWS)
		return fan_score_fail(place, EINVAL, "more than %d values in all", FAN_SCORE_ROWS);
	if (kind == FAN_SCORES_SHARES && !clamp_share(t, &row->value))
		return fan_score_fail(place, EINVAL, "a share of %g %% is outside 0 to 100",
				      row->value);
	if (kind != FAN_SCORES_SUMMARY && row->value < 0)
		return fan_score_fail(place, EINVAL, "%g is below 0", row->value);
	if (row->total < 0)
		return fan_score_fail(place, EINVAL, "a total of %g is below 0", row->total);
	if (row->expected_pct < 0 || row->expected_pct > 100)
		return fan_score_fail(place, EINVAL,
				      "an expected share of %g %% is outside 0 to 100",
				      row->expected_pct);
	return 0;
}

static void note_row(struct fan_score_table *t, struct fan_score_row *row)
{
	if (t->kind != FAN_SCORES_SHARES)
		return;
	if (t->n == 0)
		t->notes |= FAN_SCORES_WHOLE_PERCENT;
	if (row->value != floor(row->value))
		t->notes &= ~(unsigned int)FAN_SCORES_WHOLE_PERCENT;
	if (isnan(row->total)) {
		t->notes |= FAN_SCORES_NO_TOTAL;
		row->total = 1;
	}
	if (!isnan(row->expected_pct))
		t->notes |= FAN_SCORES_DUE_TOLD;
}

int fan_score_add(struct fan_score_table *t, enum fan_score_kind kind,
		  const struct fan_score_row *row, const struct fan_score_place *place)
{
	struct fan_score_row r = *row;
	const int e = check_row(t, kind, &r, place);

	if (e < 0)
		return e;
	if (r.config < 0 && place->config) {
		r.config = fan_score_intern(&t->configs, place->config, "config", place);
		if (r.config < 0)
			return r.config;
	}
	if ((t->n & (t->n - 1)) == 0) { /* room doubles at powers of two */
		struct fan_score_row *rows = reallocarray(t->rows, t->n ? 2 * t->n : 1,
							  sizeof(*rows));

		if (!rows)
			return no_memory(place);
		t->rows = rows;
	}
	t->kind = kind;
	note_row(t, &r);
	t->rows[t->n++] = r;
	return 0;
}

static int compare_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* In the order in which they were read. */
static int by_place(const struct fan_score_row *a, const struct fan_score_row *b)
{
	const int r = compare_i64(a->file, b->file);

	return r ? r : compare_i64((int64_t)a->line, (int64_t)b->line);
}

static int by_run(const void *pa, const void *pb)
{
	const struct fan_score_row *a = pa, *b = pb;
	int r = compare_i64(a->config, b->config);

	r = r ? r : compare_i64(a->run, b->run);
	r = r ? r : compare_i64(a->vm, b->vm);
	return r ? r : by_place(a, b);
}

static int by_series(const void *pa, const void *pb)
{
	const struct fan_score_row *a = pa, *b = pb;
	int r = compare_i64(a->config, b->config);

	r = r ? r : compare_i64(a->vm, b->vm);
	return r ? r : by_place(a, b);
}

static struct fan_score_place place_of(const struct fan_score_table *t,
				       const struct fan_score_row *row, struct fcap_err *err)
{
	return (struct fan_score_place){ t->files.items[row->file], row->line, row->file, NULL,
					 err };
}

static bool is_same_series(const struct fan_score_row *a, const struct fan_score_row *b)
{
	return a->config == b->config && a->vm == b->vm;
}

/* Rows that follow each other after sorting. */
static int check_pair(const struct fan_score_table *t, const struct fan_score_row *a,
		      const struct fan_score_row *b, struct fcap_err *err)
{
	const struct fan_score_place place = place_of(t, b, err);
	const char *vm = fan_score_name(&t->vms, b->vm);

	if (!is_same_series(a, b))
		return 0;
	if (t->kind == FAN_SCORES_SUMMARY)
		return fan_score_fail(
			&place, EINVAL, "a second gap of \"%s\"; the first is in %s:%zu",
			fan_score_name(&t->configs, b->config), t->files.items[a->file], a->line);
	if (t->kind == FAN_SCORES_RUNS && a->run == b->run)
		return fan_score_fail(&place, EINVAL,
				      "run %s has a score of %s already, in %s:%zu; name runs "
				      "apart",
				      fan_score_name(&t->runs, b->run), vm, t->files.items[a->file],
				      a->line);
	if (t->kind != FAN_SCORES_RUNS && !(a->window < b->window))
		return fan_score_fail(&place, EINVAL,
				      "window %g of %s comes after window %g (%s:%zu): windows of "
				      "one run go up",
				      b->window, vm, a->window, t->files.items[a->file], a->line);
	return 0;
}

/* Work becomes a share by the windows of the other VMs, so all have to have the same. */
static int check_aligned(const struct fan_score_table *t, const struct fan_score_row *a, size_t na,
			 const struct fan_score_row *b, size_t nb, struct fcap_err *err)
{
	const struct fan_score_row *odd, *lacking;
	struct fan_score_place place;
	size_t i = 0;

	while (i < na && i < nb && a[i].window == b[i].window)
		i++;
	if (i == na && i == nb)
		return 0;
	if (i == nb || (i < na && a[i].window < b[i].window)) {
		odd = &a[i];
		lacking = b;
	} else {
		odd = &b[i];
		lacking = a;
	}
	place = place_of(t, odd, err);
	return fan_score_fail(&place, EINVAL,
			      "window %g of %s has no counterpart of %s: all VMs are to have the "
			      "same windows",
			      odd->window, fan_score_name(&t->vms, odd->vm),
			      fan_score_name(&t->vms, lacking->vm));
}

/* Windows that are numbered one by one show which are missing. */
static int check_missing(struct fan_score_table *t, const struct fan_score_row *series, size_t n,
			 struct fcap_err *err)
{
	const double span = series[n - 1].window - series[0].window + 1;
	const struct fan_score_place place = place_of(t, &series[n - 1], err);
	double step = INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (series[i].window != floor(series[i].window))
			return 0;
		if (i > 0)
			step = fmin(step, series[i].window - series[i - 1].window);
	}
	if (step != 1 || span == (double)n)
		return 0;
	if (span - (double)n > FAN_INPUT_MISSING * span)
		return fan_score_fail(&place, EINVAL,
				      "%g of %g windows of %s are missing; over 5 %% of them break "
				      "the series",
				      span - (double)n, span, fan_score_name(&t->vms, series->vm));
	t->notes |= FAN_SCORES_MISSING;
	return 0;
}

size_t fan_scores_series(const struct fan_score_table *t, size_t from)
{
	size_t n = 1;

	while (from + n < t->n && is_same_series(&t->rows[from], &t->rows[from + n]))
		n++;
	return n;
}

static int check_windows(struct fan_score_table *t, struct fcap_err *err)
{
	const struct fan_score_row *first = t->rows;
	size_t nfirst = 0;
	int r = 0;

	for (size_t i = 0, n; r == 0 && i < t->n; i += n) {
		const struct fan_score_row *series = &t->rows[i];

		n = fan_scores_series(t, i);
		r = check_missing(t, series, n, err);
		if (i == 0 || series->config != first->config) {
			first = series;
			nfirst = n;
		} else if (r == 0 && t->kind == FAN_SCORES_WORK) {
			r = check_aligned(t, first, nfirst, series, n, err);
		}
	}
	return r;
}

int fan_scores_check(struct fan_score_table *t, struct fcap_err *err)
{
	int r = 0;

	if (t->n == 0)
		return fcap_fail(err, EINVAL, "%s: it holds no values",
				 t->files.n ? t->files.items[0] : "-");
	qsort(t->rows, t->n, sizeof(*t->rows), t->kind == FAN_SCORES_RUNS ? by_run : by_series);
	for (size_t i = 1; r == 0 && i < t->n; i++)
		r = check_pair(t, &t->rows[i - 1], &t->rows[i], err);
	if (r == 0 && (t->kind == FAN_SCORES_WORK || t->kind == FAN_SCORES_SHARES))
		r = check_windows(t, err);
	return r;
}

void fan_scores_free(struct fan_score_table *t)
{
	fan_strs_free(&t->files);
	fan_strs_free(&t->checksums);
	fan_strs_free(&t->runs);
	fan_strs_free(&t->configs);
	fan_strs_free(&t->vms);
	fan_strs_free(&t->unused);
	free(t->rows);
	*t = (struct fan_score_table){ 0 };
}
