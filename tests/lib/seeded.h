/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random tests that can be repeated: the seed is that of FCAP_TEST_SEED, else the time; a test
 * prints it, so that whoever sees it fail can give it back.
 */
#ifndef TESTS_LIB_SEEDED_H
#define TESTS_LIB_SEEDED_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "fcap/num.h"

static inline uint64_t seeded_start(void)
{
	const char *text = getenv("FCAP_TEST_SEED");
	uint64_t seed;

	if (text && fcap_parse_u64(text, 0, UINT64_MAX, &seed) == 0)
		return seed;
	return (uint64_t)time(NULL);
}

/* The next of Steele, Lea and Flood's SplitMix64; *state is where it stands. */
static inline uint64_t seeded_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

#endif
