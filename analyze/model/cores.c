// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/cores.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/room.h"
#include "analyze/model/span.h"
#include "fcap/num.h"

/* Room for the core of this CPU. 0 or -ENOMEM. */
static int reach(struct fan_cores *c, size_t cpu)
{
	const size_t n = (cpu | 7) + 1;
	int32_t *grown;

	if (cpu < c->ncpus)
		return 0;
	grown = reallocarray(c->of_cpu, n, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	for (size_t i = c->ncpus; i < n; i++)
		grown[i] = -1;
	c->of_cpu = grown;
	c->ncpus = n;
	return 0;
}

/* The CPUs of the set that are of no core yet become one. 0 or -ENOMEM. */
static int add_core(struct fan_cores *c, const struct fcap_cpuset *set)
{
	const size_t n = fcap_cpuset_count(set);
	struct fan_core core = {
		.cpus = calloc(n + 1, sizeof(*core.cpus)),
		.seen = calloc(1, sizeof(*core.seen) + n * sizeof(*core.seen->siblings)),
	};
	void *cores = c->cores;
	int r = -ENOMEM;

	if (core.cpus && core.seen)
		r = fan_reserve(&cores, c->n, 1, &c->room, sizeof(core));

	c->cores = cores;
	for (int32_t cpu = 0; r == 0 && cpu < FCAP_CPUS_MAX; cpu++) {
		if (!fcap_cpuset_has(set, (unsigned int)cpu) || fan_core_of(c, cpu))
			continue;
		r = reach(c, (size_t)cpu);
		if (r < 0)
			break;
		c->of_cpu[cpu] = (int32_t)c->n;
		core.seen->siblings[core.n].thread = FAN_CPU_UNKNOWN;
		core.cpus[core.n++] = cpu;
	}
	if (core.n == 0) {
		free(core.cpus);
		free(core.seen);
		return r;
	}
	core.seen->is_new = true;
	c->has_smt |= core.n > 1;
	c->cores[c->n++] = core;
	return r;
}

struct fan_cores *fan_cores_new(const struct fcap_cpuset *given, size_t ngiven)
{
	struct fan_cores *c = calloc(1, sizeof(*c));
	int r = 0;

	if (!c)
		return NULL;
	c->are_given = ngiven > 0;
	for (size_t i = 0; r == 0 && i < ngiven; i++)
		r = add_core(c, &given[i]);
	if (r == 0)
		return c;
	fan_cores_free(c);
	return NULL;
}

void fan_cores_free(struct fan_cores *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		free(c->cores[i].cpus);
		free(c->cores[i].seen);
	}
	free(c->cores);
	free(c->of_cpu);
	free(c);
}

int fan_cores_take(struct fan_cores *c, const struct fcap_marker *line)
{
	const char *id = fcap_marker_get(line, "id"), *list = fcap_marker_get(line, "siblings");
	struct fcap_cpuset set;
	int64_t cpu;

	if (c->are_given || strcmp(line->kind, "cpu") != 0 || !id || !list ||
	    fcap_parse_i64(id, 0, FCAP_CPUS_MAX - 1, &cpu) < 0 ||
	    fcap_cpulist_parse(list, &set) < 0 || fan_core_of(c, (int32_t)cpu))
		return 0;
	fcap_cpuset_add(&set, (unsigned int)cpu);
	return add_core(c, &set);
}
