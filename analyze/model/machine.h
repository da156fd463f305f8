/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who ran, who waited, who slept: a state machine over CPUs and threads, fed with events in time
 * order. Definitions: a wait begins at the wake-up event or at a switch-out while runnable and
 * ends at the switch-in. Where events contradict each other the policy is:
 *
 *  gap        the CPU runs another thread than the last switch said: from the CPU's last event
 *             on, both threads are unknown until their next event, an open wait or sleep ends
 *             at the CPU's last event, and the CPU's own time is unknown
 *  loss       events are missing on a CPU by the file's own mark: the same for every thread last
 *             seen on that CPU
 *  stale      a thread is switched in that went to sleep and was not woken: it was runnable
 *             all along (kernels 5.18 to 6.14 say so wrongly); its time is kept apart
 *             (stale_ns). After a loss on any CPU since then the time from that on is unknown
 *             instead, with a request (see below) too; but only if its mark has come by now, which
 *             is at the next event of that CPU. Of a sleeper that was moved to another cgroup what
 *             was before the move stays sleep
 *  waking     the same, but a wake-up was asked for (sched_waking): it has waited since then. The
 *             request names the CPU on which the thread last ran, not the one it queues on:
 *             the CPU stays what it was
 *  awake      a wake-up of a running or waiting thread is ignored
 *  skewed     a stale one is woken from another CPU up to 1 ms later: the clock of that CPU is
 *             behind by that much at least
 *  moved      a wait ends on another CPU than the one it queued on, and no migration was seen:
 *             it is taken to have queued on the first one
 *  revived    a thread that had exited runs: it had not, and has slept since. Without the event of
 *             its exit a thread that is gone counts as asleep to the end
 *  elsewhere  a thread turns up on a CPU while another has it running: a gap on the other
 *  late       an event is older than the one before: it counts at that one's time
 *  silence    no CPU tells anything for long although some run threads (the host was suspended,
 *             or tracing stood still): all of them, and all waits, are unknown
 */
#ifndef FAN_MODEL_MACHINE_H
#define FAN_MODEL_MACHINE_H

#include "analyze/model/span.h"
#include "analyze/model/threads.h"
#include "analyze/model/vcpu.h"
#include "analyze/trace/event.h"
#include "fcap/err.h"

struct fan_counts {
	uint64_t events; /* decoded events of the main buffer */
	uint64_t gaps, losses, lost_events, losses_uncounted;
	uint64_t stale, awake, elsewhere, late, bad_tids;
	uint64_t from_waking, skewed, moved, revived, silences;
	uint64_t skew_ns, silence_ns;	     /* largest; sum */
	uint64_t switches, wakeups, wakings; /* events */
};

struct fan_machine;
struct fan_observer;

/* threads is borrowed; ctx is handed to every call of emit, for every span. 0 or -ENOMEM. */
int fan_machine_new(struct fan_machine **ret, struct fan_threads *threads, fan_span_fn emit,
		    void *ctx);

/*
 * Tells from now on only of spans of threads that run, that wait, and of CPUs that no thread has,
 * of each to its own function instead of emit.
 */
void fan_machine_tell_cpus_and_waits(struct fan_machine *m, fan_stay_fn run, fan_stay_fn wait,
				     fan_span_fn nobody);

/* Has all of watch, which stays the caller's, called from now on; before the first event. */
void fan_machine_watch(struct fan_machine *m, const struct fan_watch *watch);

/* Has changed, and kvm_seen if it is not NULL, called with this ctx, from now on. */
void fan_machine_watch_cpus(struct fan_machine *m, fan_cpu_fn changed, fan_kvm_fn kvm_seen,
			    void *ctx);

/* Has exits and stretches in the guest shown to observer, which stays the caller's. */
void fan_machine_observe(struct fan_machine *m, const struct fan_observer *observer);

/* Leaves out how the lengths of waits are distributed. Before the first event. */
void fan_machine_skip_lengths(struct fan_machine *m);

/* Leaves out what vCPUs do on their CPUs: only which kvm events there are is counted. As above. */
void fan_machine_skip_vcpus(struct fan_machine *m);

/* Takes sched_waking for the begin of waits: for traces without sched_wakeup. */
void fan_machine_wait_from_waking(struct fan_machine *m);

/*
 * The trace begins here: earlier than, or at, the first event. Without this call it begins with
 * that event.
 */
void fan_machine_begin(struct fan_machine *m, uint64_t ts_ns);

/*
 * Only time from from_ns to to_ns is booked, and only what happens in it counted; what comes
 * before still tells the states. Before the first event.
 */
void fan_machine_clip(struct fan_machine *m, uint64_t from_ns, uint64_t to_ns);

/*
 * Only the events of this thread, of what it forks and of those adopted later are complete: of
 * switches and wake-ups those that one of them is part of. All others are nobody, and a CPU that
 * none of them has is unknown without a gap. The threads in the scope are seen to come and to go,
 * so their runs and waits are as good as ever. Before the first event; a bad tid is no thread's.
 */
void fan_machine_scope(struct fan_machine *m, int32_t root);
bool fan_machine_is_scoped(const struct fan_machine *m);

/* From now on this thread is in the scope; what it did before is unknown. */
void fan_machine_adopt(struct fan_machine *m, int32_t tid);

/* Takes one event of the main buffer. Markers only tell that their CPU ran cur_tid. */
int fan_machine_feed(struct fan_machine *m, const struct fan_event *ev);

/*
 * Takes one event after the other, from *next to end, up to that time. *next is then the first that
 * was not taken: those of other buffers, of CPUs that are new, and markers, moves between cgroups
 * and records of no use are left to the caller. Not before the first event. 0 or negative errno.
 */
int fan_machine_follow(struct fan_machine *m, const struct fan_event **next,
		       const struct fan_event *end, uint64_t upto_ns);

/*
 * The living (or last) thread with this tid, added if it is new; NULL for tid 0, a tid out of
 * range, or without memory (the next feed then fails).
 */
struct fan_thread *fan_machine_thread(struct fan_machine *m, int32_t tid);

/*
 * The thread is in this place: its time up to now goes to the account it had, unless nothing
 * was known of its cgroup; what follows to the new one. 0 or -ENOMEM.
 */
int fan_machine_enter(struct fan_machine *m, int32_t thread, struct fan_place place);

/*
 * No record of any CPU lies between these times, from_ns being the last event's: unless all CPUs
 * were idle, see "silence" above.
 */
void fan_machine_silence(struct fan_machine *m, uint64_t from_ns, uint64_t to_ns);

/*
 * The file ends before the recording, by end_ns, at the latest page of each CPU that was stored:
 * what each did after its last event is unknown, as after a loss. Before fan_machine_finish().
 */
void fan_machine_cut_short(struct fan_machine *m, uint64_t end_ns);

/* Does the trace, so far, tell waits from sleeps? See "stale" above. */
bool fan_machine_tells_waits(const struct fan_machine *m);

/*
 * Who has a CPU at the time of the last event, and since when; of any number. What later events
 * make unknown (a gap, a loss) is at most what comes after the CPU's own last event.
 */
struct fan_occupant {
	int32_t thread; /* index, FAN_CPU_IDLE or FAN_CPU_UNKNOWN */
	uint64_t since_ns;
	uint64_t last_ns; /* the last event of this CPU; 0: none yet */
};
struct fan_occupant fan_machine_occupant(const struct fan_machine *m, int32_t cpu);
/* Its thread alone. */
int32_t fan_machine_holder(const struct fan_machine *m, int32_t cpu);

/* Who waits for a CPU, one after the other; good until the next event. Some may come twice. */
struct fan_waiters {
	const struct fan_threads *threads;
	const int32_t *next, *end; /* of the listed, who may have gone elsewhere */
	int32_t cpu;
};

/* From the first one on. Of a CPU of any number. */
struct fan_waiters fan_machine_waiters(const struct fan_machine *m, int32_t cpu);

static inline bool fan_waits_for(const struct fan_thread *th, int32_t cpu)
{
	return th->state == FAN_ST_WAIT && th->cpu == cpu;
}

/* NULL: that was all. */
static inline const struct fan_thread *fan_waiters_next(struct fan_waiters *q)
{
	while (q->next < q->end) {
		const struct fan_thread *th = fan_threads_at(q->threads, (size_t)*q->next++);

		if (fan_waits_for(th, q->cpu))
			return th;
	}
	return NULL;
}

/* A waiting thread is booked up to t_ns, at most the time of the last event; it waits on. */
void fan_machine_cut_wait(struct fan_machine *m, int32_t thread, uint64_t t_ns);

/* Ends all open states at end_ns or the last event, what is later. To be called once. */
int fan_machine_finish(struct fan_machine *m, uint64_t end_ns);

/* Begin and end as above; both 0 before any. */
uint64_t fan_machine_start(const struct fan_machine *m);
uint64_t fan_machine_end(const struct fan_machine *m);

const struct fan_counts *fan_machine_counts(const struct fan_machine *m);
const struct fan_kvm *fan_machine_kvm(const struct fan_machine *m);

/* CPUs that are known, and the thread that runs on one of them, or FAN_CPU_IDLE or UNKNOWN. */
size_t fan_machine_cpus(const struct fan_machine *m);
int32_t fan_machine_running(const struct fan_machine *m, size_t cpu);

/* The thread turns out to be a vCPU; by an event, or a line that tells so. */
void fan_machine_is_vcpu(struct fan_machine *m, struct fan_thread *th);

void fan_machine_free(struct fan_machine *m);

#endif
