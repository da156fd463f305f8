// SPDX-License-Identifier: GPL-3.0-or-later
/* A table of threads: a tree by tid and an array to walk. */
#include "capture/tasks.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

#include "fcap/num.h"

static int by_tid(const void *a, const void *b)
{
	const struct cap_task *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

struct cap_task *cap_tasks_find(const struct cap_tasks *t, pid_t tid)
{
	const struct cap_task key = { .tid = tid };
	struct cap_task *const *found = tfind(&key, &t->tree, by_tid);

	return found ? *found : NULL;
}

static void close_counters(struct cap_task *task)
{
	if (task->sched_fd >= 0)
		close(task->sched_fd);
	if (task->forceidle_fd >= 0)
		close(task->forceidle_fd);
	task->sched_fd = task->forceidle_fd = -1;
}

static void reset(struct cap_task *task)
{
	close_counters(task);
	free(task->cgroup);
	*task = (struct cap_task){
		.tid = task->tid, .autogroup = -1, .sched_fd = -1, .forceidle_fd = -1, .vcpu = -1
	};
}

static struct cap_task *insert(struct cap_tasks *t, pid_t tid)
{
	struct cap_task *task;

	if (t->n == t->size) {
		const size_t size = t->size ? t->size * 2 : 64;
		struct cap_task **bigger = realloc(t->all, size * sizeof(struct cap_task *));

		if (!bigger)
			return NULL;
		t->all = bigger;
		t->size = size;
	}
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->tid = tid;
	task->sched_fd = task->forceidle_fd = -1;
	if (!tsearch(task, &t->tree, by_tid)) {
		free(task);
		return NULL;
	}
	t->all[t->n++] = task;
	return task;
}

struct cap_task *cap_tasks_put(struct cap_tasks *t, pid_t tid, pid_t tgid)
{
	struct cap_task *task = cap_tasks_find(t, tid);

	if (!task)
		task = insert(t, tid);
	if (!task)
		return NULL;
	reset(task);
	task->tgid = tgid;
	return task;
}

int cap_tasks_take_line(struct cap_tasks *t, const struct fcap_marker *line)
{
	const char *tid = fcap_marker_get(line, "tid"), *comm = fcap_marker_get(line, "comm");
	struct cap_task *task;
	int64_t v;

	if (!tid || !comm || fcap_parse_i64(tid, 1, INT32_MAX, &v) < 0)
		return 0;
	task = cap_tasks_put(t, (pid_t)v, (pid_t)v);
	if (!task)
		return -ENOMEM;
	snprintf(task->comm, sizeof(task->comm), "%s", comm);
	return 0;
}

void cap_tasks_end(struct cap_tasks *t, size_t i)
{
	struct cap_task *task = t->all[i];

	if (task->sampled) {
		close_counters(task);
		task->gone = true;
		return;
	}
	tdelete(task, &t->tree, by_tid);
	reset(task);
	free(task);
	t->all[i] = t->all[--t->n];
}

void cap_tasks_clear(struct cap_tasks *t)
{
	for (size_t i = 0; i < t->n; i++) {
		tdelete(t->all[i], &t->tree, by_tid);
		reset(t->all[i]);
		free(t->all[i]);
	}
	free(t->all);
	*t = (struct cap_tasks){ 0 };
}
