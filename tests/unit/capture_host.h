/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the sampler: a made-up /proc and what was told about it. */
#ifndef TESTS_UNIT_CAPTURE_HOST_H
#define TESTS_UNIT_CAPTURE_HOST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/sampler.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define SECOND 1000000000ULL

struct host {
	char *dir;
	int fd;
	struct cap_sampler *s;
	struct kept k;
	/* set before host_open() */
	int sysfd;
	const struct cap_prio_source *priorities;
	const struct cap_file_source *files;
	const struct cap_sampler_watch *watch;
};

/* The tree, without a sampler. */
static inline int host_make(void **state)
{
	struct host *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->dir = tempdir_new();
	h->fd = open_folder(h->dir);
	h->sysfd = -1;
	put_file(h->fd, "stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 8 100 100\n");
	put_file(h->fd, "self/cgroup", "4:cpu:/\n");
	/* process 10 is fcap, its child 20 the command */
	put_file(h->fd, "10/task/10/children", "20");
	*state = h;
	return 0;
}

/* cookies: who stands in for the kernel; NULL: there are none. */
static inline int host_open(struct host *h, const struct cap_cookie_source *cookies)
{
	const struct cap_sampler_conf conf = {
		.procfd = h->fd,
		.sysfd = h->sysfd,
		.files = h->files,
		.root = 10,
		.cookies = cookies,
		.priorities = h->priorities,
		.period_ns = SECOND,
		.to = keep_in(&h->k),
		.watch = h->watch,
	};

	return cap_sampler_open(&h->s, &conf);
}

static inline int host_end(void **state)
{
	struct host *h = *state;

	cap_sampler_close(h->s);
	kept_clear(&h->k);
	close(h->fd);
	tempdir_remove(h->dir);
	free(h);
	return 0;
}

/* What stat says of the thread beside its name and birth. */
struct traits {
	unsigned int flags;
	int nice, rt_priority, policy;
};

static inline void put_stat(const struct host *h, int pid, int tid, const char *comm, int begun,
			    struct traits t)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "%d/task/%d/stat", pid, tid);
	snprintf(
		text, sizeof(text),
		"%d (%s) S 1 1 1 0 0 %u 0 0 0 0 0 0 0 0 20 %d 1 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		"0 0 %d %d 0 0 0\n",
		tid, comm, t.flags, t.nice, begun, t.rt_priority, t.policy);
	put_file(h->fd, path, text);
}

static inline void put_thread(const struct host *h, int pid, int tid, const char *comm, int begun)
{
	char path[64], text[512];

	put_stat(h, pid, tid, comm, begun, (struct traits){ 0 });
	snprintf(path, sizeof(path), "%d/task/%d/children", pid, tid);
	put_file(h->fd, path, "");
	snprintf(path, sizeof(path), "%d/task/%d/cgroup", pid, tid);
	put_file(h->fd, path, "4:cpu:/grp\n");
	snprintf(path, sizeof(path), "%d/task/%d/schedstat", pid, tid);
	snprintf(text, sizeof(text), "%d000 %d00 %d\n", tid, tid, tid);
	put_file(h->fd, path, text);
}

static inline void sample(struct host *h, uint64_t now_ns, bool whole)
{
	assert_int_equal(cap_sampler_sample(h->s, now_ns, whole), 0);
}

#endif
