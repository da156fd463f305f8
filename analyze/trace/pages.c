// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/helpers.h"
#include "analyze/trace/inflate.h"

#define WINDOW	  (32U << 10)
#define CHUNK_MAX (64U << 20) /* of one decompressed chunk */
#define LINE	  64

/* Chunks that are inflated ahead: of one CPU at most, and of all CPUs for each helper. */
#define AHEAD_MAX    8
#define AHEAD_HELPER 16

struct window {
	char *pages; /* plain or decompressed */
	size_t room, len;
	uint64_t at;  /* where in the file what it holds begins */
	char *zipped; /* of a chunk that is inflated ahead */
	size_t zipped_room;
	struct fan_job job;
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
	struct window windows[2 + AHEAD_MAX];
	size_t nwindows;
	size_t nahead; /* so many behind it are being inflated */
	bool is_slow;  /* the next chunk has to wait until it is needed */
	size_t pos;    /* in window */
	/* what two windows that take turns had to hold so far, and whose turn it is */
	size_t held[2], turn;
};

static int damaged(const struct fan_pages *p, struct fcap_err *err, const char *what)
{
	return fcap_fail(err, EINVAL, "the data of CPU %d are damaged: %s (at byte %" PRIu64 ")%s",
			 p->data.cpu, what, p->window_at,
			 p->file->may_be_cut ? "" : FAN_TRUNCATED_HINT);
}

/*
 * Room for so much, at the begin of a cache line, as the kernel copies a sixth slower to elsewhere;
 * what was in it may be gone. 0 or -ENOMEM, and then nothing has changed.
 */
static int grow(char **buf, size_t *room, size_t need)
{
	void *grown;

	if (need <= *room)
		return 0;
	if (posix_memalign(&grown, LINE, need) != 0)
		return -ENOMEM;
	free(*buf);
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

/* The sizes of the next chunk, as far as they make sense. */
struct chunk {
	uint32_t zsize, size;
};

static int take_head(struct fan_pages *p, struct chunk *ret, struct fcap_err *err)
{
	const bool big = p->file->big_endian;
	unsigned char head[8];
	const int r = take(p, head, sizeof(head), err);

	if (r < 0)
		return r;
	ret->zsize = fan_u32(head, big);
	ret->size = fan_u32(head + 4, big);
	if (ret->size == 0 || ret->size > CHUNK_MAX || ret->size % p->buffer->page_size)
		return damaged(p, err, "a chunk is not a whole number of pages");
	if (ret->zsize > p->data.size)
		return damaged(p, err, "a chunk is longer than the section");
	return 0;
}

/* Before a chunk is handed out. What is allowed does not depend on what is inflated ahead. */
static int hold(struct fan_pages *p, size_t size, struct fcap_err *err)
{
	size_t *held = &p->held[p->turn];

	p->turn = !p->turn;
	if (size <= *held)
		return 0;
	if (!fan_inflate_hold(p->z, size - *held))
		return damaged(p, err, "its chunks and those before it need over 1 GiB of memory");
	*held = size;
	return 0;
}

/* The window so many behind the one that is handed out. */
static struct window *window_behind(struct fan_pages *p, size_t n)
{
	const size_t i = (size_t)(p->window - p->windows) + n;

	return &p->windows[i % p->nwindows];
}

/*
 * Room for a chunk that was not inflated ahead: only this window and the one before it are in use,
 * so that no more than two become as large as such chunks may be.
 */
static int make_room(struct fan_pages *p, size_t size)
{
	struct window *w = p->window, *largest = w;

	for (size_t i = 1; i + 1 < p->nwindows; i++)
		if (window_behind(p, i)->room > largest->room)
			largest = window_behind(p, i);
	if (size > w->room && largest != w) {
		const struct window mine = *w;

		w->pages = largest->pages;
		w->room = largest->room;
		largest->pages = mine.pages;
		largest->room = mine.room;
	}
	return grow(&w->pages, &w->room, size);
}

static int fill_chunk(struct fan_pages *p, struct fcap_err *err)
{
	struct window *w = p->window;
	struct chunk c;
	int r;

	r = take_head(p, &c, err);
	if (r == 0)
		r = hold(p, c.size, err);
	if (r < 0)
		return r;
	if (grow(&p->zipped, &p->zipped_room, c.zsize) < 0 || make_room(p, c.size) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = take(p, p->zipped, c.zsize, err);
	if (r < 0)
		return r;
	if (fan_inflate(p->z, w->pages, c.size, p->zipped, c.zsize) < 0)
		return damaged(p, err, "a chunk cannot be decompressed");
	p->chunks--;
	w->len = c.size;
	p->is_slow = false;
	return 0;
}

/* What is held only to be early. */
static bool may_hurry(struct fan_pages *p, const struct window *w, const struct chunk *c)
{
	const size_t pages = c->size > w->room ? c->size - w->room : 0;
	const size_t zipped = c->zsize > w->zipped_room ? c->zsize - w->zipped_room : 0;

	return fan_inflate_may_hurry(p->z, pages + zipped);
}

/* Has the next chunk inflated. False: not now; whatever the reason is, it shows in its turn. */
static bool begin_chunk(struct fan_pages *p)
{
	struct window *w = window_behind(p, p->nahead + 1);
	const uint64_t at = p->at;
	struct chunk c;

	if (take_head(p, &c, NULL) < 0 || !may_hurry(p, w, &c) ||
	    grow(&w->zipped, &w->zipped_room, c.zsize) < 0 ||
	    grow(&w->pages, &w->room, c.size) < 0 || take(p, w->zipped, c.zsize, NULL) < 0) {
		p->at = at;
		return false;
	}
	w->at = at;
	w->len = c.size;
	w->job = (struct fan_job){
		.dst = w->pages, .src = w->zipped, .dst_size = c.size, .src_size = c.zsize
	};
	fan_helpers_begin(fan_inflate_helpers(p->z), &w->job);
	p->chunks--;
	p->nahead++;
	return true;
}

/* How many chunks of this CPU are inflated ahead at most. */
static size_t share_of(const struct fan_pages *p, const struct fan_helpers *h)
{
	const size_t n = p->file->nstreams ? p->file->nstreams : 1;
	const size_t share = AHEAD_HELPER * (size_t)fan_helpers_count(h) / n;

	return share < 1 ? 1 : share > AHEAD_MAX ? AHEAD_MAX : share;
}

/*
 * When half of what was inflated ahead is used up, has as much begun as there are windows for, two
 * of them being in use: helpers are not to be woken for every chunk.
 */
static void look_ahead(struct fan_pages *p)
{
	const struct fan_helpers *h = p->buffer->compressed ? fan_inflate_helpers(p->z) : NULL;

	if (!h)
		return;
	if (p->nwindows == 2)
		p->nwindows += share_of(p, h);
	if (p->nahead > (p->nwindows - 2) / 2)
		return;
	while (!p->is_slow && p->chunks && p->nahead < p->nwindows - 2)
		p->is_slow = !begin_chunk(p);
}

/* The chunk that is next has been inflated ahead, or nearly. */
static int end_chunk(struct fan_pages *p, struct fcap_err *err)
{
	struct window *w = p->window;
	int r = fan_helpers_end(fan_inflate_helpers(p->z), &w->job);

	p->nahead--;
	if (hold(p, w->len, err) < 0)
		return -EINVAL;
	if (r > 0)
		r = fan_inflate(p->z, w->pages, w->job.dst_size, w->zipped, w->job.src_size);
	return r < 0 ? damaged(p, err, "a chunk cannot be decompressed") : 0;
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
	p->nwindows = 2;
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
	return p->pos >= p->window->len && (p->nahead || !is_all_loaded(p));
}

/* Loads the window behind this one. */
static int load(struct fan_pages *p, struct fcap_err *err)
{
	int r;

	p->window = window_behind(p, 1);
	p->pos = 0;
	if (p->nahead) {
		p->window_at = p->window->at;
		r = end_chunk(p, err);
	} else {
		p->window_at = p->at;
		p->window->len = 0;
		r = p->buffer->compressed ? fill_chunk(p, err) : fill_plain(p, err);
	}
	if (r < 0)
		p->window->len = 0;
	else
		look_ahead(p);
	return r;
}

int fan_pages_next(struct fan_pages *p, const char **ret, struct fcap_err *err)
{
	if (p->pos >= p->window->len) {
		int r = 0;

		if (fan_pages_loads_next(p)) {
			r = load(p, err);
		} else if (p->data.is_cut) {
			p->window_at = p->at;
			r = damaged(p, err, "the file ends in them");
		}
		if (r < 0 || p->pos >= p->window->len)
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
	for (; p->nahead; p->nahead--)
		fan_helpers_end(fan_inflate_helpers(p->z), &window_behind(p, p->nahead)->job);
	for (size_t i = 0; i < p->nwindows; i++) {
		free(p->windows[i].pages);
		free(p->windows[i].zipped);
	}
	free(p->zipped);
	free(p);
}
