// SPDX-License-Identifier: GPL-3.0-or-later
/* cgroup v1 and v2 readers. */
#include "capture/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/mounts.h"

#define ABSENT_FOR 10 /* samples until a file that was not there is looked for again */

/* What a "cg" line says; an empty text: the group has no such file. */
struct values {
	char weight[24], idle[8], quota[24], period[24], cpuset[1024];
	uint64_t throttled_ns, forceidle_ns;
	bool has_throttled, has_forceidle;
};

enum file { WEIGHT, IDLE, QUOTA, PERIOD, CPUSET, CPUSET_ASKED, STAT, FILES };

/* quota: of version 2 with the period; a name that is NULL: there is no such file */
static const char *const file_name[2][FILES] = {
	{ [WEIGHT] = "cpu.shares",
	  [IDLE] = "cpu.idle",
	  [QUOTA] = "cpu.cfs_quota_us",
	  [PERIOD] = "cpu.cfs_period_us",
	  [CPUSET] = "cpuset.effective_cpus",
	  [CPUSET_ASKED] = "cpuset.cpus",
	  [STAT] = "cpu.stat" },
	{ [WEIGHT] = "cpu.weight",
	  [IDLE] = "cpu.idle",
	  [QUOTA] = "cpu.max",
	  [CPUSET] = "cpuset.cpus.effective",
	  [STAT] = "cpu.stat" },
};

struct group {
	char *path;
	bool told;
	struct values last;
	int fd[FILES];		    /* -1: not open */
	unsigned int absent[FILES]; /* samples for which it is not looked for */
};

struct mount {
	int fd;	    /* -1: not mounted */
	char *root; /* the part of the hierarchy that is mounted: "/" nearly always */
};

struct cap_cgroups {
	int procfd, version, hierarchy;
	struct mount cpu, cpuset;
	struct group *group;
	size_t n;
};

static int mount_open(struct mount *m, const char *root, const char *point)
{
	if (m->root)
		return 0;
	m->fd = open(point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (m->fd < 0) /* another mount may be there that can be opened */
		return 0;
	m->root = strdup(root);
	return m->root ? 0 : -ENOMEM;
}

static int take_mount(struct cap_cgroups *c, const char *line, int version)
{
	struct cap_mount m;
	int r = 0;

	if (!cap_mount_parse(line, &m) || strcmp(m.type, version == 2 ? "cgroup2" : "cgroup") != 0)
		return 0;
	if (version == 2 || cap_list_has(m.super, strlen(m.super), "cpu"))
		r = mount_open(&c->cpu, m.root, m.point);
	if (r == 0 && version == 1 && cap_list_has(m.super, strlen(m.super), "cpuset"))
		r = mount_open(&c->cpuset, m.root, m.point);
	return r;
}

static int find_mounts(struct cap_cgroups *c, int version)
{
	char *text;
	int r = cap_io_read_all(c->procfd, "self/mountinfo", &text, NULL);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	for (char *p = text; *p && r == 0;) {
		char *end = strchrnul(p, '\n');
		const bool last = *end == '\0';

		*end = '\0';
		r = take_mount(c, p, version);
		p = last ? end : end + 1;
	}
	free(text);
	return r;
}

/*
 * The line of the cpu controller in a cgroup file: "4:cpu,cpuacct:/path", or "0::/path".
 * Returns the path (up to the newline) and the hierarchy's number, or NULL.
 */
static const char *find_line(const char *text, int version, int *ret_hierarchy)
{
	for (const char *p = text; *p;) {
		const size_t len = strcspn(p, "\n");
		const char *list = memchr(p, ':', len);
		const char *path = list ? memchr(list + 1, ':', len - (size_t)(list + 1 - p))
					: NULL;

		if (path) {
			const size_t list_len = (size_t)(path - list - 1);

			if (version == 2 ? strncmp(p, "0::", 3) == 0
					 : cap_list_has(list + 1, list_len, "cpu")) {
				*ret_hierarchy = (int)strtol(p, NULL, 10);
				return path + 1;
			}
		}
		p += len + (p[len] == '\n');
	}
	return NULL;
}

static int open_parts(struct cap_cgroups *c)
{
	char *text;
	int r = cap_io_read_all(c->procfd, "self/cgroup", &text, NULL);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (find_line(text, 1, &c->hierarchy))
		c->version = 1;
	else if (find_line(text, 2, &c->hierarchy))
		c->version = 2;
	free(text);
	return c->version ? find_mounts(c, c->version) : 0;
}

int cap_cgroups_open(struct cap_cgroups **ret, int procfd)
{
	struct cap_cgroups *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	c->procfd = procfd;
	c->cpu.fd = c->cpuset.fd = -1;
	r = open_parts(c);
	if (r < 0) {
		cap_cgroups_close(c);
		return r;
	}
	*ret = c;
	return 0;
}

int cap_cgroups_hierarchy(const struct cap_cgroups *c)
{
	return c->version == 1 ? c->hierarchy : 0;
}

int cap_cgroups_of(const struct cap_cgroups *c, pid_t pid, pid_t tid, char *ret, size_t size)
{
	char name[64], text[16384];
	const char *path;
	int unused;
	ssize_t n;

	snprintf(name, sizeof(name), "%d/task/%d/cgroup", pid, tid);
	n = cap_io_read_at(c->procfd, name, text, sizeof(text));
	if (n < 0)
		return (int)n;
	path = c->version ? find_line(text, c->version, &unused) : NULL;
	if (!path || strcspn(path, "\n") >= size)
		return -ENODATA;
	snprintf(ret, size, "%.*s", (int)strcspn(path, "\n"), path);
	return 0;
}

static int want_one(struct cap_cgroups *c, const char *path, size_t len)
{
	struct group *bigger;

	for (size_t i = 0; i < c->n; i++)
		if (strncmp(c->group[i].path, path, len) == 0 && c->group[i].path[len] == '\0')
			return 0;
	bigger = realloc(c->group, (c->n + 1) * sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	c->group = bigger;
	bigger[c->n] = (struct group){ .path = strndup(path, len) };
	if (!bigger[c->n].path)
		return -ENOMEM;
	for (size_t i = 0; i < FILES; i++)
		bigger[c->n].fd[i] = -1;
	c->n++;
	return 0;
}

int cap_cgroups_want(struct cap_cgroups *c, const char *path)
{
	int r = want_one(c, "/", 1);

	/* ancestors first, as the lines will stand */
	for (size_t len = 1; r == 0 && path[0] == '/' && path[len]; len++)
		if (path[len + 1] == '/' || path[len + 1] == '\0')
			r = want_one(c, path, len + 1);
	return r;
}

static int open_file(const struct mount *m, const char *path, const char *file)
{
	char name[PATH_MAX];
	size_t root;
	int n, fd;

	if (!m->root)
		return -ENOENT;
	root = strlen(m->root);
	if (root > 1) {
		/* outside: what has its name inside is another group */
		if (strncmp(path, m->root, root) != 0 || (path[root] && path[root] != '/'))
			return -ENOENT;
		path += root;
	}
	path += strspn(path, "/");
	n = snprintf(name, sizeof(name), "%s%s%s", path, *path ? "/" : "", file);
	if (n >= (int)sizeof(name))
		return -ENAMETOOLONG;
	fd = openat(m->fd, name, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* For a file that is not open: now, or -ENOENT where it was missing a moment ago. */
static int look_for(const struct cap_cgroups *c, struct group *g, enum file file)
{
	const bool is_cpuset = file == CPUSET || file == CPUSET_ASKED;
	const char *name = file_name[c->version == 2][file];
	/* version 2 has one hierarchy */
	const struct mount *m = is_cpuset && c->version == 1 ? &c->cpuset : &c->cpu;
	int fd;

	if (!name || (g->absent[file] && g->absent[file]--))
		return -ENOENT;
	fd = open_file(m, g->path, name);
	if (fd == -ENOENT)
		g->absent[file] = ABSENT_FOR - 1;
	return fd;
}

/*
 * Reads a file of the group whole. The length, or negative errno (no such file, no such group).
 * Files stay open where there is room: opening is the greater part of the cost.
 */
static ssize_t read_file(struct cap_cgroups *c, struct group *g, enum file file, char *ret,
			 size_t size)
{
	int fd = g->fd[file];
	ssize_t n;

	if (fd < 0)
		fd = look_for(c, g, file);
	if (fd < 0)
		return fd;
	n = cap_io_pread(fd, ret, size);
	if (n < 0) /* the group was removed */
		g->fd[file] = -1;
	else if (g->fd[file] < 0 && cap_io_may_keep(fd))
		g->fd[file] = fd;
	if (g->fd[file] < 0)
		close(fd);
	return n;
}

/* The first line of a file; false and the empty text if there is none. */
static bool read_value(struct cap_cgroups *c, struct group *g, enum file file, char *ret,
		       size_t size)
{
	if (read_file(c, g, file, ret, size) < 0)
		ret[0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	return ret[0] != '\0';
}

/* A counter of cpu.stat, times unit. False and 0 if there is none of that name. */
static bool find_counter(const char *text, const char *name, uint64_t unit, uint64_t *ret)
{
	const size_t len = strlen(name);

	*ret = 0;
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, name, len) != 0 || p[len] != ' ')
			continue;
		*ret = strtoull(p + len, NULL, 10) * unit;
		return true;
	}
	return false;
}

static void read_counters(struct cap_cgroups *c, struct group *g, struct values *v)
{
	char text[2048];

	if (read_file(c, g, STAT, text, sizeof(text)) < 0)
		return;
	if (c->version == 1) {
		v->has_throttled = find_counter(text, "throttled_time", 1, &v->throttled_ns);
		return;
	}
	v->has_throttled = find_counter(text, "throttled_usec", 1000, &v->throttled_ns);
	v->has_forceidle = find_counter(text, "core_sched.force_idle_usec", 1000, &v->forceidle_ns);
}

static void read_v1(struct cap_cgroups *c, struct group *g, struct values *v)
{
	read_value(c, g, QUOTA, v->quota, sizeof(v->quota));
	if (v->quota[0] == '-')
		snprintf(v->quota, sizeof(v->quota), "max");
	read_value(c, g, PERIOD, v->period, sizeof(v->period));
	if (!read_value(c, g, CPUSET, v->cpuset, sizeof(v->cpuset)))
		read_value(c, g, CPUSET_ASKED, v->cpuset, sizeof(v->cpuset));
}

static void read_v2(struct cap_cgroups *c, struct group *g, struct values *v)
{
	char max[64];

	if (read_value(c, g, QUOTA, max, sizeof(max)) &&
	    sscanf(max, "%23s %23s", v->quota, v->period) != 2)
		v->quota[0] = v->period[0] = '\0';
	read_value(c, g, CPUSET, v->cpuset, sizeof(v->cpuset));
}

static int emit_group(const struct cap_cgroups *c, const struct group *g, struct cap_sink to)
{
	const struct values *v = &g->last;
	struct cap_emit e;

	cap_emit_begin(&e, to, "cg");
	cap_emit_str(&e, "path", g->path);
	cap_emit_identity(&e);
	if (g->path[1]) {
		char parent[PATH_MAX];
		const size_t len = (size_t)(strrchr(g->path, '/') - g->path);

		snprintf(parent, sizeof(parent), "%.*s", len ? (int)len : 1, g->path);
		cap_emit_str(&e, "parent", parent);
	}
	if (v->weight[0]) {
		cap_emit_str(&e, "weight", v->weight);
		cap_emit_str(&e, "scale", c->version == 1 ? "shares" : "weight");
	}
	if (v->idle[0])
		cap_emit_str(&e, "idle", v->idle);
	if (v->quota[0]) {
		cap_emit_str(&e, "quota", v->quota);
		cap_emit_str(&e, "period", v->period);
	}
	if (v->cpuset[0])
		cap_emit_str(&e, "cpuset", v->cpuset);
	if (v->has_throttled)
		cap_emit_u64(&e, "throttled_ns", v->throttled_ns);
	if (v->has_forceidle)
		cap_emit_u64(&e, "forceidle_ns", v->forceidle_ns);
	return cap_emit_end(&e);
}

static bool is_same(const struct values *a, const struct values *b)
{
	return strcmp(a->weight, b->weight) == 0 && strcmp(a->idle, b->idle) == 0 &&
	       strcmp(a->quota, b->quota) == 0 && strcmp(a->period, b->period) == 0 &&
	       strcmp(a->cpuset, b->cpuset) == 0 && a->has_throttled == b->has_throttled &&
	       a->throttled_ns == b->throttled_ns && a->has_forceidle == b->has_forceidle &&
	       a->forceidle_ns == b->forceidle_ns;
}

/* Nothing could be read: the group was removed. */
static bool is_blank(const struct values *v)
{
	return !v->weight[0] && !v->quota[0] && !v->cpuset[0] && !v->has_throttled &&
	       !v->has_forceidle;
}

int cap_cgroups_sample(struct cap_cgroups *c, struct cap_sink to)
{
	int r = 0;

	for (size_t i = 0; i < c->n && r == 0; i++) {
		struct group *g = &c->group[i];
		struct values v;

		memset(&v, 0, sizeof(v));
		read_value(c, g, WEIGHT, v.weight, sizeof(v.weight));
		read_value(c, g, IDLE, v.idle, sizeof(v.idle));
		if (c->version == 1)
			read_v1(c, g, &v);
		else
			read_v2(c, g, &v);
		read_counters(c, g, &v);
		if (g->told && (is_blank(&v) || is_same(&v, &g->last)))
			continue;
		g->last = v;
		g->told = true;
		r = emit_group(c, g, to);
	}
	return r;
}

void cap_cgroups_close(struct cap_cgroups *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		for (size_t k = 0; k < FILES; k++)
			if (c->group[i].fd[k] >= 0)
				close(c->group[i].fd[k]);
		free(c->group[i].path);
	}
	free(c->group);
	if (c->cpu.fd >= 0)
		close(c->cpu.fd);
	if (c->cpuset.fd >= 0)
		close(c->cpuset.fd);
	free(c->cpu.root);
	free(c->cpuset.root);
	free(c);
}
