// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/amount.h"

#include <math.h>
#include <stdio.h>

/* Decimals that show so many significant digits of x, negative left of the point. */
int fan_decimals_of(double x, int digits)
{
	return x > 0 ? digits - 1 - (int)floor(log10(x)) : 0;
}

double fan_longer_half(double value, struct fan_interval in)
{
	return fmax(value - in.lo, in.hi - value);
}

int fan_clamp(int x, int min, int max)
{
	return x < min ? min : x > max ? max : x;
}

/* The number rounded to so many decimals (negative: left of the point), large ones with a prefix.
 */
struct fan_cell fan_format_amount(double v, double size, int decimals)
{
	static const char prefix[] = { 'k', 'M', 'G', 'T', 'P' };
	const double unit = pow(10, -decimals);
	struct fan_cell ret = { "-" };
	size_t k = 0;

	if (isnan(v))
		return ret;
	v = round(v / unit) * unit;
	if (size < 99999.5) {
		snprintf(ret.text, sizeof(ret.text), "%.*f", fan_clamp(decimals, 0, 9), v);
		return ret;
	}
	for (size /= 1000, v /= 1000, decimals += 3; size >= 999.95 && k + 1 < sizeof(prefix);
	     k++) {
		size /= 1000;
		v /= 1000;
		decimals += 3;
	}
	snprintf(ret.text, sizeof(ret.text), "%.*f%c", fan_clamp(decimals, 0, 9), v, prefix[k]);
	return ret;
}

/* A number and half of its interval, in the same notation; four digits without an interval. */
void fan_grid_est(struct fan_grid *grid, const struct fan_est *e)
{
	const double half = fan_longer_half(e->value, fan_interval_shown(e));
	const int decimals = isnan(half) ? fan_decimals_of(e->value, 4) : fan_decimals_of(half, 2);

	fan_grid_cell(grid, "%s", fan_format_amount(e->value, e->value, decimals).text);
	fan_grid_cell(grid, "%s", fan_format_amount(half, e->value, decimals).text);
}
