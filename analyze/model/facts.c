// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/facts_parts.h"

struct fan_facts *fan_facts_new(void)
{
	struct fan_facts *f = calloc(1, sizeof(*f));

	if (f)
		f->hierarchy = f->schedstats = -1;
	return f;
}

void fan_facts_free(struct fan_facts *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nlabels; i++) {
		free(f->labels[i].key);
		free(f->labels[i].value);
	}
	for (size_t i = 0; i < f->ncgroups; i++) {
		free(f->cgroups[i].path);
		free(f->cgroups[i].parent);
		free(f->cgroups[i].cpuset);
		free(f->cgroups[i].first_cpuset);
	}
	for (size_t i = 0; i < f->naffinities; i++)
		free(f->affinities[i]);
	for (size_t i = 0; i < f->ngroups; i++)
		free(f->groups[i].name);
	fan_path_clear(&f->by_path);
	fan_hardware_clear(&f->hardware);
	fan_facts_clear_trigger(f);
	free(f->labels);
	free(f->cpus);
	free(f->cgroups);
	free(f->affinities);
	free(f->autogroups);
	free(f->tasks);
	free(f->groups);
	free(f->kernel);
	free(f->scheduler);
	free(f->command);
	free(f->clock);
	free(f->cut);
	free(f);
}

/* A counter that only grows, as told first and last; both are -1 before. */
static void keep_counter(const struct fcap_marker *line, const char *key, int64_t *first,
			 int64_t *last)
{
	const int64_t v = fan_line_number(line, key, -1);

	if (v < 0)
		return;
	*last = v;
	if (*first < 0)
		*first = v;
}

int32_t fan_facts_cgroup(const struct fan_facts *f, const char *path)
{
	return fan_path_find(&f->by_path, path);
}

/* The cgroup with this path, added with nothing known about it if new; -ENOMEM. */
static int32_t reach_cgroup(struct fan_facts *f, const char *path)
{
	const int32_t known = fan_facts_cgroup(f, path);
	struct fan_cgroup *c;

	if (known >= 0)
		return known;
	c = fan_facts_append(&f->cgroups, &f->ncgroups, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->weight = c->quota = c->period = c->throttled_ns = c->throttled_first_ns = -1;
	c->forceidle_ns = c->forceidle_first_ns = -1;
	c->path = strdup(path);
	if (!c->path || fan_path_add(&f->by_path, c->path, (int32_t)f->ncgroups - 1) < 0)
		return -ENOMEM;
	return (int32_t)f->ncgroups - 1;
}

/* The set that threads were told to have may be older than this one: see entitlement. */
static int take_cpuset(struct fan_facts *f, struct fan_cgroup *c, const struct fcap_marker *line)
{
	const char *text = fcap_marker_get(line, "cpuset");

	if (!text || (c->cpuset && strcmp(c->cpuset, text) == 0))
		return 0;
	f->epoch++;
	if (c->cpuset && !c->first_cpuset) {
		c->first_cpuset = c->cpuset;
		c->cpuset = NULL;
	}
	return fan_line_keep(&c->cpuset, line, "cpuset");
}

static int take_cg(struct fan_facts *f, const struct fcap_marker *line, uint64_t ts_ns)
{
	const char *path = fcap_marker_get(line, "path");
	const char *scale = fcap_marker_get(line, "scale");
	const char *quota = fcap_marker_get(line, "quota");
	const char *parent = fcap_marker_get(line, "parent");
	struct fan_cgroup *c, old;
	int32_t i;

	if (!path)
		return -EINVAL;
	i = reach_cgroup(f, path);
	if (i < 0)
		return i;
	c = &f->cgroups[i];
	old = *c;
	c->weight = fan_line_number(line, "weight", c->weight);
	c->is_idle = fan_line_number(line, "idle", c->is_idle) == 1;
	if (scale)
		c->is_v2 = strcmp(scale, "weight") == 0;
	if (quota)
		c->quota = fan_line_number(line, "quota", -1);
	c->period = fan_line_number(line, "period", c->period);
	keep_counter(line, "throttled_ns", &c->throttled_first_ns, &c->throttled_ns);
	keep_counter(line, "forceidle_ns", &c->forceidle_first_ns, &c->forceidle_ns);
	f->epoch += old.weight != c->weight || old.is_idle != c->is_idle || old.quota != c->quota ||
		    old.period != c->period || !old.parent ||
		    (parent && strcmp(parent, old.parent) != 0);
	if ((old.weight >= 0 && (old.weight != c->weight || old.is_idle != c->is_idle)) ||
	    (old.period >= 0 && (old.quota != c->quota || old.period != c->period)))
		c->changed_ns = ts_ns;
	if (fan_line_keep(&c->parent, line, "parent") < 0)
		return -ENOMEM;
	return take_cpuset(f, c, line);
}

static int32_t reach_affinity(struct fan_facts *f, const char *list)
{
	char **item;

	for (size_t i = 0; i < f->naffinities; i++)
		if (strcmp(f->affinities[i], list) == 0)
			return (int32_t)i;
	item = fan_facts_append(&f->affinities, &f->naffinities, sizeof(*item));
	if (!item)
		return -ENOMEM;
	*item = strdup(list);
	return *item ? (int32_t)f->naffinities - 1 : -ENOMEM;
}

static const struct fan_task_fact nothing_known = {
	.cgroup = -1, .autogroup = -1, .affinity = -1, .forceidle_first_ns = -1, .forceidle_ns = -1
};

const struct fan_task_fact *fan_facts_task(const struct fan_facts *f, size_t thread)
{
	return thread < f->ntasks ? &f->tasks[thread] : &nothing_known;
}

static struct fan_task_fact *reach_task(struct fan_facts *f, size_t thread)
{
	struct fan_task_fact *t;

	while (f->ntasks <= thread) {
		t = fan_facts_append(&f->tasks, &f->ntasks, sizeof(*t));
		if (!t)
			return NULL;
		*t = nothing_known;
	}
	return &f->tasks[thread];
}

/* The thread that a line names by tid: its index; -EINVAL for a bad tid, -ENOMEM. */
static int32_t named_thread(struct fan_machine *m, const struct fcap_marker *line)
{
	const int64_t tid = fan_line_number(line, "tid", -1);
	const struct fan_thread *th;

	if (tid <= 0 || tid >= FAN_TID_MAX)
		return -EINVAL;
	th = fan_machine_thread(m, (int32_t)tid);
	return th ? th->index : -ENOMEM;
}

/* One thread has moved. */
static int move_thread(struct fan_facts *f, struct fan_machine *m,
		       const struct fan_threads *threads, size_t thread, int32_t cgroup)
{
	const int32_t account = fan_threads_at(threads, thread)->account;
	struct fan_place place = fan_accounts_at(threads, (size_t)account)->place;
	struct fan_task_fact *t = reach_task(f, thread);

	if (!t)
		return -ENOMEM;
	t->has_moved |= place.cgroup >= 0 && place.cgroup != cgroup;
	t->cgroup = place.cgroup = cgroup;
	f->epoch++;
	return fan_machine_enter(m, (int32_t)thread, place);
}

int fan_facts_attach(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		     const struct fan_event *ev)
{
	char path[4096];
	const uint32_t len = ev->attach.path.n < sizeof(path) - 1 ? ev->attach.path.n
								  : (uint32_t)sizeof(path) - 1;
	const struct fan_thread *th;
	int32_t thread, proc, cgroup;
	int r;

	if (ev->attach.hierarchy != f->hierarchy || len == 0 || ev->attach.tid <= 0 ||
	    ev->attach.tid >= FAN_TID_MAX)
		return 0;
	memcpy(path, ev->attach.path.p, len);
	path[len] = '\0';
	cgroup = reach_cgroup(f, path);
	th = cgroup < 0 ? NULL : fan_machine_thread(m, ev->attach.tid);
	if (!th)
		return cgroup < 0 ? cgroup : -ENOMEM;
	thread = th->index;
	proc = fan_threads_proc(threads, (size_t)thread);
	r = move_thread(f, m, threads, (size_t)thread, cgroup);
	if (fan_procs_at(threads, (size_t)proc)->tgid != ev->attach.tid)
		return r;
	for (size_t i = 0; r == 0 && i < fan_threads_count(threads); i++)
		if (fan_threads_proc(threads, i) == proc)
			r = move_thread(f, m, threads, i, cgroup);
	return r;
}

static int take_tgid(struct fan_threads *threads, int32_t thread, const struct fcap_marker *line)
{
	const int64_t tgid = fan_line_number(line, "tgid", -1);

	if (tgid <= 0 || tgid >= FAN_TID_MAX)
		return 0;
	return fan_threads_set_tgid(threads, thread, (int32_t)tgid, false);
}

/* A hash in hex; a line that tells none leaves what is known. */
static void take_cookie(struct fan_task_fact *t, const struct fcap_marker *line)
{
	const char *text = fcap_marker_get(line, "cookie");
	char *end;

	if (!text || strncmp(text, "0x", 2) != 0)
		return;
	t->cookie = strtoull(text, &end, 16);
	t->has_cookie = end > text + 2 && *end == '\0';
}

int32_t fan_facts_autogroup_nice(const struct fan_facts *f, int32_t number)
{
	for (size_t i = 0; i < f->nautogroups; i++)
		if (f->autogroups[i].number == number)
			return f->autogroups[i].nice;
	return 0;
}

static int keep_autogroup_nice(struct fan_facts *f, int32_t autogroup, int32_t nice)
{
	struct fan_autogroup_fact *a = NULL;

	if (fan_facts_autogroup_nice(f, autogroup) == nice)
		return 0;
	f->epoch++;
	for (size_t i = 0; i < f->nautogroups; i++)
		if (f->autogroups[i].number == autogroup)
			a = &f->autogroups[i];
	if (!a)
		a = fan_facts_append(&f->autogroups, &f->nautogroups, sizeof(*a));
	if (!a)
		return -ENOMEM;
	*a = (struct fan_autogroup_fact){ autogroup, nice };
	return 0;
}

static int take_policy(struct fan_facts *f, struct fan_task_fact *t, const struct fcap_marker *line)
{
	const enum fan_policy policy = fan_policy_named(fcap_marker_get(line, "policy"));
	const int64_t nice = fan_line_number(line, "autogroup_nice", INT64_MIN);

	if (policy != FAN_POLICY_UNTOLD)
		t->policy = policy;
	t->was_realtime |= policy == FAN_POLICY_REALTIME;
	if (t->autogroup < 0 || nice < -20 || nice > 19)
		return 0;
	return keep_autogroup_nice(f, t->autogroup, (int32_t)nice);
}

/* What a line says of a thread adds to what it has from who forked it. */
static void start_where_born(struct fan_task_fact *t, const struct fan_threads *threads,
			     int32_t thread)
{
	const int32_t account = fan_threads_at(threads, (size_t)thread)->account;
	const struct fan_place *place = &fan_accounts_at(threads, (size_t)account)->place;

	if (t->is_told)
		return;
	t->cgroup = place->cgroup;
	t->affinity = place->affinity;
	t->autogroup = place->autogroup;
}

static int take_task(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		     const struct fcap_marker *line)
{
	const int32_t thread = named_thread(m, line);
	const char *comm = fcap_marker_get(line, "comm");
	const char *cgroup = fcap_marker_get(line, "cgroup");
	const char *cpus = fcap_marker_get(line, "cpus");
	struct fan_task_fact *t = thread < 0 ? NULL : reach_task(f, (size_t)thread);
	int32_t account;

	if (!t)
		return thread < 0 ? thread : -ENOMEM;
	start_where_born(t, threads, thread);
	t->is_told = true;
	t->is_kthread = fan_line_number(line, "kthread", t->is_kthread) == 1;
	t->nice = (int32_t)fan_line_number(line, "nice", t->nice);
	t->autogroup = (int32_t)fan_line_number(line, "autogroup", t->autogroup);
	if (cgroup) {
		const int32_t was = t->cgroup;

		t->cgroup = reach_cgroup(f, cgroup);
		t->has_moved |= was >= 0 && was != t->cgroup;
	}
	if (cpus)
		t->affinity = reach_affinity(f, cpus);
	if (t->cgroup == -ENOMEM || t->affinity == -ENOMEM)
		return -ENOMEM;
	take_cookie(t, line);
	f->has_cookies |= t->has_cookie;
	/* first its process: threads of one process in one place have one account */
	if (take_policy(f, t, line) < 0 || take_tgid(threads, thread, line) < 0)
		return -ENOMEM;
	account = fan_threads_at(threads, (size_t)thread)->account;
	if (fan_machine_enter(m, thread,
			      (struct fan_place){ t->cgroup, t->affinity, t->autogroup,
						  fan_task_nice(t) }) < 0)
		return -ENOMEM;
	/* others of its process may have no place but that of their main thread */
	f->epoch += account != fan_threads_at(threads, (size_t)thread)->account;
	if (comm)
		fan_thread_name(fan_threads_at(threads, (size_t)thread), comm, strlen(comm));
	return 0;
}

static int take_vcpu(struct fan_machine *m, struct fan_threads *threads,
		     const struct fcap_marker *line)
{
	const int32_t thread = named_thread(m, line);
	struct fan_thread *th;

	if (thread < 0)
		return thread;
	th = fan_threads_at(threads, (size_t)thread);
	fan_machine_is_vcpu(m, th);
	th->vcpu_id = (int32_t)fan_line_number(line, "id", th->vcpu_id);
	return take_tgid(threads, thread, line);
}

static void keep_most(const struct fcap_marker *line, const char *key, int64_t *most)
{
	const int64_t v = fan_line_number(line, key, 0);

	if (v > *most)
		*most = v;
}

static int take_group(struct fan_facts *f, const struct fcap_marker *line)
{
	const int64_t tgid = fan_line_number(line, "tgid", -1);
	struct fan_group_fact *g = NULL;

	if (tgid <= 0 || tgid >= FAN_TID_MAX)
		return -EINVAL;
	for (size_t i = 0; i < f->ngroups; i++)
		if (f->groups[i].tgid == tgid)
			g = &f->groups[i];
	if (!g)
		g = fan_facts_append(&f->groups, &f->ngroups, sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->tgid = (int32_t)tgid;
	g->thread = -1;
	keep_most(line, "vms", &g->vms);
	keep_most(line, "vm_fds", &g->vm_fds);
	return fan_line_keep(&g->name, line, "name");
}

int fan_facts_take_guest(struct fan_facts *f, struct fan_threads *threads, const char *guest,
			 size_t thread)
{
	struct fan_group_fact *g;

	for (size_t i = 0; i < f->ngroups; i++) {
		if (f->groups[i].thread < 0 || strcmp(f->groups[i].name, guest) != 0)
			continue;
		fan_threads_join(threads, (int32_t)thread, f->groups[i].thread);
		return 0;
	}
	g = fan_facts_append(&f->groups, &f->ngroups, sizeof(*g));
	if (!g)
		return -ENOMEM;
	g->tgid = -1;
	g->thread = (int32_t)thread;
	g->name = strdup(guest);
	return g->name ? 0 : -ENOMEM;
}

static int take_steal(struct fan_facts *f, struct fan_machine *m, const struct fcap_marker *line)
{
	const int32_t thread = named_thread(m, line);
	struct fan_task_fact *t = thread < 0 ? NULL : reach_task(f, (size_t)thread);

	if (!t)
		return thread < 0 ? thread : -ENOMEM;
	t->is_sampled = true;
	keep_counter(line, "forceidle", &t->forceidle_first_ns, &t->forceidle_ns);
	return 0;
}

/* A thread that no fork shows is followed from here on. */
static int take_scope(struct fan_machine *m, const struct fcap_marker *line)
{
	const int64_t tid = fan_line_number(line, "tid", -1);

	if (tid <= 0 || tid >= FAN_TID_MAX)
		return -EINVAL;
	if (fan_machine_is_scoped(m))
		fan_machine_adopt(m, (int32_t)tid);
	return 0;
}

static int dispatch(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		    const struct fcap_marker *line, uint64_t ts_ns)
{
	if (fcap_marker_is(line, "steal"))
		return take_steal(f, m, line);
	if (fcap_marker_is(line, "task"))
		return take_task(f, m, threads, line);
	if (fcap_marker_is(line, "cg"))
		return take_cg(f, line, ts_ns);
	if (fcap_marker_is(line, "vcpu"))
		return take_vcpu(m, threads, line);
	if (fcap_marker_is(line, "group"))
		return take_group(f, line);
	if (fcap_marker_is(line, "cpu"))
		return fan_facts_take_cpu(f, line);
	if (fcap_marker_is(line, "begin"))
		return fan_facts_take_begin(f, m, line);
	if (fcap_marker_is(line, "scope"))
		return take_scope(m, line);
	if (fcap_marker_is(line, "trigger"))
		return fan_facts_take_trigger(f, line, ts_ns);
	if (fcap_marker_is(line, "cut"))
		return fan_line_keep(&f->cut, line, "why");
	if (fcap_marker_is(line, "lost")) {
		f->lost_overrun += (uint64_t)fan_line_number(line, "overrun", 0);
		f->lost_dropped += (uint64_t)fan_line_number(line, "dropped", 0);
	}
	f->has_end |= fcap_marker_is(line, "end");
	return fan_hardware_take(&f->hardware, line);
}

int fan_facts_take(struct fan_facts *f, struct fan_machine *m, struct fan_threads *threads,
		   const struct fcap_marker *line, uint64_t ts_ns)
{
	const int r = dispatch(f, m, threads, line, ts_ns);

	if (f->lines++ == 0)
		f->first_ns = ts_ns;
	f->last_ns = ts_ns;
	f->malformed += r == -EINVAL;
	return r == -EINVAL ? 0 : r;
}
