/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of CPUs in the kernel's list notation ("0-3,8", the empty string is the empty set).
 * Does not understand strides ("0-10:2/4"), which the kernel never prints.
 */
#ifndef FCAP_CPULIST_H
#define FCAP_CPULIST_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FCAP_CPUS_MAX 8192

struct fcap_cpuset {
	uint64_t bits[FCAP_CPUS_MAX / 64];
};

static inline void fcap_cpuset_add(struct fcap_cpuset *set, unsigned int cpu)
{
	if (cpu < FCAP_CPUS_MAX)
		set->bits[cpu / 64] |= 1ULL << (cpu % 64);
}

static inline bool fcap_cpuset_has(const struct fcap_cpuset *set, unsigned int cpu)
{
	return cpu < FCAP_CPUS_MAX && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

static inline unsigned int fcap_cpuset_count(const struct fcap_cpuset *set)
{
	unsigned int n = 0;

	for (size_t i = 0; i < FCAP_CPUS_MAX / 64; i++)
		n += (unsigned int)__builtin_popcountll(set->bits[i]);
	return n;
}

static inline void fcap_cpuset_and(struct fcap_cpuset *set, const struct fcap_cpuset *other)
{
	for (size_t i = 0; i < FCAP_CPUS_MAX / 64; i++)
		set->bits[i] &= other->bits[i];
}

static inline void fcap_cpuset_or(struct fcap_cpuset *set, const struct fcap_cpuset *other)
{
	for (size_t i = 0; i < FCAP_CPUS_MAX / 64; i++)
		set->bits[i] |= other->bits[i];
}

static inline bool fcap_cpuset_overlaps(const struct fcap_cpuset *a, const struct fcap_cpuset *b)
{
	for (size_t i = 0; i < FCAP_CPUS_MAX / 64; i++)
		if (a->bits[i] & b->bits[i])
			return true;
	return false;
}

/* One "N" or "N-M" at *s; moves *s behind it. */
static inline int fcap_cpulist_range(const char **s, unsigned long *ret_lo, unsigned long *ret_hi)
{
	char *end;

	if (**s < '0' || **s > '9')
		return -EINVAL;
	*ret_lo = *ret_hi = strtoul(*s, &end, 10);
	if (*end == '-') {
		const char *hi = end + 1;

		if (*hi < '0' || *hi > '9')
			return -EINVAL;
		*ret_hi = strtoul(hi, &end, 10);
	}
	*s = end;
	return *ret_hi < *ret_lo || *ret_hi >= FCAP_CPUS_MAX ? -ERANGE : 0;
}

/* Parses a list; a newline at the end is allowed. 0, -EINVAL, or -ERANGE; *ret only on success. */
static inline int fcap_cpulist_parse(const char *s, struct fcap_cpuset *ret)
{
	struct fcap_cpuset set = { { 0 } };
	unsigned long lo, hi;
	int r;

	for (bool more = *s && *s != '\n'; more; s += more) {
		r = fcap_cpulist_range(&s, &lo, &hi);
		if (r < 0)
			return r;
		for (unsigned long c = lo; c <= hi; c++)
			fcap_cpuset_add(&set, (unsigned int)c);
		more = *s == ',';
	}
	if (s[*s == '\n'])
		return -EINVAL;
	*ret = set;
	return 0;
}

#endif
