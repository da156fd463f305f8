/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of blame share: the past of the CPUs, and the rows. For blame*.c only. */
#ifndef FAN_MODEL_BLAME_PARTS_H
#define FAN_MODEL_BLAME_PARTS_H

#include "analyze/model/blame.h"

#define FAN_TILES     256 /* of a CPU's past, beside the one for all before: 4 KiB */
#define FAN_MARKS_MAX 1024

/* One holder had the CPU, up to the begin of the next tile. */
struct fan_tile {
	uint64_t begin_ns;
	int32_t holder;
};

/* From then on an idle CPU is idle for another reason. */
struct fan_idle_mark {
	uint64_t at_ns;
	enum fan_holder why;
};

/* Tile 0 stands for all that is older than the others: FAN_HELD_UNKNOWN since time 0. */
struct fan_blame_cpu {
	struct fan_tile *tiles;
	struct fan_tile *last;
	uint64_t end_ns;	     /* of the last one; 0: nothing was told of the CPU yet */
	struct fan_idle_mark *marks; /* of the present idle time, before them FAN_HELD_IDLE */
	size_t nmarks, marks_room;
};

/* Of an account with a quota above it: the samples that may yet turn out to be throttled. */
struct fan_capped {
	struct fan_row open, last; /* since the last sample; between the last two */
	uint64_t open_waiters, last_waiters;
};

struct fan_blame_account {
	struct fan_row row;
	struct fan_capped *capped; /* NULL: no quota is known above it */
	bool matters;		   /* for certain: one of its own threads is a vCPU */
	uint64_t unwoken_ns;
};

/* The sample and account in which a thread was last counted as waiting. */
struct fan_counted {
	uint32_t sample;
	int32_t account;
};

struct fan_blame {
	struct fan_machine *machine;
	const struct fan_threads *threads;
	const struct fan_facts *facts;
	const struct fan_parties *parties; /* NULL: nobody asks who competes */
	struct fan_blame_cpu *cpus;
	size_t ncpus;
	struct fan_blame_account *accounts;
	size_t naccounts, accounts_room;
	struct fan_row_room room;
	bool only_vms; /* of other accounts only the end of waits is looked into */
	bool has_vcpus;
	bool *is_vm; /* by process: has vCPU threads */
	size_t nprocs;
	int error; /* no memory where none can be returned; the next line tells, or the end */
	/* throttling */
	int64_t *throttled_ns; /* by cgroup, as last told; -1 not told */
	size_t ncgroups;
	int32_t *limited; /* cgroups with a quota, or that were throttled */
	size_t nlimited;
	struct fan_counted *counted; /* by thread */
	size_t ncounted;
	uint32_t sample;       /* number of the present one, from 1 on */
	int32_t sampled_first; /* tid whose line begins each sample; 0: no samples */
	uint64_t sample_ns;    /* when the last one began */
};

/* Room for what has a higher number than all so far. 0 or -ENOMEM. */
int fan_blame_grow_cpus(struct fan_blame *b, int32_t cpu);
int fan_blame_grow_accounts(struct fan_blame *b);

/* NULL: no memory. */
static inline struct fan_blame_cpu *fan_blame_cpu(struct fan_blame *b, int32_t cpu)
{
	if ((size_t)cpu >= b->ncpus && fan_blame_grow_cpus(b, cpu) < 0)
		return NULL;
	return &b->cpus[cpu];
}

/* --- blame_idle.c --- */

/* Why the CPU is idle from t_ns on, and until when at most; index is the first mark after t_ns. */
static inline enum fan_holder fan_blame_why_idle(const struct fan_blame_cpu *cpu, uint64_t t_ns,
						 size_t *index)
{
	while (*index < cpu->nmarks && cpu->marks[*index].at_ns <= t_ns)
		++*index;
	return *index ? cpu->marks[*index - 1].why : FAN_HELD_IDLE;
}

/* Marks before t_ns are of no use any more. */
void fan_blame_forget_marks(struct fan_blame_cpu *cpu, uint64_t t_ns);

/* --- blame_throttle.c --- */

/* The account is new: is there a quota above it? 0 or -ENOMEM. */
int fan_blame_cap_account(struct fan_blame *b, size_t account);

/* This thread has waited, and its account is capped. 0 or -ENOMEM. */
int fan_blame_count_waiter(struct fan_blame *b, int32_t thread, int32_t account);

/* A cg or a steal line. 0 or -ENOMEM. */
int fan_blame_take_cgroup(struct fan_blame *b, const struct fcap_marker *line);
int fan_blame_take_sample(struct fan_blame *b, const struct fcap_marker *line, uint64_t ts_ns);

#endif
