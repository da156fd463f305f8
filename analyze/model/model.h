/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over a trace: everything that later stages need, integers only. Members are for
 * reading.
 */
#ifndef FAN_MODEL_MODEL_H
#define FAN_MODEL_MODEL_H

#include "analyze/model/blame.h"
#include "analyze/model/closure.h"
#include "analyze/model/cores.h"
#include "analyze/model/counted.h"
#include "analyze/model/facts.h"
#include "analyze/model/forced_idle.h"
#include "analyze/model/guest_steal.h"
#include "analyze/model/held.h"
#include "analyze/model/host.h"
#include "analyze/model/isolation.h"
#include "analyze/model/machine.h"
#include "analyze/model/observer.h"
#include "analyze/model/pulse.h"
#include "analyze/model/series.h"
#include "analyze/model/threads.h"
#include "analyze/model/timeline.h"
#include "analyze/model/work.h"
#include "analyze/trace/file.h"
#include "analyze/trace/merge.h"

/* Rows of the series: the two below, then one an account, see fan_model_row(). */
enum { FAN_ROW_CPU_UNKNOWN, FAN_ROW_CPU_IDLE, FAN_ROW_PROCS };

struct fan_model_options {
	uint64_t from_ns, to_ns; /* what to analyse, from the start of the trace; to 0: all */
	const int32_t *apart;	 /* tids with accounts of their own, see threads.h */
	size_t napart;
	const struct fcap_cpuset *siblings; /* CPUs of each core, instead of what the trace tells */
	size_t nsiblings;
	uint64_t tolerance_ns;		 /* see isolation.h; 0: FAN_TOLERANCE_NS */
	bool waits_from_waking;		 /* an earlier read has found so: see struct fan_model */
	bool has_timeline;		 /* somebody will ask for it */
	enum fan_level timeline_level;	 /* of its violations; not that of guests */
	unsigned int threads;		 /* see fan_events_open(); 0: FAN_THREADS_AUTO */
	bool only_vms;			 /* nobody will ask what other threads waited for */
	bool is_rehearsal;		 /* another read follows: see fan_model_read() */
	struct fan_allocator allocator;	 /* without one nothing is due to anybody */
	const struct fan_party_map *map; /* who competes; NULL: VMs as they show */
	const struct fan_observer *observer; /* NULL: nobody asks, at no cost; see below */
};

struct fan_model {
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct fan_series *series;
	struct fan_facts *facts;
	struct fan_closure *closure;
	struct fan_counted *counted;
	struct fan_work *work;
	struct fan_host *host;
	struct fan_guests *guests;
	struct fan_cores *cores;
	struct fan_blame *blame;	     /* NULL: a rehearsal, or for an observer */
	struct fan_pulse *pulse;	     /* NULL: no allocator */
	struct fan_forced_idle *forced_idle; /* NULL: no pulse */
	struct fan_isolation *isolation;     /* NULL: no pulse */
	struct fan_timeline *timeline;	     /* NULL: not asked for */
	unsigned int kinds; /* kinds of events the file has formats of: 1 << fan_event_kind */
	bool has_switches;  /* sched_switch has not only a format, but records, too: see alive_ns */
	bool is_counted;    /* no events: run and wait are what counters told */
	struct fan_counted_sum counts; /* if they are */
	uint64_t cpu_unknown_ns;       /* CPU time that no thread could be given */
	uint64_t cpu_idle_ns, cpu_run_ns;
	uint64_t realtime_ns; /* of cpu_run_ns: threads of the real-time and deadline classes */
	uint64_t records;     /* of the main buffer, of use to the model or not: see alive_ns */
	uint64_t start_ns, end_ns; /* analysed: of those; without any, of the markers */
	uint64_t first_ns;	   /* the start of the trace */
	uint64_t alive_ns;	   /* the last record; while the machine follows many: before */
	uint64_t to_ns;		   /* nothing behind this is analysed */
	bool waits_from_waking;	   /* no sched_wakeup, but sched_waking: waits begin at those */
	bool are_vcpus_named;	   /* known by name only: groups.h */
	bool are_cores_late;	   /* lines told of siblings behind the first event */
	bool only_lines;	   /* no thread is followed: an observer asks for no more */
	bool clock_counts_suspend; /* the trace clock goes on while the host is suspended */
	struct fan_model_options options; /* what they point to may be gone after the read */
	struct fan_cut cut;		  /* of the file: what of it is missing */
	struct fan_held held;		  /* for model.c */
};

/*
 * Reads the whole file. file stays the caller's; options NULL: all of it. 0 or negative errno.
 *
 * Of a rehearsal, for one who reads again, threads, their run and wait time, the series of accounts
 * and the facts are good, as are counts, and which kvm events there are; nobody is told why threads
 * waited, how their waits are distributed, what vCPUs did on their CPUs, and what CPUs did that no
 * thread had.
 *
 * With an observer it is read once, with waits from where waits_from_waking says. Only what that
 * one is told counts, and the threads and facts that it is told with: no sums are promised.
 */
int fan_model_read(struct fan_model **ret, const struct fan_file *file,
		   const struct fan_model_options *options, struct fcap_err *err);

/* Index of the series' row of an account. */
static inline size_t fan_model_row(int32_t account)
{
	return (size_t)account + FAN_ROW_PROCS;
}

/* Is it known who ran for how long? */
static inline bool fan_model_tells_run(const struct fan_model *m)
{
	return m->has_switches || m->is_counted;
}

/* Does the trace tell waits from sleeps? If not, a switch-in without a wake-up tells of neither. */
static inline bool fan_model_tells_waits(const struct fan_model *m)
{
	return fan_machine_counts(m->machine)->wakeups > 0 || m->waits_from_waking;
}

void fan_model_free(struct fan_model *m);

#endif
