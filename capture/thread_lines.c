// SPDX-License-Identifier: GPL-3.0-or-later
/* "task" and "vcpu" lines. */
#include "capture/thread_lines.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

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

/* True if the scheduler treats it otherwise than was noted before. */
static bool read_prio(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	struct cap_prio now;
	bool changed;

	if (!ctx->priorities || ctx->priorities->get(ctx->priorities->ctx, t->tid, &now) < 0)
		return false;
	changed = !t->has_prio || !cap_prio_equal(&t->prio, &now);
	t->has_prio = true;
	t->prio = now;
	return changed;
}

/* Once for all threads of a process. */
static struct cap_autogroup autogroup_of(struct cap_thread_ctx *ctx, const struct cap_task *t,
					 uint64_t scan)
{
	if (ctx->autogroup_of != t->tgid || ctx->autogroup_scan != scan) {
		ctx->autogroup = (struct cap_autogroup){ .id = -1 };
		if (ctx->has_autogroups)
			ctx->autogroup = cap_proc_autogroup(ctx->procfd, t->tgid);
		ctx->autogroup_of = t->tgid;
		ctx->autogroup_scan = scan;
	}
	return ctx->autogroup;
}

/* An autogroup that is none any more is told as -1, a nice value of 0 only after another one. */
static void put_autogroup(struct cap_emit *e, struct cap_task *t, struct cap_autogroup now)
{
	if (now.id >= 0 || t->autogroup >= 0)
		cap_emit_i64(e, "autogroup", now.id);
	if (now.id >= 0 && (now.nice || t->autogroup_nice))
		cap_emit_i64(e, "autogroup_nice", now.nice);
	t->autogroup = now.id;
	t->autogroup_nice = now.nice;
}

static void put_priority(struct cap_emit *e, struct cap_task *t, const struct cap_proc_stat *st)
{
	char policy[24];

	cap_emit_i64(e, "nice", st->nice);
	cap_emit_str(e, "policy", cap_proc_policy_name(st->policy, policy, sizeof(policy)));
	if (st->rt_priority > 0)
		cap_emit_i64(e, "rt_priority", st->rt_priority);
	if (st->is_kthread)
		cap_emit_i64(e, "kthread", 1);
	t->nice = st->nice;
	t->policy = st->policy;
	t->is_kthread = st->is_kthread;
}

static int emit_task(struct cap_thread_ctx *ctx, struct cap_task *t, const struct cap_proc_stat *st,
		     uint64_t scan)
{
	char cookie[24], cpus[1024];
	struct cap_emit e;

	cap_emit_begin(&e, ctx->to, "task");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	cap_emit_i64(&e, "tgid", t->tgid);
	cap_emit_str(&e, "comm", t->comm);
	if (t->cgroup)
		cap_emit_str(&e, "cgroup", t->cgroup);
	put_priority(&e, t, st);
	put_autogroup(&e, t, autogroup_of(ctx, t, scan));
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

static bool has_moved(struct cap_thread_ctx *ctx, const struct cap_task *t, uint64_t scan)
{
	const struct cap_autogroup now = autogroup_of(ctx, t, scan);

	return now.id != t->autogroup || now.nice != t->autogroup_nice;
}

/* Reads again what may change; says so if it did. is_new: says so anyway. */
static int refresh(struct cap_thread_ctx *ctx, struct cap_task *t, const struct cap_proc_stat *st,
		   const struct cap_visit *v, bool is_new)
{
	bool changed = is_new || strcmp(t->comm, st->comm) != 0 || t->nice != st->nice ||
		       t->policy != st->policy;
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
	/* of a thread that was looked at a moment ago the first answer is no news */
	if (t->sampled && read_prio(ctx, t))
		changed |= t->seen != v->scan;
	changed = changed || has_moved(ctx, t, v->scan);
	return changed ? emit_task(ctx, t, st, v->scan) : 0;
}

int cap_thread_is_vcpu(struct cap_thread_ctx *ctx, struct cap_task *t, int id)
{
	struct cap_emit e;

	t->vcpu = id;
	cap_emit_begin(&e, ctx->to, "vcpu");
	cap_emit_i64(&e, "tid", t->tid);
	cap_emit_identity(&e);
	cap_emit_i64(&e, "tgid", t->tgid);
	cap_emit_i64(&e, "id", id);
	return cap_emit_end(&e);
}

static int tell_vcpu(struct cap_thread_ctx *ctx, struct cap_task *t)
{
	const int id = fcap_vcpu_from_comm(t->comm);

	return id < 0 || id == t->vcpu ? 0 : cap_thread_is_vcpu(ctx, t, id);
}

static int visit_known(struct cap_thread_ctx *ctx, struct cap_task *t, const struct cap_visit *v)
{
	const bool chosen = v->sampled && !t->sampled;
	struct cap_proc_stat st;
	bool changed;

	t->sampled |= v->sampled;
	if (v->recheck || chosen) {
		if (cap_proc_stat(ctx->procfd, t->tgid, t->tid, &st) < 0)
			return 0;
		return refresh(ctx, t, &st, v, false);
	}
	if (!t->sampled)
		return 0;
	changed = read_cookie(ctx, t);
	changed |= read_prio(ctx, t);
	if (!changed || cap_proc_stat(ctx->procfd, t->tgid, t->tid, &st) < 0)
		return 0;
	return emit_task(ctx, t, &st, v->scan);
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
	r = refresh(ctx, t, &st, v, true);
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
	if (r == 0 && v->is_vm)
		r = tell_vcpu(ctx, t);
	return r;
}
