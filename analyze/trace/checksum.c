// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/checksum.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xxhash.h>
/* where the library has it: the same functions, by what this processor can do */
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

#include "analyze/trace/cpus.h"

#define BLOCK (128U << 10) /* hashed while it is still in the cache of the core */
#define LINE  64	   /* to the begin of a cache line the kernel copies faster */

struct fan_checksum {
	int fd, error; /* error: a negative errno */
	XXH3_state_t *state;
	char *block;
	atomic_bool is_abandoned;
	bool has_thread;
	pthread_t thread;
};

static void *hash(void *arg)
{
	struct fan_checksum *c = arg;
	off_t at = 0;

	while (!atomic_load_explicit(&c->is_abandoned, memory_order_relaxed)) {
		const ssize_t n = pread(c->fd, c->block, BLOCK, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			c->error = -errno;
		if (n <= 0)
			break;
		XXH3_128bits_update(c->state, c->block, (size_t)n);
		at += n;
	}
	return NULL;
}

/* Signals are for the threads that know of them. */
static bool start_thread(struct fan_checksum *c)
{
	sigset_t all, before;
	bool ret;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
		return false;
	ret = pthread_create(&c->thread, NULL, hash, c) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void release(struct fan_checksum *c)
{
	XXH3_freeState(c->state);
	free(c->block);
	free(c);
}

struct fan_checksum *fan_checksum_start(int fd)
{
	struct stat st;
	struct fan_checksum *c;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->fd = fd;
	c->state = XXH3_createState();
	c->block = aligned_alloc(LINE, BLOCK);
	if (!c->state || !c->block) {
		release(c);
		return NULL;
	}
	XXH3_128bits_reset(c->state);
	/* with one CPU it would only be in the way */
	c->has_thread = fan_cpus_allowed() > 1 && start_thread(c);
	return c;
}

int fan_checksum_finish(struct fan_checksum *c, char text[FAN_CHECKSUM_TEXT])
{
	XXH128_canonical_t digits;
	size_t at;
	int error;

	text[0] = '\0';
	if (!c)
		return -ENODATA;
	if (c->has_thread)
		pthread_join(c->thread, NULL);
	else
		hash(c);
	error = c->error;
	XXH128_canonicalFromHash(&digits, XXH3_128bits_digest(c->state));
	release(c);
	if (error < 0)
		return error;
	at = (size_t)snprintf(text, FAN_CHECKSUM_TEXT, "xxh128:");
	for (size_t i = 0; i < sizeof(digits.digest); i++)
		at += (size_t)snprintf(text + at, FAN_CHECKSUM_TEXT - at, "%02x", digits.digest[i]);
	return 0;
}

void fan_checksum_abandon(struct fan_checksum *c)
{
	if (!c)
		return;
	atomic_store_explicit(&c->is_abandoned, true, memory_order_relaxed);
	if (c->has_thread)
		pthread_join(c->thread, NULL);
	release(c);
}
