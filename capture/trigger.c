// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The sampler's thread sees crossings; a thread of our own saves, so that neither sampling nor the
 * supervision of the command waits for the disk.
 */
#include "capture/trigger.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/mono.h"
#include "capture/trigger_gate.h"

#define SECOND_NS 1000000000ULL

struct cap_trigger {
	struct cap_trigger_conf conf;
	struct cap_sampler_watch for_sampler;
	struct cap_watch *watch; /* of the sampler's thread */
	uint64_t forgot_ns;	 /* likewise */
	struct cap_parts *next;	 /* of the file to come */
	pthread_t thread;
	bool runs;
	pthread_mutex_t lock; /* for all that follows */
	pthread_cond_t wake;
	bool stop;
	struct cap_gate gate;
	struct cap_saved pending;
	struct cap_saved *saved; /* gate.saves of them, room for max_saves */
	uint64_t ntold;
	struct fcap_err trouble;
	bool trouble_told;
};

static uint64_t before_of(const struct cap_trigger_opts *o)
{
	uint64_t ns = o->before_ns ? o->before_ns : CAP_TRIGGER_BEFORE_NS;

	for (size_t i = 0; i < o->nrule; i++)
		if (o->rule[i].span_ns > ns)
			ns = o->rule[i].span_ns;
	return ns;
}

static void begin_pending(struct cap_trigger *t, const struct cap_crossing *c)
{
	const uint64_t before_ns = t->conf.opts.before_ns;

	t->pending = (struct cap_saved){
		.reason = cap_reason_of(c),
		.asked_ns = before_ns ? before_ns : c->rule->span_ns,
		.buffer_bytes = t->conf.buffer_bytes,
	};
	cap_history_hold(t->conf.save.history, true);
	pthread_cond_signal(&t->wake);
}

/* In the sampler's thread, as all that follows, until there is another such line. */
static bool take_crossing(void *ctx, const struct cap_crossing *c)
{
	const struct cap_reason reason = cap_reason_of(c);
	struct cap_trigger *t = ctx;
	enum cap_gate_word word;

	pthread_mutex_lock(&t->lock);
	word = cap_gate_cross(&t->gate, c);
	/* before anybody may begin to write the file; an error sticks in the history */
	if (word == CAP_GATE_BEGINS || word == CAP_GATE_JOINS)
		(void)cap_reason_tell(&reason, cap_trigger_sink(t));
	t->pending.more += word == CAP_GATE_JOINS;
	if (word == CAP_GATE_BEGINS)
		begin_pending(t, c);
	pthread_mutex_unlock(&t->lock);
	return word != CAP_GATE_WAITS;
}

static void watch_begin(void *ctx, uint64_t now_ns)
{
	const struct cap_trigger *t = ctx;

	cap_watch_begin(t->watch, now_ns);
}

static int watch_count(void *ctx, const char *vm, const struct cap_task *task, uint64_t delay_ns)
{
	const struct cap_trigger *t = ctx;

	return cap_watch_count(t->watch, &(struct cap_watched){ .vm = vm,
								.tid = task->tid,
								.start = task->start,
								.is_vcpu = task->vcpu >= 0,
								.delay_ns = delay_ns });
}

static int watch_end(void *ctx, const struct cap_tasks *tasks)
{
	struct cap_trigger *t = ctx;
	const uint64_t now_ns = cap_mono_ns();

	if (now_ns - t->forgot_ns > SECOND_NS) {
		cap_history_forget(t->conf.save.history, tasks, now_ns);
		t->forgot_ns = now_ns;
	}
	return cap_watch_end(t->watch, take_crossing, t);
}

/* In the thread that saves, locked: from here on. */

/* True: it is time; false: nothing is to be saved any more. */
static bool wait_for_crossing(struct cap_trigger *t)
{
	const uint64_t after_ns = t->conf.opts.after_ns;
	uint64_t due_ns;

	while (!t->stop && t->gate.state != CAP_GATE_PENDING)
		pthread_cond_wait(&t->wake, &t->lock);
	due_ns = t->pending.reason.at_ns + after_ns;
	while (!t->stop && cap_mono_ns() < due_ns) {
		const struct timespec at = { (time_t)(due_ns / SECOND_NS),
					     (long)(due_ns % SECOND_NS) };

		pthread_cond_timedwait(&t->wake, &t->lock, &at);
	}
	return t->gate.state == CAP_GATE_PENDING;
}

static int open_next(struct cap_trigger *t, struct fcap_err *err)
{
	char *file = cap_trigger_file(t->conf.output, t->gate.saves + 1);
	int r;

	if (!file)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = cap_save_open(&t->next, &t->conf.save, file, err);
	free(file);
	return r;
}

/* Unlocked: nobody else touches what it uses. Tracing is off when it fails. */
static int save(struct cap_trigger *t, struct cap_saved *s, struct fcap_err *err)
{
	int r;

	s->file = strdup(cap_parts_file(t->next));
	if (!s->file)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = cap_save_make(&t->conf.save, t->next, before_of(&t->conf.opts), s, err);
	cap_parts_close(t->next);
	t->next = NULL;
	cap_history_hold(t->conf.save.history, false);
	if (r < 0) {
		free(s->file);
		s->file = NULL;
	}
	return r;
}

/* The file is there: is another one to come? Unlocked, too. */
static int go_on(struct cap_trigger *t, struct fcap_err *err)
{
	const int r = open_next(t, err);

	return r < 0 ? r : cap_ring_on(t->conf.save.ring, err);
}

static void save_one(struct cap_trigger *t)
{
	struct cap_saved s = t->pending;
	struct fcap_err err = { 0 };
	int r;

	cap_gate_shut(&t->gate);
	pthread_mutex_unlock(&t->lock);
	r = save(t, &s, &err);
	pthread_mutex_lock(&t->lock);
	if (r == 0) {
		t->saved[t->gate.saves] = s;
		if (cap_gate_saved(&t->gate) && !t->stop) {
			pthread_mutex_unlock(&t->lock);
			r = go_on(t, &err);
			pthread_mutex_lock(&t->lock);
			if (r == 0)
				cap_gate_open(&t->gate, cap_mono_ns());
		}
	}
	if (r == 0)
		return;
	t->trouble = err;
	cap_gate_end(&t->gate);
}

static void *save_all(void *arg)
{
	struct cap_trigger *t = arg;

	pthread_setname_np(pthread_self(), "fcap-saver");
	pthread_mutex_lock(&t->lock);
	while (wait_for_crossing(t))
		save_one(t);
	pthread_mutex_unlock(&t->lock);
	return NULL;
}

/* In the caller's thread. */

/* With no_clobber no file that may come to be is there: not after hours should it turn out. */
static int check_files(const struct cap_trigger_conf *conf, struct fcap_err *err)
{
	for (uint64_t n = 1; conf->save.no_clobber && n <= conf->opts.max_saves; n++) {
		char *file = cap_trigger_file(conf->output, n);
		bool is_there;

		if (!file)
			return fcap_fail(err, ENOMEM, "out of memory");
		is_there = access(file, F_OK) == 0;
		if (is_there)
			fcap_fail(err, EEXIST,
				  "%s: exists; choose another -o FILE, or leave --no-clobber out",
				  file);
		free(file);
		if (is_there)
			return -EEXIST;
	}
	return 0;
}

static int make_parts(struct cap_trigger *t, struct fcap_err *err)
{
	const struct cap_trigger_opts *o = &t->conf.opts;
	/* the sample in which a crossing shows is over only a moment after it */
	const uint64_t keep_ns = before_of(o) + SECOND_NS;

	t->saved = calloc(o->max_saves, sizeof(*t->saved));
	if (!t->saved || cap_watch_open(&t->watch, o->rule, o->nrule) < 0 ||
	    cap_history_open(&t->conf.save.history, keep_ns) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	return cap_ring_open(&t->conf.save.ring, t->conf.save.session, t->conf.save.layout, err);
}

int cap_trigger_open(struct cap_trigger **ret, const struct cap_trigger_conf *conf,
		     struct fcap_err *err)
{
	struct cap_trigger *t;
	pthread_condattr_t attr;
	int r = check_files(conf, err);

	if (r < 0)
		return r;
	t = calloc(1, sizeof(*t));
	if (!t)
		return fcap_fail(err, ENOMEM, "out of memory");
	t->conf = *conf;
	t->gate.max_saves = conf->opts.max_saves;
	t->for_sampler = (struct cap_sampler_watch){ watch_begin, watch_count, watch_end, t };
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
	r = make_parts(t, err);
	if (r == 0)
		r = open_next(t, err);
	if (r < 0) {
		cap_trigger_close(t);
		return r;
	}
	*ret = t;
	return 0;
}

struct cap_sink cap_trigger_sink(struct cap_trigger *t)
{
	return (struct cap_sink){ cap_history_append, t->conf.save.history };
}

const struct cap_sampler_watch *cap_trigger_watch(const struct cap_trigger *t)
{
	return &t->for_sampler;
}

int cap_trigger_start(struct cap_trigger *t, struct fcap_err *err)
{
	int r = cap_ring_on(t->conf.save.ring, err);

	if (r < 0)
		return r;
	cap_gate_open(&t->gate, cap_mono_ns());
	r = pthread_create(&t->thread, NULL, save_all, t);
	if (r)
		return fcap_fail(err, r, "cannot start the thread that saves: %s", strerror(r));
	t->runs = true;
	return 0;
}

bool cap_trigger_has_news(struct cap_trigger *t)
{
	bool has;

	pthread_mutex_lock(&t->lock);
	has = t->ntold < t->gate.saves || (t->trouble.code && !t->trouble_told);
	pthread_mutex_unlock(&t->lock);
	return has;
}

void cap_trigger_news(struct cap_trigger *t, void (*say)(const char *text))
{
	char text[1024];

	pthread_mutex_lock(&t->lock);
	for (; t->ntold < t->gate.saves; t->ntold++) {
		cap_saved_text(&t->saved[t->ntold], text, sizeof(text));
		say(text);
		if (cap_saved_advice(&t->saved[t->ntold], text, sizeof(text)) > 0)
			say(text);
	}
	/* at once, for it may be hours to the end; at the end it is ours to hand over */
	if (t->trouble.code && !t->trouble_told && !t->stop) {
		say(t->trouble.text);
		t->trouble_told = true;
	}
	pthread_mutex_unlock(&t->lock);
}

size_t cap_trigger_saves(struct cap_trigger *t)
{
	size_t n;

	pthread_mutex_lock(&t->lock);
	n = t->gate.saves;
	pthread_mutex_unlock(&t->lock);
	return n;
}

static void join(struct cap_trigger *t)
{
	if (!t->runs)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	t->runs = false;
}

int cap_trigger_stop(struct cap_trigger *t, struct fcap_err *err)
{
	join(t);
	if (t->trouble.code == 0)
		return 0;
	if (t->trouble_told)
		return fcap_fail(err, t->trouble.code,
				 "after what failed, as was told, crossings were only counted");
	*err = t->trouble;
	return -err->code;
}

char *cap_trigger_sum_up(const struct cap_trigger *t)
{
	const struct cap_trigger_opts *o = &t->conf.opts;
	const struct cap_highest **highest = calloc(o->nrule, sizeof(*highest));
	const struct cap_trigger_sum sum = {
		.rule = o->rule,
		.nrule = o->nrule,
		.highest = highest,
		.saved = t->saved,
		.nsaved = t->gate.saves,
		.unsaved_full = t->gate.unsaved_full,
		.unsaved_busy = t->gate.unsaved_busy,
		.max_saves = o->max_saves,
		.has_failed = t->trouble.code != 0,
	};
	char *text = NULL;

	for (size_t i = 0; highest && i < o->nrule; i++)
		highest[i] = cap_watch_highest(t->watch, i);
	if (highest)
		text = cap_trigger_sum_text(&sum);
	free(highest);
	return text;
}

void cap_trigger_close(struct cap_trigger *t)
{
	if (!t)
		return;
	join(t);
	cap_parts_close(t->next);
	cap_ring_close(t->conf.save.ring);
	cap_history_close(t->conf.save.history);
	cap_watch_close(t->watch);
	for (uint64_t i = 0; i < t->gate.saves; i++)
		free(t->saved[i].file);
	free(t->saved);
	pthread_cond_destroy(&t->wake);
	pthread_mutex_destroy(&t->lock);
	free(t);
}
