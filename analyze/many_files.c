// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/many_files.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/read_json.h"
#include "analyze/trace/cpus.h"

#define THREADS_MAX 4 /* each has a model in memory */

struct slot {
	struct fan_report report;
	struct fcap_err err;
	int status;
	bool is_done;
};

struct fan_many_files {
	struct fan_many_files_plan plan;
	struct fan_analysis analysis; /* with the threads that each may have */
	struct slot *slots;	      /* one a file */
	size_t taken;		      /* slots handed out */
	pthread_t threads[THREADS_MAX];
	size_t nthreads;
	pthread_mutex_t lock; /* of what follows, of taken, and of the slots' is_done */
	pthread_cond_t may_begin, is_done;
	size_t begun;
	bool is_over;
};

static int read_report(struct fan_report *ret, const char *path, const struct fan_analysis *a,
		       struct fcap_err *err)
{
	FILE *f = fopen(path, "r");
	bool is_json;
	int e = 0;

	fan_tree_init(ret, &fan_report_table);
	if (!f)
		return fcap_fail(err, errno, "cannot open it: %s", strerror(errno));
	is_json = fan_is_json(f);
	if (is_json)
		e = fan_tree_read(ret, &fan_report_table, "fcap-report/1", f, err);
	fclose(f);
	return is_json ? e : fan_analyse(ret, path, a, err);
}

static void fill(const struct fan_many_files *f, size_t i)
{
	struct slot *s = &f->slots[i];

	s->status = read_report(&s->report, f->plan.files[i], &f->analysis, &s->err);
}

/* Begins files in order, but not many more than are wanted by now. */
static void *read_files(void *ctx)
{
	struct fan_many_files *f = ctx;

	pthread_mutex_lock(&f->lock);
	while (!f->is_over && f->begun < f->plan.n) {
		size_t i;

		if (f->begun > f->taken + f->nthreads) {
			pthread_cond_wait(&f->may_begin, &f->lock);
			continue;
		}
		i = f->begun++;
		pthread_mutex_unlock(&f->lock);
		fill(f, i);
		pthread_mutex_lock(&f->lock);
		f->slots[i].is_done = true;
		pthread_cond_signal(&f->is_done);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

static unsigned int count_threads(const struct fan_many_files_plan *plan)
{
	const unsigned int asked = plan->threads ? plan->threads : fan_cpus_allowed();
	const unsigned int most = plan->n < THREADS_MAX ? (unsigned int)plan->n : THREADS_MAX;

	return asked < most ? asked : most;
}

int fan_many_files_open(struct fan_many_files **ret, const struct fan_many_files_plan *plan,
			struct fcap_err *err)
{
	const unsigned int n = count_threads(plan);
	struct fan_many_files *f = calloc(1, sizeof(*f));

	if (f)
		f->slots = calloc(plan->n + 1, sizeof(*f->slots));
	if (!f || !f->slots) {
		free(f);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	f->plan = *plan;
	f->analysis = *plan->analysis;
	f->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	f->may_begin = f->is_done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	/* nobody looks at these before all are there */
	pthread_mutex_lock(&f->lock);
	while (n > 1 && f->nthreads < n &&
	       pthread_create(&f->threads[f->nthreads], NULL, read_files, f) == 0)
		f->nthreads++;
	if (f->nthreads > 1) {
		f->analysis.model.threads = 1;
		f->analysis.is_silent = true;
	}
	pthread_mutex_unlock(&f->lock);
	*ret = f;
	return 0;
}

int fan_many_files_next(struct fan_many_files *f, struct fan_report *ret, struct fcap_err *err)
{
	struct slot *s = &f->slots[f->taken];

	pthread_mutex_lock(&f->lock);
	while (f->nthreads && !s->is_done)
		pthread_cond_wait(&f->is_done, &f->lock);
	f->taken++;
	pthread_cond_signal(&f->may_begin);
	pthread_mutex_unlock(&f->lock);
	if (!f->nthreads)
		fill(f, f->taken - 1);
	*ret = s->report;
	if (s->status < 0 && err)
		*err = s->err;
	return s->status;
}

void fan_many_files_close(struct fan_many_files *f)
{
	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	f->is_over = true;
	pthread_cond_broadcast(&f->may_begin);
	pthread_mutex_unlock(&f->lock);
	for (size_t i = 0; i < f->nthreads; i++)
		pthread_join(f->threads[i], NULL);
	for (size_t i = f->taken; i < f->plan.n; i++)
		if (f->slots[i].is_done)
			fan_report_free(&f->slots[i].report);
	free(f->slots);
	free(f);
}
