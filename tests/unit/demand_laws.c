// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What is due, against a second and slow opinion: a scheduler of the test's own makes random
 * traces and adds up, at each event, what the runnable threads of the moment are entitled to, found
 * by bisection. Seeded; FCAP_TEST_SEED=N repeats a run.
 */
#include "tests/unit/demanded.h"
#include "tests/lib/seeded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CPUS = 4, VMS = 3, PER_VM = 3, THREADS = VMS * PER_VM, EVENTS = 80, SCHEDULES = 2000 };
enum { SLICE = VMS }; /* the cgroup that holds the first two VMs */

struct cgroup {
	int weight;   /* shares */
	double quota; /* CPUs; INFINITY */
};

struct thread {
	enum { UNSEEN, RUNS, WAITS, SLEEPS } state;
	int vm, half; /* half of the CPUs it may use; -1: all */
	double weight;
};

struct schedule {
	uint64_t seed, random, now;
	unsigned int number;
	struct tb *tb;
	int cpus;
	bool has_halves;
	struct cgroup cgroups[VMS + 1];
	struct thread threads[THREADS];
	int cur[CPUS]; /* thread, -1: idle */
	/* the second opinion */
	double due[VMS], wanted[VMS], idle_waiting;
};

static void law(const struct schedule *s, bool holds, const char *what, double got, double want)
{
	if (!holds)
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", schedule %u: %s: %.12g and %.12g", s->seed,
			 s->number, what, got, want);
}

static uint64_t draw(struct schedule *s, uint64_t below)
{
	return seeded_next(&s->random) % below;
}

/* min(cap, level x weight) for the level at which the sum is amount, as far as caps allow. */
static void divide(const double *weight, const double *cap, int n, double amount, double *ret)
{
	double lo = 0, hi = 10; /* of CPUs, for weights of 2 or more */

	for (int k = 0; k < 70; k++) {
		const double level = (lo + hi) / 2;
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += fmin(cap[i], level * weight[i]);
		*(sum < amount ? &lo : &hi) = level;
	}
	for (int i = 0; i < n; i++)
		ret[i] = fmin(cap[i], lo * weight[i]);
}

/* What each VM is entitled to now on these CPUs, by threads of this half. */
static void entitle(const struct schedule *s, int half, double cpus, double *ret)
{
	double cap[VMS] = { 0 }, weight[VMS], top_cap[2], top_weight[2], top[2];

	for (int i = 0; i < THREADS; i++)
		if (s->threads[i].half == half &&
		    (s->threads[i].state == RUNS || s->threads[i].state == WAITS))
			cap[s->threads[i].vm] += 1;
	for (int v = 0; v < VMS; v++) {
		cap[v] = fmin(fmin(cap[v], cpus), s->cgroups[v].quota);
		weight[v] = s->cgroups[v].weight;
	}
	top_cap[0] = fmin(cap[0] + cap[1], s->cgroups[SLICE].quota);
	top_cap[1] = cap[2];
	top_weight[0] = s->cgroups[SLICE].weight;
	top_weight[1] = weight[2];
	divide(top_weight, top_cap, 2, cpus, top);
	divide(weight, cap, 2, top[0], ret);
	ret[2] = top[1];
}

static void integrate(struct schedule *s, uint64_t to)
{
	const double ns = (double)(to - s->now);
	double due[VMS], other[VMS] = { 0 };
	const int half = s->cpus / 2;
	int idle = 0, waiting = 0;

	entitle(s, s->has_halves ? 0 : -1, s->has_halves ? half : s->cpus, due);
	if (s->has_halves)
		entitle(s, 1, s->cpus - half, other);
	for (int v = 0; v < VMS; v++)
		s->due[v] += (due[v] + other[v]) * ns;
	for (int i = 0; i < THREADS; i++) {
		const struct thread *t = &s->threads[i];

		s->wanted[t->vm] += t->state == RUNS || t->state == WAITS ? ns : 0;
		waiting += t->state == WAITS;
	}
	for (int c = 0; c < s->cpus; c++)
		idle += s->cur[c] < 0;
	s->idle_waiting += ns * (idle < waiting ? idle : waiting);
	s->now = to;
}

static struct tb_task task(int thread)
{
	return (struct tb_task){ 100 + thread, "CPU 0/KVM", 0 };
}

static struct tb_task on_cpu(const struct schedule *s, int cpu)
{
	return s->cur[cpu] < 0 ? tb_idle : task(s->cur[cpu]);
}

static void tell_cgroup(struct schedule *s, int i)
{
	static const char *const paths[] = { "/s/a", "/s/b", "/c", "/s" };
	struct cgroup *c = &s->cgroups[i];
	char quota[24] = "max";

	c->weight = 2 + (int)draw(s, 3000);
	c->quota = draw(s, 3) ? INFINITY : (double)(1 + draw(s, 3000)) / 1000;
	if (isfinite(c->quota))
		snprintf(quota, sizeof(quota), "%d", (int)(c->quota * 100000 + 0.5));
	tb_marker(s->tb, s->now,
		  "fcap: cg path=%s parent=%s weight=%d scale=shares quota=%s period=100000",
		  paths[i], i < 2 ? "/s" : "/", c->weight, quota);
}

static void tell_thread(struct schedule *s, int i)
{
	static const char *const paths[] = { "/s/a", "/s/b", "/c" };
	struct thread *t = &s->threads[i];
	char cpus[24];

	*t = (struct thread){ .vm = i / PER_VM, .half = s->has_halves ? (int)draw(s, 2) : -1 };
	snprintf(cpus, sizeof(cpus), "%d-%d", t->half == 1 ? s->cpus / 2 : 0,
		 t->half == 0 ? s->cpus / 2 - 1 : s->cpus - 1);
	tb_marker(s->tb, s->now, "fcap: vcpu tid=%d tgid=%d id=%d", 100 + i, 10 + t->vm,
		  i % PER_VM);
	tb_marker(s->tb, s->now, "fcap: task tid=%d tgid=%d cgroup=%s cpus=%s", 100 + i, 10 + t->vm,
		  paths[t->vm], cpus);
}

static void begin(struct schedule *s, uint64_t seed, unsigned int number)
{
	memset(s, 0, sizeof(*s));
	s->seed = seed;
	s->number = number;
	s->random = seed + number * 0x632be59bd9b4e019ULL;
	s->now = MODELLED_BASE + draw(s, MODELLED_MS);
	s->cpus = 2 + (int)draw(s, CPUS - 1);
	s->has_halves = draw(s, 2);
	s->tb = tb_new(s->cpus, 6, TB_PLAIN);
	tb_marker(s->tb, s->now, "fcap: begin v=1 clock=mono");
	for (int c = 0; c < s->cpus; c++)
		tb_marker(s->tb, s->now, "fcap: cpu id=%d", c);
	for (int i = 0; i <= VMS; i++)
		tell_cgroup(s, i);
	for (int i = 0; i < THREADS; i++)
		tell_thread(s, i);
	/* an event on each CPU shows that it is idle */
	for (int c = 0; c < s->cpus; c++) {
		s->cur[c] = -1;
		s->threads[c].state = WAITS;
		tb_wakeup(s->tb, tb_at(c, s->now), task(c), c);
	}
}

/* Some waiting thread that may use the CPU, or idle. */
static int choose(struct schedule *s, int cpu)
{
	const int half = s->has_halves ? cpu >= s->cpus / 2 : -1;
	const int from = (int)draw(s, THREADS + 1);

	for (int i = 0; i < THREADS && from < THREADS; i++) {
		const int k = (from + i) % THREADS;

		if (s->threads[k].state == WAITS && s->threads[k].half == half)
			return k;
	}
	return -1;
}

static void switch_on(struct schedule *s, int cpu)
{
	const int prev = s->cur[cpu], next = choose(s, cpu);
	const bool sleeps = draw(s, 2);

	if (prev < 0 && next < 0)
		return;
	tb_switch(s->tb, tb_at(cpu, s->now), on_cpu(s, cpu), sleeps ? TB_S : TB_R,
		  next < 0 ? tb_idle : task(next));
	if (prev >= 0)
		s->threads[prev].state = sleeps ? SLEEPS : WAITS;
	if (next >= 0)
		s->threads[next].state = RUNS;
	s->cur[cpu] = next;
}

static void happen(struct schedule *s)
{
	static const uint64_t pauses[] = { 1000, 300000, 1000000, 2500000, 40000000 };
	const int cpu = (int)draw(s, (uint64_t)s->cpus), thread = (int)draw(s, THREADS);
	struct thread *t = &s->threads[thread];

	integrate(s, s->now + 1 + draw(s, pauses[draw(s, 5)]));
	switch (draw(s, 8)) {
	case 0:
		tell_cgroup(s, (int)draw(s, VMS + 1));
		break;
	case 1:
	case 2:
	case 3:
		if (t->state == RUNS || t->state == WAITS)
			break;
		tb_wakeup(s->tb, tb_by(cpu, s->now, on_cpu(s, cpu).tid), task(thread), cpu);
		t->state = WAITS;
		break;
	default:
		switch_on(s, cpu);
		break;
	}
}

static void check(const struct schedule *s, const struct fan_model *m)
{
	const double length = (double)(m->end_ns - m->start_ns);
	double due[VMS] = { 0 }, in_series[VMS] = { 0 }, all = 0;

	for (size_t i = 0; i < fan_accounts_count(m->threads); i++) {
		const struct fan_account *a = fan_accounts_at(m->threads, i);
		const int vm = fan_procs_at(m->threads,
					    (size_t)fan_procs_final(m->threads, a->proc))
				       ->tgid -
			       10;

		if (vm < 0 || vm >= VMS)
			continue;
		in_series[vm] += (double)fan_series_sum(m->series, fan_model_row((int32_t)i), 0,
							UINT64_MAX)
					 .due_ns;
		if (i < m->pulse->demand->nstakes)
			due[vm] += (double)m->pulse->demand->stakes[i].due_ns;
	}
	for (int v = 0; v < VMS; v++) {
		law(s, due[v] == in_series[v], "the windows do not add up", in_series[v], due[v]);
		/* each account loses less than 1 ns, and each allotment 2^-32 of its time */
		law(s, fabs(due[v] - s->due[v]) < 10 + 1e-8 * length, "another due", due[v],
		    s->due[v]);
		law(s, due[v] <= s->wanted[v] + 1, "more due than wanted", due[v], s->wanted[v]);
		all += due[v];
	}
	law(s, all <= s->cpus * length, "more due than there was", all, s->cpus * length);
	law(s, (double)m->pulse->demand->idle_waiting_ns == s->idle_waiting, "another idleness",
	    (double)m->pulse->demand->idle_waiting_ns, s->idle_waiting);
}

static void due_is_the_integral_of_what_the_moment_entitles_to(void **state)
{
	const uint64_t seed = seeded_start();
	static struct schedule s;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SCHEDULES; i++) {
		struct fan_model *m;

		begin(&s, seed, i);
		for (int k = 0; k < EVENTS; k++)
			happen(&s);
		/* the end: something that happens on a CPU */
		integrate(&s, s.now + 1 + draw(&s, 3000000));
		tb_kvm_fpu(s.tb, tb_by(0, s.now, on_cpu(&s, 0).tid), 1);
		m = model_by_demand(s.tb, (unsigned int)s.cpus, NULL);
		check(&s, m);
		fan_model_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(due_is_the_integral_of_what_the_moment_entitles_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
