// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/page.h"

#include <math.h>

#define NS_PER_S 1e9

/*
 * The palette of Okabe and Ito (jfly.uni-koeln.de/color), told apart by most colour-blind eyes;
 * grey for its yellow, which is lost on white. The marks tell lines apart without colour.
 */
static const char *const colours[FPLOT_GROUPS] = { "0072B2", "D55E00", "009E73", "CC79A7",
						   "E69F00", "56B4E9", "000000", "808080" };
static const int marks[FPLOT_GROUPS] = { 7, 5, 9, 11, 13, 15, 2, 3 };

const char *fplot_colour(size_t i)
{
	return i < FPLOT_GROUPS ? colours[i] : "C0C0C0";
}

int fplot_mark(size_t i)
{
	return marks[i % FPLOT_GROUPS];
}

double fplot_seconds(int64_t ns)
{
	return ns == FAN_NONE ? NAN : (double)ns / NS_PER_S;
}

void fplot_put_comment(FILE *f, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(f, "# %-10s", label);
	/* a backslash would continue the comment on the next line */
	fplot_put_text(f, text, "\\`");
	fputc('\n', f);
}

void fplot_put_name(FILE *f, const char *name)
{
	/* a # in front would make the row a comment, a quote would swallow the tabs behind it */
	if (name && *name == '#') {
		fputs("\\x23", f);
		name++;
	}
	fplot_put_text(f, name, "\\\"");
}

void fplot_put_real(FILE *f, double v, int digits)
{
	/* gnuplot leaves a gap in the line at NaN, R and pandas know it */
	if (isfinite(v))
		fprintf(f, "\t%.*f", digits, v);
	else
		fputs("\tNaN", f);
}

void fplot_put_seconds(FILE *f, int64_t ns)
{
	fplot_put_real(f, fplot_seconds(ns), 6);
}

double fplot_step(double range)
{
	const double decade = pow(10, floor(log10(range / 3)));
	const double part = range / 3 / decade;

	return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}
