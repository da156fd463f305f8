// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Ring-buffer pages: a stamp, the commit word (length and loss marks), then events. Each begins
 * with a word of 5 bits type or length and 27 bits time since the event before.
 */
#include "analyze/trace/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/pages.h"
#include "analyze/trace/time_shift.h"

#define COMMIT_LEN_MASK ((1U << 27) - 1)
#define COMMIT_MISSED	(1U << 31)
#define COMMIT_STORED	(1U << 30)
#define ABSOLUTE_BITS	59
#define DELTA_MASK	((1U << 27) - 1)

enum { TYPE_LONG = 0, TYPE_DATA_MAX = 28, TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

__extension__ typedef unsigned __int128 u128;

struct fan_stream {
	struct fan_queue queue;
	struct fan_record *recs; /* place of the queue */
	size_t room;
	size_t nold; /* first records of the queue that lie in the window before this one */
	struct fan_pages *pages;
	const struct fan_file *file;
	const char *pos, *end; /* unread part of the current page's events */
	uint64_t ts;
	uint64_t latest_ns; /* of the stamps handed out so far */
	uint64_t page_size;
	uint64_t start; /* of its data in the file */
	int32_t cpu;
	uint32_t buffer;
	int64_t missed; /* events lost before the next record: 0 none, -1 unknown */
	bool big_endian;
	bool has_plain_stamps;	     /* ns, in our byte order: none of what follows is set */
	struct fan_time_shift *host; /* to the host's clock; NULL: the stamps are of one clock */
	/* x86-tsc stamps: ns = (ts * mult) >> shift, as libtracecmd; mult 0: stamps are ns */
	uint32_t mult, shift;
	int64_t shift_ns; /* of the file: comes on top */
	int error;	  /* what comes behind the queue cannot be read */
	struct fcap_err why;
};

static int damaged(struct fan_stream *s, const char *what)
{
	return fcap_fail(&s->why, EINVAL,
			 "the data of CPU %d are damaged: %s (page at byte %" PRIu64 ")%s", s->cpu,
			 what, fan_pages_place(s->pages),
			 s->file->may_be_cut ? "" : FAN_TRUNCATED_HINT);
}

/* Multiplier and shift that turn x86-tsc stamps into ns; trace-cmd adds no offset either. */
static void read_tsc2nsec(struct fan_stream *s)
{
	for (size_t i = 0; i < s->file->noptions; i++) {
		const struct fan_option *o = &s->file->options[i];

		if (o->id != FAN_OPT_TSC2NSEC || o->data.size < 16)
			continue;
		s->mult = fan_u32(o->data.data, s->big_endian);
		s->shift = fan_u32(o->data.data + 4, s->big_endian) & 63;
	}
}

int fan_stream_open(struct fan_stream **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		    const struct fan_stream_room *room, struct fcap_err *err)
{
	struct fan_stream *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = fan_pages_open(&s->pages, file, buffer, cpu, room->z, err);
	if (r < 0) {
		free(s);
		return r;
	}
	s->queue.recs = s->recs = room->recs;
	s->room = room->n;
	s->file = file;
	s->start = file->buffers[buffer].cpus[cpu].offset;
	s->cpu = file->buffers[buffer].cpus[cpu].cpu;
	s->buffer = (uint32_t)buffer;
	s->page_size = file->buffers[buffer].page_size;
	s->big_endian = file->big_endian;
	s->shift_ns = file->shift_ns;
	read_tsc2nsec(s);
	r = fan_time_shift_new(&s->host, file, s->cpu);
	if (r < 0) {
		fan_stream_close(s);
		return r == -ENOMEM ? fcap_fail(err, ENOMEM, "out of memory")
				    : fcap_fail(err, EINVAL,
						"the file is damaged in its TIME_SHIFT option");
	}
	s->has_plain_stamps = !s->big_endian && !s->mult && !s->host && !s->shift_ns;
	*ret = s;
	return 0;
}

static uint64_t read_long(const struct fan_stream *s, const char *p)
{
	return s->file->commit_size == 8 ? fan_u64(p, s->big_endian) : fan_u32(p, s->big_endian);
}

/* The mark "events were lost before this page", with their number where the page holds it. */
static int note_missed(struct fan_stream *s, const char *page, uint32_t commit, uint32_t len)
{
	const struct fan_file *f = s->file;
	uint64_t n = 0;

	if (!(commit & COMMIT_MISSED))
		return 0;
	if (commit & COMMIT_STORED) {
		if (f->data_offset + len + f->commit_size > s->page_size)
			return -EINVAL;
		n = read_long(s, page + f->data_offset + len);
	}
	if (n == 0 || n > INT64_MAX || s->missed < 0)
		s->missed = -1;
	else
		s->missed += (int64_t)n;
	return 0;
}

/*
 * 1: there is one; 0: not, or not as long as some of the n records queued are in the window before
 * this one; negative errno with the reason in s->why.
 */
static int next_page(struct fan_stream *s, size_t n)
{
	const struct fan_file *f = s->file;
	uint32_t commit, len;
	const char *page;
	int r;

	if (fan_pages_loads_next(s->pages)) {
		if (s->nold)
			return 0;
		s->nold = n;
	}
	r = fan_pages_next(s->pages, &page, &s->why);
	s->queue.is_last = r == 0;
	if (r <= 0)
		return r;
	s->ts = fan_u64(page, s->big_endian);
	commit = (uint32_t)read_long(s, page + f->commit_offset);
	len = commit & COMMIT_LEN_MASK;
	if (len > s->page_size - f->data_offset || note_missed(s, page, commit, len) < 0)
		return damaged(s, "a page says it holds more than a page");
	s->pos = page + f->data_offset;
	s->end = s->pos + len;
	return 1;
}

static uint64_t to_ns(const struct fan_stream *s, uint64_t ts)
{
	if (s->host)
		ts = fan_time_shift(s->host, ts);
	if (s->mult)
		ts = (uint64_t)(((u128)ts * s->mult) >> s->shift);
	if (s->shift_ns < 0)
		return ts > 0 - (uint64_t)s->shift_ns ? ts + (uint64_t)s->shift_ns : 0;
	return ts + (uint64_t)s->shift_ns;
}

/* Stamps a record with its time and its place in the order of all. */
static inline void stamp(struct fan_record *to, uint64_t ns, uint64_t *latest_ns)
{
	*latest_ns = ns > *latest_ns ? ns : *latest_ns;
	to->ts_ns = ns;
	to->order_ns = *latest_ns;
}

/*
 * Everything but a record of up to 112 bytes. 1: *to is a record; 0: it was only time or
 * padding; -EINVAL: it does not fit the page.
 */
static int rare_event(struct fan_stream *s, struct fan_record *to)
{
	const uint32_t head = fan_u32(s->pos, s->big_endian);
	const uint32_t type = s->big_endian ? head >> 27 : head & 31;
	const uint32_t delta = s->big_endian ? head & DELTA_MASK : head >> 5;
	uint32_t word;

	if (type == TYPE_PADDING && delta == 0) {
		s->pos = s->end;
		return 0;
	}
	if (type - 1 < TYPE_DATA_MAX || s->end - s->pos < 8)
		return -EINVAL;
	word = fan_u32(s->pos + 4, s->big_endian);
	if (type == TYPE_EXTEND) {
		s->ts += ((uint64_t)word << 27) + delta;
		s->pos += 8;
		return 0;
	}
	if (type == TYPE_STAMP) {
		const uint64_t low = ((uint64_t)word << 27) + delta;

		s->ts = (s->ts >> ABSOLUTE_BITS << ABSOLUTE_BITS) + low;
		s->pos += 8;
		return 0;
	}
	/* the word counts itself */
	if (word < 4 || word > (uint64_t)(s->end - s->pos) - 4)
		return -EINVAL;
	s->ts += delta;
	if (type == TYPE_PADDING) {
		s->pos += 4 + word;
		return 0;
	}
	word = (word + 3) & ~3U;
	if (word > (uint64_t)(s->end - s->pos) - 4)
		return -EINVAL;
	stamp(to, to_ns(s, s->ts), &s->latest_ns);
	to->data = s->pos + 8;
	to->missed = s->missed;
	to->size = word - 4;
	to->cpu = s->cpu;
	to->buffer = s->buffer;
	s->missed = 0;
	s->pos += 4 + word;
	return 1;
}

/*
 * Records of up to 112 bytes in a row, with the place in registers; stops before whatever is
 * none, or does not fit the page. Returns the place behind the last one. Where is_plain is a
 * constant, the compiler knows that words are in our byte order, stamps are ns, and none of them
 * is before the latest: a record only adds to the time.
 */
static inline __attribute__((always_inline)) struct fan_record *common_events(
	struct fan_stream *s, struct fan_record *const first, const struct fan_record *last,
	bool is_plain)
{
	const bool big_endian = is_plain ? false : s->big_endian;
	const char *const end = s->end;
	const int32_t cpu = s->cpu;
	const uint32_t buffer = s->buffer;
	struct fan_record *to = first;
	ptrdiff_t at = s->pos - end; /* from the end */
	uint64_t ts = s->ts, latest_ns = s->latest_ns;

	while (to < last && at <= -4) {
		const uint32_t head = fan_u32(end + at, big_endian);
		const uint32_t size = 4 * (big_endian ? head >> 27 : head & 31);
		const ptrdiff_t next = at + 4 + (ptrdiff_t)size;

		if (size - 4 >= 4 * TYPE_DATA_MAX || next > 0)
			break;
		ts += big_endian ? head & DELTA_MASK : head >> 5;
		if (is_plain)
			to->ts_ns = to->order_ns = latest_ns = ts;
		else
			stamp(to, to_ns(s, ts), &latest_ns);
		to->missed = 0;
		to->cpu = cpu;
		to->buffer = buffer;
		to->data = end + at + 4;
		to->size = size;
		to++;
		at = next;
	}
	if (to > first) {
		first->missed = s->missed;
		s->missed = 0;
	}
	s->pos = end + at;
	s->ts = ts;
	s->latest_ns = latest_ns;
	return to;
}

/* So far from the end of time that no page reaches it. */
static bool is_plain(const struct fan_stream *s)
{
	return s->has_plain_stamps && s->ts >= s->latest_ns && s->ts < UINT64_MAX / 2;
}

/* Reads the rest of the page, or as much as there is room for, behind the n records queued. */
static int read_page(struct fan_stream *s, size_t *n)
{
	struct fan_record *to = s->recs + *n, *const last = s->recs + s->room;
	int r = 0;

	while (r >= 0) {
		to += r;
		to = is_plain(s) ? common_events(s, to, last, true)
				 : common_events(s, to, last, false);
		if (to == last || s->end - s->pos < 4)
			break;
		r = rare_event(s, to);
	}
	*n = (size_t)(to - s->recs);
	return r < 0 ? damaged(s, "an event runs over the end of its page") : 0;
}

int fan_stream_fill(struct fan_stream *s, struct fcap_err *err)
{
	struct fan_queue *q = &s->queue;
	size_t n = q->n;
	int r = s->error;

	memmove(s->recs, q->recs, n * sizeof(*s->recs));
	while (n < s->room && r == 0) {
		if (s->end - s->pos < 4) {
			r = next_page(s, n);
			if (r <= 0)
				break;
		}
		r = read_page(s, &n);
	}
	s->error = r;
	s->recs[n].order_ns = UINT64_MAX;
	q->recs = s->recs;
	q->n = n;
	if (n || r == 0)
		return n > 0;
	if (err)
		*err = s->why;
	return r;
}

const struct fan_queue *fan_stream_queue(const struct fan_stream *s)
{
	return &s->queue;
}

void fan_stream_take(struct fan_stream *s, size_t n)
{
	s->queue.recs += n;
	s->queue.n -= n;
	s->nold = s->nold > n ? s->nold - n : 0;
}

uint64_t fan_stream_done(const struct fan_stream *s)
{
	return fan_pages_place(s->pages) - s->start;
}

void fan_stream_close(struct fan_stream *s)
{
	if (!s)
		return;
	fan_time_shift_free(s->host);
	fan_pages_close(s->pages);
	free(s);
}
