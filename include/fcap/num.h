/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Strict parsing of numbers, durations and sizes: the whole string must be used, ranges are
 * checked, and durations and sizes need a unit. Returns 0, -EINVAL or -ERANGE; *ret is
 * written only on success.
 */
#ifndef FCAP_NUM_H
#define FCAP_NUM_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Up to 18 decimal digits and nothing else, as nearly all numbers are: of these none overflows. */
static inline bool fcap_parse_digits(const char *s, uint64_t *ret)
{
	const char *p = s;
	unsigned int digit;
	uint64_t v = 0;

	for (; (digit = (unsigned int)*p - '0') <= 9; p++)
		v = 10 * v + digit;
	*ret = v;
	return !*p && p > s && p - s <= 18;
}

/* What else a number without sign may be. 0, -EINVAL or -ERANGE. */
static inline int fcap_parse_u64_else(const char *s, uint64_t *ret)
{
	const int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
	char *end;

	if (!isdigit((unsigned char)s[0]))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(s, &end, base);
	if (*end || end == s || (base == 16 && end == s + 1))
		return -EINVAL;
	return errno == ERANGE ? -ERANGE : 0;
}

/* Decimal, or hexadecimal after 0x; no sign and no blanks. */
static inline int fcap_parse_u64(const char *s, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t v;
	const int r = fcap_parse_digits(s, &v) ? 0 : fcap_parse_u64_else(s, &v);

	if (r < 0)
		return r;
	if (v < min || v > max)
		return -ERANGE;
	*ret = v;
	return 0;
}

/* What else a number with sign may be. 0, -EINVAL or -ERANGE. */
static inline int fcap_parse_i64_else(const char *s, int64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)s[0]) && !(s[0] == '-' && isdigit((unsigned char)s[1])))
		return -EINVAL;
	errno = 0;
	*ret = strtoll(s, &end, 10);
	if (*end)
		return -EINVAL;
	return errno == ERANGE ? -ERANGE : 0;
}

static inline int fcap_parse_i64(const char *s, int64_t min, int64_t max, int64_t *ret)
{
	uint64_t digits;
	int64_t v;
	int r = 0;

	if (fcap_parse_digits(s, &digits))
		v = (int64_t)digits;
	else
		r = fcap_parse_i64_else(s, &v);
	if (r < 0)
		return r;
	if (v < min || v > max)
		return -ERANGE;
	*ret = v;
	return 0;
}

/* A finite decimal number such as 0.95 or 1e-3. */
static inline int fcap_parse_real(const char *s, double *ret)
{
	double v;
	char *end;

	if (s[strspn(s, "0123456789+-.eE")])
		return -EINVAL;
	errno = 0;
	v = strtod(s, &end);
	if (end == s || *end)
		return -EINVAL;
	if (errno == ERANGE || !isfinite(v))
		return -ERANGE;
	*ret = v;
	return 0;
}

struct fcap_unit {
	const char *name;
	uint64_t factor;
};

/* A number >= 0 with one of the units of a table that ends with a NULL name. */
static inline int fcap_parse_unit(const char *s, const struct fcap_unit *units, uint64_t *ret)
{
	const size_t len = strspn(s, "0123456789.");
	long double v; /* of a double even some months of ns are too long */
	char *end;

	v = strtold(s, &end);
	if (len == 0 || end != s + len)
		return -EINVAL;
	for (; units->name; units++) {
		if (strcmp(s + len, units->name) != 0)
			continue;
		v = v * (long double)units->factor + 0.5L;
		if (v >= 9.2e18L)
			return -ERANGE;
		*ret = (uint64_t)v;
		return 0;
	}
	return -EINVAL;
}

/* "100ms" -> 100000000; units ns, us, ms, s, m, h. */
static inline int fcap_parse_ns(const char *s, uint64_t *ret)
{
	static const struct fcap_unit units[] = {
		{ "ns", 1 },	     { "us", 1000 },	      { "ms", 1000000 },
		{ "s", 1000000000 }, { "m", 60000000000ULL }, { "h", 3600000000000ULL },
		{ NULL, 0 },
	};

	return fcap_parse_unit(s, units, ret);
}

/* "64KiB" -> 65536; units B, KiB, MiB, GiB. */
static inline int fcap_parse_size(const char *s, uint64_t *ret)
{
	static const struct fcap_unit units[] = {
		{ "B", 1 },	     { "KiB", 1U << 10 }, { "MiB", 1U << 20 },
		{ "GiB", 1U << 30 }, { NULL, 0 },
	};

	return fcap_parse_unit(s, units, ret);
}

#endif
