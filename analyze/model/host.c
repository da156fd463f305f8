// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/cpulist.h"
#include "fcap/num.h"

#define UNIT_NS	    10000000ULL	  /* of lines that tell none: USER_HZ is 100 */
#define UNIT_MAX    1000000000ULL /* ns */
#define ROUND_UNITS 2		  /* by so many may a difference of two rounded counters be off */

/* The last line of a CPU, and the sums up to it. */
struct counter {
	bool is_set;
	uint64_t ts_ns, steal, columns, unit_ns;
	uint64_t wall_ns, steal_ns, columns_ns, intervals, backwards, jumps;
};

struct fan_host {
	struct counter *cpus;
	size_t n;
};

struct fan_host *fan_host_new(void)
{
	return calloc(1, sizeof(struct fan_host));
}

void fan_host_free(struct fan_host *h)
{
	if (!h)
		return;
	free(h->cpus);
	free(h);
}

static int parse(const struct fcap_marker *line, const char *key, uint64_t max, uint64_t *ret)
{
	const char *text = fcap_marker_get(line, key);

	return text ? fcap_parse_u64(text, 0, max, ret) : -ENODATA;
}

static struct counter *reach(struct fan_host *h, size_t cpu)
{
	const size_t n = (cpu | 63) + 1;
	struct counter *grown;

	if (cpu >= h->n) {
		grown = reallocarray(h->cpus, n, sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + h->n, 0, (n - h->n) * sizeof(*grown));
		h->cpus = grown;
		h->n = n;
	}
	return &h->cpus[cpu];
}

/* The rule: columns over 1.05 x wall; the ends of the difference are rounded to whole units. */
static bool is_too_much(uint64_t wall_ns, uint64_t counted_ns, uint64_t unit_ns)
{
	return counted_ns > wall_ns + wall_ns / 20 + ROUND_UNITS * unit_ns;
}

/* Books the interval from the last line to this one. */
static void book(struct counter *c, const struct counter *now)
{
	uint64_t steal_ns, columns_ns;

	if (now->steal < c->steal || now->columns < c->columns || now->ts_ns < c->ts_ns ||
	    now->unit_ns != c->unit_ns ||
	    __builtin_mul_overflow(now->steal - c->steal, c->unit_ns, &steal_ns) ||
	    __builtin_mul_overflow(now->columns - c->columns, c->unit_ns, &columns_ns)) {
		c->backwards++;
		return;
	}
	c->intervals++;
	c->jumps += is_too_much(now->ts_ns - c->ts_ns,
				columns_ns > steal_ns ? columns_ns : steal_ns, c->unit_ns);
	c->wall_ns += now->ts_ns - c->ts_ns;
	c->steal_ns += steal_ns;
	c->columns_ns += columns_ns;
}

int fan_host_take(struct fan_host *h, const struct fcap_marker *line, uint64_t ts_ns)
{
	struct counter *c, now = { .ts_ns = ts_ns, .unit_ns = UNIT_NS };
	uint64_t cpu;
	int r;

	if (!fcap_marker_is(line, "host"))
		return 0;
	if (parse(line, "cpu", FCAP_CPUS_MAX - 1, &cpu) < 0 ||
	    parse(line, "steal", UINT64_MAX, &now.steal) < 0)
		return -EINVAL;
	r = parse(line, "unit", UNIT_MAX, &now.unit_ns);
	if ((r < 0 && r != -ENODATA) || now.unit_ns == 0)
		return -EINVAL;
	r = parse(line, "total", UINT64_MAX, &now.columns);
	if (r == -ENODATA)
		now.columns = now.steal;
	else if (r < 0)
		return -EINVAL;
	c = reach(h, (size_t)cpu);
	if (!c)
		return -ENOMEM;
	if (c->is_set)
		book(c, &now);
	c->is_set = true;
	c->ts_ns = ts_ns;
	c->steal = now.steal;
	c->columns = now.columns;
	c->unit_ns = now.unit_ns;
	return 0;
}

struct fan_host_sum fan_host_sum(const struct fan_host *h)
{
	struct fan_host_sum sum = { 0 };

	for (size_t i = 0; i < h->n; i++) {
		const struct counter *c = &h->cpus[i];

		sum.intervals += c->intervals + c->backwards;
		sum.backwards += c->backwards;
		sum.jumps += c->jumps;
		if (c->intervals == 0)
			continue;
		sum.cpus++;
		sum.wall_ns += c->wall_ns;
		sum.steal_ns += c->steal_ns;
		sum.columns_ns += c->columns_ns;
		sum.is_inconsistent |= is_too_much(c->wall_ns, c->columns_ns, c->unit_ns) ||
				       is_too_much(c->wall_ns, c->steal_ns, c->unit_ns);
	}
	return sum;
}
