/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who shared a core with whom: each core's hardware threads side by side, from the spans of its
 * CPUs. Integers only; parties are folded into groups at the end.
 *
 * A *pairing*: two siblings run vCPU threads at the same time that may not (see enum fan_level). It
 * begins and ends with a switch on either CPU. Of the two the late one is the one that did not
 * switch last, by the time that its thread got on the CPU; of two that did at one time, or were
 * there from the begin of the analysed time: the lower CPU. What a pairing is:
 *
 *  violation   from the late one's first entry into its guest (kvm_entry) at or after the begin of
 *              the pairing, to the end of the pairing: after its sibling switched it was let in
 *              again. Shorter than FAN_IPI_NS: the interrupt was on its way, which counts as
 *              transition
 *  transition  what is before that; without an entry all of it, if it is not longer than the
 *              tolerance
 *  unresolved  without an entry, and longer: a guest that never exits cannot be excused
 *
 * The three add up to the time of all pairings. In traces without any kvm_entry the begin of
 * KVM_RUN (kvm_fpu load) stands for it, and KVM_RUN for the guest: until the first kvm_entry is
 * seen; without either nothing can be a violation.
 *
 * On cores with more than two siblings an instant counts once for the core, as the worst of its
 * pairs; the sums of pairs of parties are of pairs of CPUs.
 *
 * What a thread is (its party, a vCPU, its cookie) is what is known of it when it leaves the CPU,
 * or its time is cut. A vCPU thread of no party counts as any other thread. Gaps and losses make
 * the past unknown here too; only of a CPU whose siblings switch some hundred times while it does
 * not, nor tells anything, what it runs is taken for granted up to then.
 */
#ifndef FAN_MODEL_ISOLATION_H
#define FAN_MODEL_ISOLATION_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/model/cores.h"
#include "analyze/model/facts.h"
#include "analyze/model/hist.h"
#include "analyze/model/machine.h"
#include "analyze/model/parties.h"
#include "analyze/model/timeline.h"

#define FAN_IPI_NS	 50000ULL
#define FAN_TOLERANCE_NS 50000ULL /* default */
#define FAN_FIRST_MIXED	 10
#define FAN_SIBLINGS_MAX 11 /* a core with more is unknown all the time; hardware has up to 8 */

enum fan_level {
	FAN_LEVEL_VM, /* vCPU threads of different parties */
	/* the same pairings, judged by the whole of them; only time in which both are in their
	 * guests counts, and a pairing without any does not */
	FAN_LEVEL_GUEST,
	FAN_LEVEL_COOKIE, /* vCPU threads whose cookies are known and differ, 0 being one */
	FAN_LEVELS
};

/* What a core did; they add up to its wall time. */
enum fan_core_class {
	FAN_CORE_IDLE,	  /* all siblings */
	FAN_CORE_KERNEL,  /* kernel threads, and idle */
	FAN_CORE_VM,	  /* threads of one party; kernel threads, and idle */
	FAN_CORE_MIXED,	  /* threads of two parties or more */
	FAN_CORE_BESIDE,  /* threads of one party, and user threads of none */
	FAN_CORE_OTHER,	  /* user threads of no party; kernel threads, and idle */
	FAN_CORE_UNKNOWN, /* of some sibling nobody knows what it ran */
	FAN_CORE_CLASSES
};

struct fan_core_time {
	uint64_t ns[FAN_CORE_CLASSES];
	uint64_t *party_ns; /* of FAN_CORE_VM, by party */
	size_t nparties;
};

/* At one level, over all cores with siblings; times are core time. */
struct fan_mixing {
	/* two siblings or more run vCPU threads, whoever's; are in their guests; have known
	 * cookies */
	uint64_t co_run_ns;
	uint64_t violation_ns, transition_ns, unresolved_ns;
	/* a sibling runs a vCPU thread, and of another nobody knows; not what is a violation or
	 * unresolved anyway */
	uint64_t possible_ns;
	uint64_t pairings, reentered; /* of pairs of CPUs; with a violation that counts */
	uint64_t unresolved;	      /* pairings */
	uint64_t longest_ns;	      /* violation */
	struct fan_hist violations;   /* lengths, of pairs of CPUs */
};

/* Of two parties at one level; a <= b, equal only at the level of cookies. Pair time. */
struct fan_mixed_pair {
	int32_t a, b;
	uint64_t violation_ns, transition_ns, unresolved_ns;
	uint64_t violations, unresolved;
	uint64_t longest_ns; /* violation */
};

/* A violation, or a pairing that is unresolved. */
struct fan_mixed {
	uint64_t ts_ns, ns;	   /* its begin, on the clock of the trace */
	int32_t cpu[2], thread[2]; /* the late one's first */
	bool is_unresolved;
};

struct fan_isolation;

/* All are borrowed. NULL: no memory. */
struct fan_isolation *fan_isolation_new(const struct fan_machine *machine,
					const struct fan_threads *threads,
					const struct fan_facts *facts,
					const struct fan_cores *cores,
					const struct fan_parties *parties, uint64_t tolerance_ns);
void fan_isolation_free(struct fan_isolation *iso);

/* Only time from from_ns to to_ns counts. Before the first event. */
void fan_isolation_clip(struct fan_isolation *iso, uint64_t from_ns, uint64_t to_ns);

/*
 * Violations at this level, which is not that of guests, and what is unresolved are told to t,
 * which is borrowed. Before the first event.
 */
void fan_isolation_show(struct fan_isolation *iso, struct fan_timeline *t, enum fan_level level);

/* Takes a span of a CPU (of a thread that runs, idle, or unknown). 0 or -ENOMEM. */
int fan_isolation_take(struct fan_isolation *iso, const struct fan_span *span);

/*
 * The thread that this CPU runs makes a kvm event, now: after the machine has taken it, and also
 * before the analysed time. 0 or -ENOMEM.
 */
int fan_isolation_kvm(struct fan_isolation *iso, int32_t cpu, enum fan_vcpu_what what,
		      uint64_t now_ns);

/* A CPU has changed its occupant, to thread. */
void fan_isolation_see_cpu(struct fan_isolation *iso, int32_t cpu, int32_t thread);

/* The machine has finished: settles what is open. To be called once. 0 or -ENOMEM. */
int fan_isolation_finish(struct fan_isolation *iso);

/* --- after that; all belong to iso --- */

const struct fan_mixing *fan_isolation_level(const struct fan_isolation *iso, enum fan_level level);

/* Pairs that met, in no special order. */
size_t fan_isolation_pairs(const struct fan_isolation *iso, enum fan_level level,
			   const struct fan_mixed_pair **ret);

/* The first FAN_FIRST_MIXED, in the order of time. */
size_t fan_isolation_first(const struct fan_isolation *iso, enum fan_level level,
			   const struct fan_mixed **ret);

/* By core, as numbered in the cores; all 0 where no core has siblings, and of one of one CPU. */
const struct fan_core_time *fan_isolation_core(const struct fan_isolation *iso, size_t core);

/*
 * Wall time in which one core at least was idle as a whole while siblings of another one ran vCPU
 * threads of different parties: there was room to keep them apart. By what is known at the time:
 * what turns out to be unknown later (a gap) is not taken back.
 */
uint64_t fan_isolation_idle_beside_ns(const struct fan_isolation *iso);

#endif
