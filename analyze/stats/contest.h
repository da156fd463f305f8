/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who competes with whom for the CPUs, as a tree: the root, cgroups with a weight, autogroups;
 * leaves are threads that are alike: of one entrant, under one node, with one CPU set. Filled
 * from the top by capped weighted max-min division (waterfill.h), separately for CPU sets that
 * do not overlap. For entitle*.c.
 */
#ifndef FAN_STATS_CONTEST_H
#define FAN_STATS_CONTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/model.h"
#include "fcap/cpulist.h"

/* Which entities compete, by the nearest that holds a weight; bits, as several may apply. */
enum fan_entity {
	FAN_ENTITY_CGROUP = 1 << 0,
	FAN_ENTITY_AUTOGROUP = 1 << 1,
	FAN_ENTITY_THREAD = 1 << 2,	    /* nice */
	FAN_ENTITY_GIVEN = 1 << 4,	    /* the user gave the group a weight */
	FAN_ENTITY_THREAD_ASSUMED = 1 << 3, /* nothing told of its cgroup: nice, by its switches */
};

/* What keeps somebody from having more; bits. */
enum fan_cap {
	FAN_CAP_THREADS = 1 << 0, /* no more threads (vCPUs) */
	FAN_CAP_CPUSET = 1 << 1,
	FAN_CAP_QUOTA = 1 << 2,
};

enum fan_contender_kind {
	FAN_AT_ROOT,
	FAN_AT_GIVEN,
	FAN_AT_CGROUP,
	FAN_AT_AUTOGROUP,
	FAN_AT_LEAF,
};

struct fan_contender {
	enum fan_contender_kind kind;
	int32_t id;	   /* cgroup index, autogroup number, given_id, or id of a leaf */
	int32_t parent;	   /* always a smaller index */
	int32_t set;	   /* leaf: index of its CPU set */
	double weight;	   /* as shares */
	double own_cap;	   /* quota, or a leaf's threads; INFINITY: none */
	double absent;	   /* part of the time in which none of its threads is there */
	double cap;	   /* own_cap and what lies below, within the component being filled */
	double alloc;	   /* CPUs */
	int32_t child;	   /* in that component: the first below it whose cap is not 0; -1 */
	int32_t next;	   /* and the one after this of the same parent; -1 */
	unsigned int caps; /* leaf: enum fan_cap that bind */
};

struct fan_cpu_set {
	int32_t affinity; /* index of facts' affinities, or -1: all CPUs */
	struct fcap_cpuset cpus;
	unsigned int count; /* of them */
	size_t same;	    /* the first set with these CPUs, which stands for all of them */
	size_t next;	    /* from 1 on, the next one of this cgroup; 0 */
	bool is_used;	    /* by a leaf of this contest */
	size_t component;   /* of those, the first set that overlaps, directly or over others */
};

/* For contest.c: what is kept of a cgroup. */
struct fan_known_cgroup {
	int32_t parent; /* index of the facts, or -1 */
	bool has_parent;
	int32_t node; /* of this contest; 0: none yet */
	size_t set;   /* from 1 on, the first of its sets; 0 */
};

/*
 * What comes out is for reading. One that is begun again knows the CPU sets and parents of the
 * cgroups as long as no line has told of others: most of the work.
 */
struct fan_contest {
	const struct fan_model *m;
	struct fan_contender *nodes;
	size_t n;
	struct fan_cpu_set *sets; /* also those that no leaf has now */
	size_t nsets;
	struct fcap_cpuset all;
	double capacity;       /* CPUs that the entrants may use */
	bool is_contended;     /* they could use more than there is, somewhere */
	bool is_approximate;   /* CPU sets that overlap in part */
	unsigned int entities; /* enum fan_entity */
	/* --- for contest.c --- */
	uint64_t told; /* how much the facts had been told when what is kept was learnt */
	size_t words;  /* of the bits of a CPU set that are ever set */
	struct fan_known_cgroup *cgroups; /* by index, from 1 on; 0: no cgroup is told */
	size_t *used;			  /* indices of the sets that leaves have */
	size_t nused;
	double *scratch; /* three numbers for each node there is room for */
	size_t room, sets_room, scratch_room;
};

/* Threads that are alike. */
struct fan_entrant {
	int32_t id; /* of the leaf: threads with the same one are added up */
	int32_t cgroup, affinity, autogroup; /* as in struct fan_place */
	int nice;			     /* cut to -20 .. 19; or FAN_NICE_IDLE */
	bool is_told;			     /* a line told where it competes */
	double threads;	  /* how many, above 0; of one that is not always there less than 1 */
	double present;	  /* part of the time in which there are any: the weight of a cgroup
			   * without threads is not in the contest */
	double given;	  /* weight by the user, as cpu.shares; NaN: none */
	int32_t given_id; /* who shares that weight */
	bool is_sole;	  /* no other entrant has this id */
};

/*
 * Weight of a thread: the kernel's sched_prio_to_weight, about 1024 x 1.25^-nice; of
 * FAN_NICE_IDLE its WEIGHT_IDLEPRIO, 3.
 */
double fan_nice_weight(int nice);

/*
 * t is zeroed, or one that was begun before with this model and not ended. cpus: number of host
 * CPUs, used where no cpu line tells which exist. m is borrowed; fan_contest_end() it also after
 * a failure. 0 or -ENOMEM.
 */
int fan_contest_begin(struct fan_contest *t, const struct fan_model *m, unsigned int cpus);
int fan_contest_enter(struct fan_contest *t, const struct fan_entrant *e);
/* Sets alloc, cap and caps of all leaves. Once after each begin. */
int fan_contest_fill(struct fan_contest *t);
void fan_contest_end(struct fan_contest *t);

#endif
