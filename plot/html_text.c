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

/* U+FFFE and U+FFFF are well-formed UTF-8, but no characters of XML. */
static bool is_noncharacter(const char *s)
{
	return memcmp(s, "\xEF\xBF\xBE", 3) == 0 || memcmp(s, "\xEF\xBF\xBF", 3) == 0;
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
		else if (len == 0 || (len == 3 && is_noncharacter(s)))
			fprintf(f, "\\x%02X", (unsigned char)*s);
		else
			fwrite(s, 1, len, f);
		s += as || len == 0 || (len == 3 && is_noncharacter(s)) ? 1 : len;
	}
}

void fplot_html_i64(FILE *f, int64_t v)
{
	if (v == FAN_NONE)
		fputs(FPLOT_HTML_NONE, f);
	else
		fprintf(f, "%s%" PRIu64, v < 0 ? MINUS : "", v < 0 ? -(uint64_t)v : (uint64_t)v);
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
	fplot_html_fixed(f, ns < 0 ? -v : v,
			 u == 0 || ns == 0 ? 0
			 : v < 9.9995	   ? 3
			 : v < 99.995	   ? 2
			 : v < 999.95	   ? 1
					   : 0,
			 false);
	fprintf(f, " %s", unit[u].name);
}

void fplot_html_fixed(FILE *f, double v, int decimals, bool is_signed)
{
	if (!isfinite(v)) {
		fputs(FPLOT_HTML_NONE, f);
		return;
	}
	/* what rounds to zero has no sign */
	if (fabs(v) * pow(10, decimals) < 0.5)
		v = 0;
	fprintf(f, "%s%.*f", v < 0 ? MINUS : v > 0 && is_signed ? "+" : "", decimals, fabs(v));
}

void fplot_html_real(FILE *f, double v)
{
	if (!isfinite(v))
		fputs(FPLOT_HTML_NONE, f);
	else if (fabs(v) >= 1000)
		fplot_html_fixed(f, v, 0, false);
	else
		fprintf(f, "%s%.4g", v < 0 ? MINUS : "", fabs(v));
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
