/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holds the counters of all VMs against the limits of rules, sample after sample. A rule fires for
 * a VM when its value over the last span is above the limit; then not again before the value has
 * been at or below the limit for a whole span, unless the VM was away in between. Pure: knows
 * neither /proc nor time.
 */
#ifndef CAP_TRIGGER_WATCH_H
#define CAP_TRIGGER_WATCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/trigger_rule.h"

struct cap_watch;

/* One thread of a VM at one sample. */
struct cap_watched {
	const char *vm; /* its name, borrowed for the call */
	pid_t tid;
	uint64_t start; /* with tid: this thread and no later one */
	bool is_vcpu;
	uint64_t delay_ns; /* schedstat's run_delay: cumulative */
};

struct cap_crossing {
	const struct cap_rule *rule;
	const char *vm; /* borrowed for the call */
	uint64_t value_ppm;
	uint64_t at_ns; /* of the sample */
	bool is_again;	/* it was refused at an earlier sample, and has lasted */
};

/* The highest value that a rule has seen. */
struct cap_highest {
	bool is_known; /* false: no VM that it is about was there for a whole span */
	uint64_t ppm;
	char vm[128];
};

/* False: not now; if it lasts until the next sample it is told again. */
typedef bool (*cap_crossing_fn)(void *ctx, const struct cap_crossing *c);

/* Rules are borrowed until the close. 0 or -ENOMEM. */
int cap_watch_open(struct cap_watch **ret, const struct cap_rule *rule, size_t nrule);

/* A sample begins, at a later time than the one before. */
void cap_watch_begin(struct cap_watch *w, uint64_t at_ns);

/*
 * A thread that is seen first adds nothing, nor does a counter that stepped back: what was before
 * is not known of either. 0 or -ENOMEM.
 */
int cap_watch_count(struct cap_watch *w, const struct cap_watched *t);

/* The sample is complete: tells of each crossing. 0 or -ENOMEM. */
int cap_watch_end(struct cap_watch *w, cap_crossing_fn fn, void *ctx);

/* Borrowed until the next sample. */
const struct cap_highest *cap_watch_highest(const struct cap_watch *w, size_t rule);

void cap_watch_close(struct cap_watch *w);

#endif
