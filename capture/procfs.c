// SPDX-License-Identifier: GPL-3.0-or-later
/* /proc/PID readers. */
#include "capture/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "fcap/num.h"

#define FLAG_KTHREAD 0x00200000U /* PF_KTHREAD */

int cap_ids_add(struct cap_ids *ids, int id)
{
	if (ids->n == ids->size) {
		const size_t size = ids->size ? ids->size * 2 : 16;
		int *bigger = realloc(ids->id, size * sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		ids->id = bigger;
		ids->size = size;
	}
	ids->id[ids->n++] = id;
	return 0;
}

bool cap_ids_has(const struct cap_ids *ids, int id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return true;
	return false;
}

void cap_ids_free(struct cap_ids *ids)
{
	free(ids->id);
	*ids = (struct cap_ids){ 0 };
}

static int by_number(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

int cap_proc_ids(int dirfd, const char *path, const char *prefix, struct cap_ids *ret)
{
	const int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const size_t len = strlen(prefix), before = ret->n;
	const struct dirent *de;
	DIR *dir;
	int r = 0;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		r = -errno;
		close(fd);
		return r;
	}
	while (r == 0 && (de = readdir(dir))) {
		uint64_t id;

		if (strncmp(de->d_name, prefix, len) == 0 &&
		    fcap_parse_u64(de->d_name + len, 0, INT_MAX, &id) == 0)
			r = cap_ids_add(ret, (int)id);
	}
	closedir(dir);
	if (ret->n > before)
		qsort(ret->id + before, ret->n - before, sizeof(*ret->id), by_number);
	return r;
}

int cap_proc_threads(int procfd, pid_t pid, struct cap_ids *ret)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/task", pid);
	return cap_proc_ids(procfd, path, "", ret);
}

bool cap_proc_is_out_of_sight(int r)
{
	return r == -ENOENT || r == -ESRCH || r == -EACCES || r == -EPERM;
}

int cap_proc_stat_parse(const char *text, struct cap_proc_stat *ret)
{
	/* comm may hold blanks and parentheses: it ends at the last one */
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	struct cap_proc_stat st = { 0 };
	uint64_t flags;
	size_t len;

	if (!open || !close || close < open)
		return -EINVAL;
	len = (size_t)(close - open - 1);
	if (len >= sizeof(st.comm))
		len = sizeof(st.comm) - 1;
	memcpy(st.comm, open + 1, len);
	/* fields 3 and 4, 9 (flags), 19 (nice), 22 (start), 40 (real-time priority), 41 (policy) */
	if (sscanf(close + 1,
		   " %c %d %*s %*s %*s %*s %" SCNu64 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNd64
		   " %*s %*s %" SCNu64
		   " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
		   "%" SCNd64 " %" SCNd64,
		   &st.state, &st.ppid, &flags, &st.nice, &st.start, &st.rt_priority,
		   &st.policy) != 7)
		return -EINVAL;
	st.is_kthread = flags & FLAG_KTHREAD;
	*ret = st;
	return 0;
}

int cap_proc_stat(int procfd, pid_t pid, pid_t tid, struct cap_proc_stat *ret)
{
	char path[64], text[1024];
	ssize_t n;

	snprintf(path, sizeof(path), "%d/task/%d/stat", pid, tid);
	n = cap_io_read_at(procfd, path, text, sizeof(text));
	return n < 0 ? (int)n : cap_proc_stat_parse(text, ret);
}

const char *cap_proc_policy_name(int64_t policy, char *buf, size_t size)
{
	static const char *const name[] = {
		"other", "fifo", "rr", "batch", NULL, "idle", "deadline", "ext",
	};

	if (policy >= 0 && policy < (int64_t)(sizeof(name) / sizeof(name[0])) && name[policy])
		return name[policy];
	snprintf(buf, size, "%" PRId64, policy);
	return buf;
}

int cap_proc_sched_parse(const char *text, struct cap_proc_sched *ret)
{
	struct cap_proc_sched s;

	if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &s.run_ns, &s.delay_ns, &s.arrivals) !=
	    3)
		return -EINVAL;
	*ret = s;
	return 0;
}

int cap_proc_cpus_allowed(int procfd, pid_t pid, pid_t tid, char *ret, size_t size)
{
	static const char key[] = "\nCpus_allowed_list:\t";
	char path[64], *text;
	const char *p;
	int r;

	snprintf(path, sizeof(path), "%d/task/%d/status", pid, tid);
	r = cap_io_read_all(procfd, path, &text, NULL);
	if (r < 0)
		return r;
	p = strstr(text, key);
	p = p ? p + sizeof(key) - 1 : "";
	r = *p && strcspn(p, "\n") < size ? 0 : -ENODATA;
	if (r == 0)
		snprintf(ret, size, "%.*s", (int)strcspn(p, "\n"), p);
	free(text);
	return r;
}

/* "123.456789" in ms. */
static int parse_ms(const char *text, uint64_t *ret_ns)
{
	char *end;
	uint64_t ms;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	ms = strtoull(text, &end, 10);
	if (errno || ms >= UINT64_MAX / 1000000 || *end != '.' ||
	    strspn(end + 1, "0123456789") != 6)
		return -EINVAL;
	*ret_ns = ms * 1000000 + strtoul(end + 1, NULL, 10);
	return 0;
}

int cap_proc_forceidle_parse(const char *text, uint64_t *ret_ns)
{
	static const char key[] = "core_forceidle_sum";
	const char *p = text;

	while ((p = strstr(p, key))) {
		const bool is_whole = p == text || p[-1] == '\n' || p[-1] == '.';

		p += sizeof(key) - 1;
		p += strspn(p, " ");
		if (is_whole && *p == ':')
			return parse_ms(p + 1 + strspn(p + 1, " "), ret_ns);
	}
	return -ENODATA;
}

int cap_proc_schedstats(int procfd)
{
	char text[8];

	if (cap_io_read_at(procfd, "sys/kernel/sched_schedstats", text, sizeof(text)) <= 0)
		return -1;
	return text[0] != '0';
}

struct cap_autogroup cap_proc_autogroup(int procfd, pid_t pid)
{
	struct cap_autogroup a;
	char path[64], text[128];

	snprintf(path, sizeof(path), "%d/autogroup", pid);
	if (cap_io_read_at(procfd, path, text, sizeof(text)) > 0 &&
	    sscanf(text, "/autogroup-%" SCNd64 " nice %" SCNd64, &a.id, &a.nice) == 2)
		return a;
	return (struct cap_autogroup){ .id = -1 };
}

bool cap_proc_has_autogroups(int procfd)
{
	char text[8];

	return cap_io_read_at(procfd, "sys/kernel/sched_autogroup_enabled", text, sizeof(text)) <=
		       0 ||
	       text[0] != '0';
}

static bool is_kvm_link(int dirfd, const char *name)
{
	char link[64];
	const ssize_t n = readlinkat(dirfd, name, link, sizeof(link) - 1);

	if (n <= 0)
		return false;
	link[n] = '\0';
	return strcmp(link, "anon_inode:kvm-vm") == 0 ||
	       strncmp(link, "anon_inode:kvm-vcpu", 19) == 0;
}

bool cap_proc_holds_kvm(int procfd, pid_t pid)
{
	const struct dirent *de;
	bool found = false;
	char path[64];
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/fd", pid);
	fd = openat(procfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return false;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return false;
	}
	while (!found && (de = readdir(dir)))
		found = de->d_name[0] != '.' && is_kvm_link(fd, de->d_name);
	closedir(dir);
	return found;
}

static int add_listed(const char *text, struct cap_ids *ret)
{
	char *end;
	int r = 0;

	for (const char *p = text; r == 0; p = end) {
		const unsigned long id = strtoul(p, &end, 10);

		if (end == p)
			break;
		if (id > 0 && id <= INT_MAX)
			r = cap_ids_add(ret, (int)id);
	}
	return r;
}

/* -ENOENT: no such file in this kernel, or the process is gone. */
static int add_children(int procfd, pid_t pid, struct cap_ids *ret)
{
	struct cap_ids tids = { 0 };
	int r = cap_proc_threads(procfd, pid, &tids);

	for (size_t i = 0; i < tids.n && r == 0; i++) {
		char path[64], *text;

		snprintf(path, sizeof(path), "%d/task/%d/children", pid, tids.id[i]);
		r = cap_io_read_all(procfd, path, &text, NULL);
		if (r == 0) {
			r = add_listed(text, ret);
			free(text);
		} else if (r != -ENOMEM && tids.id[i] != pid) {
			r = 0; /* a thread that ended meanwhile */
		}
	}
	cap_ids_free(&tids);
	return r;
}

/* For kernels without the children files: parents as every process states them. */
static int descendants_by_parent(int procfd, pid_t pid, struct cap_ids *ret)
{
	struct cap_ids all = { 0 }, parent = { 0 };
	size_t at = ret->n;
	int r = cap_proc_ids(procfd, ".", "", &all);

	for (size_t i = 0; i < all.n && r == 0; i++) {
		struct cap_proc_stat st;
		const bool known = cap_proc_stat(procfd, all.id[i], all.id[i], &st) == 0;

		r = cap_ids_add(&parent, known ? st.ppid : 0);
	}
	while (r == 0) {
		for (size_t i = 0; i < all.n && r == 0; i++)
			if (parent.id[i] == pid)
				r = cap_ids_add(ret, all.id[i]);
		if (at == ret->n)
			break;
		pid = ret->id[at++];
	}
	cap_ids_free(&all);
	cap_ids_free(&parent);
	return r;
}

int cap_proc_descendants(int procfd, pid_t pid, struct cap_ids *ret)
{
	size_t at = ret->n;
	int r = add_children(procfd, pid, ret);

	if (r == -ENOENT)
		return descendants_by_parent(procfd, pid, ret);
	while (r == 0 && at < ret->n) {
		r = add_children(procfd, ret->id[at++], ret);
		if (cap_proc_is_out_of_sight(r))
			r = 0;
	}
	return r;
}
