/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bins of a timeline once more, for property tests: stretches are kept, and laid over each bin. */
#ifndef TESTS_UNIT_TIMELINE_NAIVE_H
#define TESTS_UNIT_TIMELINE_NAIVE_H

#include <stdbool.h>
#include <string.h>

#include "analyze/model/timeline.h"

struct naive_stretch {
	int32_t cpu, key;
	uint64_t t0_ns, t1_ns;
};

/* Of all stretches of this CPU and key, what lies in each bin from start_ns on, of that width. */
static inline void naive_bins(uint64_t bins[FAN_TIMELINE_BINS], const struct naive_stretch *s,
			      size_t n, struct naive_stretch of, uint64_t start_ns,
			      uint64_t width_ns)
{
	memset(bins, 0, FAN_TIMELINE_BINS * sizeof(*bins));
	for (size_t i = 0; i < n; i++) {
		if (s[i].cpu != of.cpu || s[i].key != of.key)
			continue;
		for (size_t b = 0; b < FAN_TIMELINE_BINS; b++) {
			const uint64_t begin = start_ns + b * width_ns, end = begin + width_ns;
			const uint64_t t0 = s[i].t0_ns > begin ? s[i].t0_ns : begin;
			const uint64_t t1 = s[i].t1_ns < end ? s[i].t1_ns : end;

			bins[b] += t0 < t1 ? t1 - t0 : 0;
		}
	}
}

/* Is got (NULL: all 0) that? */
static inline bool naive_equal(const struct fan_timeline *t, const uint64_t *got,
			       const struct naive_stretch *s, size_t n, struct naive_stretch of)
{
	static const uint64_t nothing[FAN_TIMELINE_BINS];
	uint64_t want[FAN_TIMELINE_BINS];

	naive_bins(want, s, n, of, fan_timeline_start_ns(t), fan_timeline_bin_ns(t));
	return memcmp(got ? got : nothing, want, sizeof(want)) == 0;
}

static inline uint64_t naive_forced_ns(const struct fan_timeline *t)
{
	uint64_t sum = 0;

	for (int32_t cpu = 0; (size_t)cpu < fan_timeline_cpus(t); cpu++) {
		const uint64_t *bins = fan_timeline_forced(t, cpu);

		for (size_t b = 0; bins && b < FAN_TIMELINE_BINS; b++)
			sum += bins[b];
	}
	return sum;
}

#endif
