// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/counted.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/model/model.h"

#define SAMPLE_MAX_NS 1000000000ULL

/* One thread, from the lines about it. */
struct life {
	bool is_told;	   /* some line named it */
	uint64_t born_ns;  /* it is younger than that; 0: nobody knows */
	uint64_t first_ns; /* its begin, or what is known of it; 0: never sampled */
	uint64_t last_ns;  /* its last sample */
	uint64_t first_run_ns, last_run_ns; /* UINT64_MAX, 0: it never ran */
	uint64_t run_ns, wait_ns, arrivals, unknown_ns;
};

struct fan_counted {
	struct life *lives; /* by thread */
	size_t n;
	struct fan_series *series;
	struct fan_counted_sum sum;
	uint64_t round_ns;   /* begin of the last round of samples */
	uint64_t length_ns;  /* of all intervals together */
	uint64_t longest_ns; /* of them */
};

struct fan_counted *fan_counted_new(void)
{
	struct fan_counted *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->series = fan_series_new();
	if (!c->series) {
		free(c);
		return NULL;
	}
	return c;
}

void fan_counted_free(struct fan_counted *c)
{
	if (!c)
		return;
	fan_series_free(c->series);
	free(c->lives);
	free(c);
}

static struct life *reach(struct fan_counted *c, size_t thread)
{
	const size_t n = (thread | 255) + 1;
	struct life *grown;

	if (thread < c->n)
		return &c->lives[thread];
	grown = reallocarray(c->lives, n, sizeof(*grown));
	if (!grown)
		return NULL;
	c->lives = grown;
	for (; c->n < n; c->n++)
		c->lives[c->n] = (struct life){ .first_run_ns = UINT64_MAX };
	return &c->lives[thread];
}

/* Nothing is known of what a thread did in this time. */
static int lose(struct fan_counted *c, struct life *l, uint64_t t0_ns, uint64_t t1_ns)
{
	l->unknown_ns += t1_ns - t0_ns;
	return fan_series_add_run(c->series, FAN_ROW_CPU_UNKNOWN, t0_ns, t1_ns);
}

static int book(struct fan_counted *c, struct life *l, size_t row, const struct fan_rise *rise)
{
	const struct fan_cell amount = { .run_ns = rise->run_ns, .wait_ns = rise->delay_ns };

	l->run_ns += rise->run_ns;
	l->wait_ns += rise->delay_ns;
	l->arrivals += rise->arrivals;
	c->sum.run_ns += rise->run_ns;
	if (rise->run_ns) {
		/* of its first interval only the end is sure to be in its life */
		const uint64_t from = rise->is_first ? rise->t1_ns : rise->t0_ns;

		l->first_run_ns = from < l->first_run_ns ? from : l->first_run_ns;
		l->last_run_ns = rise->t1_ns;
	}
	return fan_series_spread(c->series, row, &amount, rise->t0_ns, rise->t1_ns);
}

/* The first sample of a thread that was born meanwhile tells all that it did so far. */
static int take_first(struct fan_counted *c, struct life *l, size_t row, struct fan_rise rise)
{
	l->first_ns = rise.t1_ns;
	if (l->born_ns == 0 || l->born_ns >= rise.t1_ns)
		return 0;
	rise.t0_ns = l->born_ns;
	/* it is older than the line that first told of it */
	if (!fan_rise_is_possible(&rise))
		return 0;
	l->first_ns = l->born_ns;
	return book(c, l, row, &rise);
}

static int take_rise(struct fan_counted *c, struct life *l, size_t row, struct fan_rise rise)
{
	const uint64_t ns = rise.t1_ns - rise.t0_ns;

	if (rise.is_first)
		return take_first(c, l, row, rise);
	if (!rise.is_known) {
		c->sum.excluded++;
		c->sum.excluded_ns += ns;
		return lose(c, l, rise.t0_ns, rise.t1_ns);
	}
	c->sum.samples++;
	c->length_ns += ns;
	c->longest_ns = ns > c->longest_ns ? ns : c->longest_ns;
	/* a wait counts when it ends: what came before the first sample is of another time */
	if (rise.delay_ns > rise.t1_ns - l->first_ns)
		rise.delay_ns = rise.t1_ns - l->first_ns;
	return book(c, l, row, &rise);
}

/* False: this line tells nothing. A malformed one has left the closure where it was. */
static bool is_usable(const struct fan_counted *c, const struct fan_rise *rise, uint64_t ts_ns)
{
	return rise && rise->t1_ns == ts_ns && rise->t0_ns < ts_ns && ts_ns >= c->sum.end_ns;
}

/*
 * Windows end up no shorter than the time between two samples: they need not begin shorter. What
 * the file tells is not believed without end.
 */
static int start(struct fan_counted *c, uint64_t sample_ns, uint64_t ts_ns)
{
	c->sum.start_ns = c->round_ns = ts_ns;
	fan_series_start(c->series, ts_ns);
	return fan_series_widen(c->series, sample_ns < SAMPLE_MAX_NS ? sample_ns : SAMPLE_MAX_NS);
}

static int take_steal(struct fan_counted *c, const struct fan_model *m, size_t thread,
		      uint64_t ts_ns)
{
	const struct fan_rise *rise = fan_closure_last(m->closure, thread);
	struct life *l = &c->lives[thread];
	const uint64_t last_ns = l->last_ns;
	size_t row;

	if (!is_usable(c, rise, ts_ns))
		return 0;
	if (c->sum.start_ns == 0 && start(c, m->facts->sample_ns, ts_ns) < 0)
		return -ENOMEM;
	/* whoever is sampled again begins the next round */
	if (last_ns >= c->round_ns)
		c->round_ns = ts_ns;
	c->sum.end_ns = l->last_ns = ts_ns;
	row = fan_model_row(fan_threads_at(m->threads, thread)->account);
	if (rise->is_first || rise->t0_ns == last_ns)
		return take_rise(c, l, row, *rise);
	/* the line before was of no use: it begins anew */
	l->first_ns = l->first_ns ? l->first_ns : ts_ns;
	return 0;
}

int fan_counted_take(const struct fan_model *m, size_t thread, bool is_steal, uint64_t ts_ns)
{
	struct fan_counted *c = m->counted;
	struct life *l = reach(c, thread);

	if (!l)
		return -ENOMEM;
	if (!l->is_told)
		l->born_ns = c->sum.end_ns;
	l->is_told = true;
	return is_steal ? take_steal(c, m, thread, ts_ns) : 0;
}

/* It is not among the last samples. */
static int end_thread(struct fan_counted *c, struct life *l, struct fan_thread *th)
{
	const uint64_t rest = c->sum.end_ns - l->last_ns;
	const uint64_t ns = rest < c->longest_ns ? rest : c->longest_ns;

	th->state = FAN_ST_DEAD;
	th->since_ns = l->last_ns;
	c->sum.ended++;
	c->sum.ended_ns += ns;
	if (th->is_vcpu) {
		c->sum.vcpu_ended_ns += ns;
		return lose(c, l, l->last_ns, l->last_ns + ns);
	}
	l->unknown_ns += ns;
	return 0;
}

static int finish_thread(struct fan_counted *c, struct life *l, struct fan_thread *th)
{
	const int r = l->last_ns < c->round_ns ? end_thread(c, l, th) : 0;

	th->birth_ns = l->first_ns;
	th->first_run_ns = l->first_run_ns;
	th->last_run_ns = l->last_run_ns;
	th->run_ns = l->run_ns;
	th->wait_ns = l->wait_ns;
	th->arrivals = l->arrivals;
	th->unknown_ns = l->unknown_ns;
	return r;
}

/* The series with its final windows, and everything that the threads' own sums tell. */
static int finish(struct fan_counted *c, struct fan_threads *threads, uint64_t sample_ns)
{
	const uint64_t mean = c->length_ns / c->sum.samples;
	int r = 0;

	/* the mean counts only where it is far from what the recorder told */
	c->sum.resolution_ns = mean / 8 * 7 > sample_ns ? mean : sample_ns;
	for (size_t i = 0; r == 0 && i < c->n && i < fan_threads_count(threads); i++)
		if (c->lives[i].last_ns)
			r = finish_thread(c, &c->lives[i], fan_threads_at(threads, i));
	return r < 0 ? r : fan_series_widen(c->series, c->sum.resolution_ns);
}

int fan_counted_conclude(struct fan_model *m)
{
	struct fan_counted *c = m->counted;

	if (m->has_switches || c->sum.samples == 0 ||
	    fan_kvm_tells(fan_machine_kvm(m->machine)) & FAN_TELLS_GUEST)
		return 0;
	if (finish(c, m->threads, m->facts->sample_ns) < 0)
		return -ENOMEM;
	fan_series_free(m->series);
	m->series = c->series;
	c->series = NULL;
	m->is_counted = true;
	m->counts = c->sum;
	m->start_ns = c->sum.start_ns;
	m->end_ns = c->sum.end_ns;
	m->cpu_run_ns = c->sum.run_ns;
	return 0;
}
