/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long things took: a log-linear histogram of durations. Below 32 ns every value has a
 * bucket of its own, above there are 16 to an octave, so a bucket is at most 1/16 as wide as its
 * values. Memory is held for the octaves from the shortest to the longest only: 32 bytes each,
 * 96 once there are more than 65535 in a bucket or in a merged histogram; 100 ns to 1 s are 24
 * octaves.
 */
#ifndef FAN_MODEL_HIST_H
#define FAN_MODEL_HIST_H

#include <stdint.h>

#define FAN_HIST_SUB_BITS 4
#define FAN_HIST_SUB	  (1U << FAN_HIST_SUB_BITS) /* buckets an octave */

/* All 0 is empty. n, min, max and sum are for the caller to read, exact, and 0 if n is 0. */
struct fan_hist {
	uint64_t n;
	uint64_t min, max, sum;	 /* ns; sum stops at UINT64_MAX, 584 years */
	uint16_t *counts;	 /* of the buckets held, modulo 65536 */
	uint32_t *carries;	 /* how often each count went beyond; NULL: none did */
	uint32_t first, buckets; /* number of the first bucket held, and how many, 16 an octave; 0
				  * while n is 0 */
};

/* Of all buckets: octave 0 is [0, 16), octave o [16, 32) << (o - 1). */
static inline unsigned int fan_hist_bucket_of(uint64_t ns)
{
	/* the 16 lets 0 to 15 fall into the same formula: their buckets are themselves */
	const unsigned int top = 63U ^ (unsigned int)__builtin_clzll(ns | FAN_HIST_SUB);
	const unsigned int shift = top - FAN_HIST_SUB_BITS;

	return shift * FAN_HIST_SUB + (unsigned int)(ns >> shift);
}

/* fan_hist_add() of a value in a bucket that is not held, or whose count overflows. */
int fan_hist_add_slowly(struct fan_hist *h, uint64_t ns);

/* Any ns. 0; -ENOMEM: nothing has changed. */
static inline int fan_hist_add(struct fan_hist *h, uint64_t ns)
{
	const unsigned int i = fan_hist_bucket_of(ns) - h->first; /* huge if below */

	if (i >= h->buckets)
		return fan_hist_add_slowly(h, ns);
	if (++h->counts[i] == 0) {
		h->counts[i]--;
		return fan_hist_add_slowly(h, ns);
	}
	h->n++;
	if (ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	if (__builtin_add_overflow(h->sum, ns, &h->sum))
		h->sum = UINT64_MAX;
	return 0;
}

/* fan_hist_add() is about to be called with this ns: fetches what it counts in. */
void fan_hist_expect(const struct fan_hist *h, uint64_t ns);

/* As if all that from has were added to into too. 0; -ENOMEM: nothing has changed. */
int fan_hist_merge(struct fan_hist *into, const struct fan_hist *from);

/*
 * The quantile at per_mille (0 to 1000) in ns by nearest rank: of the smallest value v such that
 * at least ceil(n per_mille / 1000) values, and at least one, are <= v, the middle of its bucket,
 * but never below min or above max: at most v/32 away from v. The smallest and the largest value
 * are exact. Meaningless while n is 0: then 0.
 */
uint64_t fan_hist_quantile(const struct fan_hist *h, unsigned int per_mille);

/* How many values are below ns, each taken for the middle of its bucket. */
uint64_t fan_hist_below(const struct fan_hist *h, uint64_t ns);

/*
 * How many values bucket i holds, 0 to h->buckets - 1 in ascending order, and the largest ns that
 * are in it: at most those of the longest value.
 */
uint64_t fan_hist_bucket(const struct fan_hist *h, unsigned int i, uint64_t *upto_ns);

/* Releases what h holds, not h; it is empty then. */
void fan_hist_free(struct fan_hist *h);

#endif
