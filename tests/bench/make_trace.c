// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * make_trace FILE VERSION CPUS EVENTS sched|kvm|smt|sparse: four VMs that compete for all CPUs, as
 * a trace to measure readers with; with kvm their exits and entries are in it, too; with smt every
 * two CPUs are a core, which core scheduling keeps to one VM at a time, but now and then too late;
 * sparse: two VMs a CPU, which sleep most of the time, so that few events make a long trace.
 * Version 7 is written with zstd. The same arguments give the same file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"
#include "tests/lib/builder.h"

#define VMS	    4
#define PER_CPU	    8 /* vCPU threads that stay on one CPU */
#define FIRST_TID   1000
#define STEP_NS_MAX 20000
#define LATE	    32 /* one in so many times a sibling makes way so much too late */
#define LATE_NS	    100000
/* sparse */
#define VCPUS	     4 /* of a VM */
#define FIRST_TGID   100000
#define PAUSE_NS_MAX 250000000 /* of a CPU: some 30 events a second */
#define BURST_NS_MAX 2000000

/* One CPU, its threads, and which of them want to run. */
struct cpu {
	struct tb_task tasks[PER_CPU];
	bool is_ready[PER_CPU];
	int cur; /* -1: idle */
	uint64_t now_ns;
};

struct maker {
	struct tb *tb;
	struct cpu *cpus;
	int ncpu;
	uint64_t events, seed;
	bool has_kvm, has_smt, is_sparse;
};

/* xorshift64: good enough for a load, and the same everywhere. */
static uint64_t any(struct maker *m, uint64_t below)
{
	m->seed ^= m->seed << 13;
	m->seed ^= m->seed >> 7;
	m->seed ^= m->seed << 17;
	return m->seed % below;
}

static struct tb_at at_of(const struct maker *m, int cpu)
{
	const struct cpu *c = &m->cpus[cpu];

	return tb_by(cpu, c->now_ns, c->cur < 0 ? 0 : c->tasks[c->cur].tid);
}

static void wake(struct maker *m, int cpu, int thread)
{
	struct cpu *c = &m->cpus[cpu];

	tb_waking(m->tb, at_of(m, cpu), c->tasks[thread], cpu);
	c->now_ns += 500;
	tb_wakeup(m->tb, at_of(m, cpu), c->tasks[thread], cpu);
	c->is_ready[thread] = true;
	m->events += 2;
}

/* Someone else who is ready, of this VM (-1: of any), from a random place on; -1: nobody. */
static int find_next(struct maker *m, const struct cpu *c, int vm)
{
	const int from = (int)any(m, PER_CPU);

	for (int i = 0; i < PER_CPU; i++) {
		const int k = (from + i) % PER_CPU;

		if (c->is_ready[k] && k != c->cur && (vm < 0 || k % VMS == vm))
			return k;
	}
	return -1;
}

static unsigned int vcpu_of(const struct maker *m, int cpu)
{
	return (unsigned int)(cpu * PER_CPU + m->cpus[cpu].cur);
}

/* Whoever runs leaves its guest, for one of some reasons. */
static void leave_guest(struct maker *m, int cpu)
{
	static const unsigned int reasons[] = { 1, 10, 12, 30, 32, 48 };

	tb_kvm_exit(m->tb, at_of(m, cpu), vcpu_of(m, cpu), reasons[any(m, 6)]);
	m->cpus[cpu].now_ns += 1 + any(m, 2000);
	m->events++;
}

static void enter_guest(struct maker *m, int cpu)
{
	tb_kvm_entry(m->tb, at_of(m, cpu), vcpu_of(m, cpu));
	m->cpus[cpu].now_ns += 1 + any(m, 2000);
	m->events++;
}

static void switch_to(struct maker *m, int cpu, int next, bool sleeps)
{
	struct cpu *c = &m->cpus[cpu];

	if (m->has_smt && c->cur >= 0)
		leave_guest(m, cpu);
	tb_switch(m->tb, at_of(m, cpu), c->cur < 0 ? tb_idle : c->tasks[c->cur],
		  c->cur >= 0 && sleeps ? TB_S : TB_R, next < 0 ? tb_idle : c->tasks[next]);
	if (c->cur >= 0 && sleeps)
		c->is_ready[c->cur] = false;
	c->cur = next;
	m->events++;
	if (m->has_smt && next >= 0)
		enter_guest(m, cpu);
}

static void change(struct maker *m, int cpu)
{
	struct cpu *c = &m->cpus[cpu];
	const bool sleeps = any(m, 2) == 0;
	const int next = find_next(m, c, -1);

	if (next >= 0 || (c->cur >= 0 && sleeps))
		switch_to(m, cpu, next, sleeps);
}

/* Another VM has this core's other CPU: this one makes way, or for once runs on in its guest. */
static void make_way(struct maker *m, int cpu, int vm)
{
	struct cpu *c = &m->cpus[cpu];

	c->now_ns += 1 + any(m, 5000);
	if (any(m, LATE) > 0) {
		switch_to(m, cpu, find_next(m, c, vm), false);
		return;
	}
	leave_guest(m, cpu);
	enter_guest(m, cpu);
	m->cpus[cpu ^ 1].now_ns += LATE_NS;
	c->now_ns += LATE_NS;
}

/* Where the sibling has a say: mostly its VM stays the only one; if not, it is to make way. */
static void change_core(struct maker *m, int cpu)
{
	struct cpu *c = &m->cpus[cpu], *other = &m->cpus[cpu ^ 1];
	const int vm = other->cur < 0 || any(m, 4) == 0 ? -1 : other->cur % VMS;
	const bool sleeps = any(m, 2) == 0;
	const int next = find_next(m, c, vm);

	if (next < 0 && (c->cur < 0 || !sleeps))
		return;
	switch_to(m, cpu, next, sleeps);
	if (next >= 0 && other->cur >= 0 && other->cur % VMS != next % VMS)
		make_way(m, cpu ^ 1, next % VMS);
}

static void step(struct maker *m, int cpu)
{
	struct cpu *c = &m->cpus[cpu];
	const int thread = (int)any(m, PER_CPU);

	c->now_ns += 1 + any(m, STEP_NS_MAX);
	if (!c->is_ready[thread])
		wake(m, cpu, thread);
	for (uint64_t n = m->has_kvm && c->cur >= 0 ? any(m, 4) : 0; n > 0; n--) {
		leave_guest(m, cpu);
		enter_guest(m, cpu);
	}
	c->now_ns += 1 + any(m, STEP_NS_MAX);
	if (m->has_smt)
		change_core(m, cpu);
	else
		change(m, cpu);
}

/* Of two siblings that is next which is behind. */
static int next_of_core(const struct maker *m, int cpu)
{
	return m->cpus[cpu].now_ns <= m->cpus[cpu ^ 1].now_ns ? cpu : cpu ^ 1;
}

/* One thread wakes, runs alone for a while, and sleeps. */
static void step_sparse(struct maker *m, int cpu)
{
	struct cpu *c = &m->cpus[cpu];

	c->now_ns += 1 + any(m, PAUSE_NS_MAX);
	wake(m, cpu, (int)any(m, PER_CPU));
	change(m, cpu);
	while (c->cur >= 0) {
		c->now_ns += 1 + any(m, BURST_NS_MAX);
		change(m, cpu);
	}
}

static int vm_of(const struct maker *m, int cpu, int thread)
{
	return m->is_sparse ? (cpu * PER_CPU + thread) / VCPUS : thread % VMS;
}

static int tgid_of(const struct maker *m, int vm)
{
	return (m->is_sparse ? FIRST_TGID : 100) + vm;
}

static void tell_vms(struct maker *m)
{
	const int vms = m->is_sparse ? m->ncpu * PER_CPU / VCPUS : VMS;

	for (int vm = 0; vm < vms; vm++) {
		tb_marker(m->tb, 1, "fcap: cg path=/vm%d parent=/ weight=%d scale=shares", vm,
			  512 * (vm % 4 + 1));
		tb_marker(m->tb, 1, "fcap: group tgid=%d name=vm%d", tgid_of(m, vm), vm);
	}
}

/* Which threads are whose, and what the VMs are worth. */
static void tell(struct maker *m)
{
	tb_marker(m->tb, 1, "fcap: begin v=1 clock=mono kernel=6.12.0 cpu_hierarchy=1");
	tell_vms(m);
	for (int cpu = 0; cpu < m->ncpu; cpu++) {
		if (m->has_smt)
			tb_marker(m->tb, 1, "fcap: cpu id=%d core=%d package=0 siblings=%d-%d", cpu,
				  cpu / 2, cpu & ~1, cpu | 1);
		for (int i = 0; i < PER_CPU; i++) {
			struct tb_task *t = &m->cpus[cpu].tasks[i];
			const int vm = vm_of(m, cpu, i);

			*t = (struct tb_task){ FIRST_TID + cpu * PER_CPU + i, "CPU/KVM", 0 };
			tb_marker(m->tb, 1, "fcap: task tid=%d tgid=%d cgroup=/vm%d", t->tid,
				  tgid_of(m, vm), vm);
			tb_marker(m->tb, 1, "fcap: vcpu tid=%d tgid=%d id=%d", t->tid,
				  tgid_of(m, vm), cpu * PER_CPU + i);
			if (m->has_smt)
				tb_marker(m->tb, 1, "fcap: task tid=%d cookie=0x%x", t->tid,
					  0xc0de0001 + (unsigned int)i % VMS);
		}
	}
}

static int make(const char *path, int version, struct maker *m, uint64_t events)
{
	int r;

	m->tb = tb_new(m->ncpu, version, version == 7 ? TB_ZSTD : TB_PLAIN);
	m->cpus = calloc((size_t)m->ncpu, sizeof(*m->cpus));
	if (!m->cpus) {
		tb_free(m->tb);
		return -ENOMEM;
	}
	for (int cpu = 0; cpu < m->ncpu; cpu++)
		m->cpus[cpu] = (struct cpu){ .cur = -1, .now_ns = 1000 };
	tell(m);
	while (m->events < events)
		for (int cpu = 0; cpu < m->ncpu; cpu++)
			if (m->is_sparse)
				step_sparse(m, cpu);
			else
				step(m, m->has_smt ? next_of_core(m, cpu) : cpu);
	tb_set_clock(m->tb, "mono");
	r = tb_write(m->tb, path);
	tb_free(m->tb);
	free(m->cpus);
	printf("%" PRIu64 "\n", m->events);
	return r;
}

int main(int argc, char **argv)
{
	struct maker m = { .seed = 1 };
	uint64_t version, cpus, events;
	int r;

	if (argc == 6) {
		m.has_smt = strcmp(argv[5], "smt") == 0;
		m.has_kvm = m.has_smt || strcmp(argv[5], "kvm") == 0;
		m.is_sparse = strcmp(argv[5], "sparse") == 0;
	}
	if (argc != 6 || fcap_parse_u64(argv[2], 6, 7, &version) < 0 ||
	    fcap_parse_u64(argv[3], 1, 512, &cpus) < 0 ||
	    fcap_parse_u64(argv[4], 1, 1000000000, &events) < 0 ||
	    (!m.has_kvm && !m.is_sparse && strcmp(argv[5], "sched") != 0) ||
	    (m.has_smt && cpus % 2)) {
		fprintf(stderr, "Usage: make_trace FILE VERSION CPUS EVENTS sched|kvm|smt|sparse\n"
				"With smt the number of CPUs is even.\n");
		return 2;
	}
	m.ncpu = (int)cpus;
	r = make(argv[1], (int)version, &m, events);
	if (r < 0)
		fprintf(stderr, "make_trace: %s: %s\n", argv[1], strerror(-r));
	return r < 0;
}
