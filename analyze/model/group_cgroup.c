// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/group_cgroup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_name.h"

/* The front of a path; of length 0 before the first one is known. */
struct front {
	const char *path;
	size_t len;
};

/* What holds the threads of a group: those that stand for it, and the rest. */
struct holders {
	struct front leading, others;
};

static const char *told_path(const struct fan_model *m, size_t thread)
{
	const int32_t account = fan_threads_at(m->threads, thread)->account;
	const int32_t cgroup = fan_accounts_at(m->threads, (size_t)account)->place.cgroup;

	return cgroup < 0 ? NULL : m->facts->cgroups[cgroup].path;
}

static size_t main_of(const struct fan_model *m, size_t thread)
{
	return (size_t)fan_main_thread(m, fan_threads_proc(m->threads, thread));
}

/* Where a thread is, as far as is told; NULL. */
static const char *path_of(const struct fan_model *m, size_t thread)
{
	const char *own = told_path(m, thread);

	return own ? own : told_path(m, main_of(m, thread));
}

/* How many bytes of both are the path of a cgroup that holds both; 1: the root's "/". */
static size_t common_len(const struct front *f, const char *path)
{
	size_t i = 0, last = 1;

	for (; i < f->len && path[i] && f->path[i] == path[i]; i++)
		if (path[i] == '/' && i > 0)
			last = i;
	if ((i == f->len || f->path[i] == '/') && (path[i] == '\0' || path[i] == '/'))
		last = i > 0 ? i : 1;
	return last;
}

/* Goes up to what holds this one, too. */
static void hold(struct front *f, const char *path)
{
	if (!path)
		return;
	if (f->len)
		f->len = common_len(f, path);
	else
		*f = (struct front){ path, strlen(path) };
}

static bool is_leading(const struct fan_model *m, const struct fan_group *g, size_t thread)
{
	if (g->life_ns)
		return fan_group_has_vcpu(g, fan_threads_at(m->threads, thread), m->end_ns);
	return main_of(m, thread) == thread;
}

static int keep(struct fan_group *g, const struct holders *h)
{
	const struct front *f = h->leading.len ? &h->leading : &h->others;

	if (g->cgroup || f->len == 0)
		return 0;
	g->cgroup = strndup(f->path, f->len);
	if (!g->cgroup)
		return -ENOMEM;
	g->cgroup[fan_cgroup_machine_length(g->cgroup)] = '\0';
	return 0;
}

int fan_groups_find_cgroups(struct fan_groups *g, const struct fan_model *m)
{
	struct holders *held = calloc(g->n + 1, sizeof(*held));
	int r = held ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < fan_threads_count(m->threads); i++) {
		const int32_t group = fan_groups_of(g, m, i);

		if (group < 0)
			continue;
		hold(is_leading(m, &g->items[group], i) ? &held[group].leading
							: &held[group].others,
		     path_of(m, i));
	}
	for (size_t i = 0; r == 0 && i < g->n; i++)
		r = keep(&g->items[i], &held[i]);
	free(held);
	return r;
}
