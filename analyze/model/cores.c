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
	free(c->told);
	free(c);
}

static bool holds(const struct fcap_cpuset *set, const struct fcap_cpuset *part)
{
	struct fcap_cpuset both = *set;

	fcap_cpuset_and(&both, part);
	return fcap_cpuset_count(&both) == fcap_cpuset_count(part);
}

/* Adds the set to those that were told, or lets those grow that it holds. 0 or -ENOMEM. */
static int keep_told(struct fan_cores *c, const struct fcap_cpuset *set)
{
	void *told = c->told;
	size_t kept = 0;

	for (size_t i = 0; i < c->ntold; i++) {
		/* nothing new; or a contradiction, in which the first counts */
		if (fcap_cpuset_overlaps(&c->told[i], set) &&
		    (holds(&c->told[i], set) || !holds(set, &c->told[i])))
			return 0;
	}
	for (size_t i = 0; i < c->ntold; i++)
		if (!fcap_cpuset_overlaps(&c->told[i], set))
			c->told[kept++] = c->told[i];
	c->ntold = kept;
	if (fan_reserve(&told, c->ntold, 1, &c->told_room, sizeof(*c->told)) < 0)
		return -ENOMEM;
	c->told = told;
	c->told[c->ntold++] = *set;
	c->changes++;
	return 0;
}

int fan_cores_take(struct fan_cores *c, const struct fcap_marker *line)
{
	const char *id, *list;
	struct fcap_cpuset set, told;
	int64_t cpu;
	int r;

	if (c->are_given || !fcap_marker_is(line, "cpu"))
		return 0;
	id = fcap_marker_get(line, "id");
	list = fcap_marker_get(line, "siblings");
	if (!id || !list || fcap_parse_i64(id, 0, FCAP_CPUS_MAX - 1, &cpu) < 0 ||
	    fcap_cpulist_parse(list, &set) < 0)
		return 0;
	told = set;
	/* a list that it is not in contradicts itself */
	if (!fcap_cpuset_has(&set, (unsigned int)cpu))
		told = (struct fcap_cpuset){ 0 };
	fcap_cpuset_add(&told, (unsigned int)cpu);
	fcap_cpuset_add(&set, (unsigned int)cpu);
	r = keep_told(c, &told);
	return r < 0 || fan_core_of(c, (int32_t)cpu) ? r : add_core(c, &set);
}
