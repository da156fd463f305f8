// SPDX-License-Identifier: GPL-3.0-or-later
/* The cores that isolation knows of. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/model/isolation_parts.h"

static int grow_cpus(struct fan_isolation *iso, size_t n)
{
	struct fan_iso_cpu *grown;

	if (n <= iso->ncpus)
		return 0;
	grown = reallocarray(iso->cpus, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = iso->ncpus; i < n; i++)
		grown[i] = (struct fan_iso_cpu){ .core = -1 };
	iso->cpus = grown;
	iso->ncpus = n;
	return 0;
}

/* Nothing is known of its siblings, from the begin of the analysed time on. */
static void begin_cpu(struct fan_isolation *iso, int32_t cpu, int32_t core, uint64_t begin_ns)
{
	iso->cpus[cpu] = (struct fan_iso_cpu){
		.core = core,
		.end_ns = begin_ns,
		.last = FAN_CPU_UNKNOWN,
		.thread = FAN_CPU_UNKNOWN,
		.party = -1,
		.cur = { .t1_ns = begin_ns, .thread = FAN_CPU_UNKNOWN, .party = -1 },
		.begin_ns = begin_ns,
		.next_ns = begin_ns,
	};
}

static int begin_core(struct fan_isolation *iso, struct fan_iso_core *core,
		      const struct fan_core *of)
{
	const uint64_t begin = fan_iso_clip(iso, fan_machine_start(iso->machine));
	unsigned int k = 0;

	*core = (struct fan_iso_core){ .cpus = of->cpus,
				       .n = (unsigned int)of->n,
				       .is_swept = of->n > 1 && of->n <= FAN_SIBLINGS_MAX,
				       .epoch = 1,
				       .sweep_at = FAN_ISO_BATCH,
				       .now = FAN_CORE_UNKNOWN,
				       .since_ns = begin };
	for (unsigned int i = 0; i < core->n; i++)
		begin_cpu(iso, core->cpus[i], (int32_t)(core - iso->items), begin);
	for (size_t i = 0; i < FAN_LEVELS; i++)
		core->worst[i].since_ns = begin;
	if (!core->is_swept)
		return 0;
	core->npairs = core->n * (core->n - 1) / 2;
	core->pairs = calloc(core->npairs, sizeof(*core->pairs));
	if (!core->pairs)
		return -ENOMEM;
	for (unsigned int b = 1; b < core->n; b++)
		for (unsigned int a = 0; a < b; a++, k++)
			core->pairs[k].sibling[0] = a, core->pairs[k].sibling[1] = b;
	return 0;
}

int fan_iso_add_cores(struct fan_isolation *iso)
{
	const struct fan_cores *cores = iso->cores;
	const size_t first = iso->ncores;
	void *items = iso->items;
	int r = fan_reserve(&items, first, cores->n - first, &iso->room, sizeof(*iso->items));

	iso->items = items;
	if (r == 0)
		r = grow_cpus(iso, cores->ncpus);
	for (size_t k = first; r == 0 && k < cores->n; k++) {
		iso->ncores++;
		r = begin_core(iso, &iso->items[k], &cores->cores[k]);
	}
	for (size_t k = first; r == 0 && k < cores->n; k++)
		for (unsigned int i = 0; i < iso->items[k].n; i++)
			fan_iso_look(iso, iso->items[k].cpus[i]);
	return r;
}
