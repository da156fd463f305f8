// SPDX-License-Identifier: GPL-3.0-or-later
/* The facts of the recording and its host, and how lines are read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/facts_parts.h"

int fan_line_keep(char **dst, const struct fcap_marker *line, const char *key)
{
	const char *text = fcap_marker_get(line, key);
	char *copy;

	if (!text || (*dst && strcmp(*dst, text) == 0))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(*dst);
	*dst = copy;
	return 0;
}

void *fan_facts_append(void *array, size_t *n, size_t size)
{
	void **items = array;
	char *grown = *items;

	if ((*n & (*n - 1)) == 0) {
		grown = reallocarray(*items, *n ? *n * 2 : 1, size);
		if (!grown)
			return NULL;
		*items = grown;
	}
	grown += *n * size;
	memset(grown, 0, size);
	++*n;
	return grown;
}

static int keep_label(struct fan_facts *f, const char *key, const char *value)
{
	struct fan_label *l;

	for (size_t i = 0; i < f->nlabels; i++)
		if (strcmp(f->labels[i].key, key) == 0)
			return 0;
	l = fan_facts_append(&f->labels, &f->nlabels, sizeof(*l));
	if (!l)
		return -ENOMEM;
	l->key = strdup(key);
	l->value = strdup(value);
	return l->key && l->value ? 0 : -ENOMEM;
}

static void take_core_sched(struct fan_facts *f, const struct fcap_marker *line)
{
	const char *state = fcap_marker_get(line, "core_sched");
	const int64_t schedstats = fan_line_number(line, "schedstats", -1);

	if (state)
		f->core_sched = fcap_core_state_named(state);
	if (schedstats == 0 || schedstats == 1)
		f->schedstats = (int)schedstats;
}

/* A long one comes as several lines: what a line does not say stays as it is. */
static void take_scope(struct fan_facts *f, struct fan_machine *m, const struct fcap_marker *line)
{
	const char *scope = fcap_marker_get(line, "scope");
	const int64_t root = fan_line_number(line, "root", -1);

	if (!scope || strcmp(scope, "command") != 0)
		return;
	f->is_scoped = true;
	fan_machine_scope(m, root > 0 && root < FAN_TID_MAX ? (int32_t)root : 0);
}

int fan_facts_take_begin(struct fan_facts *f, struct fan_machine *m, const struct fcap_marker *line)
{
	int r = 0;

	f->has_begin = true;
	f->hierarchy = (int32_t)fan_line_number(line, "cpu_hierarchy", f->hierarchy);
	if (fan_line_keep(&f->kernel, line, "kernel") < 0 ||
	    fan_line_keep(&f->command, line, "cmd") < 0 ||
	    fan_line_keep(&f->clock, line, "clock") < 0 ||
	    fan_line_keep(&f->scheduler, line, "sched_ext") < 0)
		return -ENOMEM;
	f->sample_ns = (uint64_t)fan_line_number(line, "sample_ns", (int64_t)f->sample_ns);
	take_core_sched(f, line);
	take_scope(f, m, line);
	for (size_t i = 0; r == 0 && i < line->n; i++)
		if (strncmp(line->kv[i].key, "label.", 6) == 0)
			r = keep_label(f, line->kv[i].key + 6, line->kv[i].value);
	return r;
}

int fan_facts_take_cpu(struct fan_facts *f, const struct fcap_marker *line)
{
	const int64_t id = fan_line_number(line, "id", -1);
	int32_t *cpu;

	if (id < 0 || id >= INT32_MAX)
		return -EINVAL;
	for (size_t i = 0; i < f->ncpus; i++)
		if (f->cpus[i] == id)
			return 0;
	cpu = fan_facts_append(&f->cpus, &f->ncpus, sizeof(*cpu));
	if (!cpu)
		return -ENOMEM;
	*cpu = (int32_t)id;
	return 0;
}
