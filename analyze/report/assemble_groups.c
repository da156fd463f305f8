// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble_counted.h"
#include "analyze/report/assemble_vcpu.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/stats/share.h"
#include "analyze/stats/verdict.h"

#define RESIDUAL_MIN_NS 10000000 /* of delay: below, a percentage means nothing */
#define INTERVALS_MIN	50
#define ROUNDING_NS	1 /* of what is due to an account in a window */

/*
 * A switch-in without a wake-up ends a wait, as the machine has it, where the trace has wake-ups
 * at all; without any the time could as well be sleep.
 */
static uint64_t waited_ns(const struct fan_assembly *a, size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);

	return th->wait_ns + (fan_model_tells_waits(a->m) ? th->stale_ns : 0);
}

static int add_thread(struct fan_r_group *g, const struct fan_assembly *a, size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);
	struct fan_r_thread *t = fan_assemble_thread(g, a, thread);

	if (!t)
		return -ENOMEM;
	t->run_ns = (int64_t)th->run_ns;
	t->wait_ns = (int64_t)waited_ns(a, thread);
	t->blocked_ns = t->asleep_ns = (int64_t)th->blocked_ns;
	t->unsplit_ns = (int64_t)(th->wait_ns + th->stale_ns) - t->wait_ns;
	t->unknown_ns = (int64_t)th->unknown_ns;
	t->arrivals = (int64_t)th->arrivals;
	t->migrations = (int64_t)th->migrations;
	/* all of stale_ns is inferred; but of nothing that is unsplit */
	t->inferred_ns = (int64_t)th->inferred_ns - t->unsplit_ns;
	fan_assemble_waits(&t->wait, &th->waits);
	fan_assemble_vcpu_thread(t, g, a, thread);
	g->run_ns += t->run_ns;
	g->wait_ns += t->wait_ns;
	g->blocked_ns += t->blocked_ns;
	g->asleep_ns += t->asleep_ns;
	g->unsplit_ns += t->unsplit_ns;
	g->unknown_ns += t->unknown_ns;
	g->inferred_ns += t->inferred_ns;
	g->vcpu_run_ns += th->is_vcpu ? t->run_ns : 0;
	return 0;
}

void fan_assemble_account_sums(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	g->run_ns = g->wait_ns = 0;
	for (size_t i = 0; i < a->g->naccounts; i++) {
		struct fan_cell sum;

		if (a->g->of_account[i] != (int32_t)group)
			continue;
		sum = fan_series_sum(a->m->series, fan_model_row((int32_t)i), 0, UINT64_MAX);
		g->run_ns += (int64_t)sum.run_ns;
		g->wait_ns += (int64_t)sum.wait_ns;
	}
}

static int add_threads(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	int r = 0;

	g->run_ns = g->wait_ns = g->blocked_ns = g->unsplit_ns = g->unknown_ns = 0;
	g->vcpus = (int64_t)a->g->items[group].vcpus;
	g->vcpu_run_ns = g->inferred_ns = g->asleep_ns = 0;
	for (size_t i = of->first[group]; r == 0 && i < of->first[group + 1]; i++)
		r = add_thread(g, a, of->thread[i]);
	if (a->g->kind == FAN_GROUP_CGROUP)
		fan_assemble_account_sums(g, a, group);
	return r;
}

void fan_assemble_excluded(struct fan_r_steal *s, const struct fan_closure_sum *sum)
{
	s->backwards_intervals = (int64_t)sum->backwards;
	s->jumped_intervals = (int64_t)sum->jumps;
	s->excluded_intervals = s->backwards_intervals + s->jumped_intervals;
}

static int judge_closure(struct fan_r_steal *s, const struct fan_closure_sum *sum)
{
	const double counter = (double)sum->counter_ns;
	const char *word = "open";

	s->intervals = (int64_t)sum->intervals;
	s->comparable_intervals = (int64_t)sum->comparable;
	fan_assemble_excluded(s, sum);
	if (sum->intervals == 0)
		return fan_str_set(&s->closure, "none");
	s->counter_ns = (int64_t)sum->counter_all_ns;
	if (sum->comparable) {
		s->compared_trace_ns = (int64_t)sum->trace_ns;
		s->compared_counter_ns = (int64_t)sum->counter_ns;
		s->arrivals = (int64_t)sum->arrivals;
	}
	if (sum->counter_ns >= RESIDUAL_MIN_NS)
		s->residual_pct = 100 * ((double)sum->trace_ns - counter) / counter;
	if (sum->comparable < INTERVALS_MIN || sum->comparable * 2 < sum->intervals)
		word = "too_few";
	else if (fan_closure_holds(sum))
		word = "closed";
	return fan_str_set(&s->closure, word);
}

void fan_assemble_guest_steal(struct fan_r_steal *s, struct fan_guest_sum sum)
{
	if (sum.intervals == 0)
		return;
	s->guest_intervals = (int64_t)sum.intervals;
	s->guest_backwards_intervals = (int64_t)sum.backwards;
	s->guest_jumped_intervals = (int64_t)sum.jumps;
	s->guest_excluded_intervals = s->guest_backwards_intervals + s->guest_jumped_intervals;
	if (s->guest_excluded_intervals == s->guest_intervals)
		return;
	s->guest_ns = (int64_t)sum.ns;
	s->guest_resolution_ns = (int64_t)sum.resolution_ns;
}

/* One vCPU thread of the group. */
static int add_vcpu_steal(struct fan_r_thread *t, const struct fan_assembly *a, const char *vm,
			  const struct fan_closure_sum *sum)
{
	t->steal.trace_ns = t->wait_ns;
	if (t->vcpu != FAN_NONE)
		fan_assemble_guest_steal(&t->steal,
					 fan_guests_of_vcpu(a->m->guests, vm, (uint64_t)t->vcpu));
	return judge_closure(&t->steal, sum);
}

/* Over the vCPU threads of a VM, which are told apart too; over all threads of a process. */
static int add_steal(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	struct fan_r_thread *threads = g->threads.items;
	struct fan_closure_sum sum = { 0 }, one;
	int r = 0;

	g->steal.trace_ns = 0;
	for (size_t i = of->first[group]; r == 0 && i < of->first[group + 1]; i++) {
		const bool is_vcpu = fan_threads_at(a->m->threads, of->thread[i])->is_vcpu;

		if (a->g->items[group].life_ns && !is_vcpu)
			continue;
		g->steal.trace_ns += (int64_t)waited_ns(a, of->thread[i]);
		one = fan_closure_of(a->m->closure, of->thread[i]);
		fan_closure_add(&sum, &one);
		if (is_vcpu)
			r = add_vcpu_steal(&threads[i - of->first[group]], a,
					   a->g->items[group].name, &one);
	}
	fan_assemble_guest_steal(&g->steal, fan_guests_of(a->m->guests, a->g->items[group].name));
	return r < 0 ? r : judge_closure(&g->steal, &sum);
}

static void add_bounds(struct fan_r_group *g, const struct fan_matrix *x, const double *part)
{
	double own = 0, all = x->unknown_ns;

	for (size_t w = 0; w < x->windows; w++) {
		own += part[w];
		all += x->total[w];
	}
	if (x->windows)
		g->window_run_ns = (int64_t)llround(own);
	if (all <= 0)
		return;
	g->share_bounds.lo = 100 * own / all;
	g->share_bounds.hi = 100 * (own + x->unknown_ns) / all;
}

/* Would the word stand with all unknown time for, and with all of it against the group? */
static bool survives_unknown(const struct fan_r_group *g, const char *word, double margin)
{
	const double lo = g->share_bounds.lo - g->expected_pct;
	const double hi = g->share_bounds.hi - g->expected_pct;

	if (!word || isnan(lo) || isnan(hi) || strcmp(word, "inconclusive") == 0)
		return true;
	if (strcmp(word, "unfair") == 0)
		return lo > margin || hi < -margin;
	if (strcmp(word, "fair") == 0)
		return lo >= -margin && hi <= margin;
	return lo > 0 || hi < 0;
}

/* Reasons for no word, or to doubt it, that the estimate itself does not know of. */
static int add_own_reasons(struct fan_r_group *g, const struct fan_assembly *a,
			   const struct fan_verdict *v)
{
	struct fan_strs *reasons = &g->verdict.reasons;
	const bool is_robust = survives_unknown(g, v->word, v->margin);
	int r = 0;

	if (!a->is_contended)
		r = fan_strs_add(reasons, "not contended");
	if (r == 0 && a->overlap->is_none)
		r = fan_strs_add(reasons, "the groups never all ran at the same time");
	if (r == 0 && !is_robust)
		r = fan_strs_add(reasons,
				 "the unknown time alone could make it another word "
				 "than \"%s\"",
				 v->word);
	if (!a->is_contended || a->overlap->is_none || !is_robust)
		g->verdict.word = NULL;
	if (r == 0 && a->entitled->entities & FAN_ENTITY_THREAD_ASSUMED) {
		g->verdict.indicative = g->verdict.word;
		r = fan_strs_add(reasons, "weights are assumed");
	}
	return r;
}

static int add_verdict(struct fan_r_group *g, const struct fan_assembly *a)
{
	struct fan_verdict v;
	int r;

	g->verdict.margin = a->options->margin;
	if (a->g->n < 2)
		return fan_strs_add(&g->verdict.reasons, "the only group");
	r = fan_judge(&g->deviation, a->options->margin, &v);
	if (r < 0)
		return r;
	g->verdict.word = v.word;
	g->verdict.indicative = v.indicative;
	r = add_own_reasons(g, a, &v);
	g->verdict.indicative &= g->verdict.word != NULL;
	for (uint32_t bit = 1; r == 0 && fan_reason_text(bit); bit <<= 1)
		if (v.reasons & bit)
			r = fan_strs_add(&g->verdict.reasons, "%s", fan_reason_text(bit));
	return r;
}

/* Against what the group was due in the same windows; without demand, against its entitlement. */
static int add_deviation(struct fan_r_group *g, const struct fan_assembly *a, size_t group,
			 const struct fan_windows *got)
{
	const struct fan_matrix *x = a->matrix;
	const struct fan_windows due = { x->due + group * x->windows, x->due_total, x->windows };
	const struct fan_ratio_spec spec = { 100, "points", a->options->level,
					     (unsigned int)a->g->n };
	double part = 0, all = 0;

	for (size_t i = 0; i < a->g->n && !a->is_by_demand; i++)
		all += a->entitled->groups[i].cpus;
	for (size_t w = 0; w < x->windows && a->is_by_demand; w++) {
		part += due.part[w];
		all += due.total[w];
	}
	if (!a->is_by_demand)
		part = a->entitled->groups[group].cpus;
	g->expected_pct = all > 0 ? 100 * part / all : NAN;
	if (a->is_by_demand)
		return fan_est_deviation_due(got, &due, ROUNDING_NS * (double)a->g->naccounts,
					     &spec, &g->deviation);
	fan_est_deviation(&g->share, g->expected_pct, &g->deviation);
	return 0;
}

int fan_assemble_share(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_matrix *x = a->matrix;
	const struct fan_windows w = { x->part + group * x->windows, x->total, x->windows };
	const struct fan_entitled *e = &a->entitled->groups[group];
	int r;

	g->weight = e->weight;
	if (a->g->items[group].life_ns)
		g->cap_cpus = e->cap;
	r = fan_est_share(&w, a->options->level, (unsigned int)a->g->n, &g->share);
	if (r == 0)
		r = add_deviation(g, a, group, &w);
	if (r < 0)
		return r;
	add_bounds(g, x, w.part);
	return add_verdict(g, a);
}

/* What needs to be known of who ran when. */
static int add_shared_time(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	int e = add_threads(g, a, group);

	if (e == 0 && !a->m->facts->is_scoped)
		e = fan_assemble_waited_for(g, a, group);
	if (e == 0)
		e = fan_assemble_share(g, a, group);
	return e < 0 ? e : add_steal(g, a, group);
}

/* By what the trace has. */
static int add_time(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	if (a->m->has_switches)
		return add_shared_time(g, a, group);
	return a->m->is_counted ? fan_assemble_counted(g, a, group)
				: fan_assemble_without_switches(g, a, group);
}

static const char *kind_name(const struct fan_groups *g, const struct fan_group *group)
{
	static const char *const names[] = { "vm", "process", "cgroup", "comm" };

	return g->is_requested ? (group->life_ns ? "vm" : "selected") : names[g->kind];
}

static int add_group(struct fan_report *r, const struct fan_assembly *a, size_t group)
{
	const struct fan_group *from = &a->g->items[group];
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);
	int e;

	if (!g)
		return -ENOMEM;
	g->tgid = from->tgid >= 0 ? from->tgid : FAN_NONE;
	e = fan_str_set(&g->name, from->name);
	if (e == 0)
		e = fan_str_set(&g->kind, kind_name(a->g, from));
	if (e == 0)
		e = fan_str_set(&g->cgroup, from->cgroup);
	if (e == 0)
		e = add_time(g, a, group);
	if (e == 0)
		e = fan_assemble_exits(g, a, group);
	if (e == 0 && from->is_identity_unknown)
		e = fan_strs_add(&g->flags, "vm_identity_unknown");
	return e;
}

/* Largest share first, those without one last; equals by name. */
static int by_share(const void *a, const void *b)
{
	const struct fan_r_group *x = a, *y = b;
	const double sx = isnan(x->share.value) ? -1 : x->share.value;
	const double sy = isnan(y->share.value) ? -1 : y->share.value;

	if (sx != sy)
		return sx > sy ? -1 : 1;
	return strcmp(x->name, y->name);
}

int fan_assemble_groups(struct fan_report *r, const struct fan_assembly *a)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < a->g->n; i++)
		e = add_group(r, a, i);
	if (e == 0 && r->groups.n)
		qsort(r->groups.items, r->groups.n, sizeof(struct fan_r_group), by_share);
	return e;
}
