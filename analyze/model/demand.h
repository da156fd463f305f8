/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each account is due by the threads that really want to run: E = the integral over time of
 * the CPUs a_i that weights and caps allot to it among those runnable at the moment: generalized
 * processor sharing (Parekh and Gallager, IEEE/ACM Transactions on Networking 1993), with caps, by
 * water-filling at each instant. The allotment is asked for once for each
 * *configuration*, the numbers of runnable threads by account; events then only add up how long
 * what came out of it lasted. Accounts of one party in the same place stand and fall together:
 * one of them gets what is due to all.
 *
 * Where configurations hardly ever come back (many CPUs) each millisecond is taken as one, with
 * the mean number of runnable threads, and weights in proportion to how long there were any:
 * "averaged".
 */
#ifndef FAN_MODEL_DEMAND_H
#define FAN_MODEL_DEMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/model/configurations.h"
#include "analyze/model/parties.h"

#define FAN_DEMAND_ONE (1U << 16) /* one runnable thread */

struct fan_model;

struct fan_member {
	int32_t account, party;
	uint32_t runnable; /* threads, in units of 1/FAN_DEMAND_ONE; above 0 */
	uint32_t present;  /* part of the time in which there was any, in the same unit */
};

/*
 * Allots CPUs to n members, none of whom is there twice: ret_cpus in units of 2^-32 CPU. m is
 * as of the moment: its facts and threads. 1: somebody wants more than there is for all of
 * them, 0: not; negative errno.
 */
typedef int (*fan_allocate_fn)(void *ctx, const struct fan_model *m,
			       const struct fan_member *members, size_t n, uint64_t *ret_cpus);

struct fan_allocator {
	fan_allocate_fn allocate; /* NULL: nobody is asked, nothing is due */
	void (*drop)(void *ctx);  /* what it may keep of an earlier model, before the first asks */
	void *ctx;
};

/* An account as it stands in the contest. What each event needs comes first. */
struct fan_stake {
	int32_t party;			   /* -1: none */
	uint32_t runnable;		   /* threads now */
	bool is_met, is_listed, is_active; /* for those below, as is key */
	uint64_t key;			   /* of one runnable thread of it */
	uint64_t run_before;		   /* CPU time in the series as of since_ns */
	uint64_t since_ns;		   /* when it became one of a party; 0: it always was */
	uint64_t due_ns;		   /* so far */
	/* --- for demand.c, due.c and stakes.c --- */
	uint32_t rest;	      /* due, in units of 2^-32 ns */
	int32_t stand_in;     /* the account of this party in the same place, maybe itself, that
			       * gets all that is due to threads of that place */
	int32_t next;	      /* stand-in of the same party; -1 */
	uint32_t sum, absent; /* scratch */
	/* averaged, this tick, up to counted: integral of runnable, and how long there was any */
	uint64_t area, present, counted;
};

/* Why it matters who of those that are runnable waits; bits. */
enum fan_demand_trouble {
	FAN_DEMAND_STALE = 1 << 0, /* parties have to be found anew */
	FAN_DEMAND_IDLE = 1 << 1,  /* some CPU is idle: time is lost if threads wait */
};

struct fan_demand {
	struct fan_stake *stakes; /* by account; those of no party are not kept up to date */
	size_t nstakes;
	uint32_t runnable, idle; /* threads of all parties; CPUs */
	unsigned int troubles;	 /* for those below, as all up to changes */
	bool is_averaged;	 /* from the first time on that there are too many configurations */
	uint32_t waiting;	 /* threads of all parties; FAN_DEMAND_IDLE only */
	uint64_t to;		 /* nothing behind it counts */
	uint64_t since;		 /* it is as it is now since then */
	uint64_t key;
	struct fan_outcome *outcome; /* of that key; NULL: not looked up, or not met yet */
	struct fan_configurations met;
	uint64_t changes;
	int32_t *listed; /* accounts that are or were of a party */
	size_t nlisted;
	int32_t *active; /* of them, those with runnable threads now, or since the last tick */
	size_t nactive;
	uint64_t idle_waiting_ns; /* integral of the smaller of idle and waiting */
	uint64_t contended_ns;	  /* somebody wanted more than there was */
	uint64_t averaged_ns;	  /* taken by the mean of each tick */
	uint64_t reviews;	  /* times that parties were found anew */
	/* --- for demand.c, due.c and stakes.c --- */
	uint64_t idle_since;
	uint64_t tick; /* averaged: begin of the one that is being added up */
	uint64_t asked;
	const struct fan_model *m;
	struct fan_allocator allocator;
	struct fan_parties *parties;
	int32_t *stand_ins; /* by party: the first of its list, or -1 */
	size_t nstand_ins;
	struct fan_member *scratch; /* for one configuration */
	uint64_t *cpus;
	struct fan_allotment *shares;
	size_t scratch_room;
};

/*
 * m, allocator and parties are borrowed; m's machine and facts are looked at in allocate only.
 * NULL: no memory.
 */
struct fan_demand *fan_demand_new(const struct fan_model *m, const struct fan_allocator *allocator,
				  struct fan_parties *parties);
void fan_demand_free(struct fan_demand *d);

/* Nothing before from_ns or behind to_ns counts. Before the first of those below. */
void fan_demand_clip(struct fan_demand *d, uint64_t from_ns, uint64_t to_ns);

/* As struct fan_watch has it; ctx is the struct fan_demand. 0 or negative errno. */
int fan_demand_runnable(void *ctx, uint64_t now_ns, int32_t account, int runnable, int waiting);
int fan_demand_waiting(void *ctx, uint64_t now_ns, int32_t account, int waiting);
int fan_demand_idle(void *ctx, uint64_t now_ns, int change);
int fan_demand_vcpu(void *ctx, uint64_t now_ns, int32_t thread);

/* What is known of processes has changed at the time up to which all is settled. */
void fan_demand_review(struct fan_demand *d);

/* Up to now_ns everything was as it is now. 0 or negative errno. */
int fan_demand_settle(struct fan_demand *d, uint64_t now_ns);

/* Weights, caps or places change now: what was allotted no longer holds. 0 or negative errno. */
int fan_demand_forget(struct fan_demand *d, uint64_t now_ns);

/* Brings due_ns of all stakes, and the sums, up to now_ns: a tick. 0 or negative errno. */
int fan_demand_fold(struct fan_demand *d, uint64_t now_ns);

/* After a tick is told of all that is active: who has no runnable thread is so no longer. */
void fan_demand_rest(struct fan_demand *d);

/* The trace ended at to_ns: nothing counts from now on. */
void fan_demand_close(struct fan_demand *d, uint64_t to_ns);

#endif
