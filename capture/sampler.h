/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells by marker lines which threads, VMs and cgroups there are, and their counters, at every
 * sample. Reads below folders given as descriptors and hands lines to a sink.
 */
#ifndef CAP_SAMPLER_H
#define CAP_SAMPLER_H

#include <stdbool.h>
#include <sys/types.h>

#include "capture/attach.h"
#include "capture/cookies.h"
#include "capture/emit.h"
#include "capture/prio.h"
#include "capture/tasks.h"
#include "capture/vmwatch.h"
#include "capture/usage.h"
#include "capture/vmlist.h"
#include "fcap/err.h"

/*
 * Who wants the counters of VMs at each sample, in the sampler's thread too: begin, then count of
 * each thread of a VM, those of the kernel that serve it included, then end. 0, or negative errno,
 * which ends the sampling.
 */
struct cap_sampler_watch {
	void (*begin)(void *ctx, uint64_t now_ns);
	int (*count)(void *ctx, const char *vm, const struct cap_task *t, uint64_t delay_ns);
	int (*end)(void *ctx, const struct cap_tasks *tasks);
	void *ctx;
};

struct cap_sampler_conf {
	int procfd;			     /* /proc; stays the caller's */
	int sysfd;			     /* /sys, likewise; -1: not to be had */
	const struct cap_file_source *files; /* see vmwatch.h; NULL: cannot be asked */
	pid_t root;			     /* all descendants of this process are sampled */
	const struct cap_attached *attached; /* these processes are, too; borrowed */
	size_t nattached;
	const struct cap_cookie_source *cookies;  /* NULL: none are asked for */
	const struct cap_prio_source *priorities; /* NULL: read from /proc, and more seldom */
	bool command_only;			  /* nobody else is looked at */
	uint64_t period_ns;
	struct cap_sink to;	 /* called by the sampler's thread too */
	struct cap_usage *usage; /* gets the CPUs that the sampler's thread runs on; NULL: not */
	/* Told of each thread when it is seen first, by the sampler's thread too; NULL: not. */
	void (*found)(void *ctx, const struct cap_task *t);
	void *found_ctx;
	const struct cap_sampler_watch *watch; /* NULL: nobody */
};

struct cap_sampler;

/* 0, or negative errno. */
int cap_sampler_open(struct cap_sampler **ret, const struct cap_sampler_conf *conf);

/* What the host is, for the begin line. */
struct cap_host {
	int hierarchy; /* see cap_cgroups_hierarchy() */
	enum fcap_core_state core_sched;
	int schedstats; /* 1: the kernel counts; 0: it could; -1: it cannot */
};

struct cap_host cap_sampler_host(const struct cap_sampler *s);

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

/* The VMs found so far, with their names; likewise. */
const struct cap_vmlist *cap_sampler_vms(const struct cap_sampler *s);

/* How many there were so far; at any time. */
size_t cap_sampler_vms_seen(const struct cap_sampler *s);

/* Ends the thread, if it runs, without a sample. */
void cap_sampler_close(struct cap_sampler *s);

#endif
