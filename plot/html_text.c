// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/html_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/report/tree.h"
#include "plot/figure.h"

#define MINUS "\xE2\x88\x92"

/* What a character of ASCII is written as; NULL: as itself. */
static const char *reference(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void fplot_html_text(FILE *f, const char *s)
{
	if (!s)
		s = FPLOT_HTML_NONE;
	while (*s) {
		const size_t len = fplot_printable(s);
		const char *as = reference(*s);

		if (as)
			fputs(as, f);
		else if (len == 0)
			fprintf(f, "\\x%02X", (unsigned char)*s);
		else
			fwrite(s, 1, len, f);
		s += len ? len : 1;
	}
}

void fplot_html_i64(FILE *f, int64_t v)
{
	if (v == FAN_NONE)
		fputs(FPLOT_HTML_NONE, f);
	else
		fprintf(f, "%s%" PRIu64, v < 0 ? MINUS : "", v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* Of a time that is no whole number of its unit, four significant digits. */
static int decimals_of(double v)
{
	return v == floor(v) ? 0 : v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95 ? 1 : 0;
}

void fplot_html_ns(FILE *f, int64_t ns)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = { { "ns", 1 }, { "\xC2\xB5s", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	const double size = fabs((double)ns);
	size_t u = 0;
	double v;

	if (ns == FAN_NONE) {
		fputs(FPLOT_HTML_NONE, f);
		return;
	}
	/* a unit is left when it would show 1000 after rounding to four digits */
	while (u < 3 && size / unit[u].ns >= 999.95)
		u++;
	if (ns == 0)
		u = 3;
	v = size / unit[u].ns;
	fplot_html_fixed(f, ns < 0 ? -v : v, decimals_of(v), false);
	fprintf(f, " %s", unit[u].name);
}

/* Writes digits with a narrow blank in front of each three, from five in front of the point on. */
static void put_grouped(FILE *f, const char *digits)
{
	const size_t whole = strcspn(digits, ".");

	for (size_t i = 0; digits[i]; i++) {
		if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0)
			fputs("\xE2\x80\xAF", f);
		fputc(digits[i], f);
	}
}

void fplot_html_fixed(FILE *f, double v, int decimals, bool is_signed)
{
	char digits[400]; /* the largest double has 309 in front of the point */

	if (!isfinite(v)) {
		fputs(FPLOT_HTML_NONE, f);
		return;
	}
	/* what rounds to zero has no sign */
	if (fabs(v) * pow(10, decimals) < 0.5)
		v = 0;
	fputs(v < 0 ? MINUS : v > 0 && is_signed ? "+" : "", f);
	snprintf(digits, sizeof(digits), "%.*f", decimals, fabs(v));
	put_grouped(f, digits);
}

void fplot_html_real(FILE *f, double v)
{
	const double size = fabs(v);

	if (!isfinite(v) || size >= 1000)
		fplot_html_fixed(f, v, 0, false);
	else if (size >= 0.1 && size < 10 && size != floor(size))
		fplot_html_fixed(f, v, 3, false);
	else
		fprintf(f, "%s%.*g", v < 0 ? MINUS : "", size < 0.1 ? 3 : 4, size);
}

struct interval {
	double lo, hi;
};

static struct interval interval_of(const struct fan_est *est)
{
	if (!isnan(est->lo_adj) && !isnan(est->hi_adj))
		return (struct interval){ est->lo_adj, est->hi_adj };
	return (struct interval){ est->lo, est->hi };
}

int fplot_html_decimals(const struct fan_est *est)
{
	const struct interval in = interval_of(est);
	const double half = fmax(est->value - in.lo, in.hi - est->value);

	if (isnan(in.lo) || isnan(in.hi))
		return 2;
	return half >= 9.5 ? 0 : half >= 0.95 ? 1 : half >= 0.095 ? 2 : 3;
}

void fplot_html_interval(FILE *f, const struct fan_est *est)
{
	const struct interval in = interval_of(est);
	const int decimals = fplot_html_decimals(est);

	if (isnan(in.lo) || isnan(in.hi)) {
		fputs(FPLOT_HTML_NONE, f);
		return;
	}
	fputc('[', f);
	fplot_html_fixed(f, in.lo, decimals, false);
	fputs(", ", f);
	fplot_html_fixed(f, in.hi, decimals, false);
	fputc(']', f);
}
