// SPDX-License-Identifier: GPL-3.0-or-later
/* Batches go round: those that are filled wait to be taken, those that are taken to be filled. */
#include "analyze/trace/events.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "analyze/trace/batch.h"
#include "analyze/trace/cpus.h"
#include "analyze/trace/helpers.h"

#define BATCHES	    32	 /* while a thread has to wait for a CPU, the other one has work */
#define BATCH	    1024 /* events */
#define BATCH_ALONE 128	 /* without threads they are to stay in the nearest cache */

struct events {
	struct fan_events public; /* first: the caller's handle */
	struct fan_batcher *batcher;
	const struct fan_batch *current; /* the one that is handed out; NULL: none yet */
	int status;			 /* of it; 1 before */
	struct fan_batch batches[BATCHES];
	size_t nbatches;
	bool has_thread;
	pthread_t thread;
	/* the thread fills batch filled % BATCHES, the caller has or wants taken % BATCHES */
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t has_filled, has_taken;
	size_t filled, taken;
	bool is_full; /* the thread waits */
	bool is_stopped;
};

/*
 * Waits until there is a batch to fill, and where there was none until half of them are, so that
 * it does not wake up for each. False: nobody wants it any more.
 */
static bool wait_for_room(struct events *e)
{
	bool ret;

	pthread_mutex_lock(&e->lock);
	e->is_full = e->filled - e->taken == BATCHES;
	while (!e->is_stopped && e->is_full)
		pthread_cond_wait(&e->has_taken, &e->lock);
	ret = !e->is_stopped;
	pthread_mutex_unlock(&e->lock);
	return ret;
}

static void *read_ahead(void *ctx)
{
	struct events *e = ctx;
	size_t i = 0;
	int status = 1;

	while (status > 0 && wait_for_room(e)) {
		struct fan_batch *b = &e->batches[i++ % BATCHES];

		fan_batcher_fill(e->batcher, b);
		status = b->status;
		pthread_mutex_lock(&e->lock);
		e->filled++;
		pthread_mutex_unlock(&e->lock);
		pthread_cond_signal(&e->has_filled);
	}
	return NULL;
}

/* Gives the batch that was handed out back, and waits for the next one. */
static const struct fan_batch *take_batch(struct events *e)
{
	size_t i;

	pthread_mutex_lock(&e->lock);
	e->taken += e->current != NULL;
	if (e->is_full && e->filled - e->taken <= BATCHES / 2) {
		e->is_full = false;
		pthread_cond_signal(&e->has_taken);
	}
	while (e->filled == e->taken)
		pthread_cond_wait(&e->has_filled, &e->lock);
	i = e->taken % BATCHES;
	pthread_mutex_unlock(&e->lock);
	return &e->batches[i];
}

static const struct fan_batch *fill_batch(struct events *e)
{
	fan_batcher_fill(e->batcher, &e->batches[0]);
	return &e->batches[0];
}

int fan_events_fill(struct fan_events *public, struct fcap_err *err)
{
	struct events *e = (struct events *)public;

	while (e->status > 0) {
		e->current = e->has_thread ? take_batch(e) : fill_batch(e);
		e->status = e->current->status;
		public->next = e->current->events;
		public->end = public->next + e->current->n;
		if (e->current->n)
			return 1;
	}
	if (e->status < 0 && err)
		*err = e->current->why;
	return e->status;
}

static void stop_thread(struct events *e)
{
	if (!e->has_thread)
		return;
	pthread_mutex_lock(&e->lock);
	e->is_stopped = true;
	pthread_cond_signal(&e->has_taken);
	pthread_mutex_unlock(&e->lock);
	pthread_join(e->thread, NULL);
}

/*
 * One for the caller, one that reads, and, where it pays, some that inflate: one more than there
 * are CPUs, as each of them waits for others now and then.
 */
static unsigned int count_threads(const struct fan_file *file, unsigned int asked)
{
	const unsigned int cpus = asked == FAN_THREADS_AUTO ? fan_cpus_for(file) : 1;

	if (asked != FAN_THREADS_AUTO)
		return asked;
	if (cpus == 1)
		return 1;
	return cpus < FAN_HELPERS_MAX ? cpus + 1 : FAN_HELPERS_MAX + 2;
}

int fan_events_open(struct fan_events **ret, const struct fan_file *file, unsigned int threads,
		    struct fcap_err *err)
{
	const unsigned int n = count_threads(file, threads);
	const struct fan_batcher_plan plan = { n > 1, n > 2 ? n - 2 : 0 };
	struct events *e = calloc(1, sizeof(*e));
	int r;

	if (!e)
		return fcap_fail(err, ENOMEM, "out of memory");
	e->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	e->has_filled = e->has_taken = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	e->status = 1;
	e->nbatches = n > 1 ? BATCHES : 1;
	r = fan_batcher_open(&e->batcher, file, &plan, err);
	for (size_t i = 0; r == 0 && i < e->nbatches; i++)
		if (fan_batch_init(&e->batches[i], n > 1 ? BATCH : BATCH_ALONE) < 0)
			r = fcap_fail(err, ENOMEM, "out of memory");
	if (r < 0) {
		fan_events_close(&e->public);
		return r;
	}
	e->public.kinds = fan_batcher_kinds(e->batcher);
	/* without one, as the system may have no more, the caller reads */
	e->has_thread = n > 1 && pthread_create(&e->thread, NULL, read_ahead, e) == 0;
	*ret = &e->public;
	return 0;
}

const struct fan_cut *fan_events_cut(const struct fan_events *public)
{
	return fan_batcher_cut(((const struct events *)public)->batcher);
}

void fan_events_close(struct fan_events *public)
{
	struct events *e = (struct events *)public;

	if (!e)
		return;
	stop_thread(e);
	for (size_t i = 0; i < e->nbatches; i++)
		fan_batch_free(&e->batches[i]);
	fan_batcher_close(e->batcher);
	free(e);
}
