/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the marker lines of a trace say: the recording, CPUs, cgroups, and per thread its cgroup,
 * priority and affinity. The last line about a thing wins. Steal samples go to closure.h.
 */
#ifndef FAN_MODEL_FACTS_H
#define FAN_MODEL_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/hardware.h"
#include "analyze/model/machine.h"
#include "analyze/model/path_index.h"
#include "analyze/model/policy.h"
#include "fcap/core_state.h"
#include "fcap/marker.h"

struct fan_label {
	char *key, *value;
};

/* A cgroup; numbers are -1 where no line told them. */
struct fan_cgroup {
	char *path, *parent;   /* parent NULL: the root, or not told */
	int64_t weight;	       /* on the scale below */
	bool is_idle;	       /* cpu.idle: weighs 3 */
	bool is_v2;	       /* weight 1..10000 with default 100; else shares, default 1024 */
	int64_t quota, period; /* us; quota -1: no limit */
	char *cpuset;	       /* list notation; NULL: not told */
	char *first_cpuset;    /* the one told before it changed; NULL: it has not changed */
	/* cumulative, as told first and last; -1: not told */
	int64_t throttled_first_ns, throttled_ns;
	int64_t forceidle_first_ns, forceidle_ns; /* its threads kept siblings idle for so long */
	uint64_t changed_ns; /* last time the weight or quota took another value; 0 never */
};

struct fan_task_fact {
	int32_t cgroup; /* index, -1 unknown */
	int32_t nice;
	int32_t autogroup; /* -1: none or unknown */
	int32_t affinity;  /* index into affinities; -1 unknown */
	enum fan_policy policy;
	bool was_realtime; /* now or earlier */
	uint64_t cookie;   /* of core scheduling, last told */
	bool has_cookie;
	/*
	 * Time for which it kept siblings idle by its cookie, as the kernel counts it: cumulative,
	 * as told first and last; -1: not told
	 */
	int64_t forceidle_first_ns, forceidle_ns;
	bool is_told;	 /* a task line named this thread */
	bool is_kthread; /* it told that it is the kernel's own */
	bool is_sampled; /* steal lines came for it */
	bool has_moved;	 /* from one cgroup that was told to another */
};

struct fan_group_fact {
	int32_t tgid;	/* -1: told by the file's GUEST option, then: */
	int32_t thread; /* index of a vCPU thread of it; else -1 */
	char *name;
	/* that the process held at the most; 0: not told. vms: VMs; vm_fds: descriptors of VMs,
	 * told where those could not be told apart */
	int64_t vms, vm_fds;
};

/* Why a recorder that waits for limits made the file; the texts are as told, "-" if they were not.
 */
struct fan_trigger_fact {
	char *vm, *metric, *value, *limit; /* both in percent */
	int64_t span_ns;		   /* 0: not told */
	uint64_t ts_ns;			   /* of the line; right after the crossing */
};

/* A session's group, which competes as one where no cgroup has a weight. */
struct fan_autogroup_fact {
	int32_t number, nice;
};

struct fan_facts {
	bool has_begin, has_end;
	bool is_scoped; /* only the command's threads were recorded: fan_machine_scope() */
	char *kernel, *command, *clock;
	char *cut;	    /* why the file ends before the recording; NULL: it does not */
	char *scheduler;    /* of sched_ext; NULL: none, or not told */
	uint64_t sample_ns; /* time between two samples of the recorder; 0: not told */
	unsigned int epoch; /* grows whenever a weight, quota, parent, CPU set or place changes */
	struct fan_hardware hardware;
	struct fan_label *labels;
	size_t nlabels;
	int32_t *cpus; /* of the host, by number */
	size_t ncpus;
	struct fan_cgroup *cgroups;
	size_t ncgroups;
	struct fan_path_index by_path;	       /* of cgroups */
	struct fan_autogroup_fact *autogroups; /* those of which a nice value is told */
	size_t nautogroups;
	char **affinities; /* distinct CPU lists of threads */
	size_t naffinities;
	bool has_cookies;		 /* some task line told one, be it 0 */
	enum fcap_core_state core_sched; /* of the kernel; FCAP_CORE_UNKNOWN: not told */
	int schedstats; /* 1: the kernel counts forced idle; 0: it does not; -1: not told */
	struct fan_task_fact *tasks; /* by thread index */
	size_t ntasks;
	struct fan_group_fact *groups;
	size_t ngroups;
	struct fan_trigger_fact trigger;     /* the first one */
	uint64_t ntriggers;		     /* how many there are; 0: none, and trigger is {0} */
	uint64_t lost_overrun, lost_dropped; /* sums of the lost lines */
	uint64_t lines, malformed;
	uint64_t first_ns, last_ns; /* stamps of our lines; both 0 without any */
	int32_t hierarchy;	    /* of the cpu controller (v1); 0 is v2; -1 not told */
	int32_t recorder_tid;	    /* who wrote the lines; 0 unknown */
};

struct fan_facts *fan_facts_new(void); /* NULL: no memory */
void fan_facts_free(struct fan_facts *f);

/* Takes one parsed line. Threads that it names are added to m. 0 or -ENOMEM. */
int fan_facts_take(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		   const struct fcap_marker *line, uint64_t ts_ns);

/*
 * Takes the word of the file's GUEST option that this thread is a vCPU of a guest: its threads
 * are of one process. Before any marker line. 0 or -ENOMEM.
 */
int fan_facts_take_guest(struct fan_facts *f, struct fan_threads *threads, const char *guest,
			 size_t thread);

/*
 * Takes a cgroup_attach_task event. Those of other hierarchies are passed over; the move of a
 * main thread is that of its process. 0 or -ENOMEM.
 */
int fan_facts_attach(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		     const struct fan_event *ev);

/* The facts of a thread; a static "nothing known" where there are none. */
const struct fan_task_fact *fan_facts_task(const struct fan_facts *f, size_t thread);

/* The nice value by which a thread with these facts competes; see policy.h. */
static inline int32_t fan_task_nice(const struct fan_task_fact *t)
{
	return fan_policy_nice(t->policy, t->nice);
}

/* The nice value of an autogroup; 0 where none is told. */
int32_t fan_facts_autogroup_nice(const struct fan_facts *f, int32_t number);

/* Index of the cgroup with this path, or -1. */
int32_t fan_facts_cgroup(const struct fan_facts *f, const char *path);

#endif
