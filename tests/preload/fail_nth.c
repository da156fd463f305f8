// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Preloaded into a program: at its FAIL_NTH-th call that changes something on a disk or in tracefs
 * (from 1; 0: none), FAIL_HOW happens: "kill" before the call, "half" a kill when half of it is
 * done, "term" a SIGTERM before the call, or the name of an error, which the call gives.
 * FAIL_COUNT names a file for their number.
 * Children of the program are not touched.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITES (O_WRONLY | O_RDWR | O_CREAT)

enum fate { PASS, FAIL, HALF };

/* a preloaded library has nobody who could hand it a handle */
static struct {
	atomic_long calls;
	long nth;
	int error;
	bool kills, halves, terms;
	pid_t self;
} state;

__attribute__((constructor)) static void start(void)
{
	static const struct {
		const char *name;
		int code;
	} errors[] = { { "ENOSPC", ENOSPC }, { "EDQUOT", EDQUOT }, { "EIO", EIO } };
	const char *nth = getenv("FAIL_NTH"), *how = getenv("FAIL_HOW");

	state.self = getpid();
	state.nth = nth ? strtol(nth, NULL, 10) : 0;
	state.kills = how && strcmp(how, "kill") == 0;
	state.halves = how && strcmp(how, "half") == 0;
	state.terms = how && strcmp(how, "term") == 0;
	for (size_t i = 0; how && i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(how, errors[i].name) == 0)
			state.error = errors[i].code;
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void finish(void)
{
	const char *path = getenv("FAIL_COUNT");
	FILE *out = path && getpid() == state.self ? fopen(path, "w") : NULL;

	if (!out)
		return;
	fprintf(out, "%ld\n", atomic_load(&state.calls));
	fclose(out);
}

static void *real(const char *name)
{
	void *fn = dlsym(RTLD_NEXT, name);

	if (!fn)
		abort();
	return fn;
}

/* What becomes of this call. */
static enum fate next_call(void)
{
	if (getpid() != state.self || atomic_fetch_add(&state.calls, 1) + 1 != state.nth)
		return PASS;
	if (state.kills)
		kill(state.self, SIGKILL);
	if (state.terms)
		kill(state.self, SIGTERM);
	if (state.halves)
		return HALF;
	if (!state.error)
		return PASS;
	errno = state.error;
	return FAIL;
}

/* The call is done as far as it shall be. */
static void end_half(enum fate fate)
{
	if (fate == HALF)
		kill(state.self, SIGKILL);
}

/* Nobody's disk is full when it is a pipe, an eventfd or a terminal. */
static enum fate next_write(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? next_call() : PASS;
}

static size_t share(enum fate fate, size_t len)
{
	return fate == HALF ? len / 2 : len;
}

/* NAME: as it is exported; its result, or -1 if it fails. */
#define WRAP(type, name, params, args, fate_of)      \
	type name params;                            \
	type name params                             \
	{                                            \
		static type(*fn) params;             \
		const enum fate fate = fate_of;      \
		type result;                         \
                                                     \
		if (!fn)                             \
			*(void **)&fn = real(#name); \
		if (fate == FAIL)                    \
			return -1;                   \
		result = fn args;                    \
		end_half(fate);                      \
		return result;                       \
	}

WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), next_call())
WRAP(int, rmdir, (const char *path), (path), next_call())
WRAP(int, unlinkat, (int at, const char *path, int flags), (at, path, flags), next_call())
WRAP(int, rename, (const char *from, const char *to), (from, to), next_call())
WRAP(int, renameat, (int at, const char *from, int at2, const char *to), (at, from, at2, to),
     next_call())
WRAP(int, renameat2, (int at, const char *from, int at2, const char *to, unsigned int flags),
     (at, from, at2, to, flags), next_call())
WRAP(int, ftruncate, (int fd, off_t len), (fd, len), next_call())
WRAP(int, ftruncate64, (int fd, off64_t len), (fd, len), next_call())
WRAP(int, flock, (int fd, int op), (fd, op), next_call())
WRAP(ssize_t, write, (int fd, const void *data, size_t len), (fd, data, share(fate, len)),
     next_write(fd))
WRAP(ssize_t, pwrite, (int fd, const void *data, size_t len, off_t at),
     (fd, data, share(fate, len), at), next_call())
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t len, off64_t at),
     (fd, data, share(fate, len), at), next_call())
WRAP(ssize_t, splice,
     (int in, off64_t *in_at, int out, off64_t *out_at, size_t len, unsigned int flags),
     (in, in_at, out, out_at, share(fate, len), flags), next_call())
WRAP(ssize_t, copy_file_range,
     (int in, off64_t *in_at, int out, off64_t *out_at, size_t len, unsigned int flags),
     (in, in_at, out, out_at, share(fate, len), flags), next_call())

static enum fate next_open(int flags)
{
	return flags & WRITES ? next_call() : PASS;
}

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

#define WRAP_OPEN(name)                                   \
	int name(const char *path, int flags, ...);       \
	int name(const char *path, int flags, ...)        \
	{                                                 \
		static int (*fn)(const char *, int, ...); \
		const enum fate fate = next_open(flags);  \
		mode_t mode;                              \
		va_list ap;                               \
		int fd;                                   \
                                                          \
		va_start(ap, flags);                      \
		mode = mode_of(flags, ap);                \
		va_end(ap);                               \
		if (!fn)                                  \
			*(void **)&fn = real(#name);      \
		if (fate == FAIL)                         \
			return -1;                        \
		fd = fn(path, flags, mode);               \
		end_half(fate);                           \
		return fd;                                \
	}

#define WRAP_OPENAT(name)                                      \
	int name(int at, const char *path, int flags, ...);    \
	int name(int at, const char *path, int flags, ...)     \
	{                                                      \
		static int (*fn)(int, const char *, int, ...); \
		const enum fate fate = next_open(flags);       \
		mode_t mode;                                   \
		va_list ap;                                    \
		int fd;                                        \
                                                               \
		va_start(ap, flags);                           \
		mode = mode_of(flags, ap);                     \
		va_end(ap);                                    \
		if (!fn)                                       \
			*(void **)&fn = real(#name);           \
		if (fate == FAIL)                              \
			return -1;                             \
		fd = fn(at, path, flags, mode);                \
		end_half(fate);                                \
		return fd;                                     \
	}

WRAP_OPEN(open)
WRAP_OPEN(open64)
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
