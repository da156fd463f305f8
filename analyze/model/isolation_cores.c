// SPDX-License-Identifier: GPL-3.0-or-later
/* The cores that isolation knows of. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/isolation_parts.h"
#include "analyze/model/room.h"

static int grow_cpus(struct fan_isolation *iso, size_t n)
{
	struct fan_iso_cpu **grown;

	if (n <= iso->ncpus)
		return 0;
	grown = reallocarray(iso->cpus, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = iso->ncpus; i < n; i++)
		grown[i] = NULL;
	iso->cpus = grown;
	iso->ncpus = n;
	return 0;
}

void fan_iso_free_core(struct fan_iso_core *core)
{
	for (unsigned int i = 0; i < core->n; i++)
		free(core->siblings[i].spans);
	for (size_t k = 0; k < FAN_LEVELS; k++)
		fan_worst_free(&core->worst[k]);
	free(core->marks);
	free(core->siblings);
	free(core->pairs);
	free(core->of_siblings);
	free(core->time.party_ns);
	free(core);
}

/* Nothing is known of it, from the begin of the analysed time on. */
static void begin_cpu(struct fan_iso_core *core, unsigned int place, int32_t number,
		      uint64_t begin_ns)
{
	core->siblings[place] = (struct fan_iso_cpu){
		.core = core,
		.number = number,
		.end_ns = begin_ns,
		.last = FAN_CPU_UNKNOWN,
		.member = -1,
		.cur = { .t1_ns = begin_ns,
			 .thread = FAN_CPU_UNKNOWN,
			 .party = -1,
			 .traits = FAN_ISO_UNKNOWN },
		.begin_ns = begin_ns,
	};
}

static int make_pairs(struct fan_iso_core *core)
{
	struct fan_iso_pair **of;
	unsigned int k = 0;

	core->npairs = core->n * (core->n - 1) / 2;
	core->pairs = calloc(core->npairs, sizeof(*core->pairs));
	core->of_siblings = calloc(2 * core->npairs, sizeof(struct fan_iso_pair *));
	if (!core->pairs || !core->of_siblings)
		return -ENOMEM;
	for (unsigned int b = 1; b < core->n; b++)
		for (unsigned int a = 0; a < b; a++, k++)
			core->pairs[k] = (struct fan_iso_pair){
				.cpu = { &core->siblings[a], &core->siblings[b] }, .bit = 1ULL << k
			};
	of = core->of_siblings;
	for (unsigned int i = 0; i < core->n; i++) {
		core->siblings[i].pairs = of;
		core->siblings[i].npairs = core->n - 1;
		for (k = 0; k < core->npairs; k++)
			if (core->pairs[k].cpu[0] == &core->siblings[i] ||
			    core->pairs[k].cpu[1] == &core->siblings[i])
				*of++ = &core->pairs[k];
	}
	return 0;
}

/* Of a queue that n fill; if it cannot grow what is beyond that is lost. */
static int grow(void **items, size_t *n, size_t *full, size_t size)
{
	size_t room = *full ? *full + 1 : 0;

	if (fan_reserve(items, room, room ? 1 : FAN_ISO_BATCH, &room, size) < 0) {
		*n = *n < *full ? *n : *full;
		return -ENOMEM;
	}
	*full = room - 1;
	return 0;
}

int fan_iso_grow_marks(struct fan_iso_core *core)
{
	void *items = core->marks;
	const int r = grow(&items, &core->nmarks, &core->marks_full, sizeof(*core->marks));

	core->marks = items;
	return r;
}

int fan_iso_grow_spans(struct fan_iso_cpu *c)
{
	void *items = c->spans;
	const int r = grow(&items, &c->nspans, &c->spans_full, sizeof(*c->spans));

	c->spans = items;
	return r;
}

/* What a core needs that is swept. 0 or -ENOMEM. */
static int prepare_sweep(struct fan_iso_core *core)
{
	int r = make_pairs(core);

	core->epoch = 1;
	if (r == 0)
		r = fan_iso_grow_marks(core);
	for (unsigned int i = 0; r == 0 && i < core->n; i++)
		r = fan_iso_grow_spans(&core->siblings[i]);
	return r;
}

/* The core of this number. NULL: no memory. */
static struct fan_iso_core *new_core(const struct fan_core *of, size_t number, uint64_t begin_ns)
{
	struct fan_iso_core *core = malloc(sizeof(*core));

	if (!core)
		return NULL;
	*core = (struct fan_iso_core){ .number = number,
				       .is_swept = of->n > 1 && of->n <= FAN_SIBLINGS_MAX,
				       .two = FAN_ISO_UNKNOWN,
				       .now = FAN_CORE_UNKNOWN,
				       .now_party = -1,
				       .since_ns = begin_ns };
	core->siblings = calloc(of->n, sizeof(*core->siblings));
	core->n = core->siblings ? (unsigned int)of->n : 0;
	for (unsigned int i = 0; i < core->n; i++)
		begin_cpu(core, i, of->cpus[i], begin_ns);
	for (size_t i = 0; i < FAN_LEVELS; i++)
		core->worst[i].since_ns = begin_ns;
	if (core->siblings && (!core->is_swept || prepare_sweep(core) == 0))
		return core;
	fan_iso_free_core(core);
	return NULL;
}

int fan_iso_add_cores(struct fan_isolation *iso)
{
	const uint64_t begin = fan_iso_clip(iso, fan_machine_start(iso->machine));
	const struct fan_cores *cores = iso->cores;
	const size_t first = iso->ncores;
	void *items = iso->items;

	if (!cores->has_smt)
		return 0;
	if (grow_cpus(iso, cores->ncpus) < 0 ||
	    fan_reserve(&items, first, cores->n - first, &iso->room, sizeof(*iso->items)) < 0)
		return -ENOMEM;
	iso->items = items;
	for (size_t k = first; k < cores->n; k++) {
		struct fan_iso_core *core = new_core(&cores->cores[k], k, begin);

		if (!core)
			return -ENOMEM;
		iso->items[iso->ncores++] = core;
		for (unsigned int i = 0; i < core->n; i++)
			iso->cpus[core->siblings[i].number] = &core->siblings[i];
	}
	for (size_t k = first; k < cores->n; k++)
		for (unsigned int i = 0; i < iso->items[k]->n; i++)
			fan_iso_look(iso, &iso->items[k]->siblings[i]);
	return 0;
}
