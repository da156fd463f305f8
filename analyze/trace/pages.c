// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/inflate.h"

#define WINDOW	  (32U << 10)
#define CHUNK_MAX (64U << 20) /* of one decompressed chunk */

struct window {
	char *pages; /* plain or decompressed */
	size_t room, len;
};

struct fan_pages {
	const struct fan_file *file;
	const struct fan_buffer *buffer;
	struct fan_cpu_data data;
	uint64_t at;	       /* next byte of the file that was not read */
	uint64_t window_at;    /* where what the window holds begins */
	uint32_t chunks;       /* chunks still to come */
	struct fan_inflate *z; /* compressed buffers only; borrowed */
	char *zipped;	       /* room for one compressed chunk */
	size_t zipped_room;
	struct window *window; /* the one that is handed out */
	struct window windows[2];
	size_t pos; /* in it */
};

static int damaged(const struct fan_pages *p, struct fcap_err *err, const char *what)
{
	return fcap_fail(err, EINVAL, "the data of CPU %d are damaged: %s (at byte %" PRIu64 ")%s",
			 p->data.cpu, what, p->window_at,
			 p->file->may_be_cut ? "" : FAN_TRUNCATED_HINT);
}

static int grow(char **buf, size_t *room, size_t need)
{
	char *grown;

	if (need <= *room)
		return 0;
	grown = realloc(*buf, need);
	if (!grown)
		return -ENOMEM;
	*buf = grown;
	*room = need;
	return 0;
}

/*
 * Reads n bytes of this CPU's data; never beyond them. Of compressed data some versions of
 * trace-cmd do not count the first word, the number of chunks.
 */
static int take(struct fan_pages *p, void *buf, size_t n, struct fcap_err *err)
{
	const uint64_t end = p->data.offset + p->data.size + (p->buffer->compressed ? 4 : 0);
	int r;

	if (n > end - p->at)
		return damaged(p, err, "a chunk is longer than the section");
	r = fan_pread(p->file->fd, buf, n, p->at);
	if (r == -ENODATA)
		return damaged(p, err, "the file ends in it");
	if (r < 0)
		return fcap_fail(err, -r, "cannot read the data of CPU %d: %s", p->data.cpu,
				 strerror(-r));
	p->at += n;
	return 0;
}

static int fill_plain(struct fan_pages *p, struct fcap_err *err)
{
	const uint64_t left = p->data.offset + p->data.size - p->at;
	const size_t n = left < p->window->room ? (size_t)left : p->window->room;
	const int r = take(p, p->window->pages, n, err);

	p->window->len = r < 0 ? 0 : n;
	return r;
}

static int fill_chunk(struct fan_pages *p, struct fcap_err *err)
{
	const bool big = p->file->big_endian;
	struct window *w = p->window;
	unsigned char head[8];
	uint32_t zsize, size;
	int r;

	r = take(p, head, sizeof(head), err);
	if (r < 0)
		return r;
	zsize = fan_u32(head, big);
	size = fan_u32(head + 4, big);
	if (size == 0 || size > CHUNK_MAX || size % p->buffer->page_size)
		return damaged(p, err, "a chunk is not a whole number of pages");
	if (zsize > p->data.size)
		return damaged(p, err, "a chunk is longer than the section");
	if (size > w->room && !fan_inflate_hold(p->z, size - w->room))
		return damaged(p, err, "its chunks and those before it need over 1 GiB of memory");
	if (grow(&p->zipped, &p->zipped_room, zsize) < 0 || grow(&w->pages, &w->room, size) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = take(p, p->zipped, zsize, err);
	if (r < 0)
		return r;
	if (fan_inflate(p->z, w->pages, size, p->zipped, zsize) < 0)
		return damaged(p, err, "a chunk cannot be decompressed");
	p->chunks--;
	w->len = size;
	return 0;
}

static int open_compressed(struct fan_pages *p, struct fan_inflate **z, struct fcap_err *err)
{
	unsigned char n[4];
	int r = 0;

	if (!*z)
		r = fan_inflate_new(z, p->file->compression);
	if (r == -EINVAL)
		return damaged(p, err, "compressed, but the file names no compression");
	if (r < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	p->z = *z;
	r = take(p, n, sizeof(n), err);
	if (r < 0)
		return r;
	p->chunks = fan_u32(n, p->file->big_endian);
	return 0;
}

static int open_plain(struct fan_pages *p, struct fcap_err *err)
{
	const uint32_t page = p->buffer->page_size;
	size_t room = page > WINDOW ? page : WINDOW;

	if (p->data.is_cut)
		p->data.size -= p->data.size % page;
	if (p->data.size % page)
		return damaged(p, err, "not a whole number of pages");
	room = p->data.size < room ? (size_t)p->data.size : room;
	for (size_t i = 0; i < 2; i++) {
		struct window *w = &p->windows[i];

		if (grow(&w->pages, &w->room, room) < 0)
			return fcap_fail(err, ENOMEM, "out of memory");
	}
	return 0;
}

int fan_pages_open(struct fan_pages **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		   struct fan_inflate **z, struct fcap_err *err)
{
	struct fan_pages *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return fcap_fail(err, ENOMEM, "out of memory");
	p->file = file;
	p->buffer = &file->buffers[buffer];
	p->data = p->buffer->cpus[cpu];
	p->at = p->window_at = p->data.offset;
	p->window = &p->windows[0];
	r = p->buffer->compressed ? open_compressed(p, z, err) : open_plain(p, err);
	if (r < 0) {
		fan_pages_close(p);
		return r;
	}
	*ret = p;
	return 0;
}

static bool is_all_loaded(const struct fan_pages *p)
{
	return p->buffer->compressed ? p->chunks == 0 : p->at >= p->data.offset + p->data.size;
}

bool fan_pages_loads_next(const struct fan_pages *p)
{
	return p->pos >= p->window->len && !is_all_loaded(p);
}

int fan_pages_next(struct fan_pages *p, const char **ret, struct fcap_err *err)
{
	int r;

	if (p->pos >= p->window->len) {
		if (is_all_loaded(p) && p->data.is_cut)
			p->window_at = p->at;
		if (is_all_loaded(p))
			return p->data.is_cut ? damaged(p, err, "the file ends in them") : 0;
		p->window = &p->windows[p->window == &p->windows[0]];
		p->window->len = p->pos = 0;
		p->window_at = p->at;
		r = p->buffer->compressed ? fill_chunk(p, err) : fill_plain(p, err);
		if (r < 0)
			return r;
	}
	*ret = p->window->pages + p->pos;
	p->pos += p->buffer->page_size;
	return 1;
}

uint64_t fan_pages_place(const struct fan_pages *p)
{
	const size_t page = p->buffer->page_size;

	return p->buffer->compressed || p->pos < page ? p->window_at : p->window_at + p->pos - page;
}

void fan_pages_close(struct fan_pages *p)
{
	if (!p)
		return;
	free(p->zipped);
	free(p->windows[0].pages);
	free(p->windows[1].pages);
	free(p);
}
