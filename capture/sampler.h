/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells by marker lines which threads, VMs and cgroups there are, and their counters, at every
 * sample. Reads below folders given as descriptors and hands lines to a sink.
 */
#ifndef CAP_SAMPLER_H
#define CAP_SAMPLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/emit.h"
#include "capture/tasks.h"
#include "fcap/err.h"

struct cap_sampler_conf {
	int procfd;   /* /proc; stays the caller's */
	pid_t root;   /* all descendants of this process are sampled */
	bool cookies; /* ask the kernel for core scheduling cookies (not for a made-up tree) */
	uint64_t period_ns;
	struct cap_sink to; /* called by the sampler's thread too */
};

struct cap_sampler;

/* 0, or negative errno. */
int cap_sampler_open(struct cap_sampler **ret, const struct cap_sampler_conf *conf);

/* For the begin line: see cap_cgroups_hierarchy(). */
int cap_sampler_hierarchy(const struct cap_sampler *s);

/*
 * One sample now, as of now_ns (CLOCK_MONOTONIC). whole: looks at every process of the host.
 * Not while the thread runs. 0, or negative errno.
 */
int cap_sampler_sample(struct cap_sampler *s, uint64_t now_ns, bool whole);

/* Samples every period in a thread of its own. */
int cap_sampler_start(struct cap_sampler *s, struct fcap_err *err);

/* Ends the thread and takes a last, whole sample. The first error of any sample, or 0. */
int cap_sampler_stop(struct cap_sampler *s, struct fcap_err *err);

/* Borrowed until the sampler is closed; not while its thread runs. */
const struct cap_tasks *cap_sampler_tasks(const struct cap_sampler *s);

/* Ends the thread, if it runs, without a sample. */
void cap_sampler_close(struct cap_sampler *s);

#endif
