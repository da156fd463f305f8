/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks and what they share. A new one is a function here and a row in check.c. */
#ifndef CAP_CHECK_PARTS_H
#define CAP_CHECK_PARTS_H

#include "capture/check.h"
#include "capture/mounts.h"

/* Facts that several checks need, read once; the first checks fill those about tracefs. */
struct cap_check_ctx {
	const struct cap_check_host *host;
	int procfd;	    /* below the root; -1: none */
	int core;	    /* of reading our own cookie: 0, -EINVAL, -ENODEV... */
	unsigned int ncpu;  /* online, at least 1 */
	bool has_smt;	    /* siblings are in use */
	bool is_root;	    /* by effective user */
	bool is_confined;   /* the kernel's lockdown forbids tracing */
	bool has_instance;  /* one could be made */
	int tracefs;	    /* its folder; -1: none that can be used */
	char clocks[512];   /* trace_clock; empty: not read */
	char *available;    /* available_events; NULL: not read */
	char release[64];   /* of the kernel */
	char cpuinfo[8192]; /* its beginning: the first CPU */
};

/* The outcome of a check; cause as in printf. fix and loss may be NULL. */
__attribute__((format(printf, 2, 3))) void cap_check_ok(struct cap_check *c, const char *cause,
							...);
__attribute__((format(printf, 4, 5))) void cap_check_degraded(struct cap_check *c, const char *loss,
							      const char *fix, const char *cause,
							      ...);
__attribute__((format(printf, 3, 4))) void cap_check_missing(struct cap_check *c, const char *fix,
							     const char *cause, ...);

/* Missing because another need is; says so. */
void cap_check_follows(struct cap_check *c, const char *need);

/* Appends to a text of this size, cut. */
__attribute__((format(printf, 3, 4))) void cap_check_append(char *text, size_t size,
							    const char *fmt, ...);

/* The first line of a file below the root. False and the empty text: it cannot be read. */
bool cap_check_line(const struct cap_check_ctx *x, const char *path, char *ret, size_t size);

bool cap_check_exists(const struct cap_check_ctx *x, const char *path);

/* The whole number after "key" at the beginning of a line of proc/FILE, in this base. */
bool cap_check_number(const struct cap_check_ctx *x, const char *file, const char *key, int base,
		      uint64_t *ret);

/*
 * The mount of this type, one whose super-options list this word unless word is NULL; of several
 * the one at prefer, else the first.
 */
bool cap_check_mount(const struct cap_check_ctx *x, const char *type, const char *word,
		     const char *prefer, struct cap_mount *ret);

/* A path below the root: without the slash that it begins with. */
const char *cap_check_below(const char *path);

/* True if a program of this name is on the search path. */
bool cap_check_program(const struct cap_check_ctx *x, const char *name);

/* True if a word, between blanks, tabs or the marks of a choice "[word]", is in the text. */
bool cap_check_has_word(const char *text, const char *word);

/* True if a flag of the first CPU is in cpuinfo. */
bool cap_check_cpu_flag(const struct cap_check_ctx *x, const char *flag);

/* True if the kernel is at least this. */
bool cap_check_is_since(const struct cap_check_ctx *x, unsigned int major, unsigned int minor);

typedef void cap_check_fn(struct cap_check_ctx *x, struct cap_check *c);

/* check_access.c */
cap_check_fn cap_check_root, cap_check_namespaces, cap_check_lockdown;
/* check_trace.c */
cap_check_fn cap_check_tracefs, cap_check_instance, cap_check_clock, cap_check_events;
/* check_kvm.c */
cap_check_fn cap_check_kvm, cap_check_kvm_events;
/* check_sched.c */
cap_check_fn cap_check_sched_info, cap_check_cgroup, cap_check_sched_ext;
/* check_core.c */
cap_check_fn cap_check_smt, cap_check_core_sched, cap_check_schedstats, cap_check_cookies;
/* check_vms.c */
cap_check_fn cap_check_vm_cookies;
/* check_host.c */
cap_check_fn cap_check_steal, cap_check_disk, cap_check_gnuplot;

#endif
