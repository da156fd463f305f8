// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/closure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"

#define LATE_NS	       10000000 /* a line is stamped that much after its counters were read, at most */
#define NS_PER_ARRIVAL 10000	/* rq_clock is read a few us before the event is stamped */

/* Counter and trace at the last sample of a thread, and its sums since the first. */
struct sample {
	bool is_set;
	uint64_t run, delay, n;
	uint64_t ts_ns;
	uint64_t arrived_ns; /* of the last sample that a rise of n was seen in; 0: none yet */
	uint64_t arrived_wait, arrivals, breaks;
	bool is_unknown; /* what the thread did, since a gap or loss */
	struct fan_closure_sum sum;
	struct fan_rise rise;
};

struct fan_closure {
	struct sample *by_thread;
	size_t n;
};

struct fan_closure *fan_closure_new(void)
{
	return calloc(1, sizeof(struct fan_closure));
}

void fan_closure_free(struct fan_closure *c)
{
	if (!c)
		return;
	free(c->by_thread);
	free(c);
}

static struct sample *reach(struct fan_closure *c, size_t thread)
{
	const size_t n = (thread | 255) + 1;
	struct sample *grown;

	if (thread >= c->n) {
		grown = reallocarray(c->by_thread, n, sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + c->n, 0, (n - c->n) * sizeof(*grown));
		c->by_thread = grown;
		c->n = n;
	}
	return &c->by_thread[thread];
}

static int number(const struct fcap_marker *line, const char *key, uint64_t *ret)
{
	const char *text = fcap_marker_get(line, key);

	return text ? fcap_parse_u64(text, 0, UINT64_MAX, ret) : -EINVAL;
}

/* More than can have passed since the last arrival that is known, with room for late samples. */
static bool has_jumped(const struct sample *old, const struct sample *now)
{
	const uint64_t run_max = now->ts_ns - old->ts_ns;
	const uint64_t delay_max = now->ts_ns - old->arrived_ns;

	if (now->run - old->run > run_max + run_max / 20 + LATE_NS)
		return true;
	return old->arrived_ns && now->delay - old->delay > delay_max + delay_max / 20 + LATE_NS;
}

/* Modulo 2^64 where a counter stepped back. */
static struct fan_rise rise_of(const struct sample *old, const struct sample *now)
{
	return (struct fan_rise){
		.t0_ns = old->ts_ns,
		.t1_ns = now->ts_ns,
		.run_ns = now->run - old->run,
		.delay_ns = now->delay - old->delay,
		.arrivals = now->n - old->n,
		.is_first = !old->is_set,
	};
}

bool fan_rise_is_possible(const struct fan_rise *rise)
{
	const uint64_t max = rise->t1_ns - rise->t0_ns;

	return rise->run_ns <= max + max / 20 + LATE_NS &&
	       rise->delay_ns <= max + max / 20 + LATE_NS;
}

static void compare(struct fan_closure_sum *sum, const struct sample *old, struct sample *now)
{
	sum->intervals++;
	if (now->delay < old->delay || now->n < old->n || now->run < old->run) {
		sum->backwards++;
		return;
	}
	if (has_jumped(old, now)) {
		sum->jumps++;
		return;
	}
	now->rise.is_known = true;
	sum->counter_all_ns += now->delay - old->delay;
	if (old->is_unknown || now->breaks != old->breaks ||
	    now->arrivals - old->arrivals != now->n - old->n)
		return;
	sum->comparable++;
	sum->arrivals += now->n - old->n;
	sum->trace_ns += now->arrived_wait - old->arrived_wait;
	sum->counter_ns += now->delay - old->delay;
}

int fan_closure_take(struct fan_closure *c, const struct fan_threads *threads, size_t thread,
		     const struct fcap_marker *line, uint64_t ts_ns)
{
	const struct fan_thread *th = fan_threads_at(threads, thread);
	struct sample *last, now = { .is_set = true, .ts_ns = ts_ns };

	if (number(line, "run", &now.run) < 0 || number(line, "delay", &now.delay) < 0 ||
	    number(line, "n", &now.n) < 0)
		return -EINVAL;
	last = reach(c, thread);
	if (!last)
		return -ENOMEM;
	now.arrived_wait = th->arrived_wait_ns;
	now.arrivals = th->arrivals;
	now.breaks = th->breaks;
	now.is_unknown = th->state == FAN_ST_UNKNOWN;
	now.sum = last->sum;
	now.arrived_ns = last->is_set && now.n != last->n ? last->ts_ns : last->arrived_ns;
	now.rise = rise_of(last, &now);
	if (last->is_set)
		compare(&now.sum, last, &now);
	*last = now;
	return 0;
}

struct fan_closure_sum fan_closure_of(const struct fan_closure *c, size_t thread)
{
	return thread < c->n ? c->by_thread[thread].sum : (struct fan_closure_sum){ 0 };
}

const struct fan_rise *fan_closure_last(const struct fan_closure *c, size_t thread)
{
	return thread < c->n && c->by_thread[thread].is_set ? &c->by_thread[thread].rise : NULL;
}

void fan_closure_add(struct fan_closure_sum *a, const struct fan_closure_sum *b)
{
	a->intervals += b->intervals;
	a->comparable += b->comparable;
	a->backwards += b->backwards;
	a->jumps += b->jumps;
	a->counter_all_ns += b->counter_all_ns;
	a->trace_ns += b->trace_ns;
	a->counter_ns += b->counter_ns;
	a->arrivals += b->arrivals;
}

int fan_closure_holds(const struct fan_closure_sum *s)
{
	const uint64_t off = s->trace_ns > s->counter_ns ? s->trace_ns - s->counter_ns
							 : s->counter_ns - s->trace_ns;

	return off <= s->counter_ns / 500 || off <= s->arrivals * NS_PER_ARRIVAL;
}
