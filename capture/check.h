/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can this machine record, and which results will a report lack? A list of checks, each with its
 * state, the cause, and what mends it. Nothing is printed here, and nothing stays behind.
 */
#ifndef CAP_CHECK_H
#define CAP_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CAP_CHECK_MAX 24

enum cap_check_state {
	CAP_CHECK_OK,
	CAP_CHECK_DEGRADED, /* it can record, but a result will be missing or weaker */
	CAP_CHECK_MISSING,  /* no recording without it */
};

struct cap_check {
	const char *name; /* never changes: scripts may look for it */
	const char *loss; /* the result that suffers, or NULL */
	enum cap_check_state state;
	bool follows;	 /* missing only because another check's need is */
	char cause[512]; /* printable text, one line */
	char fix[256];	 /* what mends it: a command where there is one; or empty */
};

/*
 * What cannot be made up with files. ctx is passed to each; each returns 0 (open and mount: a
 * descriptor for the caller to close) or negative errno.
 */
struct cap_check_calls {
	void *ctx;
	int (*open)(void *ctx, int dirfd, const char *path, int flags);
	int (*access)(void *ctx, int dirfd, const char *path, int mode);
	int (*mount)(void *ctx); /* a tracefs that only this process sees */
	int (*make)(void *ctx, int dirfd, const char *name);
	int (*remove)(void *ctx, int dirfd, const char *name);
	int (*cookie)(void *ctx, pid_t tid, uint64_t *ret); /* tid 0: the caller */
	int (*random)(void *ctx); /* -EAGAIN: the kernel's generator is not ready */
	int (*space)(void *ctx, const char *dir, uint64_t *ret_bytes);
};

/* Those of the real machine. */
extern const struct cap_check_calls cap_check_system;

struct cap_check_host {
	int root;	  /* "/", or a made-up tree with proc, sys, dev and usr below */
	const char *dir;  /* where the trace would go */
	const char *path; /* folders of programs, as in PATH; NULL: none */
	const struct cap_check_calls *calls;
};

/* Runs all checks into ret[0..*ret_n). 0, or -ENOMEM. */
int cap_check_run(const struct cap_check_host *host, struct cap_check ret[CAP_CHECK_MAX],
		  size_t *ret_n);

/* "ok", "degraded" or "missing" */
const char *cap_check_state_name(enum cap_check_state state);

/* False if a check is missing. */
bool cap_check_can_record(const struct cap_check *check, size_t n);

/* The results that suffer, each once, in the order of the checks. Returns their number. */
size_t cap_check_losses(const struct cap_check *check, size_t n, const char *ret[CAP_CHECK_MAX]);

/* The answer in one sentence, cut at size. */
void cap_check_answer(const struct cap_check *check, size_t n, char *ret, size_t size);

#endif
