// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/pulse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/model.h"

struct fan_pulse *fan_pulse_new(const struct fan_pulse_setup *setup)
{
	struct fan_pulse *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->next_ns = UINT64_MAX;
	p->machine = setup->machine;
	p->threads = setup->threads;
	p->series = setup->series;
	p->scales = fan_scales_new();
	p->parties = fan_parties_new(setup->threads, setup->map);
	if (p->parties)
		p->demand = fan_demand_new(setup->m, &setup->allocator, p->parties);
	if (!p->scales || !p->demand) {
		fan_pulse_free(p);
		return NULL;
	}
	p->watch = (struct fan_watch){ fan_demand_runnable, fan_demand_idle, fan_demand_vcpu,
				       p->demand };
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
	free(p->open);
	free(p->due);
	free(p->booked);
	free(p);
}

void fan_pulse_begin(struct fan_pulse *p, uint64_t from_ns, uint64_t to_ns)
{
	p->start = p->last = from_ns;
	p->to = to_ns;
	p->next_ns = from_ns + FAN_TICK_NS;
	fan_demand_clip(p->demand, from_ns, to_ns);
}

/* Room for sums of all parties, and zeroes them. */
static int clear_sums(struct fan_pulse *p)
{
	const size_t n = fan_parties_count(p->parties);
	uint64_t *grown;

	if (n > p->room) {
		grown = reallocarray(p->open, 2 * n, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		p->open = grown;
		grown = reallocarray(p->due, 2 * n, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		p->due = grown;
		p->room = 2 * n;
	}
	if (n) {
		memset(p->open, 0, n * sizeof(*p->open));
		memset(p->due, 0, n * sizeof(*p->due));
	}
	return 0;
}

/* How much of the thread's present state lies in the analysed time up to now_ns. */
static uint64_t open_ns(const struct fan_pulse *p, const struct fan_thread *th, uint64_t now_ns)
{
	const uint64_t from = th->since_ns > p->start ? th->since_ns : p->start;

	return now_ns > from ? now_ns - from : 0;
}

/* What runs at the moment is booked only when it ends: added here, kept nowhere. */
static void add_running(struct fan_pulse *p, uint64_t now_ns)
{
	for (size_t c = 0; c < fan_machine_cpus(p->machine); c++) {
		const int32_t i = fan_machine_running(p->machine, c);
		const struct fan_thread *th = i < 0 ? NULL : fan_threads_at(p->threads, (size_t)i);

		if (th && (size_t)th->account < p->demand->nstakes &&
		    p->demand->stakes[th->account].party >= 0)
			p->open[p->demand->stakes[th->account].party] += open_ns(p, th, now_ns);
	}
}

static int tell_parties(struct fan_pulse *p, uint64_t now_ns)
{
	const struct fan_demand *d = p->demand;
	int r = clear_sums(p);

	if (r < 0)
		return r;
	add_running(p, now_ns);
	for (size_t i = 0; i < d->nlisted; i++) {
		const struct fan_stake *s = &d->stakes[d->listed[i]];

		if (s->party < 0)
			continue;
		p->open[s->party] += s->run_ns;
		p->due[s->party] += s->due_ns;
	}
	for (size_t k = 0; r == 0 && k < fan_parties_count(p->parties); k++)
		r = fan_scales_party(p->scales, k, (struct fan_pace){ p->open[k], p->due[k] });
	return r;
}

static int tell_vcpus(struct fan_pulse *p, uint64_t now_ns)
{
	const struct fan_demand *d = p->demand;
	const int32_t *thread;
	const size_t n = fan_parties_vcpus(p->parties, &thread);
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct fan_thread *th = fan_threads_at(p->threads, (size_t)thread[i]);
		const int32_t party = (size_t)th->account < d->nstakes
					      ? d->stakes[th->account].party
					      : -1;
		struct fan_pace pace = { th->run_ns, th->wait_ns + th->stale_ns };

		if (th->state == FAN_ST_RUN)
			pace.got_ns += open_ns(p, th, now_ns);
		else if (th->state == FAN_ST_WAIT)
			pace.due_ns += open_ns(p, th, now_ns);
		r = fan_scales_vcpu(p->scales, i, party, pace);
	}
	return r;
}

/* What became due since the last tick goes into the window that this time is in. */
static int book_due(struct fan_pulse *p, uint64_t in_ns)
{
	const struct fan_demand *d = p->demand;
	int r = 0;

	if (d->nstakes > p->nbooked) {
		uint64_t *grown = reallocarray(p->booked, d->nstakes, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		memset(grown + p->nbooked, 0, (d->nstakes - p->nbooked) * sizeof(*grown));
		p->booked = grown;
		p->nbooked = d->nstakes;
	}
	for (size_t i = 0; r == 0 && i < d->nlisted; i++) {
		const int32_t account = d->listed[i];
		const uint64_t ns = d->stakes[account].due_ns - p->booked[account];

		if (ns == 0)
			continue;
		p->booked[account] += ns;
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
		fan_scales_tick(p->scales, 1);
	p->last = now_ns;
	p->next_ns = now_ns + FAN_TICK_NS;
	return r;
}

/* Nobody wants a CPU until now_ns: the ticks before it are all alike. */
static void skip(struct fan_pulse *p, uint64_t now_ns)
{
	const uint64_t ticks = (now_ns - p->last) / FAN_TICK_NS;

	fan_scales_tick(p->scales, ticks);
	p->last += ticks * FAN_TICK_NS;
	p->next_ns = p->last + FAN_TICK_NS;
}

int fan_pulse_beat(struct fan_pulse *p, uint64_t now_ns)
{
	const uint64_t now = now_ns < p->to ? now_ns : p->to;
	int r = 0;

	while (r == 0 && p->next_ns <= now) {
		r = tick(p, p->next_ns);
		if (r == 0 && p->demand->runnable == 0 && p->next_ns <= now)
			skip(p, now);
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
