/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that inflate chunks before anybody needs them. All calls are of one thread. */
#ifndef FAN_TRACE_HELPERS_H
#define FAN_TRACE_HELPERS_H

#include <stdint.h>
#include <sys/queue.h>

#define FAN_HELPERS_MAX 8

struct fan_helpers;

/* A chunk to inflate. The caller sets dst, src and their sizes, and leaves them alone until the
 * end. */
struct fan_job {
	void *dst;
	const void *src;
	uint32_t dst_size, src_size;
	/* of the helpers */
	TAILQ_ENTRY(fan_job) link;
	enum { FAN_JOB_NONE, FAN_JOB_QUEUED, FAN_JOB_BEGUN, FAN_JOB_DONE } state;
	int result;
};

/*
 * Starts up to n threads, and no more than FAN_HELPERS_MAX; NULL: none can be had, or there is no
 * memory for them. compression is one that is known.
 */
struct fan_helpers *fan_helpers_start(const char *compression, unsigned int n);

/* How many there are. */
unsigned int fan_helpers_count(const struct fan_helpers *h);

/* Has a job done some time. */
void fan_helpers_begin(struct fan_helpers *h, struct fan_job *job);

/* Waits until it is done. As fan_inflate(); 1: nobody has begun, and now nobody will. */
int fan_helpers_end(struct fan_helpers *h, struct fan_job *job);

/* All jobs must have ended. */
void fan_helpers_stop(struct fan_helpers *h);

#endif
