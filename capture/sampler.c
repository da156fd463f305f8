// SPDX-License-Identifier: GPL-3.0-or-later
/* One sample: find threads, tell what changed, read counters. And the thread that repeats it. */
#include "capture/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/cgroup.h"
#include "capture/counters.h"
#include "capture/machine.h"
#include "capture/mono.h"
#include "capture/procfs.h"
#include "capture/thread_lines.h"
#include "capture/vmlist.h"
#include "fcap/vcpu_name.h"

#define SECOND_NS   1000000000ULL
#define YOUNG_NS    SECOND_NS	     /* thread names and cgroups settle within this time */
#define VM_YOUNG_NS (10 * SECOND_NS) /* and a VMM has opened its VM within this */

struct cap_sampler {
	struct cap_sampler_conf conf;
	struct cap_cgroups *cgroups;
	struct cap_tasks tasks;
	struct cap_vmlist vms;
	struct cap_vmwatch watch;
	atomic_size_t vms_seen; /* their number, for other threads */
	struct cap_host_steal steal;
	struct cap_machine *machine;
	int schedstats; /* as in struct cap_host */
	struct cap_thread_ctx ctx;
	uint64_t scan; /* number of the current sample */
	uint64_t last_whole_ns;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool runs, stop; /* stop: under lock */
	int error;
};

/* Forced idle time is in the thread's file only where both are on. */
static void look_at_kernel(struct cap_sampler *s)
{
	enum fcap_core_state state;

	cap_cookies_open(&s->ctx.cookies, s->conf.cookies);
	state = s->ctx.cookies.state;
	s->schedstats = cap_proc_schedstats(s->conf.procfd);
	s->ctx.forced_idle = s->schedstats == 1 &&
			     (state == FCAP_CORE_READABLE || state == FCAP_CORE_NOT_READY);
}

int cap_sampler_open(struct cap_sampler **ret, const struct cap_sampler_conf *conf)
{
	struct cap_sampler *s = calloc(1, sizeof(*s));
	pthread_condattr_t attr;
	int r;

	if (!s)
		return -ENOMEM;
	s->conf = *conf;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	s->machine = cap_machine_open(conf->procfd, conf->sysfd);
	r = s->machine ? cap_cgroups_open(&s->cgroups, conf->procfd) : -ENOMEM;
	if (r < 0) {
		cap_sampler_close(s);
		return r;
	}
	s->ctx = (struct cap_thread_ctx){
		.procfd = conf->procfd,
		.cgroups = s->cgroups,
		.tasks = &s->tasks,
		.to = conf->to,
		.priorities = conf->priorities,
		.has_autogroups = cap_proc_has_autogroups(conf->procfd),
		.found = conf->found,
		.found_ctx = conf->found_ctx,
	};
	s->watch = (struct cap_vmwatch){ .sysfd = conf->sysfd, .files = conf->files };
	look_at_kernel(s);
	*ret = s;
	return 0;
}

struct cap_host cap_sampler_host(const struct cap_sampler *s)
{
	return (struct cap_host){ cap_cgroups_hierarchy(s->cgroups), s->ctx.cookies.state,
				  s->schedstats };
}

const struct cap_tasks *cap_sampler_tasks(const struct cap_sampler *s)
{
	return &s->tasks;
}

const struct cap_vmlist *cap_sampler_vms(const struct cap_sampler *s)
{
	return &s->vms;
}

size_t cap_sampler_vms_seen(const struct cap_sampler *s)
{
	return atomic_load(&s->vms_seen);
}

/* True once: the process has opened a VM. */
static bool becomes_vm(const struct cap_sampler *s, const struct cap_task *leader, bool sampled,
		       const struct cap_visit *v)
{
	const uint64_t age_ns = v->now_ns - leader->first_ns;

	if (leader->is_vm || (age_ns > VM_YOUNG_NS && !sampled))
		return false;
	/* of the command's processes every sample while they are young, then once a second */
	if (age_ns > YOUNG_NS && !v->recheck)
		return false;
	return cap_proc_holds_kvm(s->conf.procfd, leader->tid);
}

static int visit_threads(struct cap_sampler *s, pid_t pid, const struct cap_visit *v)
{
	struct cap_ids tids = { 0 };
	int r = cap_proc_threads(s->conf.procfd, pid, &tids);

	if (cap_proc_is_out_of_sight(r))
		r = 0;
	for (size_t i = 0; i < tids.n && r == 0; i++) {
		const struct cap_task *t = cap_tasks_find(&s->tasks, tids.id[i]);
		struct cap_visit each = *v;

		each.recheck |= t && v->now_ns - t->first_ns < YOUNG_NS;
		r = cap_thread_visit(&s->ctx, pid, tids.id[i], &each);
	}
	cap_ids_free(&tids);
	return r;
}

/* A vhost thread of the kernel does a VM's work. NULL: it is none, or of no VM. */
static const struct cap_task *served_vm(const struct cap_sampler *s, const struct cap_task *leader)
{
	const int tid = leader->is_kthread ? fcap_vhost_tgid(leader->comm) : 0;
	const struct cap_task *opener = tid > 0 ? cap_tasks_find(&s->tasks, tid) : NULL;
	const struct cap_task *vm = opener ? cap_tasks_find(&s->tasks, opener->tgid) : NULL;

	return vm && vm->is_vm && !vm->gone ? vm : NULL;
}

static int count_for_watch(void *ctx, const struct cap_task *t, const struct cap_proc_sched *now)
{
	const struct cap_sampler *s = ctx;
	const struct cap_task *served = served_vm(s, t);
	const struct cap_vm *vm = cap_vmlist_of(&s->vms, served ? served->tgid : t->tgid);

	return vm ? s->conf.watch->count(s->conf.watch->ctx, vm->name, t, now->delay_ns) : 0;
}

static int read_counters(struct cap_sampler *s)
{
	const struct cap_sampler_watch *watch = s->conf.watch;
	const struct cap_counters_also also = { count_for_watch, s };
	int r;

	if (!watch)
		return cap_counters_steal(s->conf.procfd, &s->tasks, s->ctx.forced_idle, NULL,
					  s->conf.to);
	/* the time at which they are read, not that at which the sample began */
	watch->begin(watch->ctx, cap_mono_ns());
	r = cap_counters_steal(s->conf.procfd, &s->tasks, s->ctx.forced_idle, &also, s->conf.to);
	return r < 0 ? r : watch->end(watch->ctx, &s->tasks);
}

/* of_command: the process descends from the root, so that all its threads are sampled. */
static int visit_process(struct cap_sampler *s, pid_t pid, bool of_command, struct cap_visit v)
{
	struct cap_task *leader = cap_tasks_find(&s->tasks, pid);
	const bool known = leader && !leader->gone && leader->tgid == pid;
	int r = 0;

	v.is_vm = known && leader->is_vm;
	v.sampled = of_command || v.is_vm || (known && served_vm(s, leader));
	/* a process that is neither: only whether it is still there */
	if (!known || v.sampled)
		r = visit_threads(s, pid, &v);
	leader = cap_tasks_find(&s->tasks, pid);
	if (r < 0 || !leader)
		return r;
	leader->seen = v.scan;
	if (!becomes_vm(s, leader, of_command, &v))
		return 0;
	leader->is_vm = v.is_vm = v.sampled = true;
	r = cap_vmlist_add(&s->vms, leader);
	return r < 0 ? r : visit_threads(s, pid, &v);
}

/*
 * After a whole scan: lets go of what it did not see. The threads of a process that is not
 * sampled are listed once only, and live as long as their leader.
 */
static void forget_unseen(struct cap_sampler *s)
{
	for (size_t i = s->tasks.n; i-- > 0;) {
		const struct cap_task *t = s->tasks.all[i];
		const struct cap_task *of = t->sampled ? t : cap_tasks_find(&s->tasks, t->tgid);

		if (!t->gone && (!of || of->seen != s->scan))
			cap_tasks_end(&s->tasks, i);
	}
}

static int visit_command(struct cap_sampler *s, const struct cap_visit *v)
{
	struct cap_ids pids = { 0 };
	int r = cap_proc_descendants(s->conf.procfd, s->conf.root, &pids);

	for (size_t i = 0; i < pids.n && r == 0; i++)
		r = visit_process(s, pids.id[i], true, *v);
	cap_ids_free(&pids);
	return r;
}

/* Those that a user has named, unless they are the command's, too. */
static int visit_attached(struct cap_sampler *s, const struct cap_visit *v)
{
	int r = 0;

	for (size_t i = 0; i < s->conf.nattached && r == 0; i++) {
		const struct cap_attached *p = &s->conf.attached[i];
		const struct cap_task *t = cap_tasks_find(&s->tasks, p->pid);

		if ((!t || t->seen != s->scan) && cap_attached_lives(s->conf.procfd, p))
			r = visit_process(s, p->pid, true, *v);
	}
	return r;
}

static int visit_host(struct cap_sampler *s, const struct cap_visit *v)
{
	struct cap_ids pids = { 0 };
	int r = s->conf.command_only ? 0 : cap_proc_ids(s->conf.procfd, ".", "", &pids);

	for (size_t i = 0; i < pids.n && r == 0; i++) {
		const struct cap_task *t = cap_tasks_find(&s->tasks, pids.id[i]);

		if (!t || t->seen != s->scan)
			r = visit_process(s, pids.id[i], false, *v);
	}
	cap_ids_free(&pids);
	if (r == 0)
		forget_unseen(s);
	return r;
}

int cap_sampler_sample(struct cap_sampler *s, uint64_t now_ns, bool whole)
{
	const struct cap_visit v = { .scan = ++s->scan, .now_ns = now_ns, .recheck = whole };
	int r;

	if (whole)
		s->ctx.has_autogroups = cap_proc_has_autogroups(s->conf.procfd);
	r = visit_command(s, &v);

	if (r == 0)
		r = visit_attached(s, &v);
	if (r == 0 && whole) {
		r = visit_host(s, &v);
		s->last_whole_ns = now_ns;
		if (r == 0)
			r = cap_vmwatch_look(&s->watch, &s->ctx, &s->vms, now_ns);
	}
	if (r == 0)
		r = cap_vmlist_tell(&s->vms, s->conf.procfd, &s->tasks, s->conf.to);
	atomic_store(&s->vms_seen, s->vms.n);
	if (r == 0)
		r = read_counters(s);
	if (r == 0)
		r = cap_cgroups_sample(s->cgroups, s->conf.to);
	if (r == 0)
		r = cap_counters_host(&s->steal, s->conf.procfd, whole, s->conf.to);
	if (r == 0)
		r = cap_machine_sample(s->machine, whole, s->conf.to);
	return r;
}

/* True: it is time for the next sample; false: stop. */
static bool wait_until(struct cap_sampler *s, uint64_t at_ns)
{
	const struct timespec at = { (time_t)(at_ns / SECOND_NS), (long)(at_ns % SECOND_NS) };
	bool stop;

	pthread_mutex_lock(&s->lock);
	while (!s->stop && pthread_cond_timedwait(&s->wake, &s->lock, &at) == 0)
		;
	stop = s->stop;
	pthread_mutex_unlock(&s->lock);
	return !stop;
}

static void *sample_periodically(void *arg)
{
	struct cap_sampler *s = arg;
	uint64_t now_ns, next_ns = cap_mono_ns() + s->conf.period_ns;

	while (s->error == 0 && wait_until(s, next_ns)) {
		now_ns = cap_mono_ns();
		cap_usage_note(s->conf.usage);
		s->error = cap_sampler_sample(s, now_ns, now_ns - s->last_whole_ns >= SECOND_NS);
		next_ns += s->conf.period_ns;
		if (next_ns < cap_mono_ns()) /* a sample took too long: skip what was missed */
			next_ns = cap_mono_ns() + s->conf.period_ns;
	}
	return NULL;
}

int cap_sampler_start(struct cap_sampler *s, struct fcap_err *err)
{
	const int r = pthread_create(&s->thread, NULL, sample_periodically, s);

	if (r)
		return fcap_fail(err, r, "cannot start the sampler: %s", strerror(r));
	s->runs = true;
	return 0;
}

static void join(struct cap_sampler *s)
{
	if (!s->runs)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	s->runs = false;
}

int cap_sampler_stop(struct cap_sampler *s, struct fcap_err *err)
{
	join(s);
	if (s->error == 0)
		s->error = cap_sampler_sample(s, cap_mono_ns(), true);
	if (s->error < 0)
		return fcap_fail(err, -s->error, "sampling the threads failed: %s",
				 strerror(-s->error));
	return 0;
}

void cap_sampler_close(struct cap_sampler *s)
{
	if (!s)
		return;
	join(s);
	cap_cgroups_close(s->cgroups);
	cap_tasks_clear(&s->tasks);
	cap_vmlist_clear(&s->vms);
	cap_host_steal_clear(&s->steal);
	cap_machine_close(s->machine);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
