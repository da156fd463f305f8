/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recording that keeps nothing until a VM crosses a limit, and then what happened around that
 * moment, in a file; again and again. Prints nothing itself.
 */
#ifndef CAP_TRIGGER_H
#define CAP_TRIGGER_H

#include "capture/sampler.h"
#include "capture/trigger_save.h"

#define CAP_TRIGGER_BEFORE_NS 5000000000ULL /* if not told, and no span is longer */
#define CAP_TRIGGER_AFTER_NS  500000000ULL
#define CAP_TRIGGER_SAVES     8
#define CAP_TRIGGER_SAVES_MAX 1000

/* What the user asked for; borrowed. */
struct cap_trigger_opts {
	const struct cap_rule *rule;
	size_t nrule;
	uint64_t before_ns; /* 0: not told */
	uint64_t after_ns;
	uint64_t max_saves;
};

struct cap_trigger_conf {
	struct cap_trigger_opts opts;
	const char *output; /* the files are named after it */
	uint64_t buffer_bytes;
	struct cap_save_conf save; /* without ring and history, which are made here */
};

struct cap_trigger;

/*
 * Makes sure that there can be files. Everything is borrowed until the close. 0, or negative errno
 * with a sentence.
 */
int cap_trigger_open(struct cap_trigger **ret, const struct cap_trigger_conf *conf,
		     struct fcap_err *err);

/* Where marker lines go. */
struct cap_sink cap_trigger_sink(struct cap_trigger *t);

/* For the sampler. */
const struct cap_sampler_watch *cap_trigger_watch(const struct cap_trigger *t);

/* Switches tracing on, and begins to save. */
int cap_trigger_start(struct cap_trigger *t, struct fcap_err *err);

/* Says what happened since the last time. */
void cap_trigger_news(struct cap_trigger *t, void (*say)(const char *text));
bool cap_trigger_has_news(struct cap_trigger *t);

size_t cap_trigger_saves(struct cap_trigger *t);

/*
 * Saves what is still to be saved, without waiting for more, and ends; no sampler runs any more. 0,
 * or the first error of all saves with a sentence, after which nothing was saved.
 */
int cap_trigger_stop(struct cap_trigger *t, struct fcap_err *err);

/* The last sentence. For the caller to free; NULL: out of memory. */
char *cap_trigger_sum_up(const struct cap_trigger *t);

void cap_trigger_close(struct cap_trigger *t);

#endif
