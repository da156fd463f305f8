// SPDX-License-Identifier: GPL-3.0-or-later
/* Escaping, line breaking and rounding for the text writers. Knows nothing of the tree. */
#include "analyze/report/print.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/tree.h"

char *fan_safe_text(const char *fmt, va_list ap)
{
	char *raw, *ret, *out;

	if (vasprintf(&raw, fmt, ap) < 0)
		return NULL;
	ret = malloc(4 * strlen(raw) + 1);
	out = ret;
	for (const char *s = raw; ret && *s; s++)
		if (*s >= ' ' && *s <= '~')
			*out++ = *s;
		else
			out += snprintf(out, 5, "\\x%02X", (unsigned char)*s);
	if (ret)
		*out = '\0';
	free(raw);
	return ret;
}

char *fan_safe(const char *fmt, ...)
{
	va_list ap;
	char *ret;

	va_start(ap, fmt);
	ret = fan_safe_text(fmt, ap);
	va_end(ap);
	return ret;
}

/* How much of s goes on a line of this width: up to a blank that follows a word, or all. */
static size_t line_length(const char *s, size_t width)
{
	const size_t word = strspn(s, " ");
	size_t i;

	if (strlen(s) <= width)
		return strlen(s);
	for (i = width; i > word; i--)
		if (s[i] == ' ')
			break;
	if (i <= word)
		i = word + strcspn(s + word, " "); /* one word longer than the line */
	while (i > word && s[i - 1] == ' ')
		i--;
	return i;
}

void fan_print_strong(struct fan_print *p, const char *words, unsigned int mark)
{
	p->strong = words;
	p->strong_mark = mark;
}

/* Where the strong words of text stand the last time; NULL: nowhere. */
static const char *find_strong(const struct fan_print *p, const char *text)
{
	const char *ret = NULL;

	if (!p->style.colour || !p->strong_mark || !p->strong || !*p->strong)
		return NULL;
	for (const char *s = text; (s = strstr(s, p->strong)); s++)
		ret = s;
	return ret;
}

/* A line, and the strong words in it, which may begin and end on other lines. */
static void put_line(struct fan_print *p, const char *s, size_t len, const char *strong)
{
	const char *end = s + len, *from = s, *to = s;

	if (strong && strong < end && strong + strlen(p->strong) > s) {
		from = strong > s ? strong : s;
		to = strong + strlen(p->strong);
		to = to < end ? to : end;
	}
	fprintf(p->f, "%.*s", (int)(from - s), s);
	if (to > from)
		fprintf(p->f, "%s%.*s%s", fan_mark_begin(p->strong_mark), (int)(to - from), from,
			FAN_MARK_END);
	fprintf(p->f, "%.*s\n", (int)(end - to), to);
}

void fan_print_para(struct fan_print *p, size_t hang, const char *fmt, ...)
{
	size_t width = FAN_PRINT_WIDTH;
	const char *s, *strong;
	char *text;
	va_list ap;

	if (p->r < 0)
		return;
	va_start(ap, fmt);
	text = fan_safe_text(fmt, ap);
	va_end(ap);
	if (!text) {
		p->r = -ENOMEM;
		return;
	}
	strong = find_strong(p, text);
	for (s = text; *s;) {
		const size_t len = line_length(s, width);

		fprintf(p->f, "%*s", s == text ? 0 : (int)hang, "");
		put_line(p, s, len, strong);
		if (ferror(p->f))
			p->r = errno > 0 ? -errno : -EIO;
		s += len;
		s += strspn(s, " ");
		width = FAN_PRINT_WIDTH - hang;
	}
	p->strong = NULL;
	free(text);
}

void fan_print_blank(struct fan_print *p)
{
	if (p->r == 0 && fputc('\n', p->f) == EOF)
		p->r = errno > 0 ? -errno : -EIO;
}

int fan_print_finish(struct fan_print *p, struct fcap_err *err)
{
	if (p->r == 0 && (fflush(p->f) == EOF || ferror(p->f)))
		p->r = errno > 0 ? -errno : -EIO;
	if (p->r == -ENOMEM)
		return fcap_fail(err, ENOMEM, "no memory for the report; free some and run again");
	if (p->r < 0)
		return fcap_fail(err, -p->r,
				 "the report cannot be written: %s; free some space or choose "
				 "another place for it",
				 strerror(-p->r));
	return 0;
}

struct fan_cell fan_format_ns(int64_t ns)
{
	static const struct {
		const char *name;
		double ns;
	} unit[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	struct fan_cell ret = { "-" };
	const double abs_ns = fabs((double)ns);
	size_t u = 0;
	double v;
	int decimals;

	if (ns == FAN_NONE)
		return ret;
	/* a unit is left when it would show 1000 after rounding to four digits */
	while (u < 3 && abs_ns / unit[u].ns >= 999.95)
		u++;
	if (ns == 0)
		u = 3;
	v = abs_ns / unit[u].ns;
	decimals = u == 0 || ns == 0 ? 0 : v < 9.9995 ? 3 : v < 99.995 ? 2 : v < 999.95 ? 1 : 0;
	snprintf(ret.text, sizeof(ret.text), "%s%.*f %s", ns < 0 ? "-" : "", decimals, v,
		 unit[u].name);
	return ret;
}

struct fan_cell fan_format_i64(int64_t v)
{
	struct fan_cell ret = { "-" };

	if (v != FAN_NONE)
		snprintf(ret.text, sizeof(ret.text), "%" PRId64, v);
	return ret;
}

struct fan_cell fan_format_real(double v, int decimals, bool signs)
{
	const double scale = pow(10, decimals);
	struct fan_cell ret = { "-" };

	if (isnan(v))
		return ret;
	/* what rounds to zero has no sign */
	if (fabs(v) * scale < 0.5)
		v = 0;
	snprintf(ret.text, sizeof(ret.text), "%s%.*f", signs && v > 0 ? "+" : "", decimals, v);
	return ret;
}

struct fan_interval fan_interval_shown(const struct fan_est *est)
{
	if (!isnan(est->lo_adj) && !isnan(est->hi_adj))
		return (struct fan_interval){ est->lo_adj, est->hi_adj };
	return (struct fan_interval){ est->lo, est->hi };
}

int fan_interval_decimals(double value, struct fan_interval in)
{
	const double half = fmax(value - in.lo, in.hi - value);

	if (isnan(in.lo) || isnan(in.hi))
		return 1;
	return half >= 9.5 ? 0 : half >= 0.95 ? 1 : half >= 0.095 ? 2 : 3;
}

struct fan_cell fan_format_half(double value, struct fan_interval in)
{
	const int decimals = fan_interval_decimals(value, in);
	const double below = value - in.lo, above = in.hi - value;
	struct fan_cell ret = { "-" };

	if (isnan(below) || isnan(above))
		return ret;
	if (fmax(below, above) < 0.0005)
		snprintf(ret.text, sizeof(ret.text), "<0.001");
	else if (fabs(below - above) * pow(10, decimals) < 0.5)
		snprintf(ret.text, sizeof(ret.text), "%.*f", decimals, above);
	else
		snprintf(ret.text, sizeof(ret.text), "-%.*f/+%.*f", decimals, below, decimals,
			 above);
	return ret;
}
