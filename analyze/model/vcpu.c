// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/vcpu.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/model/exit_names.h"
#include "analyze/model/observer.h"

int fan_kvm_open(struct fan_kvm *k)
{
	*k = (struct fan_kvm){ .exits = fan_exits_new(), .clip_to = UINT64_MAX };
	return k->exits ? 0 : -ENOMEM;
}

void fan_kvm_close(struct fan_kvm *k)
{
	fan_exits_free(k->exits);
}

static inline uint64_t clip(const struct fan_kvm *k, uint64_t t)
{
	if (!k->is_clipped)
		return t;
	return t < k->clip_from ? k->clip_from : t > k->clip_to ? k->clip_to : t;
}

/*
 * It is on a CPU: for the first time in this spell, again, or still. Without branches: which of
 * them is the case cannot be predicted.
 */
static inline void begin_stretch(struct fan_vcpu_spell *spell, uint64_t from_ns, bool is_again)
{
	const bool is_first = spell->ns == 0, begins = is_first || is_again;
	const uint64_t first_ns = spell->first_ns, last_ns = spell->last_ns;
	const uint64_t before_ns = spell->before_last_ns;

	spell->first_ns = is_first ? from_ns : first_ns;
	spell->last_ns = begins ? from_ns : last_ns;
	spell->before_last_ns = begins ? spell->ns : before_ns;
}

/*
 * How much of the spell was before t. Of more than two stretches on a CPU only the first and the
 * last are known: t in another one counts what lies between as before it.
 */
static uint64_t part_before(const struct fan_vcpu_spell *spell, uint64_t t)
{
	uint64_t ns = 0;

	if (t >= spell->last_ns)
		ns = spell->before_last_ns + (t - spell->last_ns);
	else if (t > spell->first_ns)
		ns = t - spell->first_ns < spell->before_last_ns ? t - spell->first_ns
								 : spell->before_last_ns;
	return ns < spell->ns ? ns : spell->ns;
}

void fan_vcpu_run(struct fan_vcpu *v, uint64_t t0_ns, uint64_t t1_ns)
{
	const uint64_t t0 = t0_ns > v->since_ns ? t0_ns : v->since_ns;

	if (t1_ns <= t0)
		return;
	begin_stretch(&v->now, t0, t0 != v->since_ns);
	v->ns[v->now.mode] += t1_ns - t0;
	v->now.ns += t1_ns - t0;
	v->run_ns += t1_ns - t0;
	v->since_ns = t1_ns;
}

static void enter(struct fan_vcpu *v, enum fan_vcpu_mode mode)
{
	v->now.mode = mode;
	v->now.ns = 0;
	v->has_slept = false;
	v->slept_ns = 0;
}

/* Of this spell, that much was another mode. */
static void move(struct fan_vcpu *v, struct fan_vcpu_spell *spell, uint64_t ns,
		 enum fan_vcpu_mode mode)
{
	v->ns[spell->mode] -= ns;
	v->ns[mode] += ns;
	spell->ns -= ns;
}

void fan_vcpu_sleep(struct fan_vcpu *v, uint64_t t0_ns, uint64_t t1_ns)
{
	if (v->is_halted) {
		v->halted_ns += t1_ns - t0_ns;
		return;
	}
	if (v->slept_ns == 0)
		v->slept_from = t0_ns;
	v->slept_ns += t1_ns - t0_ns;
}

void fan_vcpu_leave(struct fan_kvm *k, struct fan_vcpu *v, bool sleeps)
{
	if (v->now.mode == FAN_MODE_GUEST) {
		k->counts.cut++;
		v->entered_ns = 0;
		enter(v, FAN_MODE_UNTOLD);
	}
	if (!sleeps)
		return;
	if (!v->has_slept)
		v->before_sleep = v->now;
	v->has_slept = true;
	v->now.ns = 0;
	/* it polls before it sleeps, not after */
	if (v->now.mode == FAN_MODE_HALT)
		v->now.mode = FAN_MODE_KERNEL;
}

void fan_vcpu_unpair(struct fan_vcpu *v)
{
	v->is_out = v->has_left = false;
	v->entered_ns = 0;
}

void fan_vcpu_break(struct fan_vcpu *v)
{
	enter(v, FAN_MODE_UNTOLD);
	v->is_halted = false;
}

/* It is out of the guest, and no exit has told when it left. */
static void miss_exit(struct fan_kvm *k, struct fan_vcpu *v)
{
	if (v->now.mode != FAN_MODE_GUEST)
		return;
	k->counts.cut++;
	v->entered_ns = 0;
	move(v, &v->now, v->now.ns, FAN_MODE_UNTOLD);
}

static int show_exit(const struct fan_kvm *k, const struct fan_thread *th)
{
	const struct fan_observer *o = k->observer;

	return o && o->exit ? o->exit(o->ctx, &th->vcpu->out, th, th->vcpu->out_from_ns) : 0;
}

/* Since an entry without a switch, loss or gap: so it was on a CPU all the time. */
static int show_guest(const struct fan_kvm *k, const struct fan_thread *th, uint64_t now_ns)
{
	const struct fan_observer *o = k->observer;
	const uint64_t t0 = clip(k, th->vcpu->entered_ns), t1 = clip(k, now_ns);

	return o && o->guest && t0 < t1 ? o->guest(o->ctx, th, t0, t1) : 0;
}

static int end_exit(struct fan_kvm *k, const struct fan_thread *th, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;
	int r;

	if (!v->is_out || now_ns > k->clip_to)
		return 0;
	v->is_out = false;
	v->out.ns = now_ns - v->out_from_ns;
	v->out.off_cpu_ns = v->out.ns - (v->run_ns - v->out_run_ns);
	r = fan_exits_add(k->exits, &v->out);
	return r < 0 ? r : show_exit(k, th);
}

static int take_entry(struct fan_kvm *k, const struct fan_thread *th, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;

	if (v->now.mode == FAN_MODE_GUEST)
		move(v, &v->now, v->now.ns, FAN_MODE_UNTOLD);
	k->counts.entries_twice += v->entered_ns != 0;
	enter(v, FAN_MODE_GUEST);
	v->is_halted = v->has_left = false;
	v->entered_ns = now_ns;
	return end_exit(k, th, now_ns);
}

/* Does the reason say by itself whether it is a halt? See fan_exit_is_halt(). */
static bool tells_halts(enum fan_isa isa)
{
	return isa == FAN_ISA_VMX || isa == FAN_ISA_SVM || isa == FAN_ISA_ARM64 ||
	       isa == FAN_ISA_S390;
}

static int take_exit(struct fan_kvm *k, struct fan_thread *th, const struct fan_event *ev,
		     uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;
	int r = 0;
	const bool is_outside = v->now.mode != FAN_MODE_GUEST && v->now.mode != FAN_MODE_UNTOLD;

	v->is_halted = fan_exit_is_halt(ev->vcpu.isa, ev->vcpu.reason);
	k->counts.halts += v->is_halted;
	k->counts.mute += !tells_halts(ev->vcpu.isa);
	k->counts.exits_twice += is_outside || v->has_left;
	if (is_outside)
		move(v, &v->now, v->now.ns, FAN_MODE_UNTOLD);
	v->has_left = true;
	if (v->entered_ns) {
		v->paired_ns += clip(k, now_ns) - clip(k, v->entered_ns);
		r = v->now.mode == FAN_MODE_GUEST ? show_guest(k, th, now_ns) : 0;
	}
	v->entered_ns = 0;
	enter(v, v->is_halted ? FAN_MODE_HALT : FAN_MODE_KERNEL);
	v->is_out = clip(k, now_ns) == now_ns;
	v->out = (struct fan_exit){ th->account, ev->vcpu.isa, ev->vcpu.reason, 0, 0 };
	v->out_from_ns = now_ns;
	v->out_run_ns = v->run_ns;
	return r;
}

/* The clock of the trace may run by 500 ppm faster or slower than the one that KVM reads. */
static bool covers(uint64_t ns, uint64_t age_ns)
{
	return ns + ns / 1000 >= age_ns;
}

static void take_wakeup(struct fan_kvm *k, struct fan_vcpu *v, const struct fan_event *ev,
			uint64_t now_ns)
{
	const uint64_t halt_ns = now_ns > ev->vcpu.ns ? now_ns - ev->vcpu.ns : 0;
	const bool slept = ev->vcpu.has_blocked && v->has_slept;
	struct fan_vcpu_spell *spell = slept ? &v->before_sleep : &v->now;

	move(v, spell, spell->ns - part_before(spell, halt_ns), FAN_MODE_POLL);
	if (ev->vcpu.has_blocked && covers(ev->vcpu.ns, now_ns - v->slept_from))
		v->halted_ns += v->slept_ns;
	miss_exit(k, v);
	enter(v, FAN_MODE_KERNEL);
	v->is_halted = false;
}

static void take_bracket(struct fan_kvm *k, struct fan_vcpu *v, enum fan_vcpu_mode mode)
{
	miss_exit(k, v);
	enter(v, mode);
	v->is_halted = false;
}

static int begin(struct fan_thread *th)
{
	struct fan_vcpu *v = calloc(1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	v->ns[FAN_MODE_UNTOLD] = v->run_ns = th->run_ns;
	th->vcpu = v;
	return 0;
}

int fan_vcpu_take(struct fan_kvm *k, struct fan_thread *th, const struct fan_event *ev,
		  uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;

	k->counts.seen[ev->vcpu.what]++;
	if (ev->vcpu.what == FAN_VCPU_OTHER || k->only_counts)
		return 0;
	if (!v && begin(th) < 0)
		return -ENOMEM;
	v = th->vcpu;
	fan_vcpu_run(v, clip(k, th->since_ns), clip(k, now_ns));
	switch (ev->vcpu.what) {
	case FAN_VCPU_ENTRY:
		return take_entry(k, th, now_ns);
	case FAN_VCPU_EXIT:
		return take_exit(k, th, ev, now_ns);
	case FAN_VCPU_WOKEN:
		take_wakeup(k, v, ev, now_ns);
		break;
	case FAN_VCPU_LOAD:
		take_bracket(k, v, FAN_MODE_KERNEL);
		break;
	case FAN_VCPU_USER:
	case FAN_VCPU_UNLOAD:
		take_bracket(k, v, FAN_MODE_VMM);
		break;
	case FAN_VCPU_OTHER:
	case FAN_VCPU_WHATS:
		break;
	}
	return 0;
}

unsigned int fan_kvm_tells(const struct fan_kvm *k)
{
	const uint64_t *seen = k->counts.seen;
	const bool is_split = seen[FAN_VCPU_ENTRY] && seen[FAN_VCPU_EXIT];
	const bool has_end = seen[FAN_VCPU_USER] || seen[FAN_VCPU_UNLOAD];
	const bool has_bracket = seen[FAN_VCPU_LOAD] && has_end;
	const bool halts = seen[FAN_VCPU_WOKEN] || (is_split && !k->counts.mute);
	unsigned int ret = halts ? FAN_TELLS_HALTED : 0;

	if (!is_split && !has_bracket)
		return ret;
	ret |= is_split ? FAN_TELLS_GUEST : FAN_TELLS_KVM_RUN;
	if (has_end)
		ret |= FAN_TELLS_VMM;
	if (is_split && has_end && halts)
		ret |= FAN_TELLS_KERNEL;
	if (halts && (seen[FAN_VCPU_WOKEN] || !k->counts.halts))
		ret |= FAN_TELLS_POLL;
	return ret;
}

static uint64_t told(unsigned int tells, unsigned int what, uint64_t ns)
{
	return tells & what ? ns : 0;
}

struct fan_vcpu_time fan_vcpu_split(const struct fan_kvm *k, const uint64_t ns[FAN_MODES],
				    uint64_t halted_ns)
{
	const unsigned int tells = fan_kvm_tells(k);
	/* with wakeups seen, what none of them called polling was none */
	const uint64_t halt = k->counts.seen[FAN_VCPU_WOKEN] ? ns[FAN_MODE_HALT] : 0;
	struct fan_vcpu_time t = { 0 };

	t.guest = told(tells, FAN_TELLS_GUEST, ns[FAN_MODE_GUEST]);
	t.kernel = told(tells, FAN_TELLS_KERNEL, ns[FAN_MODE_KERNEL] + halt);
	t.poll = told(tells, FAN_TELLS_POLL, ns[FAN_MODE_POLL]);
	t.vmm = told(tells, FAN_TELLS_VMM, ns[FAN_MODE_VMM]);
	t.kvm_run = told(tells, FAN_TELLS_KVM_RUN,
			 ns[FAN_MODE_GUEST] + ns[FAN_MODE_KERNEL] + ns[FAN_MODE_HALT]);
	t.halted = told(tells, FAN_TELLS_HALTED, halted_ns);
	for (size_t i = 0; tells & FAN_TELLS_RUN && i < FAN_MODES; i++)
		t.unsplit += ns[i];
	if (tells & FAN_TELLS_RUN)
		t.unsplit -= t.guest + t.kernel + t.poll + t.vmm + t.kvm_run;
	return t;
}

struct fan_vcpu_time fan_vcpu_time(const struct fan_kvm *k, const struct fan_thread *th)
{
	const uint64_t untold[FAN_MODES] = { [FAN_MODE_UNTOLD] = th->run_ns };

	return fan_vcpu_split(k, th->vcpu ? th->vcpu->ns : untold,
			      th->vcpu ? th->vcpu->halted_ns : 0);
}
