// SPDX-License-Identifier: GPL-3.0-or-later
/* Who shared a core with whom: parties folded into groups, and the verdict. */
#include "analyze/report/assemble_isolation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/model/forced_idle.h"

#define USED_PART 100 /* of a core's time: a group that ran for less did not use it */

/* What the parts below work from. */
struct scene {
	const struct fan_assembly *a;
	const struct fan_isolation *iso;
	enum fan_level judged;
	int32_t *of_party; /* by party: a group; none of them: a->g->n, "other" */
	size_t nparties;
};

static size_t group_of(const struct scene *s, int32_t party)
{
	return party >= 0 && (size_t)party < s->nparties ? (size_t)s->of_party[party] : s->a->g->n;
}

static const char *name_of(const struct scene *s, size_t group)
{
	return group < s->a->g->n ? s->a->g->items[group].name : "other";
}

static int find_parties(struct scene *s)
{
	const struct fan_parties *parties = s->a->m->pulse->parties;
	const struct fan_groups *g = s->a->g;

	s->nparties = fan_parties_count(parties);
	s->of_party = malloc((s->nparties + 1) * sizeof(*s->of_party));
	if (!s->of_party)
		return -ENOMEM;
	for (size_t i = 0; i < s->nparties; i++)
		s->of_party[i] = (int32_t)g->n;
	for (size_t i = 0; i < g->naccounts; i++) {
		const int32_t party = fan_parties_of(parties, (int32_t)i);

		if (party >= 0 && g->of_account[i] >= 0)
			s->of_party[party] = g->of_account[i];
	}
	return 0;
}

static bool tells_level(const struct fan_model *m, enum fan_level level)
{
	if (level == FAN_LEVEL_GUEST)
		return fan_kvm_tells(fan_machine_kvm(m->machine)) & FAN_TELLS_RUN;
	return level != FAN_LEVEL_COOKIE || m->facts->has_cookies;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : NAN;
}

/* A level that the trace does not tell of has no numbers. */
static int fill_level(struct fan_r_mixing *to, const struct scene *s, enum fan_level level)
{
	const struct fan_mixing *m = fan_isolation_level(s->iso, level);

	if (fan_str_set(&to->level, fan_level_word(level)) < 0)
		return -ENOMEM;
	if (!tells_level(s->a->m, level))
		return 0;
	to->co_run_ns = (int64_t)m->co_run_ns;
	to->violation_ns = (int64_t)m->violation_ns;
	to->transition_ns = (int64_t)m->transition_ns;
	to->unresolved_ns = (int64_t)m->unresolved_ns;
	to->possible_ns = (int64_t)m->possible_ns;
	to->violation_pct = percent(m->violation_ns, m->co_run_ns);
	to->judged_pct = percent(m->violation_ns + m->unresolved_ns, m->co_run_ns);
	to->count = (int64_t)m->violations.n;
	to->unresolved = (int64_t)m->unresolved;
	to->pairings = (int64_t)m->pairings;
	to->longest_ns = (int64_t)m->longest_ns;
	return 0;
}

static int fill_levels(struct fan_r_isolation *to, const struct scene *s)
{
	for (int i = 0; i < FAN_LEVELS; i++) {
		struct fan_r_mixing *level = fan_array_add(&to->levels, &fan_mixing_table);

		if (!level || fill_level(level, s, (enum fan_level)i) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* --- pairs --- */

/* Two groups, the earlier one first, and what their parties did. */
struct fold {
	size_t a, b;
	struct fan_mixed_pair sum;
};

static int by_groups(const void *x, const void *y)
{
	const struct fold *p = x, *q = y;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return p->b == q->b ? 0 : p->b < q->b ? -1 : 1;
}

static int by_time(const void *x, const void *y)
{
	const struct fan_mixed_pair *p = &((const struct fold *)x)->sum;
	const struct fan_mixed_pair *q = &((const struct fold *)y)->sum;

	if (p->violation_ns != q->violation_ns)
		return p->violation_ns > q->violation_ns ? -1 : 1;
	if (p->unresolved_ns != q->unresolved_ns)
		return p->unresolved_ns > q->unresolved_ns ? -1 : 1;
	if (p->transition_ns != q->transition_ns)
		return p->transition_ns > q->transition_ns ? -1 : 1;
	return by_groups(x, y);
}

static void add_pair(struct fan_mixed_pair *to, const struct fan_mixed_pair *p)
{
	to->violation_ns += p->violation_ns;
	to->transition_ns += p->transition_ns;
	to->unresolved_ns += p->unresolved_ns;
	to->violations += p->violations;
	to->unresolved += p->unresolved;
	to->longest_ns = p->longest_ns > to->longest_ns ? p->longest_ns : to->longest_ns;
}

/* One a pair of groups, the most time first; returns how many are left of n. */
static size_t join_pairs(struct fold *folds, size_t n)
{
	size_t last = 0;

	if (n == 0)
		return 0;
	qsort(folds, n, sizeof(*folds), by_groups);
	for (size_t i = 1; i < n; i++) {
		if (by_groups(&folds[last], &folds[i]) == 0)
			add_pair(&folds[last].sum, &folds[i].sum);
		else
			folds[++last] = folds[i];
	}
	qsort(folds, last + 1, sizeof(*folds), by_time);
	return last + 1;
}

static int fill_pair(struct fan_r_mixed_pair *to, const struct scene *s, const struct fold *from)
{
	to->total_ns = (int64_t)from->sum.violation_ns;
	to->transition_ns = (int64_t)from->sum.transition_ns;
	to->unresolved_ns = (int64_t)from->sum.unresolved_ns;
	to->count = (int64_t)from->sum.violations;
	to->unresolved = (int64_t)from->sum.unresolved;
	to->longest_ns = (int64_t)from->sum.longest_ns;
	return fan_str_set(&to->a, name_of(s, from->a)) < 0 ||
			       fan_str_set(&to->b, name_of(s, from->b)) < 0
		       ? -ENOMEM
		       : 0;
}

static int fill_pairs(struct fan_r_isolation *to, const struct scene *s)
{
	const struct fan_mixed_pair *pairs;
	size_t n = fan_isolation_pairs(s->iso, s->judged, &pairs);
	struct fold *folds = calloc(n + 1, sizeof(*folds));
	int r = folds ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < n; i++) {
		const size_t a = group_of(s, pairs[i].a), b = group_of(s, pairs[i].b);

		folds[i] = (struct fold){ a < b ? a : b, a < b ? b : a, pairs[i] };
	}
	n = r == 0 ? join_pairs(folds, n) : 0;
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct fan_r_mixed_pair *pair = fan_array_add(&to->pairs, &fan_mixed_pair_table);

		r = pair ? fill_pair(pair, s, &folds[i]) : -ENOMEM;
	}
	free(folds);
	return r;
}

/* --- single ones, and their lengths --- */

static int64_t tid_of(const struct scene *s, int32_t thread)
{
	return fan_threads_at(s->a->m->threads, (size_t)thread)->tid;
}

static int fill_first(struct fan_r_isolation *to, const struct scene *s)
{
	const struct fan_mixed *first;
	const size_t n = fan_isolation_first(s->iso, s->judged, &first);

	for (size_t i = 0; i < n; i++) {
		struct fan_r_mixed *m = fan_array_add(&to->first, &fan_mixed_table);

		if (!m ||
		    fan_str_set(&m->kind, first[i].is_unresolved ? "unresolved" : "violation") < 0)
			return -ENOMEM;
		m->ts_ns = (int64_t)(first[i].ts_ns - s->a->m->first_ns);
		m->ns = (int64_t)first[i].ns;
		m->cpu_a = first[i].cpu[0];
		m->cpu_b = first[i].cpu[1];
		m->tid_a = tid_of(s, first[i].thread[0]);
		m->tid_b = tid_of(s, first[i].thread[1]);
	}
	return 0;
}

/* 1, 2, 5, 10 ... */
static uint64_t next_step(uint64_t ns)
{
	uint64_t power = 1;

	while (power * 10 <= ns)
		power *= 10;
	return ns / power == 2 ? 5 * power : 2 * ns;
}

/* From the step below the shortest violation to the one above the longest. */
static int fill_histogram(struct fan_r_isolation *to, const struct scene *s)
{
	const struct fan_hist *h = &fan_isolation_level(s->iso, s->judged)->violations;
	uint64_t below = 0;

	for (uint64_t from = 1, end; below < h->n; from = end) {
		struct fan_r_bucket *bucket;
		uint64_t upto;

		end = next_step(from);
		/* the middle of the last bucket may be beyond what is in it */
		upto = end > h->max ? h->n : fan_hist_below(h, end);
		if (upto == 0)
			continue;
		bucket = fan_array_add(&to->histogram, &fan_bucket_table);
		if (!bucket)
			return -ENOMEM;
		*bucket = (struct fan_r_bucket){ (int64_t)from, (int64_t)end,
						 (int64_t)(upto - below) };
		below = upto;
	}
	return 0;
}

/* --- cores --- */

/* Time of each group, and of "other" at the end, that had the core to itself. */
static void sum_groups(uint64_t *sums, const struct scene *s, const struct fan_core_time *t)
{
	for (size_t k = 0; k <= s->a->g->n; k++)
		sums[k] = 0;
	for (size_t i = 0; i < t->nparties; i++)
		sums[group_of(s, (int32_t)i)] += t->party_ns[i];
}

static int fill_core(struct fan_r_core *to, const struct scene *s, size_t core,
		     const uint64_t *sums)
{
	const struct fan_core_time *t = fan_isolation_core(s->iso, core);
	const struct fan_core *cpus = &s->a->m->cores->cores[core];
	int r = 0;

	for (size_t i = 0; r == 0 && i < cpus->n; i++)
		r = fan_ints_add(&to->cpus, cpus->cpus[i]);
	for (size_t k = 0; r == 0 && k <= s->a->g->n; k++) {
		struct fan_r_amount *amount;

		if (sums[k] == 0)
			continue;
		amount = fan_array_add(&to->vms, &fan_amount_table);
		r = amount ? fan_str_set(&amount->name, name_of(s, k)) : -ENOMEM;
		if (r == 0)
			amount->ns = (int64_t)sums[k];
	}
	to->idle_ns = (int64_t)t->ns[FAN_CORE_IDLE];
	to->kernel_ns = (int64_t)t->ns[FAN_CORE_KERNEL];
	to->mixed_ns = (int64_t)t->ns[FAN_CORE_MIXED];
	to->beside_ns = (int64_t)t->ns[FAN_CORE_BESIDE];
	to->other_ns = (int64_t)t->ns[FAN_CORE_OTHER];
	to->unknown_ns = (int64_t)t->ns[FAN_CORE_UNKNOWN];
	/* who waits is not seen without wake-ups */
	if (fan_model_tells_waits(s->a->m))
		to->forced_idle_ns = (int64_t)fan_forced_idle_core_ns(s->a->m->forced_idle, core);
	return r;
}

static uint64_t wall_of(const struct fan_core_time *t)
{
	uint64_t ret = 0;

	for (int i = 0; i < FAN_CORE_CLASSES; i++)
		ret += t->ns[i];
	return ret;
}

/* Did two groups use this core, each for a part of its time worth the name? */
static bool is_used_by_two(const uint64_t *sums, size_t n, uint64_t wall_ns)
{
	size_t users = 0;

	for (size_t k = 0; k < n; k++)
		users += sums[k] > 0 && sums[k] >= wall_ns / USED_PART;
	return users > 1;
}

/* Cores whose CPUs have siblings. */
static int fill_cores(struct fan_r_isolation *to, const struct scene *s,
		      struct fan_isolation_evidence *e)
{
	const struct fan_cores *cores = s->a->m->cores;
	uint64_t *sums = calloc(s->a->g->n + 1, sizeof(*sums));
	int r = sums ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < cores->n; i++) {
		const struct fan_core_time *t = fan_isolation_core(s->iso, i);
		struct fan_r_core *core;

		if (cores->cores[i].n < 2)
			continue;
		sum_groups(sums, s, t);
		core = fan_array_add(&to->cores, &fan_core_table);
		r = core ? fill_core(core, s, i, sums) : -ENOMEM;
		e->used_ns += t->ns[FAN_CORE_VM] + t->ns[FAN_CORE_MIXED] + t->ns[FAN_CORE_BESIDE];
		e->have_met |= is_used_by_two(sums, s->a->g->n, wall_of(t));
	}
	free(sums);
	return r;
}

/* Somebody waited for a CPU that had to be idle for another one's sake. */
static bool have_met_idling(const struct scene *s)
{
	const struct fan_forced_idle *f = s->a->m->forced_idle;
	size_t causing = s->a->g->n, suffering = s->a->g->n;
	bool ret = false;

	for (size_t i = 0; i < s->nparties; i++) {
		const struct fan_forced_party p = fan_forced_idle_party(f, (int32_t)i);
		const size_t group = group_of(s, (int32_t)i);

		if (group == s->a->g->n)
			continue;
		ret |= p.caused && suffering < s->a->g->n && suffering != group;
		ret |= p.suffered_ns && causing < s->a->g->n && causing != group;
		causing = p.caused ? group : causing;
		suffering = p.suffered_ns ? group : suffering;
	}
	return ret;
}

/* --- by chance --- */

/* The sum of squares of the parts that groups, or single vCPU threads, have of all vCPU time. */
static double squares(const struct fan_assembly *a, bool of_threads)
{
	const struct fan_members *of = a->members;
	double all = 0, ret = 0;

	for (size_t k = 0; k < a->g->n; k++) {
		double group = 0;

		for (size_t i = of->first[k]; i < of->first[k + 1]; i++) {
			const struct fan_thread *th = fan_threads_at(a->m->threads, of->thread[i]);
			const double ns = th->is_vcpu ? (double)th->run_ns : 0;

			group += ns;
			ret += of_threads ? ns * ns : 0;
		}
		ret += of_threads ? 0 : group * group;
		all += group;
	}
	return ret / (all * all);
}

/* Were vCPU threads put on siblings at random: with themselves too, and never with themselves. */
static void fill_expected(struct fan_r_isolation *to, const struct scene *s)
{
	const double groups = squares(s->a, false), threads = squares(s->a, true);

	if (s->judged == FAN_LEVEL_COOKIE)
		return;
	to->expected_pct = 100 * (1 - groups);
	if (threads < 1)
		to->expected_apart_pct = 100 * (1 - groups) / (1 - threads);
}

/* --- all of it --- */

static int fill(struct fan_r_isolation *to, const struct scene *s, struct fan_isolation_evidence *e)
{
	int r = fill_level(&to->judged, s, s->judged);

	if (r == 0)
		r = fill_levels(to, s);
	if (r == 0)
		r = fill_pairs(to, s);
	if (r == 0)
		r = fill_first(to, s);
	if (r == 0)
		r = fill_histogram(to, s);
	if (r == 0)
		r = fill_cores(to, s, e);
	if (r < 0)
		return r;
	fill_expected(to, s);
	to->idle_beside_ns = (int64_t)fan_isolation_idle_beside_ns(s->iso);
	e->have_met |= fan_isolation_level(s->iso, s->judged)->pairings > 0;
	if (!fan_model_tells_waits(s->a->m))
		return 0;
	e->have_met |= have_met_idling(s);
	e->has_forced_idle = fan_forced_idle_ns(s->a->m->forced_idle) > 0;
	return 0;
}

static int gather(struct fan_isolation_evidence *e, const struct fan_report *r,
		  const struct fan_assembly *a)
{
	const struct fan_cores *cores = a->m->cores;

	e->between = a->options->isolation.between;
	e->are_vms = a->g->kind == FAN_GROUP_VM;
	e->noun = e->are_vms ? "VMs" : "groups";
	e->has_switches = a->m->has_switches;
	e->lacks_cpus = fcap_cpuset_count(&a->m->cut.missing) > 0;
	e->has_smt = cores->has_smt;
	/* the kernel knows, even where the file says nothing of its CPUs */
	e->knows_cores = cores->n > 0 || a->m->facts->core_sched == FCAP_CORE_NO_SMT;
	e->is_told = tells_level(a->m, e->between);
	e->skew_ns = r->source.clock_skew_ns;
	for (size_t k = 0; k < a->g->n; k++) {
		e->vms += a->g->items[k].vcpus > 0;
		e->vcpus += a->g->items[k].vcpus;
	}
	return fan_cookies_of(&e->cookies, a);
}

/* Is there anything to count? Else the numbers do not exist: they are not 0. */
static bool has_numbers(const struct fan_assembly *a, const struct fan_isolation_evidence *e)
{
	return a->m->isolation && a->m->pulse && e->has_switches && e->has_smt && e->vcpus > 1 &&
	       (e->vms > 1 || e->between == FAN_LEVEL_COOKIE);
}

int fan_assemble_isolation(struct fan_report *r, const struct fan_assembly *a)
{
	struct scene s = { .a = a, .iso = a->m->isolation };
	struct fan_isolation_evidence e = { 0 };
	struct fan_r_isolation *to = &r->isolation;
	const uint64_t tolerance = a->m->options.tolerance_ns;
	int ret = gather(&e, r, a);

	s.judged = a->options->isolation.between;
	to->tolerance_ns = (int64_t)(tolerance ? tolerance : FAN_TOLERANCE_NS);
	to->max_violation_pct = a->options->isolation.max_violation_pct;
	if (ret == 0)
		ret = fan_name_cookies(&to->cookies, e.cookies);
	if (ret == 0 && has_numbers(a, &e)) {
		ret = find_parties(&s);
		if (ret == 0)
			ret = fill(to, &s, &e);
		free(s.of_party);
	} else if (ret == 0) {
		ret = fan_str_set(&to->judged.level, fan_level_word(s.judged));
	}
	if (ret == 0)
		ret = fan_judge_isolation(to, &e);
	return ret < 0 ? ret : fan_assemble_isolation_notes(r, a, &e);
}
