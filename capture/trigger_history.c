// SPDX-License-Identifier: GPL-3.0-or-later
/* A queue of lines; what leaves it at its old end becomes state. */
#include "capture/trigger_history.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/mono.h"
#include "capture/trigger_state.h"

struct entry {
	uint64_t ts_ns;
	char *text;
};

struct cap_history {
	pthread_mutex_t lock;
	uint64_t keep_ns;
	struct cap_state *state;
	uint64_t state_ns; /* stamp of the last line in it */
	struct entry *entry;
	size_t n, first, size; /* those that are kept begin at first */
	uint64_t last_ns;
	bool is_held;
	int error;
};

int cap_history_open(struct cap_history **ret, uint64_t keep_ns)
{
	struct cap_history *h = calloc(1, sizeof(*h));

	if (!h)
		return -ENOMEM;
	h->state = cap_state_new();
	if (!h->state) {
		free(h);
		return -ENOMEM;
	}
	h->keep_ns = keep_ns;
	pthread_mutex_init(&h->lock, NULL);
	*ret = h;
	return 0;
}

/* The oldest line becomes state. */
static int fold(struct cap_history *h)
{
	struct entry *e = &h->entry[h->first];
	const int r = cap_state_take(h->state, e->text);

	h->state_ns = e->ts_ns;
	free(e->text);
	h->first++;
	h->n--;
	return r;
}

static int make_room(struct cap_history *h)
{
	if (h->first > h->n) {
		memmove(h->entry, h->entry + h->first, h->n * sizeof(*h->entry));
		h->first = 0;
	}
	if (h->first + h->n == h->size) {
		const size_t size = h->size ? h->size * 2 : 256;
		struct entry *bigger = reallocarray(h->entry, size, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		h->entry = bigger;
		h->size = size;
	}
	return 0;
}

static int add_locked(struct cap_history *h, uint64_t ts_ns, const char *text)
{
	char *copy;

	if (h->error)
		return h->error;
	h->last_ns = ts_ns > h->last_ns ? ts_ns : h->last_ns;
	while (!h->is_held && h->n && h->last_ns - h->entry[h->first].ts_ns > h->keep_ns &&
	       h->error == 0)
		h->error = fold(h);
	if (h->error == 0)
		h->error = make_room(h);
	copy = h->error == 0 ? strdup(text) : NULL;
	if (!copy)
		return h->error = -ENOMEM;
	h->entry[h->first + h->n++] = (struct entry){ h->last_ns, copy };
	return 0;
}

int cap_history_add(struct cap_history *h, uint64_t ts_ns, const char *text)
{
	int r;

	pthread_mutex_lock(&h->lock);
	r = add_locked(h, ts_ns, text);
	pthread_mutex_unlock(&h->lock);
	return r;
}

int cap_history_append(void *history, const char *text)
{
	struct cap_history *h = history;
	int r;

	pthread_mutex_lock(&h->lock);
	/* under the lock, so that stamps rise */
	r = add_locked(h, cap_mono_ns(), text);
	pthread_mutex_unlock(&h->lock);
	return r;
}

void cap_history_hold(struct cap_history *h, bool hold)
{
	pthread_mutex_lock(&h->lock);
	h->is_held = hold;
	pthread_mutex_unlock(&h->lock);
}

void cap_history_forget(struct cap_history *h, const struct cap_tasks *tasks, uint64_t now_ns)
{
	pthread_mutex_lock(&h->lock);
	if (!h->is_held)
		cap_state_forget(h->state, tasks, now_ns, h->keep_ns);
	pthread_mutex_unlock(&h->lock);
}

struct told {
	cap_history_fn fn;
	void *ctx;
	uint64_t ts_ns;
};

static int tell_state(void *ctx, const char *text)
{
	const struct told *t = ctx;

	return t->fn(t->ctx, t->ts_ns, text);
}

static int tell_locked(const struct cap_history *h, uint64_t from_ns, struct told *to)
{
	int r = cap_state_tell(h->state, (struct cap_sink){ tell_state, to });

	for (size_t i = 0; i < h->n && r == 0; i++) {
		const struct entry *e = &h->entry[h->first + i];

		if (e->ts_ns >= from_ns || !cap_state_is_moment(e->text))
			r = to->fn(to->ctx, e->ts_ns, e->text);
	}
	return r;
}

int cap_history_tell(struct cap_history *h, uint64_t from_ns, cap_history_fn fn, void *ctx)
{
	int r;

	pthread_mutex_lock(&h->lock);
	r = tell_locked(h, from_ns, &(struct told){ fn, ctx, h->state_ns });
	pthread_mutex_unlock(&h->lock);
	return r;
}

void cap_history_close(struct cap_history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++)
		free(h->entry[h->first + i].text);
	free(h->entry);
	cap_state_free(h->state);
	pthread_mutex_destroy(&h->lock);
	free(h);
}
