// SPDX-License-Identifier: GPL-3.0-or-later
/* The draining thread. */
#include "capture/drain.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/io.h"

/* How long to sleep between two rounds, by how full the buffers were. */
#define PERIOD_MAX_MS 50
#define PERIOD_MIN_MS 1
/* Splices of one CPU before it is the next one's turn. */
#define TURN_MAX 64

struct cap_drain {
	const struct cap_drain_cpu *cpu;
	uint64_t *bytes;
	size_t ncpu;
	uint64_t buffer_bytes;
	pthread_t thread;
	bool runs;
	int wake; /* eventfd: stop */
	int error;
};

/* Moves what one CPU has, at most one turn. Bytes moved, or negative errno. */
static int64_t move_pages(struct cap_drain *d, size_t i)
{
	int64_t moved = 0;

	for (int turn = 0; turn < TURN_MAX; turn++) {
		const int n = tracefs_cpu_write(d->cpu[i].src, d->cpu[i].dst, true);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			break;
		moved += n;
	}
	d->bytes[i] += (uint64_t)moved;
	return moved;
}

/* One round over all CPUs: the most that one of them had, or negative errno. */
static int64_t drain_round(struct cap_drain *d)
{
	int64_t most = 0;

	for (size_t i = 0; i < d->ncpu; i++) {
		const int64_t moved = d->cpu[i].src ? move_pages(d, i) : 0;

		if (moved < 0)
			return moved;
		if (moved > most)
			most = moved;
	}
	return most;
}

static void *drain(void *arg)
{
	struct cap_drain *d = arg;
	struct pollfd wake = { .fd = d->wake, .events = POLLIN };
	int period_ms = PERIOD_MAX_MS;

	while (poll(&wake, 1, period_ms) <= 0) {
		const int64_t most = drain_round(d);

		if (most < 0) {
			d->error = (int)most;
			break;
		}
		/* a buffer should never be more than an eighth full when we come back */
		if ((uint64_t)most > d->buffer_bytes / 8)
			period_ms = period_ms > PERIOD_MIN_MS * 4 ? period_ms / 4 : PERIOD_MIN_MS;
		else if ((uint64_t)most < d->buffer_bytes / 32 && period_ms < PERIOD_MAX_MS)
			period_ms = period_ms * 2 < PERIOD_MAX_MS ? period_ms * 2 : PERIOD_MAX_MS;
	}
	return NULL;
}

int cap_drain_start(struct cap_drain **ret, const struct cap_drain_cpu *cpu, size_t ncpu,
		    uint64_t buffer_bytes, struct fcap_err *err)
{
	struct cap_drain *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return fcap_fail(err, ENOMEM, "out of memory");
	d->cpu = cpu;
	d->ncpu = ncpu;
	d->buffer_bytes = buffer_bytes;
	d->wake = eventfd(0, EFD_CLOEXEC);
	d->bytes = calloc(ncpu, sizeof(*d->bytes));
	r = d->wake < 0 || !d->bytes ? ENOMEM : pthread_create(&d->thread, NULL, drain, d);
	if (r) {
		cap_drain_free(d);
		return fcap_fail(err, r, "cannot start the draining thread: %s", strerror(r));
	}
	d->runs = true;
	*ret = d;
	return 0;
}

static void join(struct cap_drain *d)
{
	const uint64_t one = 1;

	if (!d->runs)
		return;
	(void)cap_io_write(d->wake, &one, sizeof(one)); /* cannot fail: the counter is 0 */
	pthread_join(d->thread, NULL);
	d->runs = false;
}

/* The rest of one CPU: whole pages first, then those that are partly filled. */
static int flush_cpu(struct cap_drain *d, size_t i)
{
	const struct cap_drain_cpu *cpu = &d->cpu[i];
	const int page = tracefs_cpu_read_size(cpu->src);
	int64_t n;

	do {
		n = move_pages(d, i);
	} while (n > 0);
	while (n == 0) {
		n = tracefs_cpu_flush_write(cpu->src, cpu->dst);
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		d->bytes[i] += (uint64_t)n;
		n = 0;
	}
	if (n < 0)
		return (int)n;
	/* a reader wants whole pages */
	if (page > 0 && d->bytes[i] % (uint64_t)page) {
		d->bytes[i] += (uint64_t)page - d->bytes[i] % (uint64_t)page;
		if (ftruncate(cpu->dst, (off_t)d->bytes[i]) < 0)
			return -errno;
	}
	return 0;
}

int cap_drain_stop(struct cap_drain *d, struct fcap_err *err)
{
	join(d);
	for (size_t i = 0; i < d->ncpu && d->error == 0; i++)
		if (d->cpu[i].src)
			d->error = flush_cpu(d, i);
	if (d->error < 0)
		return fcap_fail(err, -d->error, "cannot store the trace: %s", strerror(-d->error));
	return 0;
}

uint64_t cap_drain_bytes(const struct cap_drain *d, size_t i)
{
	return d->bytes[i];
}

void cap_drain_free(struct cap_drain *d)
{
	if (!d)
		return;
	join(d);
	if (d->wake >= 0)
		close(d->wake);
	free(d->bytes);
	free(d);
}
