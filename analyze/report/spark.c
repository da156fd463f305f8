// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/spark.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

double fan_spark_scale(double largest)
{
	static const double list[] = { 1.5, 3, 5, 10, 20, 50, 100 };
	const size_t last = sizeof(list) / sizeof(list[0]) - 1;
	size_t i = 0;

	while (i < last && list[i] < largest)
		i++;
	return list[i];
}

int fan_spark_level(double points, double scale)
{
	const int middle = FAN_SPARK_LEVELS / 2;
	const double steps = round(middle * points / scale);

	if (isnan(points))
		return -1;
	return middle + (int)fmax(-middle, fmin(middle, steps));
}

static bool can_be_drawn(const struct fan_r_series *s, size_t rows)
{
	const struct fan_r_curve *c = s->groups.items;

	for (size_t i = 0; i < s->groups.n; i++)
		if (c[i].share.n != s->t_ns.n || c[i].expected.n != s->t_ns.n ||
		    c[i].run_ns.n != s->t_ns.n)
			return false;
	return s->t_ns.n >= 2 && rows > 0 && rows <= s->groups.n;
}

/* CPU time of all groups in the window; 0 where nobody ran. */
static double total_of(const struct fan_r_series *s, size_t window)
{
	const struct fan_r_curve *c = s->groups.items;
	double ret = 0;

	for (size_t i = 0; i < s->groups.n; i++)
		ret += (double)c[i].run_ns.items[window];
	return ret;
}

/* Adds a window to the step of each row: points, and its weight. */
static void add_window(struct fan_spark *to, double *weights, const struct fan_r_series *s,
		       size_t window, size_t step)
{
	const struct fan_r_curve *c = s->groups.items;
	const double total = total_of(s, window);

	for (size_t i = 0; i < to->rows; i++) {
		const double points = c[i].share.items[window] - c[i].expected.items[window];

		if (isnan(points) || !(total > 0))
			continue;
		to->points[i * to->n + step] += total * points;
		weights[i * to->n + step] += total;
	}
}

/* Sums to means; the largest sets the scale. False: there is not one. */
static bool divide(struct fan_spark *spark, const double *weights)
{
	double largest = -1;

	for (size_t i = 0; i < spark->rows * spark->n; i++) {
		spark->points[i] = weights[i] > 0 ? spark->points[i] / weights[i] : NAN;
		largest = fmax(largest, fabs(spark->points[i]));
	}
	spark->scale = fan_spark_scale(largest);
	return largest >= 0;
}

int fan_spark_make(struct fan_spark *ret, const struct fan_r_series *s, size_t rows, size_t width)
{
	const size_t windows = s->t_ns.n;
	struct fan_spark spark = { .rows = rows, .n = windows < width ? windows : width };
	double *weights;

	*ret = (struct fan_spark){ 0 };
	if (!can_be_drawn(s, rows) || width == 0)
		return 0;
	spark.points = calloc(rows * spark.n, sizeof(*spark.points));
	weights = calloc(rows * spark.n, sizeof(*weights));
	for (size_t k = 0; spark.points && weights && k < spark.n; k++)
		for (size_t w = k * windows / spark.n; w < (k + 1) * windows / spark.n; w++)
			add_window(&spark, weights, s, w, k);
	if (spark.points && weights && divide(&spark, weights))
		*ret = spark;
	else
		free(spark.points);
	free(weights);
	return spark.points && weights ? 0 : -ENOMEM;
}

void fan_spark_free(struct fan_spark *spark)
{
	free(spark->points);
	*spark = (struct fan_spark){ 0 };
}
