// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SUB = FAN_HIST_SUB };

static uint64_t middle_of(unsigned int bucket)
{
	unsigned int shift;

	if (bucket < SUB)
		return bucket;
	shift = bucket / SUB - 1;
	return ((uint64_t)(SUB + bucket % SUB) << shift) + ((1ULL << shift) - 1) / 2;
}

static uint64_t count_of(const struct fan_hist *h, unsigned int i)
{
	return h->counts[i] + (h->carries ? (uint64_t)h->carries[i] << 16 : 0);
}

static void set_count(struct fan_hist *h, unsigned int i, uint64_t count)
{
	h->counts[i] = (uint16_t)count;
	if (h->carries)
		h->carries[i] = (uint32_t)(count >> 16);
}

/* Holds the buckets [first, end), among which are all that it has held. */
static int resize(struct fan_hist *h, unsigned int first, unsigned int end)
{
	const size_t at = h->first - first;
	uint16_t *counts = calloc(end - first, sizeof(*counts));
	uint32_t *carries = h->carries ? calloc(end - first, sizeof(*carries)) : NULL;

	if (!counts || (h->carries && !carries)) {
		free(counts);
		free(carries);
		return -ENOMEM;
	}
	if (h->counts)
		memcpy(counts + at, h->counts, h->buckets * sizeof(*counts));
	if (h->carries)
		memcpy(carries + at, h->carries, h->buckets * sizeof(*carries));
	free(h->counts);
	free(h->carries);
	h->counts = counts;
	h->carries = carries;
	h->first = first;
	h->buckets = end - first;
	return 0;
}

/* Makes room for [first, end), both at a border of octaves. */
static int hold(struct fan_hist *h, unsigned int first, unsigned int end)
{
	const unsigned int held_end = h->first + h->buckets;

	if (h->buckets) {
		first = h->first < first ? h->first : first;
		end = held_end > end ? held_end : end;
	}
	if (end - first == h->buckets)
		return 0;
	return resize(h, first, end);
}

static int hold_carries(struct fan_hist *h)
{
	if (!h->carries)
		h->carries = calloc(h->buckets, sizeof(*h->carries));
	return h->carries ? 0 : -ENOMEM;
}

static void add_sum(struct fan_hist *h, uint64_t ns)
{
	if (__builtin_add_overflow(h->sum, ns, &h->sum))
		h->sum = UINT64_MAX;
}

int fan_hist_add_slowly(struct fan_hist *h, uint64_t ns)
{
	const unsigned int bucket = fan_hist_bucket_of(ns), octave = bucket / SUB * SUB;
	unsigned int i;

	if (hold(h, octave, octave + SUB) < 0)
		return -ENOMEM;
	i = bucket - h->first;
	if (h->counts[i] == UINT16_MAX && hold_carries(h) < 0)
		return -ENOMEM;
	set_count(h, i, count_of(h, i) + 1);
	if (ns < h->min || h->n == 0)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	h->n++;
	add_sum(h, ns);
	return 0;
}

void fan_hist_expect(const struct fan_hist *h, uint64_t ns)
{
	const unsigned int i = fan_hist_bucket_of(ns) - h->first;

	if (i < h->buckets)
		__builtin_prefetch(&h->counts[i], 1);
}

int fan_hist_merge(struct fan_hist *into, const struct fan_hist *from)
{
	if (from->n == 0)
		return 0;
	if (hold(into, from->first, from->first + from->buckets) < 0)
		return -ENOMEM;
	if (into->n + from->n > UINT16_MAX && hold_carries(into) < 0) {
		if (into->n == 0)
			fan_hist_free(into);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < from->buckets; i++) {
		const unsigned int k = i + from->first - into->first;

		set_count(into, k, count_of(into, k) + count_of(from, i));
	}
	if (from->min < into->min || into->n == 0)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	add_sum(into, from->sum);
	return 0;
}

uint64_t fan_hist_quantile(const struct fan_hist *h, unsigned int per_mille)
{
	/* ceil(n per_mille / 1000) without overflow */
	const uint64_t rank = h->n / 1000 * per_mille + (h->n % 1000 * per_mille + 1000 - 1) / 1000;
	uint64_t seen = 0, middle;
	unsigned int i;

	if (rank <= 1)
		return h->min;
	if (rank >= h->n)
		return h->max;
	for (i = 0; seen < rank && i < h->buckets; i++)
		seen += count_of(h, i);
	middle = middle_of(h->first + i - 1);
	middle = middle > h->min ? middle : h->min;
	return middle < h->max ? middle : h->max;
}

uint64_t fan_hist_below(const struct fan_hist *h, uint64_t ns)
{
	uint64_t ret = 0;

	for (unsigned int i = 0; i < h->buckets && middle_of(h->first + i) < ns; i++)
		ret += count_of(h, i);
	return ret;
}

uint64_t fan_hist_bucket(const struct fan_hist *h, unsigned int i, uint64_t *upto_ns)
{
	const unsigned int bucket = h->first + i, shift = bucket < SUB ? 0 : bucket / SUB - 1;
	const uint64_t first = bucket < SUB ? bucket : (uint64_t)(SUB + bucket % SUB) << shift;
	const uint64_t last = first + ((1ULL << shift) - 1);

	*upto_ns = last < h->max ? last : h->max;
	return count_of(h, i);
}

void fan_hist_free(struct fan_hist *h)
{
	free(h->counts);
	free(h->carries);
	memset(h, 0, sizeof(*h));
}
