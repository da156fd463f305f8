// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Laws of vCPU time: whatever the events say, its parts add up to run time; and true events give
 * true parts. Seeded; FCAP_TEST_SEED=N repeats a run.
 */
#include <stdio.h>

#include "tests/unit/vcpu_random.h"

enum { SEQUENCES = 3000, STEPS = 60 };

static void check_thread(const struct run *r, const struct fan_thread *th)
{
	const struct fan_kvm *k = fan_machine_kvm(r->machine);
	const struct fan_vcpu_time t = fan_vcpu_time(k, th);
	const uint64_t parts = t.guest + t.kernel + t.poll + t.vmm + t.kvm_run + t.unsplit;
	uint64_t modes = 0;

	for (size_t i = 0; th->vcpu && i < FAN_MODES; i++) {
		law(r, th->vcpu->ns[i] <= th->run_ns, "a mode took longer than it ran");
		modes += th->vcpu->ns[i];
	}
	law(r, !th->vcpu || modes == th->run_ns, "the modes do not add up to the run time");
	law(r, parts == (fan_kvm_tells(k) & FAN_TELLS_RUN ? th->run_ns : 0),
	    "the parts do not add up to the run time");
	law(r, t.halted <= th->blocked_ns, "it halted for longer than it slept");
}

static void check_exits(const struct run *r)
{
	const struct fan_kvm *k = fan_machine_kvm(r->machine);
	uint64_t count = 0, total = 0;

	for (size_t a = 0; a < fan_accounts_count(r->threads); a++) {
		size_t n;
		const struct fan_exit_sum *e = fan_exits_of(k->exits, a, &n);

		for (size_t i = 0; i < n; i++) {
			law(r, e[i].off_cpu_ns <= e[i].ns.sum, "exits are longer off the CPU");
			count += e[i].ns.n;
			total += e[i].ns.sum;
		}
	}
	law(r, count <= r->exits, "there are more exits than events");
	law(r,
	    total <= fan_threads_count(r->threads) *
			     (fan_machine_end(r->machine) - fan_machine_start(r->machine)),
	    "exits take longer than the trace");
}

static void the_parts_add_up_whatever_the_events_say(void **state)
{
	const uint64_t seed = seeded_start();
	struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed);
	for (unsigned int i = 0; i < SEQUENCES; i++) {
		begin(&r, seed, i);
		if (draw(&r, 3) == 0)
			fan_machine_clip(r.machine, r.now + draw(&r, 100000),
					 r.now + 100000 + draw(&r, 300000));
		for (unsigned int n = 0; n < EVENTS; n++) {
			r.now += draw(&r, r.step);
			any_event(&r);
		}
		assert_int_equal(fan_machine_finish(r.machine, 0), 0);
		for (size_t t = 0; t < fan_threads_count(r.threads); t++)
			check_thread(&r, fan_threads_at(r.threads, t));
		check_exits(&r);
		release(&r);
	}
}

/* One vCPU on a CPU of its own, and what it really did. */
struct truth {
	struct run *r;
	struct fan_vcpu_time time;
	uint64_t wait, asleep, exits, exit_ns, off_ns;
};

/* Time goes by; what it was goes to *sum. */
static uint64_t pass(struct truth *t, uint64_t *sum)
{
	const uint64_t ns = 1 + draw(t->r, 5000);

	t->r->now += ns;
	*sum += ns;
	return ns;
}

static struct fan_event event(const struct truth *t, enum fan_event_kind kind, int32_t cur)
{
	return (struct fan_event){ .ts_ns = t->r->now, .kind = kind, .cur_tid = cur };
}

static void tell_switch(struct truth *t, int32_t prev, int32_t next, bool runnable)
{
	struct fan_event ev = event(t, FAN_EV_SWITCH, prev);

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_runnable = runnable;
	ev.sw.prev_comm = ev.sw.next_comm = (struct fan_comm){ "x" };
	feed(t->r, &ev);
}

static void tell(struct truth *t, enum fan_vcpu_what what, uint32_t reason, uint64_t ns, bool slept)
{
	struct fan_event ev = event(t, FAN_EV_VCPU, 1);

	ev.vcpu.what = what;
	ev.vcpu.isa = FAN_ISA_VMX;
	ev.vcpu.reason = reason;
	ev.vcpu.ns = ns;
	ev.vcpu.has_blocked = slept;
	feed(t->r, &ev);
}

/* Off the CPU for a while, asleep first or not; returns for how long. */
static uint64_t stay_off(struct truth *t, bool sleeps, uint64_t *asleep)
{
	struct fan_event ev;
	uint64_t ns = 0;

	tell_switch(t, 1, 0, !sleeps);
	if (sleeps) {
		ns = pass(t, asleep);
		ev = event(t, FAN_EV_WAKEUP, 0);
		ev.wakeup.tid = 1;
		ev.wakeup.comm = (struct fan_comm){ "x" };
		feed(t->r, &ev);
	}
	ns += pass(t, &t->wait);
	tell_switch(t, 0, 1, false);
	t->off_ns += ns;
	return ns;
}

static void halt(struct truth *t, bool was_preempted)
{
	const bool slept = draw(t->r, 2);
	uint64_t ns = pass(t, &t->time.poll);

	/* a second preemption in one spell is more than the model can tell */
	if (!was_preempted && draw(t->r, 4) == 0) {
		ns += stay_off(t, false, &t->asleep);
		ns += pass(t, &t->time.poll);
	}
	if (slept) {
		ns += stay_off(t, true, &t->time.halted);
		ns += pass(t, &t->time.kernel);
	}
	tell(t, FAN_VCPU_WOKEN, 0, ns, slept);
}

/* From an exit to the next entry. */
static void handle_exit(struct truth *t, bool halts)
{
	const bool is_preempted = draw(t->r, 4) == 0;

	pass(t, &t->time.kernel);
	if (is_preempted) {
		stay_off(t, draw(t->r, 2) && !halts, &t->asleep);
		pass(t, &t->time.kernel);
	}
	if (halts && draw(t->r, 8))
		halt(t, is_preempted);
	pass(t, &t->time.kernel);
	if (draw(t->r, 3))
		return;
	tell(t, FAN_VCPU_USER, 0, 0, false);
	pass(t, &t->time.vmm);
	if (draw(t->r, 2)) {
		stay_off(t, draw(t->r, 2), &t->asleep);
		pass(t, &t->time.vmm);
	}
	tell(t, FAN_VCPU_LOAD, 0, 0, false);
	pass(t, &t->time.kernel);
}

static void live(struct truth *t)
{
	const bool halts = draw(t->r, 3) == 0;
	uint64_t from;

	tell(t, FAN_VCPU_ENTRY, 0, 0, false);
	pass(t, &t->time.guest);
	tell(t, FAN_VCPU_EXIT, halts ? HLT : IO, 0, false);
	from = t->r->now;
	handle_exit(t, halts);
	t->exits++;
	t->exit_ns += t->r->now - from;
}

static void check_truth(const struct truth *t)
{
	const struct fan_kvm *k = fan_machine_kvm(t->r->machine);
	const struct fan_thread *th = fan_threads_at(t->r->threads, 0);
	const struct fan_vcpu_time got = fan_vcpu_time(k, th);
	uint64_t count = 0, total = 0, off = 0;
	size_t n;
	const struct fan_exit_sum *e = fan_exits_of(k->exits, (size_t)th->account, &n);

	for (size_t i = 0; i < n; i++) {
		count += e[i].ns.n;
		total += e[i].ns.sum;
		off += e[i].off_cpu_ns;
	}
	law(t->r, got.guest == t->time.guest, "it was not in the guest for so long");
	law(t->r, got.kernel == t->time.kernel, "it was not in the kernel for so long");
	law(t->r, got.poll == t->time.poll, "it did not poll for so long");
	law(t->r, got.vmm == t->time.vmm, "it was not in the VMM for so long");
	law(t->r, got.unsplit == 0, "true events leave something unsplit");
	law(t->r, got.halted == t->time.halted, "it did not halt for so long");
	law(t->r, th->blocked_ns == t->time.halted + t->asleep, "it did not sleep for so long");
	law(t->r, th->wait_ns == t->wait, "it did not wait for so long");
	law(t->r, count == t->exits, "that is not how often it exited");
	law(t->r, total == t->exit_ns && off == t->off_ns, "its exits did not take so long");
	law(t->r, k->counts.entries_twice + k->counts.exits_twice + k->counts.cut == 0,
	    "true entries and exits are said not to pair");
}

static void true_events_give_true_parts(void **state)
{
	const uint64_t seed = seeded_start() + 1;
	struct run r;

	(void)state;
	print_message("# FCAP_TEST_SEED=%" PRIu64 "\n", seed - 1);
	for (unsigned int i = 0; i < SEQUENCES / 2; i++) {
		struct truth t = { .r = &r };

		begin(&r, seed, i);
		tell_switch(&t, 0, 1, false);
		for (unsigned int n = 0; n < STEPS; n++)
			live(&t);
		/* so that all kinds of events have been seen: no time goes by */
		tell(&t, FAN_VCPU_ENTRY, 0, 0, false);
		tell(&t, FAN_VCPU_EXIT, HLT, 0, false);
		tell(&t, FAN_VCPU_WOKEN, 0, 0, false);
		tell(&t, FAN_VCPU_USER, 0, 0, false);
		assert_int_equal(fan_machine_finish(r.machine, 0), 0);
		check_truth(&t);
		release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts_add_up_whatever_the_events_say),
		cmocka_unit_test(true_events_give_true_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
