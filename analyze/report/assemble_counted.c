// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble_counted.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "analyze/report/assemble_vcpu.h"

/* wait_ns: also what a thread had waited when it was first sampled, if that is known. */
static void add_closure(struct fan_r_steal *s, const struct fan_closure_sum *sum, uint64_t wait_ns)
{
	s->counter_ns = (int64_t)wait_ns;
	s->intervals = (int64_t)sum->intervals;
	fan_assemble_excluded(s, sum);
}

/* The counters are all there is: what the trace says of waits is null, as is any comparison. */
static void add_vcpu_steal(struct fan_r_thread *t, const struct fan_assembly *a, const char *vm,
			   const struct fan_closure_sum *sum)
{
	add_closure(&t->steal, sum, (uint64_t)t->wait_ns);
	if (t->vcpu != FAN_NONE)
		fan_assemble_guest_steal(&t->steal,
					 fan_guests_of_vcpu(a->m->guests, vm, (uint64_t)t->vcpu));
}

static int add_thread(struct fan_r_group *g, const struct fan_assembly *a, size_t group,
		      size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);
	const struct fan_closure_sum sum = fan_closure_of(a->m->closure, thread);
	struct fan_r_thread *t = fan_assemble_thread(g, a, thread);

	if (!t)
		return -ENOMEM;
	t->run_ns = (int64_t)th->run_ns;
	t->wait_ns = (int64_t)th->wait_ns;
	t->unknown_ns = (int64_t)th->unknown_ns;
	t->arrivals = (int64_t)th->arrivals;
	g->unknown_ns += t->unknown_ns;
	g->vcpu_run_ns += th->is_vcpu ? t->run_ns : 0;
	if (th->is_vcpu)
		add_vcpu_steal(t, a, a->g->items[group].name, &sum);
	return 0;
}

static void add_steal(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	struct fan_closure_sum sum = { 0 };
	uint64_t wait_ns = 0;

	for (size_t i = of->first[group]; i < of->first[group + 1]; i++) {
		const struct fan_thread *th = fan_threads_at(a->m->threads, of->thread[i]);
		const struct fan_closure_sum one = fan_closure_of(a->m->closure, of->thread[i]);

		if (a->g->items[group].life_ns && !th->is_vcpu)
			continue;
		fan_closure_add(&sum, &one);
		wait_ns += th->wait_ns;
	}
	add_closure(&g->steal, &sum, wait_ns);
	fan_assemble_guest_steal(&g->steal, fan_guests_of(a->m->guests, a->g->items[group].name));
}

int fan_assemble_counted(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	int r = 0;

	g->vcpus = (int64_t)a->g->items[group].vcpus;
	g->vcpu_run_ns = g->unknown_ns = 0;
	for (size_t i = of->first[group]; r == 0 && i < of->first[group + 1]; i++)
		if (fan_facts_task(a->m->facts, of->thread[i])->is_sampled)
			r = add_thread(g, a, group, of->thread[i]);
	if (r < 0)
		return r;
	fan_assemble_account_sums(g, a, group);
	add_steal(g, a, group);
	return fan_assemble_share(g, a, group);
}

int fan_assemble_counted_quality(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_matrix *x = a->matrix;
	double all = x->unknown_ns;

	for (size_t w = 0; w < x->windows; w++)
		all += x->total[w];
	r->quality.unknown_ns = (int64_t)x->unknown_ns;
	if (x->windows == 0)
		return fan_str_set(&r->quality.verdict, "ok") < 0
			       ? -ENOMEM
			       : fan_strs_add(
					 &r->quality.notes,
					 "no whole window lies in the time in which all groups "
					 "ran: record for longer, or with a shorter --sample");
	r->quality.unknown_pct = all > 0 ? 100 * x->unknown_ns / all : NAN;
	return fan_str_set(&r->quality.verdict, fan_unknown_word(r->quality.unknown_pct));
}

int fan_assemble_counted_notes(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_counted_sum *c = &m->counts;
	struct fan_strs *notes = &r->quality.notes;
	int e = fan_strs_add(notes, "counters alone: not known are who waited for whom, single "
				    "waits, lag, isolation, exits, and threads that came and went "
				    "between two samples; due is by weights and caps, as if all "
				    "wanted to run all the time");

	if (e == 0 && c->excluded)
		e = fan_strs_add(notes,
				 "intervals in which a counter stepped back or jumped (%" PRIu64
				 "): left out, of %.3f s of threads nothing is known",
				 c->excluded, (double)c->excluded_ns / 1e9);
	if (e == 0 && c->ended)
		e = fan_strs_add(notes,
				 "threads that ended between two samples (%" PRIu64
				 "): what they did after the last one is not known, %.3f s at most "
				 "(of vCPUs %.3f s)",
				 c->ended, (double)c->ended_ns / 1e9,
				 (double)c->vcpu_ended_ns / 1e9);
	return e;
}
