// SPDX-License-Identifier: GPL-3.0-or-later
/* The tracefs instance of one recording. */
#include "capture/session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "capture/instance.h"
#include "capture/io.h"
#include "capture/procfs.h"

#define ATTEMPTS 100

/* How full a buffer may become before the kernel wakes who drains it, in percent. It is for sudden
 * floods: in a steady one the drain comes sooner by itself. */
#define WATERMARK "25"

struct cap_session {
	struct tracefs_instance *instance;
	int lock; /* the instance's folder, locked while it is ours; good when tracefs is unmounted
		   */
	int instances; /* the folder around it */
	unsigned int ncpu;
};

static bool is_mounted(void)
{
	char *text;
	bool found;

	if (cap_io_read_all(AT_FDCWD, "/proc/self/mountinfo", &text, NULL) < 0)
		return true;
	found = strstr(text, " - tracefs ") != NULL;
	free(text);
	return found;
}

/* An instance whose lock is free has no owner any more. */
static void remove_if_stale(int dirfd, const char *name)
{
	const int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	/* removed under the lock: who makes a folder sees by it that theirs was taken away */
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(dirfd, name, AT_REMOVEDIR);
	close(fd);
}

static void remove_stale(const char *tracing_dir)
{
	const struct dirent *de;
	char path[512];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/instances", tracing_dir);
	dir = opendir(path);
	if (!dir)
		return;
	while ((de = readdir(dir)))
		if (strncmp(de->d_name, CAP_INSTANCE_PREFIX, sizeof(CAP_INSTANCE_PREFIX) - 1) == 0)
			remove_if_stale(dirfd(dir), de->d_name);
	closedir(dir);
}

void cap_session_remove_stale(void)
{
	const char *dir = is_mounted() ? tracefs_tracing_dir() : NULL;

	if (dir)
		remove_stale(dir);
}

/* Locks the new folder. 0; -EAGAIN: another recording took it for stale; other negative errno. */
static int lock_instance(struct cap_session *s)
{
	const char *root = tracefs_instance_get_trace_dir(s->instance);
	const char *name = tracefs_instance_get_name(s->instance);
	char path[512];

	snprintf(path, sizeof(path), "%s/instances/%s", root, name);
	s->lock = cap_instance_lock(AT_FDCWD, path);
	return s->lock < 0 ? s->lock : 0;
}

static int make_instance(struct cap_session *s, struct fcap_err *err)
{
	for (int n = 0; n < ATTEMPTS; n++) {
		char name[64];
		int r = -EAGAIN;

		snprintf(name, sizeof(name), CAP_INSTANCE_PREFIX "%d-%d", (int)getpid(), n);
		s->instance = tracefs_instance_create(name);
		if (!s->instance)
			return fcap_fail(err, errno ? errno : EIO,
					 "cannot create a tracing instance: %s; run as root on a "
					 "kernel with tracing",
					 strerror(errno));
		if (tracefs_instance_is_new(s->instance))
			r = lock_instance(s);
		if (r == 0)
			return 0;
		if (r != -EAGAIN) /* it is there, and nobody's but ours */
			return fcap_fail(err, -r, "cannot lock the new tracing instance: %s",
					 strerror(-r));
		tracefs_instance_free(s->instance);
		s->instance = NULL;
	}
	return fcap_fail(err, EBUSY, "cannot get a tracing instance of our own; try again");
}

static int count_cpus(struct cap_session *s, struct fcap_err *err)
{
	struct cap_ids cpus = { 0 };
	const int r = cap_proc_ids(s->lock, "per_cpu", "cpu", &cpus);

	if (r == 0 && cpus.n)
		s->ncpu = (unsigned int)cpus.id[cpus.n - 1] + 1;
	cap_ids_free(&cpus);
	return s->ncpu ? 0 : fcap_fail(err, EIO, "the tracing instance lists no CPU");
}

int cap_session_open(struct cap_session **ret, bool *ret_mounted, struct fcap_err *err)
{
	const bool before = is_mounted();
	const char *dir = tracefs_tracing_dir(); /* mounts it if need be */
	struct cap_session *s;
	int r;

	if (!dir)
		return fcap_fail(
			err, ENODEV,
			"no tracefs: run as root on a kernel with tracing (CONFIG_FTRACE)");
	remove_stale(dir);
	s = calloc(1, sizeof(*s));
	if (!s)
		return fcap_fail(err, ENOMEM, "out of memory");
	s->lock = s->instances = -1;
	r = make_instance(s, err);
	if (r == 0 && tracefs_trace_off(s->instance) < 0)
		r = fcap_fail(err, EIO, "cannot switch the new tracing instance off");
	if (r == 0)
		r = count_cpus(s, err);
	if (r == 0)
		s->instances = openat(s->lock, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r < 0) {
		(void)cap_session_close(s, NULL);
		return r;
	}
	*ret_mounted = !before;
	*ret = s;
	return 0;
}

char *cap_session_saved_names(const struct cap_session *s)
{
	return cap_session_read(s, "../../saved_cmdlines", NULL);
}

char *cap_session_available(void)
{
	return tracefs_instance_file_read(NULL, "available_events", NULL);
}

static int set_buffers(struct cap_session *s, uint64_t bytes, struct fcap_err *err)
{
	if (tracefs_instance_set_buffer_size(s->instance, bytes >> 10, -1) < 0)
		return fcap_fail(err, errno ? errno : ENOMEM,
				 "cannot get %llu KiB of trace buffer for each of %u CPUs: %s",
				 (unsigned long long)(bytes >> 10), s->ncpu, strerror(errno));
	/* absent before Linux 5.0: the drain does without */
	(void)tracefs_instance_file_write(s->instance, "buffer_percent", WATERMARK);
	return 0;
}

int cap_session_setup(struct cap_session *s, const struct cap_plan *plan, uint64_t buffer_bytes,
		      struct fcap_err *err)
{
	int r;

	if (tracefs_instance_file_write(s->instance, "trace_clock", "mono") < 0)
		return fcap_fail(err, errno ? errno : EINVAL,
				 "this kernel has no trace clock \"mono\", which the samples need; "
				 "use Linux 4.3 or later");
	if (tracefs_option_enable(s->instance, TRACEFS_OPTION_OVERWRITE) < 0)
		return fcap_fail(err, errno ? errno : EIO,
				 "cannot set the tracing option \"overwrite\"");
	r = set_buffers(s, buffer_bytes, err);
	for (size_t i = 0; i < plan->nevent && r == 0; i++) {
		const struct cap_event *ev = &plan->event[i];

		if (tracefs_event_file_write(s->instance, ev->system, ev->name, "enable", "1") < 0)
			r = fcap_fail(err, errno ? errno : EIO, "cannot enable the event %s:%s: %s",
				      ev->system, ev->name, strerror(errno));
	}
	return r;
}

int cap_session_follow(const struct cap_session *s, pid_t tid, struct fcap_err *err)
{
	const char *file = "set_event_pid";
	char number[32];
	int fd, r;

	if (tracefs_option_enable(s->instance, TRACEFS_OPTION_EVENT_FORK) < 0)
		return fcap_fail(err, errno ? errno : EINVAL,
				 "--scope command: this kernel cannot follow forks (option "
				 "event-fork); use Linux 4.9 or later");
	/* not truncated, it keeps those that are there */
	fd = openat(s->lock, file, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return fcap_fail(err, errno, "--scope command: %s: %s", file, strerror(errno));
	snprintf(number, sizeof(number), "%d\n", (int)tid);
	r = cap_io_write(fd, number, strlen(number));
	close(fd);
	if (r < 0 && r != -ESRCH)
		return fcap_fail(err, -r, "--scope command: %s: %s", file, strerror(-r));
	return 0;
}

int cap_session_on(struct cap_session *s, struct fcap_err *err)
{
	if (tracefs_trace_on(s->instance) < 0)
		return fcap_fail(err, errno ? errno : EIO, "cannot switch tracing on");
	return 0;
}

int cap_session_off(struct cap_session *s, struct fcap_err *err)
{
	const int fd = openat(s->lock, "tracing_on", O_WRONLY | O_CLOEXEC);
	const int r = fd < 0 ? -errno : cap_io_write(fd, "0", 1);

	if (fd >= 0)
		close(fd);
	if (r < 0)
		return fcap_fail(err, -r, "cannot switch tracing off: %s", strerror(-r));
	return 0;
}

unsigned int cap_session_ncpu(const struct cap_session *s)
{
	return s->ncpu;
}

int cap_session_cpu_open(const struct cap_session *s, unsigned int cpu)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	fd = openat(s->lock, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

char *cap_session_read(const struct cap_session *s, const char *file, size_t *ret_len)
{
	char *text;
	int r = cap_io_read_all(s->lock, file, &text, ret_len);

	if (r == 0)
		return text;
	errno = -r;
	return NULL;
}

char *cap_session_format(const struct cap_session *s, const char *system, const char *event,
			 size_t *ret_len)
{
	int len = 0;
	char *text = tracefs_event_file_read(s->instance, system, event, "format", &len);

	if (ret_len)
		*ret_len = text ? (size_t)len : 0;
	return text;
}

static int remove_instance(const struct cap_session *s, struct fcap_err *err)
{
	const char *name = tracefs_instance_get_name(s->instance);

	if (tracefs_instance_destroy(s->instance) == 0)
		return 0;
	/* by the folder if the path leads there no more */
	if (s->instances >= 0 && unlinkat(s->instances, name, AT_REMOVEDIR) == 0)
		return 0;
	if (errno == ENOENT)
		return 0;
	return fcap_fail(err, errno ? errno : EIO,
			 "cannot remove the tracing instance %s: %s; the next recording does when "
			 "nobody has it open any more",
			 name, strerror(errno));
}

int cap_session_close(struct cap_session *s, struct fcap_err *err)
{
	int r = 0;

	if (!s)
		return 0;
	if (s->instance) {
		r = remove_instance(s, err);
		tracefs_instance_free(s->instance);
	}
	if (s->instances >= 0)
		close(s->instances);
	/* the lock goes last: until here nobody may take the instance for stale */
	if (s->lock >= 0)
		close(s->lock);
	free(s);
	return r;
}
