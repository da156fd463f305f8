/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What vCPU threads did with their time, by their kvm events: run time is split into the guest,
 * the kernel, polling and the VMM; sleep into halts and the rest. Every ns on a CPU is in exactly
 * one mode. What events cannot tell stays untold: that is decided at the end, by which kinds of
 * events have occurred at all.
 *
 *  entry          from here on in the guest
 *  exit           from here on in the kernel; after the exit of a halt in it or polling
 *  userspace exit from here on in the VMM; so too from the unload of the FPU's state on, which
 *                 comes a moment earlier
 *  load           of the FPU's state: KVM_RUN has begun, in the kernel
 *  wakeup         a halt has ended that took ns: what of these the thread was on a CPU before it
 *                 slept was polling; if it slept, that was the halt
 *  switched out   in the guest, without an exit: that is lost; what follows is untold
 *  out of order   an exit after an exit, an entry after an entry: the other one is lost, and what
 *                 the time between was, since the thread last slept, is untold
 *  gap, loss      what follows is untold; an exit that is not over does not count
 */
#ifndef FAN_MODEL_VCPU_H
#define FAN_MODEL_VCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/model/exits.h"
#include "analyze/model/threads.h"
#include "analyze/trace/event.h"

enum fan_vcpu_mode {
	FAN_MODE_UNTOLD, /* before the first kvm event, or after something was lost */
	FAN_MODE_GUEST,
	FAN_MODE_KERNEL,
	FAN_MODE_HALT, /* after the exit of a halt, as long as no wakeup says it was polling */
	FAN_MODE_POLL, /* of sums only */
	FAN_MODE_VMM,
	FAN_MODES
};

/* A stretch of one mode; all of its time on a CPU is also in the sum of the mode. */
struct fan_vcpu_spell {
	enum fan_vcpu_mode mode;
	uint64_t last_ns;	 /* when it got on a CPU for the last time */
	uint64_t before_last_ns; /* it was on one for so long before; 0: that was the first time */
	uint64_t first_ns;	 /* else that was here */
};

struct fan_vcpu {
	uint64_t ns[FAN_MODES]; /* on a CPU; adds up to run_ns of the thread once that is booked */
	uint64_t since_ns;	/* run time is split up to here */
	struct fan_vcpu_spell now, before_sleep;
	uint64_t asleep_ns;	       /* when before_sleep ended */
	bool has_slept;		       /* since the last kvm event: before_sleep is set */
	bool is_halted;		       /* its sleep is its guest's halt */
	uint64_t slept_from, slept_ns; /* sleep since the last kvm event, not known for a halt */
	uint64_t halted_ns;	       /* of blocked_ns of the thread */
	uint64_t entered_ns;	       /* the entry that no exit followed yet, clipped; 0: none */
	uint64_t paired_ns;	       /* sum of exit minus entry, on a CPU or not */
	bool has_left;		       /* by an exit that no entry followed yet */
	/* that exit, if it is to be summed, with its time off the CPU so far */
	bool is_out;
	struct fan_exit out;
	uint64_t out_from_ns;
};

struct fan_kvm_counts {
	uint64_t seen[FAN_VCPU_WHATS]; /* events by what they tell */
	uint64_t halts;		       /* exits whose reason is a halt */
	uint64_t mute; /* exits of an architecture whose reasons do not tell halts */
	uint64_t entries_twice, exits_twice; /* without the other between them */
	uint64_t cut;			     /* out of the guest without an exit */
};

struct fan_observer;

/* Of the whole machine. */
struct fan_kvm {
	struct fan_exits *exits;
	struct fan_kvm_counts counts;
	uint64_t clip_from, clip_to;	     /* what is booked */
	bool is_clipped;		     /* that is not all */
	bool only_counts;		     /* counts.seen is all that is asked */
	const struct fan_observer *observer; /* NULL: nobody asks */
};

/* 0 or -ENOMEM; to be closed also then. */
int fan_kvm_open(struct fan_kvm *k);
void fan_kvm_close(struct fan_kvm *k);

/* The thread, on a CPU and running since th->since_ns, makes this kvm event. 0 or -ENOMEM. */
int fan_vcpu_take(struct fan_kvm *k, struct fan_thread *th, const struct fan_event *ev,
		  uint64_t now_ns);

/* --- for threads that have made a kvm event --- */

/* It has run, or slept, from t0 to t1, which are clipped to what is booked. */
void fan_vcpu_run(struct fan_vcpu *v, uint64_t t0_ns, uint64_t t1_ns);
void fan_vcpu_sleep(struct fan_vcpu *v, uint64_t t0_ns, uint64_t t1_ns);
/* It is switched out; its run time is booked. */
void fan_vcpu_leave(struct fan_kvm *k, struct fan_vcpu *v, bool sleeps);
/* A gap or loss: nothing is known from here on. */
void fan_vcpu_break(struct fan_vcpu *v);
/* Entries and exits may be lost: those that wait for the other one do not count. */
void fan_vcpu_unpair(struct fan_vcpu *v);

/* --- at the end --- */

/* What can be told in this trace. */
enum {
	FAN_TELLS_GUEST = 1,
	FAN_TELLS_KERNEL = 2,
	FAN_TELLS_POLL = 4,
	FAN_TELLS_VMM = 8,
	FAN_TELLS_KVM_RUN = 16, /* in the guest or in the kernel */
	FAN_TELLS_HALTED = 32,
	FAN_TELLS_RUN = FAN_TELLS_GUEST | FAN_TELLS_KVM_RUN, /* any of them: run time is split */
};

unsigned int fan_kvm_tells(const struct fan_kvm *k);

/* In ns; 0 where the trace cannot tell. The first six add up to run_ns. */
struct fan_vcpu_time {
	uint64_t guest, kernel, poll, vmm, kvm_run;
	uint64_t unsplit; /* run time that is none of them for sure */
	uint64_t halted;  /* of blocked_ns */
};

/*
 * Of these sums of run time by mode, and of halted. Differences of such sums, be they negative,
 * may be given too: then so are the parts, all of it modulo 2^64.
 */
struct fan_vcpu_time fan_vcpu_split(const struct fan_kvm *k, const uint64_t ns[FAN_MODES],
				    uint64_t halted_ns);

/* Of a vCPU thread, whether it has made kvm events or not. */
struct fan_vcpu_time fan_vcpu_time(const struct fan_kvm *k, const struct fan_thread *th);

#endif
