// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/helpers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyze/trace/inflate.h"

struct helper {
	struct fan_helpers *all;
	struct fan_inflate *z;
	pthread_t thread;
};

struct fan_helpers {
	struct helper helpers[FAN_HELPERS_MAX];
	unsigned int n;
	pthread_mutex_t lock; /* of what follows, and of state and result of all jobs */
	pthread_cond_t has_jobs, is_done;
	TAILQ_HEAD(jobs, fan_job) queue;
	bool is_over;
};

/* Locked, but not while it inflates. */
static void work(struct helper *me, struct fan_job *job)
{
	struct fan_helpers *h = me->all;
	int r;

	TAILQ_REMOVE(&h->queue, job, link);
	job->state = FAN_JOB_BEGUN;
	pthread_mutex_unlock(&h->lock);
	r = fan_inflate(me->z, job->dst, job->dst_size, job->src, job->src_size);
	pthread_mutex_lock(&h->lock);
	job->result = r;
	job->state = FAN_JOB_DONE;
	pthread_cond_signal(&h->is_done);
}

static void *help(void *ctx)
{
	struct helper *me = ctx;
	struct fan_helpers *h = me->all;

	pthread_mutex_lock(&h->lock);
	while (!h->is_over) {
		struct fan_job *job = TAILQ_FIRST(&h->queue);

		if (job)
			work(me, job);
		else
			pthread_cond_wait(&h->has_jobs, &h->lock);
	}
	pthread_mutex_unlock(&h->lock);
	return NULL;
}

static bool start_one(struct fan_helpers *h, const char *compression)
{
	struct helper *me = &h->helpers[h->n];

	me->all = h;
	if (fan_inflate_new(&me->z, compression) < 0)
		return false;
	if (pthread_create(&me->thread, NULL, help, me) != 0) {
		fan_inflate_free(me->z);
		return false;
	}
	h->n++;
	return true;
}

struct fan_helpers *fan_helpers_start(const char *compression, unsigned int n)
{
	struct fan_helpers *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	h->has_jobs = h->is_done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	TAILQ_INIT(&h->queue);
	n = n < FAN_HELPERS_MAX ? n : FAN_HELPERS_MAX;
	while (h->n < n && start_one(h, compression))
		continue;
	if (h->n == 0) {
		fan_helpers_stop(h);
		return NULL;
	}
	return h;
}

unsigned int fan_helpers_count(const struct fan_helpers *h)
{
	return h->n;
}

void fan_helpers_begin(struct fan_helpers *h, struct fan_job *job)
{
	pthread_mutex_lock(&h->lock);
	job->state = FAN_JOB_QUEUED;
	TAILQ_INSERT_TAIL(&h->queue, job, link);
	pthread_mutex_unlock(&h->lock);
	pthread_cond_signal(&h->has_jobs);
}

int fan_helpers_end(struct fan_helpers *h, struct fan_job *job)
{
	int r = 1;

	pthread_mutex_lock(&h->lock);
	while (job->state == FAN_JOB_BEGUN)
		pthread_cond_wait(&h->is_done, &h->lock);
	if (job->state == FAN_JOB_QUEUED)
		TAILQ_REMOVE(&h->queue, job, link);
	else
		r = job->result;
	job->state = FAN_JOB_NONE;
	pthread_mutex_unlock(&h->lock);
	return r;
}

void fan_helpers_stop(struct fan_helpers *h)
{
	if (!h)
		return;
	pthread_mutex_lock(&h->lock);
	h->is_over = true;
	pthread_cond_broadcast(&h->has_jobs);
	pthread_mutex_unlock(&h->lock);
	for (unsigned int i = 0; i < h->n; i++) {
		pthread_join(h->helpers[i].thread, NULL);
		fan_inflate_free(h->helpers[i].z);
	}
	free(h);
}
