// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Isolation against a second implementation that looks at every instant and every pair of CPUs,
 * over random schedules of cores with 2, 4 and 8 siblings. Both are given what the machine tells:
 * spans, and who has a CPU. Time goes in ticks, so that many things happen at once.
 * FCAP_TEST_SEED=N repeats a run.
 */
#include "tests/unit/isolation_naive.h"

static uint64_t draw(struct run *r, uint64_t below)
{
	return below ? seeded_next(&r->random) % below : 0;
}

/* Tids 10, 20, 30 and their next three are VMs, the fourth without a vCPU; then others. */
static int32_t tid_of(unsigned int k)
{
	return k < VMS * 4 ? (int32_t)(10 * (k / 4 + 1) + k % 4) : 40 + (int32_t)k;
}

static bool is_vcpu_tid(int32_t tid)
{
	return tid < 40 && tid % 10 < 3;
}

static bool is_kernel_tid(int32_t tid)
{
	return tid >= 40 && tid % 2 == 0;
}

static int nobody_counts(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting)
{
	(void)ctx, (void)now_ns, (void)account, (void)runnable, (void)waiting;
	return 0;
}

static int nobody_waits(void *ctx, uint64_t now_ns, int32_t account, int waiting)
{
	(void)ctx, (void)now_ns, (void)account, (void)waiting;
	return 0;
}

static int nobody_idles(void *ctx, uint64_t now_ns, int change)
{
	(void)ctx, (void)now_ns, (void)change;
	return 0;
}

static int note_vcpu(void *ctx, uint64_t now_ns, int32_t thread)
{
	struct run *r = ctx;

	(void)now_ns;
	return fan_parties_note(r->parties, thread) < 0 ? -1 : 0;
}

static void see_cpu(void *ctx, int32_t cpu, int32_t thread)
{
	struct run *r = ctx;

	r->cpus[cpu].run++;
	fan_isolation_see_cpu(r->iso, cpu, thread);
}

static struct doing describe(const struct run *r, const struct fan_span *s)
{
	struct doing d = { .thread = s->thread, .party = -1, .is_covered = true };
	const struct fan_task_fact *fact;
	const struct fan_thread *th;

	if (s->thread < 0) {
		d.kind = s->thread == FAN_CPU_IDLE ? IDLE : UNKNOWN;
		return d;
	}
	th = fan_threads_at(r->threads, (size_t)s->thread);
	fact = fan_facts_task(r->facts, (size_t)s->thread);
	d.party = fan_parties_of(r->parties, th->account);
	d.kind = d.party >= 0 ? VM : is_kernel_tid(th->tid) ? KERNEL : USER;
	d.is_vcpu = d.party >= 0 && th->is_vcpu;
	d.has_cookie = fact->has_cookie;
	d.cookie = fact->cookie;
	return d;
}

/* Whole ticks: the first that was told of a tick stays. */
static int see_span(void *ctx, const struct fan_span *s, const struct fan_thread *th)
{
	struct run *r = ctx;
	struct doing d;
	struct cpu *c;

	(void)th;
	if (s->thread >= 0 && s->state != FAN_ST_RUN)
		return 0;
	c = &r->cpus[s->cpu];
	d = describe(r, s);
	d.run = c->run;
	law(r, s->t0_ns % TICK_NS == 0 && s->t1_ns % TICK_NS == 0, "a span has half a tick");
	for (uint64_t t = s->t0_ns / TICK_NS; r->is_known && t < s->t1_ns / TICK_NS; t++)
		if (t >= c->covered)
			c->doing[t] = d;
	if (r->is_known && s->t1_ns / TICK_NS > c->covered)
		c->covered = s->t1_ns / TICK_NS;
	return fan_isolation_take(r->iso, s);
}

static void tell(struct run *r, const char *text)
{
	char copy[200];
	struct fcap_marker line;

	snprintf(copy, sizeof(copy), "%s", text);
	assert_int_equal(fcap_marker_parse(copy, &line), 0);
	assert_int_equal(fan_facts_take(r->facts, r->machine, r->threads, &line, 0), 0);
	assert_int_equal(fan_cores_take(r->cores, &line), 0);
}

/* Siblings are neighbours or far apart; one CPU more is a core of its own. */
static void tell_cores(struct run *r, bool are_neighbours)
{
	for (size_t k = 0; k < r->ncores; k++) {
		char text[200] = "";
		size_t cpu = 0;

		for (size_t i = 0; i < r->width; i++) {
			cpu = are_neighbours ? k * r->width + i : k + i * r->ncores;
			r->cpus[cpu].core = (int)k;
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%zu",
				 i ? "," : "", cpu);
		}
		char line[300];

		snprintf(line, sizeof(line), "fcap: cpu id=%zu siblings=%s", cpu, text);
		tell(r, line);
	}
	tell(r, "fcap: cpu id=18 siblings=18");
	r->is_known = true;
}

static void tell_thread(struct run *r, unsigned int k)
{
	const int32_t tid = tid_of(k);
	struct fan_thread *th = fan_machine_thread(r->machine, tid);
	const int32_t index = th->index;
	char line[100];

	th->parent_tid = is_kernel_tid(tid) ? 2 : 1;
	assert_int_equal(
		fan_threads_set_tgid(r->threads, index, tid < 40 ? tid / 10 * 10 : tid, false), 0);
	/* cookies: none, of the VM, or of the vCPU; some are not told */
	if (tid < 40 && draw(r, 6)) {
		snprintf(line, sizeof(line), "fcap: task tid=%d cookie=0x%x", tid,
			 tid / 10 == 3 ? (unsigned int)tid
				       : (unsigned int)(tid / 10) - (tid / 10 == 1));
		tell(r, line);
	}
	/* of others it shows with their first kvm event */
	if (is_vcpu_tid(tid) && (r->knows_all || draw(r, 4)))
		fan_machine_is_vcpu(r->machine, fan_threads_at(r->threads, (size_t)index));
}

static void end(struct run *r)
{
	fan_isolation_free(r->iso);
	fan_timeline_free(r->timeline);
	fan_machine_free(r->machine);
	fan_parties_free(r->parties);
	fan_facts_free(r->facts);
	fan_cores_free(r->cores);
	fan_threads_free(r->threads);
}

static void draw_shape(struct run *r)
{
	static const size_t widths[] = { 2, 2, 4, 8 };

	r->width = widths[draw(r, 4)];
	r->ncores = r->width == 8 ? 1 + draw(r, 2) : 1 + draw(r, 3);
	r->tolerance = 1 + draw(r, 9);
	r->has_load = draw(r, 5) == 0;
	r->from = draw(r, 3) ? START : START + draw(r, r->ticks / 2);
	r->to = draw(r, 3) ? UINT32_MAX : START + r->ticks - draw(r, r->ticks / 3);
	r->is_told_late = !r->knows_all && draw(r, 8) == 0;
}

static void begin(struct run *r, uint64_t seed, unsigned int sequence, size_t ticks)
{
	static struct cpu cpus[CPUS];
	static struct sums sums[FAN_LEVELS];

	for (unsigned int k = 0; k < CPUS; k++) {
		memset(cpus[k].doing, 0, (START + ticks) * sizeof(*cpus[k].doing));
		memset(cpus[k].enters, 0, (START + ticks) * sizeof(*cpus[k].enters));
		cpus[k].nsteps = cpus[k].run = 0;
	}
	for (unsigned int k = 0; k < FAN_LEVELS; k++) {
		memset(&sums[k], 0, offsetof(struct sums, mixed));
		sums[k].nmixed = 0;
	}
	*r = (struct run){ .cpus = cpus, .sums = sums };
	r->seed = seed;
	r->sequence = sequence;
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	r->now = START;
	r->ticks = ticks;
	r->knows_all = ticks == LONG_TICKS;
	draw_shape(r);
	r->threads = fan_threads_new();
	r->facts = fan_facts_new();
	r->cores = fan_cores_new(NULL, 0);
	r->parties = fan_parties_new(r->threads, NULL);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, see_span, r), 0);
	r->watch =
		(struct fan_watch){ nobody_counts, nobody_waits, nobody_idles, note_vcpu, r, NULL };
	fan_machine_watch(r->machine, &r->watch);
	fan_machine_watch_cpus(r->machine, see_cpu, NULL, r);
	r->iso = fan_isolation_new(r->machine, r->threads, r->facts, r->cores, r->parties,
				   r->tolerance * TICK_NS);
	assert_non_null(r->iso);
	r->timeline = fan_timeline_new();
	assert_non_null(r->timeline);
	fan_timeline_start(r->timeline, r->from * TICK_NS);
	r->shown = sequence % 3 ? FAN_LEVEL_VM : FAN_LEVEL_COOKIE;
	fan_isolation_show(r->iso, r->timeline, r->shown);
	for (unsigned int k = 0; k < CPUS; k++) {
		r->cpus[k].core = -1;
		r->cpus[k].covered = r->from;
	}
	for (unsigned int k = 0; k < TIDS; k++)
		tell_thread(r, k);
	if (!r->is_told_late)
		tell_cores(r, draw(r, 2));
	fan_isolation_clip(r->iso, r->from * TICK_NS, r->to * TICK_NS);
	fan_machine_clip(r->machine, r->from * TICK_NS, r->to * TICK_NS);
	fan_machine_begin(r->machine, START * TICK_NS);
}

static bool runs_somewhere(const struct run *r, int32_t tid)
{
	const int32_t i = fan_threads_find(r->threads, tid);

	return i >= 0 && fan_threads_at(r->threads, (size_t)i)->state == FAN_ST_RUN;
}

/* Nearly always somebody who is free; vCPUs more often than others. */
static int32_t draw_next(struct run *r)
{
	for (unsigned int i = 0; i < 8; i++) {
		const int32_t tid = tid_of((unsigned int)draw(r, draw(r, 3) ? VMS * 4 : TIDS));

		if (!runs_somewhere(r, tid) || draw(r, 200) == 0)
			return tid;
	}
	return 0;
}

static int32_t tid_on(const struct run *r, int32_t cpu)
{
	const struct fan_occupant o = fan_machine_occupant(r->machine, cpu);

	return o.thread < 0 ? 0 : fan_threads_at(r->threads, (size_t)o.thread)->tid;
}

/* Two siblings of a core that run vCPU threads of two parties make it mixed; all of them idle. */
static void tick_beside(struct run *r)
{
	bool has_idle = fan_machine_occupant(r->machine, 18).thread == FAN_CPU_IDLE;
	bool has_mixed = false;

	for (int core = 0; core < (int)r->ncores; core++) {
		int32_t party = -1;
		bool is_idle = true;

		for (int32_t c = 0; c < CPUS - 1; c++) {
			const struct fan_occupant o = fan_machine_occupant(r->machine, c);
			const struct fan_thread *th =
				o.thread < 0 ? NULL : fan_threads_at(r->threads, (size_t)o.thread);
			int32_t other;

			if (r->cpus[c].core != core)
				continue;
			is_idle &= o.thread == FAN_CPU_IDLE;
			other = th && th->is_vcpu ? fan_parties_of(r->parties, th->account) : -1;
			has_mixed |= party >= 0 && other >= 0 && party != other;
			party = other >= 0 ? other : party;
		}
		has_idle |= is_idle;
	}
	r->beside += has_idle && has_mixed && r->now >= r->from && r->now < r->to;
}

static enum fan_vcpu_what draw_what(struct run *r, bool *enters, bool *leaves)
{
	static const enum fan_vcpu_what whats[] = { FAN_VCPU_ENTRY, FAN_VCPU_ENTRY, FAN_VCPU_ENTRY,
						    FAN_VCPU_EXIT,  FAN_VCPU_EXIT,  FAN_VCPU_EXIT,
						    FAN_VCPU_USER,  FAN_VCPU_LOAD,  FAN_VCPU_UNLOAD,
						    FAN_VCPU_WOKEN };
	enum fan_vcpu_what what = whats[draw(r, sizeof(whats) / sizeof(whats[0]))];

	if (r->has_load && what == FAN_VCPU_ENTRY)
		what = FAN_VCPU_LOAD;
	*enters = what == (r->has_load ? FAN_VCPU_LOAD : FAN_VCPU_ENTRY);
	*leaves = what == FAN_VCPU_USER || what == FAN_VCPU_UNLOAD ||
		  (!r->has_load && (what == FAN_VCPU_EXIT || what == FAN_VCPU_LOAD));
	return what;
}

static void kvm_event(struct run *r, int32_t cpu, enum fan_vcpu_what what, bool enters, bool leaves)
{
	struct cpu *c = &r->cpus[cpu];
	struct fan_event ev = { .cpu = cpu,
				.kind = FAN_EV_VCPU,
				.ts_ns = r->now * TICK_NS,
				.missed = draw(r, 300) ? 0 : 1,
				.cur_tid = tid_on(r, cpu),
				.vcpu = { .id = 0, .what = what } };

	if (!is_vcpu_tid(ev.cur_tid))
		return;
	assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
	assert_int_equal(fan_isolation_kvm(r->iso, cpu, what, fan_machine_end(r->machine)), 0);
	if (r->is_known && (enters || leaves))
		c->steps[c->nsteps++] = (struct step){ r->now, c->run, enters };
}

/* In long sequences the first CPU keeps its thread, and nothing tells of it. */
static bool is_silent(const struct run *r, int32_t cpu, int32_t tid)
{
	return r->knows_all && cpu != 0 && tid && tid == tid_on(r, 0);
}

static void switch_event(struct run *r, int32_t cpu)
{
	const int32_t prev = draw(r, 60) ? tid_on(r, cpu) : tid_of((unsigned int)draw(r, TIDS));
	const int32_t next = draw(r, 6) ? draw_next(r) : 0;
	struct fan_event ev = { .cpu = cpu,
				.kind = FAN_EV_SWITCH,
				.ts_ns = r->now * TICK_NS,
				.missed = draw(r, 60) ? 0 : -1,
				.cur_tid = prev,
				.sw = { .prev_tid = prev,
					.next_tid = next,
					.prev_comm = { "x" },
					.next_comm = { "x" },
					.prev_runnable = draw(r, 2) } };

	if (is_silent(r, cpu, prev) || is_silent(r, cpu, next))
		return;
	assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
}

/* A thread's time is cut where it stands. */
static void cut_one(struct run *r)
{
	const int32_t tid = tid_of((unsigned int)draw(r, TIDS));
	const int32_t i = fan_threads_find(r->threads, tid);
	const struct fan_place place = { (int32_t)draw(r, 3), -1, -1, FAN_NICE_UNTOLD };

	if (is_silent(r, -1, tid))
		return;
	assert_int_equal(fan_machine_enter(r->machine, i, place), 0);
}

static void one_event(struct run *r)
{
	/* in long sequences the first CPU does not tell anything after a while */
	const int32_t first = r->knows_all && r->now > START + 50 ? 1 : 0;
	const int32_t cpus = (int32_t)(r->ncores * r->width);
	int32_t cpu = first + (int32_t)draw(r, (uint64_t)(cpus + 1 - first));
	enum fan_vcpu_what what;
	bool enters, leaves;

	cpu = cpu == cpus ? CPUS - 1 : cpu;
	if (draw(r, 3) == 0) {
		switch_event(r, cpu);
	} else {
		what = draw_what(r, &enters, &leaves);
		kvm_event(r, cpu, what, enters, leaves);
	}
	if (draw(r, 40) == 0)
		cut_one(r);
}

/* Whose first event is an entry: what the begin of KVM_RUN means is settled. */
static void first_entry(struct run *r)
{
	struct fan_event ev = { .cpu = CPUS - 1,
				.kind = FAN_EV_VCPU,
				.ts_ns = START * TICK_NS,
				.cur_tid = 12,
				.vcpu = { .id = 0, .what = FAN_VCPU_ENTRY } };

	if (r->has_load)
		return;
	assert_int_equal(fan_machine_feed(r->machine, &ev), 0);
	assert_int_equal(fan_isolation_kvm(r->iso, ev.cpu, ev.vcpu.what, ev.ts_ns), 0);
}

static void play(struct run *r)
{
	const uint64_t last = START + r->ticks;
	const uint64_t late = START + 5 + draw(r, 40);

	first_entry(r);
	for (; r->now < last; r->now++) {
		const uint64_t n = draw(r, r->width + 1) + (r->width == 2);

		if (r->is_told_late && !r->is_known && r->now == late)
			tell_cores(r, true);
		for (uint64_t i = 0; i < n; i++)
			one_event(r);
		tick_beside(r);
	}
	r->end = last < r->to ? last : r->to;
	assert_int_equal(fan_machine_finish(r->machine, last * TICK_NS), 0);
	assert_int_equal(fan_isolation_finish(r->iso), 0);
}

static void every_instant_of_every_core_is_what_it_was(void **state)
{
	const uint64_t seed = seeded_start();
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		begin(&r, seed, i, TICKS);
		play(&r);
		check(&r);
		end(&r);
	}
}

/*
 * One sibling does not tell anything for so long that what it runs is taken for granted; of the
 * others that have gaps and losses nothing is.
 */
static void a_silent_sibling_runs_what_it_ran(void **state)
{
	const uint64_t seed = seeded_start();
	static struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < LONG; i++) {
		begin(&r, seed, i, LONG_TICKS);
		play(&r);
		check(&r);
		end(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instant_of_every_core_is_what_it_was),
		cmocka_unit_test(a_silent_sibling_runs_what_it_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
