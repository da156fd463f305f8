// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/pulse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/model.h"

/* Of a gap between events a minute is ticked through; of all together an hour more. */
#define GAP_TICKS 60000
#define PATIENCE  (3600 * 1000ULL)

struct fan_pulse *fan_pulse_new(const struct fan_pulse_setup *setup)
{
	struct fan_pulse *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->next_ns = UINT64_MAX;
	p->patience = PATIENCE;
	p->machine = setup->machine;
	p->threads = setup->threads;
	p->series = setup->series;
	p->scales = fan_scales_new();
	p->parties = fan_parties_new(setup->threads, setup->map);
	if (p->parties)
		p->demand = fan_demand_new(setup->m, &setup->allocator, p->parties);
	if (p->parties)
		p->vcpu_windows = fan_vcpu_windows_new(setup->threads, p->parties, setup->series);
	if (!p->scales || !p->demand || !p->vcpu_windows) {
		fan_pulse_free(p);
		return NULL;
	}
	p->watch = (struct fan_watch){ .runnable = fan_demand_runnable,
				       .waiting = fan_demand_waiting,
				       .idle = fan_demand_idle,
				       .vcpu = fan_demand_vcpu,
				       .ctx = p->demand,
				       .asks_waiting = &p->demand->troubles };
	fan_machine_watch(setup->machine, &p->watch);
	return p;
}

void fan_pulse_free(struct fan_pulse *p)
{
	if (!p)
		return;
	fan_demand_free(p->demand);
	fan_parties_free(p->parties);
	fan_scales_free(p->scales);
	fan_vcpu_windows_free(p->vcpu_windows);
	free(p->parties_now);
	free(p->told);
	free(p->vcpus.next);
	free(p);
}

void fan_pulse_begin(struct fan_pulse *p, uint64_t from_ns, uint64_t to_ns)
{
	p->start = p->last = from_ns;
	p->to = to_ns;
	p->next_ns = from_ns + FAN_TICK_NS;
	fan_demand_clip(p->demand, from_ns, to_ns);
	fan_vcpu_windows_begin(p->vcpu_windows, from_ns);
}

/* Room for items up to n, zeroed; *array may move. 0 or -ENOMEM. */
static int reach(void *array, size_t *room, size_t n, size_t size)
{
	void **items = array;
	char *grown;

	if (n <= *room)
		return 0;
	grown = reallocarray(*items, 2 * n, size);
	if (!grown)
		return -ENOMEM;
	memset(grown + *room * size, 0, (2 * n - *room) * size);
	*items = grown;
	*room = 2 * n;
	return 0;
}

/* How much of the thread's present state lies in the analysed time up to now_ns. */
static uint64_t open_ns(const struct fan_pulse *p, const struct fan_thread *th, uint64_t now_ns)
{
	const uint64_t from = th->since_ns > p->start ? th->since_ns : p->start;

	return now_ns > from ? now_ns - from : 0;
}

/* The sums of the party of a thread, if it has one. */
static struct fan_beat *beat_of(const struct fan_pulse *p, int32_t thread)
{
	const struct fan_demand *d = p->demand;
	const int32_t account = thread < 0 ? -1
					   : fan_threads_at(p->threads, (size_t)thread)->account;

	if (account < 0 || (size_t)account >= d->nstakes || d->stakes[account].party < 0)
		return NULL;
	return &p->parties_now[d->stakes[account].party];
}

/* Adds what runs at the moment. */
static void add_running(const struct fan_pulse *p, uint64_t now_ns)
{
	for (size_t c = 0; c < fan_machine_cpus(p->machine); c++) {
		const int32_t thread = fan_machine_running(p->machine, c);
		struct fan_beat *b = beat_of(p, thread);

		if (b)
			b->open_ns += open_ns(p, fan_threads_at(p->threads, (size_t)thread),
					      now_ns);
	}
}

/* Only those that are active: nothing of the others has changed. */
static int tell_parties(struct fan_pulse *p, uint64_t now_ns)
{
	const struct fan_demand *d = p->demand;
	int r = 0;

	for (size_t i = 0; i < d->nactive; i++) {
		const int32_t account = d->active[i];
		const struct fan_stake *s = &d->stakes[account];
		struct fan_told *t = &p->told[account];
		uint64_t run;

		if (s->party < 0)
			continue;
		run = fan_series_run_ns(p->series, fan_model_row(account)) - s->run_before;
		p->parties_now[s->party].got_ns += run - t->run_ns;
		p->parties_now[s->party].open_ns = 0;
		t->run_ns = run;
	}
	add_running(p, now_ns);
	for (size_t i = 0; r == 0 && i < d->nactive; i++) {
		const int32_t party = d->stakes[d->active[i]].party;
		const struct fan_beat *b = &p->parties_now[party < 0 ? 0 : party];

		if (party >= 0)
			r = fan_scales_party(
				p->scales, (size_t)party,
				(struct fan_pace){ b->got_ns + b->open_ns, b->due_ns });
	}
	return r;
}

/* Puts the vCPU with this number before those on a list. */
static void push(struct fan_vcpu_lists *l, size_t *first, size_t vcpu)
{
	l->next[vcpu - 1] = *first;
	*first = vcpu;
}

/* The party of an account, or the one that it will have once a thread of it wants to run; -1. */
static int32_t expected_party(const struct fan_pulse *p, int32_t account)
{
	const struct fan_demand *d = p->demand;

	return (size_t)account < d->nstakes && d->stakes[account].is_met
		       ? d->stakes[account].party
		       : fan_parties_of(p->parties, account);
}

static int list_vcpus(struct fan_pulse *p, const int32_t *thread, size_t n)
{
	struct fan_vcpu_lists *l = &p->vcpus;

	if (reach(&l->next, &l->room, n, sizeof(*l->next)) < 0 ||
	    reach(&p->told, &p->ntold, fan_accounts_count(p->threads), sizeof(*p->told)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < p->ntold; i++)
		p->told[i].vcpu = 0;
	l->others = 0;
	for (size_t i = 0; i < n; i++) {
		const int32_t account = fan_threads_at(p->threads, (size_t)thread[i])->account;

		push(l, expected_party(p, account) < 0 ? &l->others : &p->told[account].vcpu,
		     i + 1);
	}
	l->n = n;
	l->reviews = p->demand->reviews;
	l->regrouped = fan_threads_regrouped(p->threads);
	l->epoch = p->demand->m->facts->epoch;
	return 0;
}

static bool are_listed(const struct fan_pulse *p, size_t n)
{
	const struct fan_vcpu_lists *l = &p->vcpus;

	return l->n == n && l->reviews == p->demand->reviews &&
	       l->regrouped == fan_threads_regrouped(p->threads) &&
	       l->epoch == p->demand->m->facts->epoch;
}

static int tell_vcpu(struct fan_pulse *p, size_t vcpu, int32_t thread, uint64_t now_ns)
{
	const struct fan_demand *d = p->demand;
	const struct fan_thread *th = fan_threads_at(p->threads, (size_t)thread);
	const int32_t party = (size_t)th->account < d->nstakes ? d->stakes[th->account].party : -1;
	struct fan_pace pace = { th->run_ns, th->wait_ns + th->stale_ns };

	if (th->state == FAN_ST_RUN)
		pace.got_ns += open_ns(p, th, now_ns);
	else if (th->state == FAN_ST_WAIT)
		pace.due_ns += open_ns(p, th, now_ns);
	return fan_scales_vcpu(p->scales, vcpu, party, pace);
}

static int tell_all(struct fan_pulse *p, const int32_t *thread, size_t n, uint64_t now_ns)
{
	int r = list_vcpus(p, thread, n);

	for (size_t i = 0; r == 0 && i < n; i++)
		r = tell_vcpu(p, i, thread[i], now_ns);
	return r;
}

static int tell_list(struct fan_pulse *p, size_t first, const int32_t *thread, uint64_t now_ns)
{
	int r = 0;

	for (size_t i = first; r == 0 && i; i = p->vcpus.next[i - 1])
		r = tell_vcpu(p, i - 1, thread[i - 1], now_ns);
	return r;
}

static int tell_vcpus(struct fan_pulse *p, uint64_t now_ns)
{
	const struct fan_demand *d = p->demand;
	const int32_t *thread;
	const size_t n = fan_parties_vcpus(p->parties, &thread);
	int r;

	if (!are_listed(p, n))
		return tell_all(p, thread, n, now_ns);
	r = tell_list(p, p->vcpus.others, thread, now_ns);
	for (size_t i = 0; r == 0 && i < d->nactive; i++)
		r = tell_list(p, p->told[d->active[i]].vcpu, thread, now_ns);
	return r;
}

/* What became due since the last tick goes into the window that this time is in. */
static int book_due(struct fan_pulse *p, uint64_t in_ns)
{
	const struct fan_demand *d = p->demand;
	int r = reach(&p->told, &p->ntold, d->nstakes, sizeof(*p->told));

	if (r == 0)
		r = reach(&p->parties_now, &p->room, fan_parties_count(p->parties) + 1,
			  sizeof(*p->parties_now));
	for (size_t i = 0; r == 0 && i < d->nactive; i++) {
		const int32_t account = d->stakes[d->active[i]].stand_in;
		const struct fan_stake *s = &d->stakes[account];
		const uint64_t ns = s->due_ns - p->told[account].due_ns;

		if (ns == 0 || s->party < 0)
			continue;
		p->told[account].due_ns += ns;
		p->parties_now[s->party].due_ns += ns;
		r = fan_series_add_due(p->series, fan_model_row(account), in_ns, ns);
	}
	return r;
}

static int tick(struct fan_pulse *p, uint64_t now_ns)
{
	int r = fan_demand_fold(p->demand, now_ns);

	if (r == 0)
		r = book_due(p, p->last);
	if (r == 0)
		r = tell_parties(p, now_ns);
	if (r == 0)
		r = tell_vcpus(p, now_ns);
	if (r == 0)
		r = fan_vcpu_windows_take(p->vcpu_windows, now_ns);
	if (r == 0)
		fan_scales_tick(p->scales, 1);
	fan_demand_rest(p->demand);
	p->last = now_ns;
	p->next_ns = now_ns + FAN_TICK_NS;
	return r;
}

/*
 * Nobody wants a CPU until now_ns: the ticks before it are all alike. Or nothing is known of them
 * for so long that they are taken as one.
 */
static int skip(struct fan_pulse *p, uint64_t now_ns)
{
	const uint64_t ticks = (now_ns - p->last) / FAN_TICK_NS;

	fan_scales_tick(p->scales, ticks);
	p->last += ticks * FAN_TICK_NS;
	p->next_ns = p->last + FAN_TICK_NS;
	return fan_vcpu_windows_take(p->vcpu_windows, p->last);
}

/*
 * n ticks without an event, although threads want a CPU: a host that was suspended, or a damaged
 * stamp, which may be centuries ahead.
 */
static bool is_out_of_patience(struct fan_pulse *p, uint64_t n)
{
	if (n <= GAP_TICKS)
		return false;
	if (p->patience == 0)
		return true;
	p->patience--;
	return false;
}

int fan_pulse_beat(struct fan_pulse *p, uint64_t now_ns)
{
	const uint64_t now = now_ns < p->to ? now_ns : p->to;
	uint64_t n = 0;
	int r = 0;

	while (r == 0 && p->next_ns <= now) {
		r = tick(p, p->next_ns);
		if (r == 0 && p->next_ns <= now &&
		    (p->demand->runnable == 0 || is_out_of_patience(p, ++n)))
			r = skip(p, now);
	}
	if (p->next_ns > p->to)
		p->next_ns = UINT64_MAX;
	return r;
}

int fan_pulse_end(struct fan_pulse *p, uint64_t end_ns)
{
	const uint64_t end = end_ns < p->to ? end_ns : p->to;
	int r = fan_pulse_beat(p, end);

	if (r == 0)
		r = fan_demand_fold(p->demand, end);
	fan_demand_close(p->demand, end);
	p->next_ns = UINT64_MAX;
	return r == 0 ? book_due(p, p->last) : r;
}

int fan_pulse_close(struct fan_pulse *p, uint64_t end_ns)
{
	return fan_vcpu_windows_end(p->vcpu_windows, end_ns < p->to ? end_ns : p->to);
}
