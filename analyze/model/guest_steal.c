// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/guest_steal.h"
#include "analyze/model/room.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"

#define COUNTERS_MAX	 65536
#define RESOLUTION_MAX	 1000000000ULL
#define RESOLUTION_USUAL 10000000ULL /* USER_HZ is 100 nearly everywhere */

/* One virtual CPU: its last line, and the sums up to it. */
struct counter {
	char *vm;
	uint64_t cpu, ts_ns, steal_ns;
	struct fan_guest_sum sum;
};

struct fan_guests {
	struct counter *items;
	size_t n, room;
	size_t next; /* behind the one of the last line: its turn is next in the usual order */
};

struct fan_guests *fan_guests_new(void)
{
	return calloc(1, sizeof(struct fan_guests));
}

void fan_guests_free(struct fan_guests *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++)
		free(g->items[i].vm);
	free(g->items);
	free(g);
}

static bool is_of(const struct counter *c, const char *vm, uint64_t cpu)
{
	return c->cpu == cpu && strcmp(c->vm, vm) == 0;
}

static struct counter *find(const struct fan_guests *g, const char *vm, uint64_t cpu)
{
	if (g->next < g->n && is_of(&g->items[g->next], vm, cpu))
		return &g->items[g->next];
	for (size_t i = 0; i < g->n; i++)
		if (is_of(&g->items[i], vm, cpu))
			return &g->items[i];
	return NULL;
}

static int add(struct fan_guests *g, const char *vm, const struct counter *first)
{
	void *items = g->items;

	if (g->n == COUNTERS_MAX)
		return -EINVAL;
	if (fan_reserve(&items, g->n, 1, &g->room, sizeof(*g->items)) < 0)
		return -ENOMEM;
	g->items = items;
	g->items[g->n] = *first;
	g->items[g->n].vm = strdup(vm);
	if (!g->items[g->n].vm)
		return -ENOMEM;
	g->n++;
	return 0;
}

static void book(struct counter *c, const struct counter *now)
{
	const uint64_t passed = now->ts_ns - c->ts_ns;

	c->sum.intervals++;
	if (now->ts_ns < c->ts_ns || now->steal_ns < c->steal_ns)
		c->sum.backwards++;
	/* a step of the counter may fall due just before the line, and a line come late */
	else if (now->steal_ns - c->steal_ns > passed + passed / 20 + 2 * now->sum.resolution_ns)
		c->sum.jumps++;
	else
		c->sum.ns += now->steal_ns - c->steal_ns;
	if (now->sum.resolution_ns > c->sum.resolution_ns)
		c->sum.resolution_ns = now->sum.resolution_ns;
	c->ts_ns = now->ts_ns;
	c->steal_ns = now->steal_ns;
}

static int parse(const struct fcap_marker *line, const char *key, uint64_t max, uint64_t *ret)
{
	const char *text = fcap_marker_get(line, key);

	return text ? fcap_parse_u64(text, 0, max, ret) : -ENODATA;
}

int fan_guests_take(struct fan_guests *g, const struct fcap_marker *line, uint64_t ts_ns)
{
	struct counter *c, now = { .ts_ns = ts_ns };
	const char *vm;
	int r;

	if (!fcap_marker_is(line, "guest"))
		return 0;
	vm = fcap_marker_get(line, "vm");
	now.sum.resolution_ns = RESOLUTION_USUAL;
	r = parse(line, "resolution_ns", RESOLUTION_MAX, &now.sum.resolution_ns);
	if (!vm || !*vm || (r < 0 && r != -ENODATA) ||
	    parse(line, "cpu", UINT32_MAX, &now.cpu) < 0 ||
	    parse(line, "steal", UINT64_MAX, &now.steal_ns) < 0)
		return -EINVAL;
	if (fcap_marker_get(line, "uncounted"))
		return 0; /* the guest knows that nobody counts: its 0 is no number */
	c = find(g, vm, now.cpu);
	if (!c)
		return add(g, vm, &now);
	g->next = (size_t)(c - g->items) + 1;
	if (g->next == g->n)
		g->next = 0;
	book(c, &now);
	return 0;
}

struct fan_guest_sum fan_guests_of(const struct fan_guests *g, const char *vm)
{
	struct fan_guest_sum sum = { 0 };

	for (size_t i = 0; i < g->n; i++) {
		const struct fan_guest_sum *one = &g->items[i].sum;

		if (strcmp(g->items[i].vm, vm) != 0)
			continue;
		sum.ns += one->ns;
		sum.intervals += one->intervals;
		sum.backwards += one->backwards;
		sum.jumps += one->jumps;
		if (one->resolution_ns > sum.resolution_ns)
			sum.resolution_ns = one->resolution_ns;
	}
	return sum;
}

struct fan_guest_sum fan_guests_of_vcpu(const struct fan_guests *g, const char *vm, uint64_t vcpu)
{
	const struct counter *c = find(g, vm, vcpu);

	return c ? c->sum : (struct fan_guest_sum){ 0 };
}
