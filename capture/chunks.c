// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The writer hands out chunks in their order and takes them back in it; slots hold those that are
 * ahead of it. While the next one is not ready it compresses too, so it needs no other thread.
 */
#include "capture/chunks.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "capture/io.h"
#include "capture/tracedat_parts.h"

/* as many as trace-cmd packs together */
#define PAGES_IN_CHUNK 10
/* how far the threads may be ahead of the writer, each */
#define SLOTS_PER_THREAD 4
/* packed and plain size, in front of a chunk */
#define HEAD (2 * sizeof(uint32_t))

/* What one thread needs to compress. */
struct packer {
	struct pool *pool;
	ZSTD_CCtx *z;
	unsigned char *plain;
};

struct slot {
	int src; /* where the pages are */
	uint64_t at;
	uint32_t len;
	unsigned char *packed; /* with its head */
	size_t packed_len;
	int error;
	bool is_done;
};

struct pool {
	const struct cap_chunks *c;
	uint32_t chunk; /* bytes of a full one */
	size_t room;	/* of a packed one */
	struct slot *slot;
	struct packer *packer; /* the first is the writer's */
	pthread_t *thread;
	size_t nslot, npacker, nthread;
	pthread_mutex_t lock; /* of all that follows, and of the slots' is_done */
	pthread_cond_t may_start, is_done;
	uint64_t nchunk, started, written;
	uint32_t cpu; /* which chunk is the next to be started */
	uint64_t at;
	bool is_over;
};

static ZSTD_CCtx *new_context(int level)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();

	if (!z)
		return NULL;
	/* with a sum, so that a reader sees what was damaged later */
	if (!ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, level)) &&
	    !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))
		return z;
	ZSTD_freeCCtx(z);
	return NULL;
}

/* To packed, which has room for the worst case. Bytes with the head, or -ENOMEM. */
static ssize_t pack(ZSTD_CCtx *z, const void *data, uint32_t len, unsigned char *packed)
{
	const size_t n = ZSTD_compress2(z, packed + HEAD, ZSTD_compressBound(len), data, len);
	uint32_t head[2];

	if (ZSTD_isError(n)) /* there is room: it found no memory */
		return -ENOMEM;
	head[0] = (uint32_t)n;
	head[1] = len;
	memcpy(packed, head, HEAD);
	return (ssize_t)(HEAD + n);
}

int cap_chunks_pack(const void *data, uint32_t len, int level, unsigned char **ret, size_t *ret_len)
{
	unsigned char *packed = malloc(HEAD + ZSTD_compressBound(len));
	ZSTD_CCtx *z = new_context(level);
	const ssize_t n = packed && z ? pack(z, data, len, packed) : -ENOMEM;

	ZSTD_freeCCtx(z);
	if (n < 0) {
		free(packed);
		return (int)n;
	}
	*ret = packed;
	*ret_len = (size_t)n;
	return 0;
}

static uint64_t chunks_of(uint64_t len, uint32_t chunk)
{
	return (len + chunk - 1) / chunk;
}

/* Locked. The next chunk to be compressed; NULL: none, or not before more is written. */
static struct slot *take(struct pool *p)
{
	struct slot *s;
	uint64_t left;

	if (p->is_over || p->started == p->nchunk || p->started == p->written + p->nslot)
		return NULL;
	while (p->at >= p->c->cpu[p->cpu].len) {
		p->cpu++;
		p->at = 0;
	}
	left = p->c->cpu[p->cpu].len - p->at;
	s = &p->slot[p->started++ % p->nslot];
	s->src = p->c->cpu[p->cpu].fd;
	s->at = p->at;
	s->len = left < p->chunk ? (uint32_t)left : p->chunk;
	p->at += s->len;
	return s;
}

static int read_pages(const struct slot *s, unsigned char *plain)
{
	uint32_t have = 0;

	while (have < s->len) {
		const ssize_t n = pread(s->src, plain + have, s->len - have, (off_t)(s->at + have));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		have += (uint32_t)n;
	}
	return 0;
}

/* Locked, but not while it compresses. */
static void fill(struct pool *p, const struct packer *k, struct slot *s)
{
	ssize_t n;

	pthread_mutex_unlock(&p->lock);
	n = read_pages(s, k->plain);
	if (n == 0)
		n = pack(k->z, k->plain, s->len, s->packed);
	s->error = n < 0 ? (int)n : 0;
	s->packed_len = n < 0 ? 0 : (size_t)n;
	pthread_mutex_lock(&p->lock);
	s->is_done = true;
	pthread_cond_signal(&p->is_done);
}

static void *compress(void *arg)
{
	const struct packer *k = arg;
	struct pool *p = k->pool;

	pthread_mutex_lock(&p->lock);
	while (!p->is_over && p->started < p->nchunk) {
		struct slot *s = take(p);

		if (s)
			fill(p, k, s);
		else
			pthread_cond_wait(&p->may_start, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

/* The chunk that is to be written next, compressed. */
static const struct slot *await(struct pool *p)
{
	struct slot *s = &p->slot[p->written % p->nslot];

	pthread_mutex_lock(&p->lock);
	while (!s->is_done) {
		struct slot *next = take(p);

		if (next)
			fill(p, &p->packer[0], next);
		else
			pthread_cond_wait(&p->is_done, &p->lock);
	}
	s->is_done = false;
	pthread_mutex_unlock(&p->lock);
	return s;
}

static void release(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->written++;
	pthread_cond_signal(&p->may_start);
	pthread_mutex_unlock(&p->lock);
}

static int write_cpu(int fd, uint64_t *at, struct pool *p, uint64_t len)
{
	const uint32_t n = (uint32_t)chunks_of(len, p->chunk);
	int r = lseek(fd, (off_t)*at, SEEK_SET) < 0 ? -errno : cap_io_write(fd, &n, sizeof(n));

	*at += sizeof(n);
	for (uint32_t i = 0; i < n && r == 0; i++) {
		const struct slot *s = await(p);

		r = s->error ? s->error : cap_io_write(fd, s->packed, s->packed_len);
		*at += s->packed_len;
		release(p);
	}
	return r;
}

/* Threads that cannot be had are done without. */
static void start_threads(struct pool *p)
{
	for (size_t i = 1; i < p->npacker; i++)
		if (pthread_create(&p->thread[p->nthread], NULL, compress, &p->packer[i]) == 0)
			p->nthread++;
}

static void stop_threads(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->is_over = true;
	pthread_cond_broadcast(&p->may_start);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < p->nthread; i++)
		pthread_join(p->thread[i], NULL);
}

static int alloc_pool(struct pool *p)
{
	p->slot = calloc(p->nslot, sizeof(*p->slot));
	p->packer = calloc(p->npacker, sizeof(*p->packer));
	p->thread = calloc(p->npacker, sizeof(*p->thread));
	if (!p->slot || !p->packer || !p->thread)
		return -ENOMEM;
	for (size_t i = 0; i < p->nslot; i++) {
		p->slot[i].packed = malloc(p->room);
		if (!p->slot[i].packed)
			return -ENOMEM;
	}
	for (size_t i = 0; i < p->npacker; i++) {
		p->packer[i].pool = p;
		p->packer[i].plain = malloc(p->chunk);
		p->packer[i].z = new_context(p->c->packing.level);
		if (!p->packer[i].plain || !p->packer[i].z)
			return -ENOMEM;
	}
	return 0;
}

static void clear_pool(struct pool *p)
{
	for (size_t i = 0; p->slot && i < p->nslot; i++)
		free(p->slot[i].packed);
	for (size_t i = 0; p->packer && i < p->npacker; i++) {
		free(p->packer[i].plain);
		ZSTD_freeCCtx(p->packer[i].z);
	}
	free(p->slot);
	free(p->packer);
	free(p->thread);
}

static int write_all(int fd, uint64_t *at, struct pool *p, struct cap_chunks_place *place)
{
	int r = 0;

	start_threads(p);
	for (uint32_t i = 0; i < p->c->ncpu && r == 0; i++) {
		const uint64_t len = p->c->cpu[i].len;

		if (len == 0)
			continue;
		place[i].offset = *at = cap_dat_align(*at, p->c->page_size);
		r = write_cpu(fd, at, p, len);
		place[i].len = *at - place[i].offset;
	}
	stop_threads(p);
	return r;
}

int cap_chunks_write(int fd, uint64_t *at, const struct cap_chunks *c,
		     struct cap_chunks_place *place)
{
	struct pool p = {
		.c = c,
		.chunk = PAGES_IN_CHUNK * c->page_size,
		.npacker = cap_packing_threads(&c->packing),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.may_start = PTHREAD_COND_INITIALIZER,
		.is_done = PTHREAD_COND_INITIALIZER,
	};
	int r;

	memset(place, 0, c->ncpu * sizeof(*place));
	for (uint32_t i = 0; i < c->ncpu; i++)
		p.nchunk += chunks_of(c->cpu[i].len, p.chunk);
	if (p.nchunk == 0)
		return 0;
	if (p.npacker > p.nchunk)
		p.npacker = (size_t)p.nchunk;
	p.nslot = p.npacker * SLOTS_PER_THREAD;
	p.room = HEAD + ZSTD_compressBound(p.chunk);
	r = alloc_pool(&p);
	if (r == 0)
		r = write_all(fd, at, &p, place);
	clear_pool(&p);
	return r;
}
