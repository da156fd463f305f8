// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What steal-time-benchmark prints, about once a second: "85% 29683" in 2015, the share of the
 * second of two groups and the loops of both; later, for each group, its share and how far that is
 * from what was due: " 85.0 ( -5.0)   15.0 (  5.0)     29683".
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/score_read.h"

#define DIGITS "0123456789"

/* A number such as -5.0 at *at, which moves behind it. */
static bool take_number(const char **at, double *ret)
{
	const char *s = *at + strspn(*at, " \t");
	const size_t sign = *s == '-' || *s == '+';
	char *end;

	/* strtod() also knows hexadecimal, nan and infinity */
	if (strspn(s + sign, DIGITS ".") == 0 || !strpbrk(s, DIGITS))
		return false;
	if (s[sign] == '0' && (s[sign + 1] | 0x20) == 'x')
		return false;
	*ret = strtod(s, &end);
	if (end == s || !isfinite(*ret))
		return false;
	*at = end;
	return true;
}

/* This character, blanks before it skipped. */
static bool take_char(const char **at, char c)
{
	const char *s = *at + strspn(*at, " \t");

	if (*s != c)
		return false;
	*at = s + 1;
	return true;
}

static bool is_end(const char *at)
{
	return at[strspn(at, " \t")] == '\0';
}

/* What a line says; groups is 0 in the form of 2015, whose only share is the first. */
struct parsed {
	size_t groups;
	double share[FAN_SCORE_GROUPS], deviation[FAN_SCORE_GROUPS], total;
};

static bool parse(const char *line, struct parsed *ret)
{
	const char *at = line;

	ret->groups = 0;
	if (!take_number(&at, &ret->share[0]))
		return false;
	if (take_char(&at, '%'))
		return take_number(&at, &ret->total) && is_end(at);
	while (take_char(&at, '(')) {
		const size_t k = ret->groups++;

		if (!take_number(&at, &ret->deviation[k]) || !take_char(&at, ')') ||
		    !take_number(&at, &ret->total))
			return false;
		if (is_end(at))
			return true;
		if (ret->groups == FAN_SCORE_GROUPS)
			return false;
		ret->share[k + 1] = ret->total;
	}
	return false;
}

bool fan_score_is_chatter(const char *line)
{
	return strncmp(line, "Creating new shared memory segment", 34) == 0 ||
	       strncmp(line, "Exiting...", 10) == 0;
}

bool fan_score_log_begin(struct fan_score_log *ret, const char *line, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');
	const size_t len = dot && dot > base ? (size_t)(dot - base) : strlen(base);
	struct parsed p;

	if (!parse(line, &p))
		return false;
	*ret = (struct fan_score_log){ .groups = p.groups };
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)(len < 200 ? len : 200), base);
	return true;
}

/* Adds one share of a line. */
static int add(struct fan_score_table *t, const char *name, const struct fan_score_row *values,
	       const struct fan_score_place *place)
{
	struct fan_score_row row = *values;

	row.vm = fan_score_intern(&t->vms, name, "vm", place);
	return row.vm < 0 ? row.vm : fan_score_add(t, FAN_SCORES_SHARES, &row, place);
}

int fan_score_log_row(struct fan_score_table *t, struct fan_score_log *log, const char *line,
		      const struct fan_score_place *place)
{
	struct fan_score_row row = { -1, -1, -1, place->file, place->line, NAN, NAN, NAN, NAN };
	char name[sizeof(log->name) + 32];
	struct parsed p;
	int r = 0;

	if (!parse(line, &p) || p.groups != log->groups)
		return fan_score_fail(place, EINVAL, "not a line like the first: \"%s\"",
				      log->groups ? "pp.p (+-d.d) for each group, and a total"
						  : "a share and a total, such as 85% 29683");
	row.window = (double)++log->lines;
	row.total = p.total;
	if (p.groups == 0) {
		row.value = p.share[0];
		return add(t, log->name, &row, place);
	}
	for (size_t k = 0; r == 0 && k < p.groups; k++) {
		snprintf(name, sizeof(name), "%s/group%zu", log->name, k + 1);
		row.value = p.share[k];
		row.expected_pct = p.share[k] - p.deviation[k];
		r = add(t, name, &row, place);
	}
	return r;
}
