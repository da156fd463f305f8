// SPDX-License-Identifier: GPL-3.0-or-later
/* What the pairings of a level add up to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/isolation_parts.h"
#include "analyze/model/room.h"

void fan_iso_sums_free(struct fan_iso_sums *s)
{
	fan_hist_free(&s->all.violations);
	free(s->pairs);
	free(s->slots);
}

/* Where these parties are, or would be; there are free slots. */
static size_t slot_of(const struct fan_iso_sums *s, int32_t a, int32_t b)
{
	const uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & (s->nslots - 1);

	while (s->slots[i] &&
	       (s->pairs[s->slots[i] - 1].a != a || s->pairs[s->slots[i] - 1].b != b))
		i = (i + 1) & (s->nslots - 1);
	return i;
}

static int grow_slots(struct fan_iso_sums *s)
{
	const size_t n = s->nslots ? 2 * s->nslots : 16;
	uint32_t *grown = calloc(n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	free(s->slots);
	s->slots = grown;
	s->nslots = n;
	for (size_t i = 0; i < s->npairs; i++)
		s->slots[slot_of(s, s->pairs[i].a, s->pairs[i].b)] = (uint32_t)i + 1;
	return 0;
}

static __attribute__((noinline)) struct fan_mixed_pair *add_pair(struct fan_iso_sums *s, int32_t a,
								 int32_t b)
{
	void *pairs = s->pairs;

	if (2 * (s->npairs + 1) > s->nslots && grow_slots(s) < 0)
		return NULL;
	if (fan_reserve(&pairs, s->npairs, 1, &s->room, sizeof(*s->pairs)) < 0)
		return NULL;
	s->pairs = pairs;
	s->pairs[s->npairs++] = (struct fan_mixed_pair){ .a = a, .b = b };
	s->slots[slot_of(s, a, b)] = (uint32_t)s->npairs;
	return &s->pairs[s->npairs - 1];
}

/* The sums of two parties; NULL: no memory. */
static inline struct fan_mixed_pair *reach_pair(struct fan_iso_sums *s, const int32_t party[2])
{
	const int32_t a = party[0] < party[1] ? party[0] : party[1];
	const int32_t b = party[0] < party[1] ? party[1] : party[0];
	const uint32_t found = s->nslots ? s->slots[slot_of(s, a, b)] : 0;

	return found ? &s->pairs[found - 1] : add_pair(s, a, b);
}

static bool is_before(const struct fan_mixed *a, const struct fan_mixed *b)
{
	if (a->ts_ns != b->ts_ns)
		return a->ts_ns < b->ts_ns;
	return a->cpu[0] != b->cpu[0] ? a->cpu[0] < b->cpu[0] : a->cpu[1] < b->cpu[1];
}

/* Cores are swept at different times: what comes later may have been earlier. */
static void keep_first(struct fan_iso_sums *s, const struct fan_mixed *m)
{
	size_t i = s->nfirst;

	while (i > 0 && is_before(m, &s->first[i - 1]))
		i--;
	if (i == FAN_FIRST_MIXED)
		return;
	if (s->nfirst < FAN_FIRST_MIXED)
		s->nfirst++;
	memmove(&s->first[i + 1], &s->first[i], (s->nfirst - 1 - i) * sizeof(*s->first));
	s->first[i] = *m;
}

int fan_iso_sum_transition(struct fan_iso_sums *s, const struct fan_iso_pairing *p, uint64_t ns)
{
	struct fan_mixed_pair *sum = reach_pair(s, p->party);

	if (!sum)
		return -ENOMEM;
	s->all.pairings++;
	sum->transition_ns += ns;
	return 0;
}

int fan_iso_sum(struct fan_iso_sums *s, const struct fan_iso_pair *pair,
		const struct fan_iso_pairing *p, const struct fan_iso_outcome *o)
{
	struct fan_mixed_pair *sum = reach_pair(s, p->party);
	const unsigned int late = p->late, other = 1 - late;
	const struct fan_mixed mixed = { .ts_ns = o->from_ns,
					 .ns = o->violation_ns + o->unresolved_ns,
					 .cpu = { pair->cpu[late]->number,
						  pair->cpu[other]->number },
					 .thread = { p->thread[late], p->thread[other] },
					 .is_unresolved = o->unresolved_ns > 0 };

	if (!sum)
		return -ENOMEM;
	s->all.pairings++;
	s->all.reentered += o->violation_ns > 0;
	s->all.unresolved += o->unresolved_ns > 0;
	if (o->violation_ns > s->all.longest_ns)
		s->all.longest_ns = o->violation_ns;
	sum->transition_ns += o->transition_ns;
	sum->violation_ns += o->violation_ns;
	sum->unresolved_ns += o->unresolved_ns;
	sum->violations += o->violation_ns > 0;
	sum->unresolved += o->unresolved_ns > 0;
	if (o->violation_ns > sum->longest_ns)
		sum->longest_ns = o->violation_ns;
	keep_first(s, &mixed);
	return o->violation_ns ? fan_hist_add(&s->all.violations, o->violation_ns) : 0;
}
