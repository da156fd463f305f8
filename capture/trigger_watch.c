// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Per VM two sums that only grow, of each metric: the delay of its threads, and the time in which
 * they could have been delayed. A value is a quotient of differences of both, so that threads may
 * come and go.
 */
#include "capture/trigger_watch.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

struct point {
	uint64_t at_ns;
	uint64_t delay_ns[CAP_METRICS], room_ns[CAP_METRICS];
};

struct thread {
	pid_t tid;
	uint64_t start, delay_ns;
	uint64_t seen; /* number of the sample */
};

/* How a rule stands with a VM. */
struct standing {
	bool has_fired, was_refused;
	uint64_t calm_ns; /* since when the value is not above the limit; 0: it is */
};

struct vm {
	char name[128];
	uint64_t seen;
	struct point now;      /* the sums */
	struct point *point;   /* as they were at samples, oldest first */
	size_t n, first, size; /* those that are kept begin at first */
	struct standing *standing;
};

struct cap_watch {
	const struct cap_rule *rule;
	size_t nrule;
	uint64_t longest_ns; /* span */
	struct cap_highest *highest;
	void *tree; /* of threads by tid */
	struct thread **thread;
	size_t nthread, threads_size;
	struct vm **vm;
	size_t nvm;
	uint64_t sample, at_ns, last_ns;
};

int cap_watch_open(struct cap_watch **ret, const struct cap_rule *rule, size_t nrule)
{
	struct cap_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->highest = calloc(nrule, sizeof(*w->highest));
	if (!w->highest) {
		free(w);
		return -ENOMEM;
	}
	w->rule = rule;
	w->nrule = nrule;
	for (size_t i = 0; i < nrule; i++)
		if (rule[i].span_ns > w->longest_ns)
			w->longest_ns = rule[i].span_ns;
	*ret = w;
	return 0;
}

void cap_watch_begin(struct cap_watch *w, uint64_t at_ns)
{
	w->sample++;
	w->last_ns = w->at_ns;
	w->at_ns = at_ns;
}

static int by_tid(const void *a, const void *b)
{
	const struct thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static int grow(void *array, size_t n, size_t *size, size_t each)
{
	void **items = array;
	void *bigger;

	if (n < *size)
		return 0;
	bigger = reallocarray(*items, *size ? *size * 2 : 16, each);
	if (!bigger)
		return -ENOMEM;
	*items = bigger;
	*size = *size ? *size * 2 : 16;
	return 0;
}

static struct thread *add_thread(struct cap_watch *w, pid_t tid)
{
	struct thread *t;

	if (grow(&w->thread, w->nthread, &w->threads_size, sizeof(*w->thread)) < 0)
		return NULL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->tid = tid;
	if (!tsearch(t, &w->tree, by_tid)) {
		free(t);
		return NULL;
	}
	w->thread[w->nthread++] = t;
	return t;
}

/* Those that this sample did not see have ended. */
static void forget_threads(struct cap_watch *w)
{
	for (size_t i = w->nthread; i-- > 0;) {
		struct thread *t = w->thread[i];

		if (t->seen == w->sample)
			continue;
		tdelete(t, &w->tree, by_tid);
		free(t);
		w->thread[i] = w->thread[--w->nthread];
	}
}

static void free_vm(struct vm *vm)
{
	free(vm->standing);
	free(vm->point);
	free(vm);
}

static struct vm *find_vm(struct cap_watch *w, const char *name)
{
	struct vm **bigger, *vm;

	for (size_t i = 0; i < w->nvm; i++)
		if (strcmp(w->vm[i]->name, name) == 0)
			return w->vm[i];
	bigger = reallocarray(w->vm, w->nvm + 1, sizeof(*bigger));
	if (!bigger)
		return NULL;
	w->vm = bigger;
	vm = calloc(1, sizeof(*vm));
	if (!vm)
		return NULL;
	snprintf(vm->name, sizeof(vm->name), "%s", name);
	vm->standing = calloc(w->nrule, sizeof(*vm->standing));
	if (!vm->standing) {
		free_vm(vm);
		return NULL;
	}
	w->vm[w->nvm++] = vm;
	return vm;
}

/* The VM is there at this sample. One that was away begins anew. */
static void enter_sample(const struct cap_watch *w, struct vm *vm)
{
	if (vm->seen == w->sample)
		return;
	if (vm->n && vm->seen + 1 == w->sample) {
		vm->now.room_ns[CAP_METRIC_WAIT] += w->at_ns - w->last_ns;
	} else {
		vm->n = 0;
		memset(vm->standing, 0, w->nrule * sizeof(*vm->standing));
	}
	vm->seen = w->sample;
	vm->now.at_ns = w->at_ns;
}

int cap_watch_count(struct cap_watch *w, const struct cap_watched *t)
{
	const struct thread key = { .tid = t->tid };
	struct thread *const *found = tfind(&key, &w->tree, by_tid);
	struct thread *th = found ? *found : add_thread(w, t->tid);
	struct vm *vm = th ? find_vm(w, t->vm) : NULL;
	bool counts;

	if (!vm)
		return -ENOMEM;
	enter_sample(w, vm);
	counts = th->seen && th->start == t->start && t->delay_ns >= th->delay_ns;
	if (counts) {
		vm->now.delay_ns[CAP_METRIC_WAIT] += t->delay_ns - th->delay_ns;
		if (t->is_vcpu) {
			vm->now.delay_ns[CAP_METRIC_STEAL] += t->delay_ns - th->delay_ns;
			vm->now.room_ns[CAP_METRIC_STEAL] += w->at_ns - w->last_ns;
		}
	}
	th->start = t->start;
	th->delay_ns = t->delay_ns;
	th->seen = w->sample;
	return 0;
}

/* Keeps the sums, and of older ones those that a span still begins at. */
static int keep_point(const struct cap_watch *w, struct vm *vm)
{
	while (vm->n > 1 && vm->point[vm->first + 1].at_ns + w->longest_ns <= w->at_ns) {
		vm->first++;
		vm->n--;
	}
	if (vm->first > vm->n) {
		memmove(vm->point, vm->point + vm->first, vm->n * sizeof(*vm->point));
		vm->first = 0;
	}
	if (grow(&vm->point, vm->first + vm->n, &vm->size, sizeof(*vm->point)) < 0)
		return -ENOMEM;
	vm->point[vm->first + vm->n++] = vm->now;
	return 0;
}

/* The newest sample that is a whole span ago, or NULL. */
static const struct point *span_begin(const struct cap_watch *w, const struct vm *vm,
				      uint64_t span_ns)
{
	size_t low = 0, high = vm->n; /* those before low are old enough */

	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (vm->point[vm->first + mid].at_ns + span_ns <= w->at_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &vm->point[vm->first + low - 1] : NULL;
}

static bool value_of(const struct cap_watch *w, const struct vm *vm, const struct cap_rule *rule,
		     uint64_t *ret_ppm)
{
	const struct point *then = span_begin(w, vm, rule->span_ns);
	uint64_t room_ns;

	if (!then)
		return false;
	room_ns = vm->now.room_ns[rule->metric] - then->room_ns[rule->metric];
	if (room_ns == 0)
		return false;
	*ret_ppm = (uint64_t)((wide)(vm->now.delay_ns[rule->metric] -
				     then->delay_ns[rule->metric]) *
			      1000000 / room_ns);
	return true;
}

/* True: it may fire. */
static bool weigh(struct standing *s, const struct cap_rule *rule, uint64_t ppm, uint64_t at_ns)
{
	if (ppm > rule->limit_ppm) {
		s->calm_ns = 0;
		return !s->has_fired;
	}
	if (s->calm_ns == 0)
		s->calm_ns = at_ns;
	if (at_ns - s->calm_ns >= rule->span_ns)
		s->has_fired = false;
	s->was_refused = false;
	return false;
}

/* Also a VM of an earlier one's name, which has a number behind it: "vm1#2". */
static bool is_about(const struct cap_rule *rule, const char *vm)
{
	const size_t len = strlen(rule->vm);

	return len == 0 || (strncmp(rule->vm, vm, len) == 0 && (vm[len] == '\0' || vm[len] == '#'));
}

static void judge(struct cap_watch *w, struct vm *vm, size_t i, cap_crossing_fn fn, void *ctx)
{
	const struct cap_rule *rule = &w->rule[i];
	struct standing *s = &vm->standing[i];
	struct cap_crossing c = { rule, vm->name, 0, w->at_ns, s->was_refused };
	struct cap_highest *h = &w->highest[i];

	if (!is_about(rule, vm->name) || !value_of(w, vm, rule, &c.value_ppm))
		return;
	if (!h->is_known || c.value_ppm > h->ppm) {
		h->is_known = true;
		h->ppm = c.value_ppm;
		memcpy(h->vm, vm->name, sizeof(h->vm));
	}
	if (!weigh(s, rule, c.value_ppm, w->at_ns))
		return;
	s->has_fired = fn(ctx, &c);
	s->was_refused = !s->has_fired;
}

int cap_watch_end(struct cap_watch *w, cap_crossing_fn fn, void *ctx)
{
	forget_threads(w);
	for (size_t i = 0; i < w->nvm; i++) {
		struct vm *vm = w->vm[i];

		if (vm->seen != w->sample)
			continue;
		if (keep_point(w, vm) < 0)
			return -ENOMEM;
		for (size_t k = 0; k < w->nrule; k++)
			judge(w, vm, k, fn, ctx);
	}
	return 0;
}

const struct cap_highest *cap_watch_highest(const struct cap_watch *w, size_t rule)
{
	return &w->highest[rule];
}

void cap_watch_close(struct cap_watch *w)
{
	if (!w)
		return;
	w->sample++; /* none is of this one */
	forget_threads(w);
	for (size_t i = 0; i < w->nvm; i++)
		free_vm(w->vm[i]);
	free(w->vm);
	free(w->thread);
	free(w->highest);
	free(w);
}
