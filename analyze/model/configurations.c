// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/configurations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MANY	4096
#define MEMBERS (1 << 18) /* of all of them: 4 MiB, should no two come out alike */
#define CHAINS	256

int fan_configurations_init(struct fan_configurations *c)
{
	c->index = calloc(FAN_CONFIGURATIONS_ROOM, sizeof(*c->index));
	c->chains = calloc(CHAINS, sizeof(*c->chains));
	c->items = malloc(MANY * sizeof(*c->items));
	c->outcomes = malloc(MANY * sizeof(*c->outcomes));
	c->touched = malloc((MANY + 1) * sizeof(struct fan_outcome *));
	return c->index && c->items && c->outcomes && c->chains && c->touched ? 0 : -ENOMEM;
}

static size_t chain_of(const struct fan_outcome *o)
{
	uint64_t hash = o->is_contended;

	for (size_t i = 0; i < o->n; i++)
		hash = (hash ^ o->shares[i].cpus ^ (uint64_t)o->shares[i].account << 40) *
		       0x9e3779b97f4a7c15ULL;
	/* the low bits are those of whole CPUs alone: whoever got one would be in one chain */
	return hash >> 56 & (CHAINS - 1);
}

static bool is_same(const struct fan_outcome *a, const struct fan_outcome *b)
{
	if (a->n != b->n || a->is_contended != b->is_contended)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->shares[i].account != b->shares[i].account ||
		    a->shares[i].cpus != b->shares[i].cpus)
			return false;
	return true;
}

static struct fan_outcome *find_or_add(struct fan_configurations *c,
				       const struct fan_outcome *wanted)
{
	uint16_t *chain = &c->chains[chain_of(wanted)];
	struct fan_outcome *one;

	for (uint16_t i = *chain; i; i = c->outcomes[i - 1].next)
		if (is_same(&c->outcomes[i - 1], wanted))
			return &c->outcomes[i - 1];
	one = &c->outcomes[c->noutcomes];
	*one = *wanted;
	one->shares = malloc((wanted->n + 1) * sizeof(*one->shares));
	if (!one->shares)
		return NULL;
	if (wanted->n)
		memcpy(one->shares, wanted->shares, wanted->n * sizeof(*one->shares));
	one->ns = 0;
	one->next = *chain;
	*chain = (uint16_t)++c->noutcomes;
	return one;
}

struct fan_outcome *fan_configurations_add(struct fan_configurations *c, uint64_t key,
					   const struct fan_outcome *wanted)
{
	struct fan_outcome *outcome = find_or_add(c, wanted);

	if (!outcome)
		return NULL;
	c->items[c->n++] = (struct fan_configuration){ key, outcome };
	c->index[fan_configurations_slot(c, key)] = (uint16_t)c->n;
	c->members += wanted->n;
	return outcome;
}

bool fan_configurations_are_many(const struct fan_configurations *c)
{
	return c->n >= MANY || c->members >= MEMBERS;
}

void fan_configurations_drop(struct fan_configurations *c)
{
	for (size_t i = 0; i < c->noutcomes; i++)
		free(c->outcomes[i].shares);
	if (c->n)
		memset(c->chains, 0, CHAINS * sizeof(*c->chains));
	/* all places from the one that a key wanted to the one that it got are taken, or emptied */
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = c->items[i].key & (FAN_CONFIGURATIONS_ROOM - 1); c->index[k];
		     k = (k + 1) & (FAN_CONFIGURATIONS_ROOM - 1))
			c->index[k] = 0;
	c->n = c->members = c->noutcomes = c->ntouched = 0;
}

void fan_configurations_free(struct fan_configurations *c)
{
	fan_configurations_drop(c);
	free(c->index);
	free(c->items);
	free(c->outcomes);
	free(c->chains);
	free(c->touched);
}
