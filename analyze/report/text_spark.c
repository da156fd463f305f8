// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_spark.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/spark.h"
#include "analyze/report/text.h"
#include "analyze/report/words.h"

#define STEPS_MOST  60
#define STEPS_LEAST 20 /* beside names however long */

static const char *const ascii[FAN_SPARK_LEVELS] = { "_", ".", "-", "=", "+", "*", "#" };
static const char *const blocks[FAN_SPARK_LEVELS] = { "\u2581", "\u2582", "\u2583", "\u2584",
						      "\u2585", "\u2586", "\u2587" };

/* A step is one column wide, however many bytes it has. */
static const char *step_of(const struct fan_print *p, int level)
{
	if (level < 0)
		return " ";
	return p->style.utf8 ? blocks[level] : ascii[level];
}

static void put_steps(const double *points, size_t n, double scale, struct fan_print *p)
{
	unsigned int mark = 0;

	/* no blanks at the end of a line */
	while (n > 0 && isnan(points[n - 1]))
		n--;
	for (size_t i = 0; i < n; i++) {
		const unsigned int next = p->style.colour ? fan_mark_of_points(points[i]) : 0;

		if (next != mark)
			fprintf(p->f, "%s%s", mark ? FAN_MARK_END : "", fan_mark_begin(next));
		mark = next;
		fputs(step_of(p, fan_spark_level(points[i], scale)), p->f);
	}
	fprintf(p->f, "%s\n", mark ? FAN_MARK_END : "");
}

/* Names of the rows, and the length of the longest. 0, or -ENOMEM. */
static int collect_names(const struct fan_array *curves, size_t rows, struct fan_strs *names,
			 size_t *longest)
{
	const struct fan_r_curve *c = curves->items;
	int r = 0;

	*longest = 0;
	for (size_t i = 0; r == 0 && i < rows; i++) {
		char *name = fan_safe("%s", fan_or_dash(c[i].name));

		r = name ? fan_strs_add(names, "%s", name) : -ENOMEM;
		if (name && strlen(name) > *longest)
			*longest = strlen(name);
		free(name);
	}
	return r;
}

static void print_legend(const struct fan_spark *spark, struct fan_print *p)
{
	bool has_blanks = false;

	for (size_t i = 0; i < spark->rows * spark->n; i++)
		has_blanks |= isnan(spark->points[i]);
	fputs("  ", p->f);
	for (int i = 0; i < FAN_SPARK_LEVELS; i++)
		fputs(step_of(p, i), p->f);
	fprintf(p->f, "  from %g points below what was due to %g above%s\n", spark->scale,
		spark->scale, has_blanks ? "; blank: nobody ran" : "");
	if (p->style.colour)
		fan_print_para(p, 2, "  green: up to 1.5 points off, yellow: 3 to 10, red: more");
}

static void print_rows(const struct fan_report *r, const struct fan_spark *spark,
		       const struct fan_strs *names, size_t width, struct fan_print *p)
{
	const struct fan_r_series *s = &r->series;
	const int64_t begin = s->t_ns.items[0];
	const int64_t length = s->window_ns * (int64_t)s->t_ns.n;

	fan_print_blank(p);
	fan_print_para(p, 0, "Share over time, from %s to %s, %s%s a character",
		       fan_format_ns(begin).text, fan_format_ns(begin + length).text,
		       s->t_ns.n % spark->n ? "about " : "",
		       fan_format_ns(length / (int64_t)spark->n).text);
	for (size_t i = 0; p->r == 0 && i < spark->rows; i++) {
		fprintf(p->f, "%-*s  ", (int)width, names->items[i]);
		put_steps(spark->points + i * spark->n, spark->n, spark->scale, p);
	}
	print_legend(spark, p);
	if (s->groups.n > spark->rows)
		fan_print_para(p, 2, "  %zu more groups: see the JSON report",
			       s->groups.n - spark->rows);
	if (p->r == 0 && ferror(p->f))
		p->r = errno > 0 ? -errno : -EIO;
}

/* From when to when, in numbers that can be added up: JSON may hold any. */
static bool tells_when(const struct fan_r_series *s)
{
	const int64_t most = INT64_MAX / 2, n = (int64_t)s->t_ns.n;

	return n > 0 && s->t_ns.items[0] >= -most && s->t_ns.items[0] <= most && s->window_ns > 0 &&
	       s->window_ns <= most / n;
}

void fan_print_spark(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_array *curves = &r->series.groups;
	const size_t rows = curves->n < FAN_TEXT_GROUPS ? curves->n : FAN_TEXT_GROUPS;
	struct fan_strs names = { 0 };
	struct fan_spark spark = { 0 };
	size_t longest, steps = STEPS_LEAST;
	int e = collect_names(curves, rows, &names, &longest);

	if (longest + 2 + STEPS_LEAST < FAN_PRINT_WIDTH)
		steps = FAN_PRINT_WIDTH - 2 - longest;
	/* of one group alone, nothing was shared */
	if (e == 0 && curves->n > 1 && tells_when(&r->series))
		e = fan_spark_make(&spark, &r->series, rows,
				   steps < STEPS_MOST ? steps : STEPS_MOST);
	if (e == 0 && spark.n > 0)
		print_rows(r, &spark, &names, longest, p);
	if (e < 0 && p->r == 0)
		p->r = e;
	fan_spark_free(&spark);
	fan_strs_free(&names);
}
