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
	return t < k->clip_from ? k->clip_from : t > k->clip_to ? k->clip_to : t;
}

/* On a CPU, up to end_ns, which lies in its last time there. */
static inline uint64_t length(const struct fan_vcpu_spell *spell, uint64_t end_ns)
{
	return spell->before_last_ns + (end_ns - spell->last_ns);
}

/*
 * How much of a spell of this length was before t. Of more than two times on a CPU only the first
 * and the last are known: t in another one counts what lies between as before it.
 */
static uint64_t part_before(const struct fan_vcpu_spell *spell, uint64_t spell_ns, uint64_t t)
{
	uint64_t ns = 0;

	if (t >= spell->last_ns)
		ns = spell->before_last_ns + (t - spell->last_ns);
	else if (spell->before_last_ns && t > spell->first_ns)
		ns = t - spell->first_ns < spell->before_last_ns ? t - spell->first_ns
								 : spell->before_last_ns;
	return ns < spell_ns ? ns : spell_ns;
}

/* It is on a CPU again. */
static inline void resume(struct fan_vcpu *v, uint64_t t_ns)
{
	const uint64_t ns = length(&v->now, v->since_ns);

	if (v->now.before_last_ns == 0)
		v->now.first_ns = v->now.last_ns;
	v->now.before_last_ns = ns;
	v->now.last_ns = t_ns;
	v->out.off_cpu_ns += t_ns - v->since_ns;
	v->since_ns = t_ns;
}

void fan_vcpu_run(struct fan_vcpu *v, uint64_t t0_ns, uint64_t t1_ns)
{
	if (t0_ns > v->since_ns)
		resume(v, t0_ns);
	if (t1_ns <= v->since_ns)
		return;
	v->ns[v->now.mode] += t1_ns - v->since_ns;
	v->since_ns = t1_ns;
}

/* A spell begins where the last one ends. */
static inline void begin_spell(struct fan_vcpu *v, enum fan_vcpu_mode mode)
{
	v->now.mode = mode;
	v->now.last_ns = v->since_ns;
	v->now.before_last_ns = 0;
}

static inline void enter(struct fan_vcpu *v, enum fan_vcpu_mode mode)
{
	begin_spell(v, mode);
	v->has_slept = false;
}

/* So much of this mode was another one. */
static void move(struct fan_vcpu *v, enum fan_vcpu_mode from, uint64_t ns, enum fan_vcpu_mode to)
{
	v->ns[from] -= ns;
	v->ns[to] += ns;
}

/* What its present spell was cannot be told. */
static void disown(struct fan_vcpu *v)
{
	move(v, v->now.mode, length(&v->now, v->since_ns), FAN_MODE_UNTOLD);
	v->now.mode = FAN_MODE_UNTOLD;
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
	if (!v->has_slept) {
		v->before_sleep = v->now;
		v->asleep_ns = v->since_ns;
		v->slept_ns = 0;
		v->has_slept = true;
	}
	/* it polls before it sleeps, not after */
	begin_spell(v, v->now.mode == FAN_MODE_HALT ? FAN_MODE_KERNEL : v->now.mode);
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
	disown(v);
}

static int show_exit(const struct fan_kvm *k, const struct fan_thread *th)
{
	const struct fan_observer *o = k->observer;

	return o && o->exit ? o->exit(o->ctx, &th->vcpu->out, th, th->vcpu->out_from_ns) : 0;
}

/* Since an entry without a switch, loss or gap: so it was on a CPU all the time. */
static int show_guest(const struct fan_kvm *k, const struct fan_thread *th)
{
	const struct fan_observer *o = k->observer;
	const uint64_t t0 = th->vcpu->entered_ns, t1 = th->vcpu->since_ns;

	return o && o->guest && t0 < t1 ? o->guest(o->ctx, th, t0, t1) : 0;
}

static int end_exit(struct fan_kvm *k, const struct fan_thread *th, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;
	int r;

	v->is_out = false;
	v->out.ns = now_ns - v->out_from_ns;
	r = fan_exits_add(k->exits, &v->out);
	return r < 0 ? r : show_exit(k, th);
}

/* Time is booked up to now: the event is in the time that is booked. */
static inline bool is_booked(const struct fan_vcpu *v, uint64_t now_ns)
{
	return v->since_ns == now_ns;
}

static inline int take_entry(struct fan_kvm *k, const struct fan_thread *th, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;

	if (v->now.mode == FAN_MODE_GUEST)
		disown(v);
	k->counts.entries_twice += v->entered_ns != 0;
	enter(v, FAN_MODE_GUEST);
	v->is_halted = v->has_left = false;
	v->entered_ns = v->since_ns;
	return v->is_out && is_booked(v, now_ns) ? end_exit(k, th, now_ns) : 0;
}

/* What the exit tells, of which is known where the thread was before. */
static inline void leave_guest(struct fan_kvm *k, const struct fan_thread *th,
			       const struct fan_event *ev, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;
	const enum fan_halting halting = fan_exit_halting(ev->vcpu.isa, ev->vcpu.reason);

	v->is_halted = halting == FAN_HALTING;
	if (halting != FAN_NOT_HALTING) {
		k->counts.halts += halting == FAN_HALTING;
		k->counts.mute += halting == FAN_HALTING_UNTOLD;
	}
	v->has_left = true;
	v->entered_ns = 0;
	enter(v, v->is_halted ? FAN_MODE_HALT : FAN_MODE_KERNEL);
	v->is_out = is_booked(v, now_ns);
	v->out = (struct fan_exit){ th->account, ev->vcpu.isa, ev->vcpu.reason, 0, 0 };
	v->out_from_ns = now_ns;
}

static inline int take_exit(struct fan_kvm *k, const struct fan_thread *th,
			    const struct fan_event *ev, uint64_t now_ns)
{
	struct fan_vcpu *v = th->vcpu;
	const bool is_outside = v->now.mode != FAN_MODE_GUEST && v->now.mode != FAN_MODE_UNTOLD;
	int r = 0;

	k->counts.exits_twice += is_outside || v->has_left;
	if (is_outside)
		disown(v);
	if (v->entered_ns) {
		v->paired_ns += v->since_ns - v->entered_ns;
		r = v->now.mode == FAN_MODE_GUEST ? show_guest(k, th) : 0;
	}
	leave_guest(k, th, ev, now_ns);
	return r;
}

/* The clock of the trace may run by 500 ppm faster or slower than the one that KVM reads. */
static bool covers(uint64_t ns, uint64_t age_ns)
{
	return ns + ns / 1000 >= age_ns;
}

static void take_wakeup(struct fan_vcpu *v, const struct fan_event *ev, uint64_t now_ns)
{
	const uint64_t halt_ns = now_ns > ev->vcpu.ns ? now_ns - ev->vcpu.ns : 0;
	const bool slept = ev->vcpu.has_blocked && v->has_slept;
	const struct fan_vcpu_spell *spell = slept ? &v->before_sleep : &v->now;
	const uint64_t ns = length(spell, slept ? v->asleep_ns : v->since_ns);

	move(v, spell->mode, ns - part_before(spell, ns, halt_ns), FAN_MODE_POLL);
	if (slept && covers(ev->vcpu.ns, now_ns - v->slept_from))
		v->halted_ns += v->slept_ns;
}

static int begin(struct fan_thread *th)
{
	struct fan_vcpu *v = calloc(1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	v->ns[FAN_MODE_UNTOLD] = th->run_ns;
	th->vcpu = v;
	return 0;
}

/* It goes on like this, in the kernel or not, whatever it did before. */
static void take_other(struct fan_kvm *k, struct fan_vcpu *v, const struct fan_event *ev,
		       uint64_t now_ns)
{
	const enum fan_vcpu_what what = ev->vcpu.what;
	const bool is_outside = what == FAN_VCPU_USER || what == FAN_VCPU_UNLOAD;

	miss_exit(k, v);
	if (what == FAN_VCPU_WOKEN)
		take_wakeup(v, ev, now_ns);
	enter(v, is_outside ? FAN_MODE_VMM : FAN_MODE_KERNEL);
	v->is_halted = false;
}

int fan_vcpu_take(struct fan_kvm *k, struct fan_thread *th, const struct fan_event *ev,
		  uint64_t now_ns)
{
	const enum fan_vcpu_what what = ev->vcpu.what;
	uint64_t t0 = th->since_ns, t1 = now_ns;

	k->counts.seen[what]++;
	if (what == FAN_VCPU_OTHER || k->only_counts)
		return 0;
	if (!th->vcpu && begin(th) < 0)
		return -ENOMEM;
	if (k->is_clipped) {
		t0 = clip(k, t0);
		t1 = clip(k, t1);
	}
	fan_vcpu_run(th->vcpu, t0, t1);
	if (what == FAN_VCPU_ENTRY)
		return take_entry(k, th, now_ns);
	if (what == FAN_VCPU_EXIT)
		return take_exit(k, th, ev, now_ns);
	take_other(k, th->vcpu, ev, now_ns);
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
