/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what /proc says about processes and threads. The proc folder is given as a descriptor,
 * so that tests bring a tree of their own.
 */
#ifndef CAP_PROCFS_H
#define CAP_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A growing list of numbers; {0} is empty. */
struct cap_ids {
	int *id;
	size_t n, size;
};

int cap_ids_add(struct cap_ids *ids, int id);
bool cap_ids_has(const struct cap_ids *ids, int id);
void cap_ids_free(struct cap_ids *ids);

/*
 * Appends the numbers of all entries "PREFIX<number>" of a folder, sorted. 0, or negative errno
 * (-ENOENT: the process is gone).
 */
int cap_proc_ids(int dirfd, const char *path, const char *prefix, struct cap_ids *ret);

/* The threads of a process. */
int cap_proc_threads(int procfd, pid_t pid, struct cap_ids *ret);

/* Of an error: the process ended meanwhile, or is another user's and hidden from us (hidepid). */
bool cap_proc_is_out_of_sight(int r);

struct cap_proc_stat {
	char comm[64];
	char state;
	pid_t ppid;
	int64_t nice;
	uint64_t start; /* clock ticks since boot */
	int64_t rt_priority;
	int64_t policy; /* SCHED_* */
	bool is_kthread;
};

/* Parses a line of /proc/PID/stat (proc(5)). 0, or -EINVAL. */
int cap_proc_stat_parse(const char *text, struct cap_proc_stat *ret);
int cap_proc_stat(int procfd, pid_t pid, pid_t tid, struct cap_proc_stat *ret);

/* "other", "fifo", ... or the number of an unknown policy. */
const char *cap_proc_policy_name(int64_t policy, char *buf, size_t size);

struct cap_proc_sched {
	uint64_t run_ns, delay_ns, arrivals; /* cumulative */
};

/* Parses /proc/PID/task/TID/schedstat: three numbers. 0, or -EINVAL. */
int cap_proc_sched_parse(const char *text, struct cap_proc_sched *ret);

/*
 * The time for which a thread's cookie kept siblings idle, cumulative, from the text of
 * /proc/PID/task/TID/sched: "core_forceidle_sum", alone or behind a dot, in ms with six decimals.
 * 0; -ENODATA: no such line; -EINVAL.
 */
int cap_proc_forceidle_parse(const char *text, uint64_t *ret_ns);

/* sys/kernel/sched_schedstats: 0 or 1; -1: no such file. */
int cap_proc_schedstats(int procfd);

/* The list after "Cpus_allowed_list:" of a status file. 0, or negative errno. */
int cap_proc_cpus_allowed(int procfd, pid_t pid, pid_t tid, char *ret, size_t size);

struct cap_autogroup {
	int64_t id; /* -1: none */
	int64_t nice;
};

/* The process's autogroup. */
struct cap_autogroup cap_proc_autogroup(int procfd, pid_t pid);

/* True unless sys/kernel/sched_autogroup_enabled says that they count for nothing. */
bool cap_proc_has_autogroups(int procfd);

/* True if the process has a VM or vCPU descriptor of KVM open. */
bool cap_proc_holds_kvm(int procfd, pid_t pid);

/* Appends all descendants of pid, not itself: parents before their children. */
int cap_proc_descendants(int procfd, pid_t pid, struct cap_ids *ret);

#endif
