// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Ring-buffer pages: a stamp, the commit word (length and loss marks), then events. Each begins
 * with a word of 5 bits type or length and 27 bits time since the event before.
 */
#include "analyze/trace/stream.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/pages.h"
#include "analyze/trace/time_shift.h"

#define COMMIT_LEN_MASK ((1U << 27) - 1)
#define COMMIT_MISSED	(1U << 31)
#define COMMIT_STORED	(1U << 30)
#define ABSOLUTE_BITS	59

enum { TYPE_LONG = 0, TYPE_DATA_MAX = 28, TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

__extension__ typedef unsigned __int128 u128;

struct fan_stream {
	struct fan_pages *pages;
	const struct fan_file *file;
	const char *pos, *end; /* unread part of the current page's events */
	uint64_t ts;
	uint64_t page_size;
	int32_t cpu;
	uint32_t buffer;
	int64_t missed; /* events lost before the next record: 0 none, -1 unknown */
	bool big_endian;
	struct fan_time_shift *host; /* to the host's clock; NULL: the stamps are of one clock */
	/* x86-tsc stamps: ns = ((ts * mult) >> shift) + offset; mult 0: stamps are ns */
	uint32_t mult, shift;
	uint64_t offset;
};

static int damaged(const struct fan_stream *s, struct fcap_err *err, const char *what)
{
	return fcap_fail(err, EINVAL, "the data of CPU %d are damaged: %s", s->cpu, what);
}

/* Multiplier, shift and offset that turn x86-tsc stamps into ns. */
static void read_tsc2nsec(struct fan_stream *s)
{
	for (size_t i = 0; i < s->file->noptions; i++) {
		const struct fan_option *o = &s->file->options[i];

		if (o->id != FAN_OPT_TSC2NSEC || o->data.size < 16)
			continue;
		s->mult = fan_u32(o->data.data, s->big_endian);
		s->shift = fan_u32(o->data.data + 4, s->big_endian) & 63;
		s->offset = fan_u64(o->data.data + 8, s->big_endian);
	}
}

int fan_stream_open(struct fan_stream **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		    struct fcap_err *err)
{
	struct fan_stream *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = fan_pages_open(&s->pages, file, buffer, cpu, err);
	if (r < 0) {
		free(s);
		return r;
	}
	s->file = file;
	s->cpu = file->buffers[buffer].cpus[cpu].cpu;
	s->buffer = (uint32_t)buffer;
	s->page_size = file->buffers[buffer].page_size;
	s->big_endian = file->big_endian;
	read_tsc2nsec(s);
	r = fan_time_shift_new(&s->host, file, s->cpu);
	if (r < 0) {
		fan_stream_close(s);
		return r == -ENOMEM ? fcap_fail(err, ENOMEM, "out of memory")
				    : fan_file_damage(err, r, "TIME_SHIFT option");
	}
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

static int next_page(struct fan_stream *s, struct fcap_err *err)
{
	const struct fan_file *f = s->file;
	uint32_t commit, len;
	const char *page;
	const int r = fan_pages_next(s->pages, &page, err);

	if (r <= 0)
		return r;
	s->ts = fan_u64(page, s->big_endian);
	commit = (uint32_t)read_long(s, page + f->commit_offset);
	len = commit & COMMIT_LEN_MASK;
	if (len > s->page_size - f->data_offset || note_missed(s, page, commit, len) < 0)
		return damaged(s, err, "a page says it holds more than a page");
	s->pos = page + f->data_offset;
	s->end = s->pos + len;
	return 1;
}

static uint64_t to_ns(const struct fan_stream *s)
{
	const uint64_t ts = s->host ? fan_time_shift(s->host, s->ts) : s->ts;

	if (!s->mult)
		return ts;
	return (uint64_t)(((u128)ts * s->mult) >> s->shift) + s->offset;
}

static void emit(struct fan_stream *s, const char *data, uint32_t size, struct fan_record *ret)
{
	ret->ts_ns = to_ns(s);
	ret->data = data;
	ret->size = size;
	ret->cpu = s->cpu;
	ret->buffer = s->buffer;
	ret->missed = s->missed;
	s->missed = 0;
}

/*
 * Everything but a record of up to 112 bytes. 1: *ret is a record; 0: it was only time or
 * padding; -EINVAL: it does not fit the page.
 */
static int rare_event(struct fan_stream *s, uint32_t type, uint32_t delta, struct fan_record *ret)
{
	uint32_t word;

	if (type == TYPE_PADDING && delta == 0) {
		s->pos = s->end;
		return 0;
	}
	if (s->end - s->pos < 8)
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
	emit(s, s->pos + 8, word - 4, ret);
	s->pos += 4 + word;
	return 1;
}

int fan_stream_next(struct fan_stream *s, struct fan_record *ret, struct fcap_err *err)
{
	uint32_t head, type, delta;
	int r;

	for (;;) {
		if (s->end - s->pos < 4) {
			r = next_page(s, err);
			if (r <= 0)
				return r;
			continue;
		}
		head = fan_u32(s->pos, s->big_endian);
		type = s->big_endian ? head >> 27 : head & 31;
		delta = s->big_endian ? head & ((1U << 27) - 1) : head >> 5;
		if (type - 1 < TYPE_DATA_MAX) {
			const uint32_t size = type * 4;

			if ((uint64_t)(s->end - s->pos) < 4 + size)
				return damaged(s, err, "an event runs over the end of its page");
			s->ts += delta;
			emit(s, s->pos + 4, size, ret);
			s->pos += 4 + size;
			return 1;
		}
		r = rare_event(s, type, delta, ret);
		if (r < 0)
			return damaged(s, err, "an event runs over the end of its page");
		if (r > 0)
			return 1;
	}
}

void fan_stream_close(struct fan_stream *s)
{
	if (!s)
		return;
	fan_time_shift_free(s->host);
	fan_pages_close(s->pages);
	free(s);
}
