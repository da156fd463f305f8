// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"

#define NS_PER_S    1000000000ULL
#define SERIES_MAX  1024
#define SCORES_MAX  4096
#define LINES_MAX   65536	  /* of one series: at 1 a second more than 18 hours */
#define SECONDS_MAX 9000000000ULL /* what fits into 64 bits of ns */

struct fan_work *fan_work_new(void)
{
	return calloc(1, sizeof(struct fan_work));
}

void fan_work_free(struct fan_work *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->nseries; i++) {
		free(w->series[i].vm);
		free(w->series[i].unit);
		free(w->series[i].lines);
	}
	for (size_t i = 0; i < w->nscores; i++)
		free(w->scores[i].vm);
	free(w->series);
	free(w->scores);
	free(w);
}

/* Makes room for item n of an array whose capacity doubles; NULL without memory. */
static void *grow(void *items, size_t n, size_t size)
{
	if ((n & (n - 1)) != 0)
		return items;
	return reallocarray(items, n ? 2 * n : 1, size);
}

/* Seconds as decimal text to ns, exactly: what is finer than a ns is cut off. 0 or -EINVAL. */
static int parse_decimal(const char *s, uint64_t *ret_ns)
{
	uint64_t seconds = 0, ns = 0, digit = NS_PER_S;

	if (*s < '0' || *s > '9')
		return -EINVAL;
	for (; *s >= '0' && *s <= '9'; s++) {
		seconds = 10 * seconds + (uint64_t)(*s - '0');
		if (seconds > SECONDS_MAX)
			return -EINVAL;
	}
	s += *s == '.';
	for (; *s >= '0' && *s <= '9'; s++) {
		digit /= 10;
		ns += digit * (uint64_t)(*s - '0');
	}
	if (*s)
		return -EINVAL;
	*ret_ns = seconds * NS_PER_S + ns;
	return 0;
}

/* A time of the line in ns; notations such as 1e3 go through double. 0 or -EINVAL. */
static int parse_seconds(const char *text, uint64_t *ret_ns)
{
	double v;

	if (parse_decimal(text, ret_ns) == 0)
		return 0;
	if (fcap_parse_real(text, &v) < 0 || v < 0 || v > (double)SECONDS_MAX)
		return -EINVAL;
	*ret_ns = (uint64_t)(v * (double)NS_PER_S + 0.5);
	return 0;
}

static int parse_amount(const struct fcap_marker *line, const char *key, double *ret)
{
	const char *text = fcap_marker_get(line, key);

	return text && fcap_parse_real(text, ret) == 0 && *ret >= 0 ? 0 : -EINVAL;
}

/* The series of this reporter and unit in *ret, made if need be. 0, -EINVAL or -ENOMEM. */
static int reach_series(struct fan_work *w, const char *vm, const char *unit,
			struct fan_work_series **ret)
{
	struct fan_work_series *s;

	for (size_t i = 0; i < w->nseries; i++) {
		*ret = &w->series[i];
		if (strcmp((*ret)->vm, vm) == 0 && strcmp((*ret)->unit, unit) == 0)
			return 0;
	}
	if (w->nseries == SERIES_MAX)
		return -EINVAL;
	s = grow(w->series, w->nseries, sizeof(*s));
	if (!s)
		return -ENOMEM;
	w->series = s;
	s += w->nseries;
	*s = (struct fan_work_series){ .vm = strdup(vm), .unit = strdup(unit) };
	w->nseries++;
	*ret = s;
	return s->vm && s->unit ? 0 : -ENOMEM;
}

/* Joins each two neighbours, so that there is room again. */
static void join_lines(struct fan_work_series *s)
{
	for (size_t i = 0; i < s->n / 2; i++) {
		const struct fan_work_line a = s->lines[2 * i], b = s->lines[2 * i + 1];

		s->lines[i].t0_ns = a.t0_ns < b.t0_ns ? a.t0_ns : b.t0_ns;
		s->lines[i].t1_ns = a.t1_ns > b.t1_ns ? a.t1_ns : b.t1_ns;
		s->lines[i].n = a.n + b.n;
	}
	s->n /= 2;
}

static int add_line(struct fan_work_series *s, struct fan_work_line line)
{
	struct fan_work_line *grown;

	if (s->n == LINES_MAX)
		join_lines(s);
	grown = grow(s->lines, s->n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	s->lines = grown;
	s->lines[s->n++] = line;
	return 0;
}

/* Nothing is before 0. */
static uint64_t shift(uint64_t ns, int64_t by_ns)
{
	return by_ns >= 0 || ns > 0 - (uint64_t)by_ns ? ns + (uint64_t)by_ns : 0;
}

static int take_work(struct fan_work *w, const struct fcap_marker *line, uint64_t ts_ns)
{
	const char *vm = fcap_marker_get(line, "vm"), *unit = fcap_marker_get(line, "unit");
	const char *t = fcap_marker_get(line, "t"), *dt = fcap_marker_get(line, "dt");
	struct fan_work_line new = { .t1_ns = ts_ns };
	struct fan_work_series *s;
	uint64_t length = 0;
	int r;

	if (!vm || !*vm || parse_amount(line, "n", &new.n) < 0 ||
	    (t && parse_seconds(t, &new.t1_ns) < 0) || (dt && parse_seconds(dt, &length) < 0))
		return -EINVAL;
	if (t)
		new.t1_ns = shift(new.t1_ns, w->shift_ns);
	r = reach_series(w, vm, unit ? unit : "", &s);
	if (r < 0)
		return r;
	s->total += new.n;
	s->is_told |= t != NULL;
	s->is_stamped |= !t;
	if (length > 0)
		new.t0_ns = new.t1_ns > length ? new.t1_ns - length : 0;
	else
		new.t0_ns = s->last_ns;
	if ((length == 0 && s->last_ns == 0) || new.t0_ns >= new.t1_ns)
		s->unbegun++;
	else
		r = add_line(s, new);
	s->last_ns = new.t1_ns;
	return r;
}

static int take_score(struct fan_work *w, const struct fcap_marker *line)
{
	const char *vm = fcap_marker_get(line, "vm");
	struct fan_score *grown;
	double value;

	if (!vm || !*vm || parse_amount(line, "value", &value) < 0 || w->nscores == SCORES_MAX)
		return -EINVAL;
	grown = grow(w->scores, w->nscores, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	w->scores = grown;
	w->scores[w->nscores] = (struct fan_score){ strdup(vm), value };
	return w->scores[w->nscores++].vm ? 0 : -ENOMEM;
}

int fan_work_take(struct fan_work *w, const struct fcap_marker *line, uint64_t ts_ns)
{
	if (fcap_marker_is(line, "work"))
		return take_work(w, line, ts_ns);
	return fcap_marker_is(line, "score") ? take_score(w, line) : 0;
}

static int by_end(const void *a, const void *b)
{
	const struct fan_work_line *x = a, *y = b;

	if (x->t1_ns != y->t1_ns)
		return x->t1_ns < y->t1_ns ? -1 : 1;
	return x->t0_ns < y->t0_ns ? -1 : x->t0_ns > y->t0_ns;
}

void fan_work_finish(struct fan_work *w)
{
	for (size_t i = 0; i < w->nseries; i++)
		if (w->series[i].n)
			qsort(w->series[i].lines, w->series[i].n, sizeof(*w->series[i].lines),
			      by_end);
}
