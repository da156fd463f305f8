// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/isolation_parts.h"

#include <errno.h>
#include <stdlib.h>

struct fan_isolation *fan_isolation_new(const struct fan_machine *machine,
					const struct fan_threads *threads,
					const struct fan_facts *facts,
					const struct fan_cores *cores,
					const struct fan_parties *parties, uint64_t tolerance_ns)
{
	struct fan_isolation *iso = calloc(1, sizeof(*iso));

	if (!iso)
		return NULL;
	iso->machine = machine;
	iso->threads = threads;
	iso->facts = facts;
	iso->cores = cores;
	iso->parties = parties;
	iso->tolerance_ns = tolerance_ns;
	iso->to_ns = UINT64_MAX;
	iso->settled = SIZE_MAX;
	return iso;
}

void fan_isolation_free(struct fan_isolation *iso)
{
	if (!iso)
		return;
	for (size_t i = 0; i < iso->ncores; i++)
		fan_iso_free_core(iso->items[i]);
	for (size_t k = 0; k < FAN_LEVELS; k++)
		fan_iso_sums_free(&iso->sums[k]);
	free(iso->cpus);
	free(iso->items);
	free(iso);
}

void fan_isolation_clip(struct fan_isolation *iso, uint64_t from_ns, uint64_t to_ns)
{
	iso->from_ns = from_ns;
	iso->to_ns = to_ns;
}

/* A core that is too wide is unknown all the time. */
static int finish_core(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns)
{
	int r;

	if (core->n < 2)
		return 0;
	if (!core->is_swept) {
		core->time.ns[FAN_CORE_UNKNOWN] += end_ns - core->since_ns;
		return 0;
	}
	r = fan_iso_cover(iso, core, end_ns);
	return r == 0 ? fan_iso_close(iso, core, end_ns) : r;
}

int fan_isolation_finish(struct fan_isolation *iso)
{
	const uint64_t end = fan_iso_clip(iso, fan_machine_end(iso->machine));
	int r = 0;

	if (!iso->cores->has_smt)
		return 0;
	if (iso->ncores != iso->cores->n)
		r = fan_iso_add_cores(iso);
	fan_iso_book_beside(iso);
	for (size_t k = 0; r == 0 && k < iso->ncores; k++)
		r = finish_core(iso, iso->items[k], end);
	return r < 0 ? r : iso->error;
}

const struct fan_mixing *fan_isolation_level(const struct fan_isolation *iso, enum fan_level level)
{
	return &iso->sums[level].all;
}

size_t fan_isolation_pairs(const struct fan_isolation *iso, enum fan_level level,
			   const struct fan_mixed_pair **ret)
{
	*ret = iso->sums[level].pairs;
	return iso->sums[level].npairs;
}

size_t fan_isolation_first(const struct fan_isolation *iso, enum fan_level level,
			   const struct fan_mixed **ret)
{
	*ret = iso->sums[level].first;
	return iso->sums[level].nfirst;
}

const struct fan_core_time *fan_isolation_core(const struct fan_isolation *iso, size_t core)
{
	static const struct fan_core_time nothing;

	return core < iso->ncores ? &iso->items[core]->time : &nothing;
}

uint64_t fan_isolation_idle_beside_ns(const struct fan_isolation *iso)
{
	return iso->beside_ns;
}
