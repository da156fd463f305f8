// SPDX-License-Identifier: GPL-3.0-or-later
/* "task" and "vcpu" lines. */
#include "capture/thread_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>

#include "capture/procfs.h"
#include "fcap/vcpu_name.h"

/* True if the cookie is known and not the one noted before. */
static bool read_cookie(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	uint64_t cookie;
	bool changed;

	if (cap_cookies_get(&ctx->cookies, t->tid, &cookie) < 0)
		return false;
	changed = !t->has_cookie || t->cookie != cookie;
	t->has_cookie = true;
	t->cookie = cookie;
	return changed;
}

static int emit_task(struct cap_thread_ctx *ctx, const struct cap_task *t,
		     const struct cap_proc_stat *st)
{
	const int64_t autogroup = cap_proc_autogroup(ctx->procfd, t->tgid);
	char policy[24], cookie[24], cpus[1024];
	struct cap_emit e;

	cap_emit_begin(&e, ctx->to, "task");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	cap_emit_i64(&e, "tgid", t->tgid);
	cap_emit_str(&e, "comm", t->comm);
	if (t->cgroup)
		cap_emit_str(&e, "cgroup", t->cgroup);
	cap_emit_i64(&e, "nice", st->nice);
	cap_emit_str(&e, "policy", cap_proc_policy_name(st->policy, policy, sizeof(policy)));
	if (autogroup >= 0)
		cap_emit_i64(&e, "autogroup", autogroup);
	if (t->has_cookie) {
		snprintf(cookie, sizeof(cookie), "0x%" PRIx64, t->cookie);
		cap_emit_str(&e, "cookie", cookie);
	}
	if (cap_proc_cpus_allowed(ctx->procfd, t->tgid, t->tid, cpus, sizeof(cpus)) == 0)
		cap_emit_str(&e, "cpus", cpus);
	return cap_emit_end(&e);
}

/* Notes the thread's cgroup. 1: it changed; 0; negative errno. */
static int read_cgroup(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	char path[PATH_MAX];
	char *copy;

	if (cap_cgroups_of(ctx->cgroups, t->tgid, t->tid, path, sizeof(path)) < 0)
		return 0;
	if (t->sampled && cap_cgroups_want(ctx->cgroups, path) < 0)
		return -ENOMEM;
	if (t->cgroup && strcmp(t->cgroup, path) == 0)
		return 0;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	free(t->cgroup);
	t->cgroup = copy;
	return 1;
}

/* Reads again what may change; says so if it did. is_new: says so anyway. */
static int refresh(struct cap_thread_ctx *ctx, struct cap_task *t, const struct cap_proc_stat *st,
		   bool is_new)
{
	bool changed = is_new || strcmp(t->comm, st->comm) != 0;
	int r;

	/* a zombie is in no cgroup of its own any more: what was known stays true of its life */
	if (!is_new && (st->state == 'Z' || st->state == 'X'))
		return 0;
	memcpy(t->comm, st->comm, sizeof(t->comm));
	r = read_cgroup(ctx, t);
	if (r < 0)
		return r;
	changed |= r;
	changed |= read_cookie(ctx, t);
	return changed ? emit_task(ctx, t, st) : 0;
}

static void open_counters(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task/%d/schedstat", t->tgid, t->tid);
	t->sched_fd = openat(ctx->procfd, path, O_RDONLY | O_CLOEXEC);
	if (!ctx->forced_idle || t->sched_fd < 0 || t->forceidle_fd >= 0)
		return;
	snprintf(path, sizeof(path), "%d/task/%d/sched", t->tgid, t->tid);
	t->forceidle_fd = openat(ctx->procfd, path, O_RDONLY | O_CLOEXEC);
}

static int tell_vcpu(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	const int id = fcap_vcpu_from_comm(t->comm);
	struct cap_emit e;

	if (id < 0 || id == t->vcpu)
		return 0;
	t->vcpu = id;
	cap_emit_begin(&e, ctx->to, "vcpu");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	cap_emit_i64(&e, "tgid", t->tgid);
	cap_emit_i64(&e, "id", id);
	return cap_emit_end(&e);
}

static int visit_known(struct cap_thread_ctx *ctx, struct cap_task *t, const struct cap_visit *v)
{
	const bool chosen = v->sampled && !t->sampled;
	struct cap_proc_stat st;
	int r = 0;

	t->sampled |= v->sampled;
	if (v->recheck || chosen) {
		if (cap_proc_stat(ctx->procfd, t->tgid, t->tid, &st) < 0)
			return 0;
		r = refresh(ctx, t, &st, false);
	} else if (t->sampled && read_cookie(ctx, t)) {
		if (cap_proc_stat(ctx->procfd, t->tgid, t->tid, &st) < 0)
			return 0;
		r = emit_task(ctx, t, &st);
	}
	return r;
}

/* *ret is NULL if the thread is gone already. */
static int visit_new(struct cap_thread_ctx *ctx, pid_t pid, pid_t tid, const struct cap_visit *v,
		     struct cap_task **ret)
{
	struct cap_proc_stat st;
	struct cap_task *t;
	int r;

	*ret = NULL;
	if (cap_proc_stat(ctx->procfd, pid, tid, &st) < 0)
		return 0;
	t = cap_tasks_put(ctx->tasks, tid, pid);
	if (!t)
		return -ENOMEM;
	t->start = st.start;
	t->first_ns = v->now_ns;
	t->sampled = v->sampled;
	*ret = t;
	r = refresh(ctx, t, &st, true);
	if (r == 0 && ctx->found)
		ctx->found(ctx->found_ctx, t);
	return r;
}

int cap_thread_visit(struct cap_thread_ctx *ctx, pid_t pid, pid_t tid, const struct cap_visit *v)
{
	struct cap_task *t = cap_tasks_find(ctx->tasks, tid);
	int r;

	if (t && !t->gone && t->tgid == pid)
		r = visit_known(ctx, t, v);
	else
		r = visit_new(ctx, pid, tid, v, &t);
	if (!t)
		return r;
	t->seen = v->scan;
	if (t->sampled && t->sched_fd < 0)
		open_counters(ctx, t);
	if (r == 0 && v->is_vm)
		r = tell_vcpu(ctx, t);
	return r;
}
