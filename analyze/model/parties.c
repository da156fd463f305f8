// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/parties.h"
#include "analyze/model/room.h"

#include <errno.h>

/* A growing list of numbers. */
struct numbers {
	int32_t *items;
	size_t n, room;
};

struct fan_parties {
	const struct fan_threads *threads;
	int32_t *map; /* by account; NULL: VMs as they show */
	size_t nmap, parties;
	struct numbers of_proc; /* by process: its party or -1 */
	struct numbers procs;	/* by party: the process that made it */
	struct numbers vcpus, vhosts;
};

struct fan_parties *fan_parties_new(const struct fan_threads *threads,
				    const struct fan_party_map *map)
{
	struct fan_parties *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->threads = threads;
	if (!map)
		return p;
	p->nmap = map->n;
	p->parties = map->parties;
	p->map = malloc((map->n + 1) * sizeof(*p->map));
	if (!p->map) {
		free(p);
		return NULL;
	}
	memcpy(p->map, map->of_account, map->n * sizeof(*p->map));
	return p;
}

void fan_parties_free(struct fan_parties *p)
{
	if (!p)
		return;
	free(p->map);
	free(p->of_proc.items);
	free(p->procs.items);
	free(p->vcpus.items);
	free(p->vhosts.items);
	free(p);
}

static int append(struct numbers *list, int32_t value)
{
	void *items = list->items;

	if (fan_reserve(&items, list->n, 1, &list->room, sizeof(*list->items)) < 0)
		return -ENOMEM;
	list->items = items;
	list->items[list->n++] = value;
	return 0;
}

static bool holds(const struct numbers *list, int32_t value)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i] == value)
			return true;
	return false;
}

static int32_t party_of_proc(const struct fan_parties *p, int32_t proc)
{
	const int32_t final = fan_procs_final(p->threads, proc);

	return (size_t) final < p->of_proc.n ? p->of_proc.items[final] : -1;
}

/* Room for this process in the table. */
static int reach_proc(struct fan_parties *p, int32_t proc)
{
	int r = 0;

	while (r == 0 && p->of_proc.n <= (size_t)proc)
		r = append(&p->of_proc, -1);
	return r;
}

/* The process of the VM that a vhost thread works for, if it is a party; -1. */
static int32_t served_party(const struct fan_parties *p, int32_t vhost)
{
	const struct fan_thread *th = fan_threads_at(p->threads, (size_t)vhost);
	const int32_t tgid = fan_vhost_tgid(th->comm);
	const int32_t lead = tgid > 0 ? fan_threads_find(p->threads, tgid) : -1;

	return lead < 0 ? -1 : party_of_proc(p, fan_threads_proc(p->threads, (size_t)lead));
}

static int join_served(struct fan_parties *p, int32_t vhost)
{
	const int32_t party = served_party(p, vhost);
	const int32_t proc = fan_threads_proc(p->threads, (size_t)vhost);

	if (reach_proc(p, proc) < 0)
		return -ENOMEM;
	if (party >= 0 && p->of_proc.items[proc] < 0)
		p->of_proc.items[proc] = party;
	return 0;
}

/*
 * Two processes that turn out to be one are one party, the older; and a vhost thread belongs to
 * the VM that it names, once that is known.
 */
int fan_parties_review(struct fan_parties *p)
{
	if (p->map)
		return 0;
	for (size_t i = p->procs.n; i-- > 0;) {
		const int32_t final = fan_procs_final(p->threads, p->procs.items[i]);

		if (reach_proc(p, final) < 0)
			return -ENOMEM;
		p->of_proc.items[final] = (int32_t)i;
	}
	for (size_t i = 0; i < p->vhosts.n; i++)
		if (join_served(p, p->vhosts.items[i]) < 0)
			return -ENOMEM;
	return 0;
}

int fan_parties_note(struct fan_parties *p, int32_t thread)
{
	const struct fan_thread *th = fan_threads_at(p->threads, (size_t)thread);
	const bool is_vcpu = th->is_vcpu || th->has_vcpu_name;
	struct numbers *list = is_vcpu ? &p->vcpus : &p->vhosts;
	const int32_t proc = fan_threads_proc(p->threads, (size_t)thread);

	if (holds(list, thread))
		return 0;
	if (append(list, thread) < 0 || reach_proc(p, proc) < 0)
		return -ENOMEM;
	if (is_vcpu && !p->map && p->of_proc.items[proc] < 0) {
		p->of_proc.items[proc] = (int32_t)p->procs.n;
		if (append(&p->procs, proc) < 0)
			return -ENOMEM;
	}
	if (!is_vcpu && !p->map && join_served(p, thread) < 0)
		return -ENOMEM;
	return 1;
}

int32_t fan_parties_of(const struct fan_parties *p, int32_t account)
{
	if (p->map)
		return (size_t)account < p->nmap ? p->map[account] : -1;
	return party_of_proc(p, fan_accounts_at(p->threads, (size_t)account)->proc);
}

size_t fan_parties_count(const struct fan_parties *p)
{
	return p->map ? p->parties : p->procs.n;
}

size_t fan_parties_vcpus(const struct fan_parties *p, const int32_t **ret)
{
	*ret = p->vcpus.items;
	return p->vcpus.n;
}
