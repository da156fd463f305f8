// SPDX-License-Identifier: GPL-3.0-or-later
/* Walks the entries of a page; the rest moves to its beginning. */
#include "capture/trigger_page.h"

#include <errno.h>
#include <stdbool.h>

#include "capture/marks_pages.h"

#define STAMP_BITS 59 /* of a time in an entry of its own; the page's has the others */

struct walk {
	const unsigned char *data;
	size_t used, pos;
	uint64_t now_ns;
};

struct entry {
	size_t size; /* with its head */
	uint64_t ts_ns;
	bool is_event;
	bool is_last; /* nothing but padding follows */
};

/* Entries that only tell the time. */
static struct entry read_time(const struct walk *w, uint32_t type, uint32_t delta)
{
	const uint64_t long_delta =
		((uint64_t)cap_page_word(w->data + w->pos + 4) << CAP_DELTA_BITS) + delta;

	if (type == CAP_TYPE_TIME_EXTEND)
		return (struct entry){ 8, w->now_ns + long_delta, false, false };
	return (struct entry){ 8, (w->now_ns >> STAMP_BITS << STAMP_BITS) + long_delta, false,
			       false };
}

/* The entry at the position. 0 or -EBADMSG. */
static int read_entry(const struct walk *w, struct entry *ret)
{
	const unsigned char *at = w->data + w->pos;
	const size_t left = w->used - w->pos;
	uint32_t type, delta;
	size_t size;

	cap_page_split(cap_page_word(at), &type, &delta);
	if (type == CAP_TYPE_PADDING && delta == 0) {
		*ret = (struct entry){ left, w->now_ns, false, true };
		return 0;
	}
	if (type >= 1 && type <= CAP_TYPE_LEN_MAX) {
		*ret = (struct entry){ 4 + 4 * (size_t)type, w->now_ns + delta, true, false };
		return ret->size <= left ? 0 : -EBADMSG;
	}
	if (left < 8)
		return -EBADMSG;
	if (type == CAP_TYPE_TIME_EXTEND || type == CAP_TYPE_TIME_STAMP) {
		*ret = read_time(w, type, delta);
		return 0;
	}
	/* a longer event, or one that was discarded: its size counts itself */
	size = cap_page_word(at + 4);
	if (size < 4 || size > left - 4)
		return -EBADMSG;
	size = 4 + ((size + 3) & ~(size_t)3);
	*ret = (struct entry){ size, w->now_ns + delta, type != CAP_TYPE_PADDING, false };
	return size <= left ? 0 : -EBADMSG;
}

/* From the position to the end: how many events. */
static int64_t count_events(struct walk w)
{
	int64_t n = 0;

	while (w.used - w.pos >= 4) {
		struct entry e;

		if (read_entry(&w, &e) < 0)
			return -EBADMSG;
		n += e.is_event;
		w.pos += e.size;
		w.now_ns = e.ts_ns;
	}
	return n;
}

/* To the first entry that ends at from_ns or later. 0 or -EBADMSG. */
static int pass_older(struct walk *w, uint64_t from_ns)
{
	while (w->used - w->pos >= 4) {
		struct entry e;

		if (read_entry(w, &e) < 0)
			return -EBADMSG;
		if (e.ts_ns >= from_ns && !e.is_last)
			return 0;
		w->pos += e.size;
		w->now_ns = e.ts_ns;
	}
	return 0;
}

static void put_used(unsigned char *page, const struct cap_marks_layout *at, size_t used)
{
	const uint32_t used4 = (uint32_t)used;
	const uint64_t used8 = used;

	memcpy(page + at->commit_at, at->commit_size == 4 ? (const void *)&used4 : &used8,
	       at->commit_size);
}

int64_t cap_page_cut(unsigned char *page, const struct cap_marks_layout *at, uint64_t from_ns)
{
	unsigned char *data = page + at->data_at;
	struct walk w = { data, 0, 0, cap_page_number(page, 8) };

	w.used = cap_page_number(page + at->commit_at, at->commit_size) & CAP_COMMIT_MASK;
	if (w.used > at->page_size - at->data_at)
		return -EBADMSG;
	if (w.now_ns > from_ns)
		return count_events(w);
	if (pass_older(&w, from_ns) < 0)
		return -EBADMSG;
	/* the page's own time is that of the last entry that goes: later ones count from there */
	memcpy(page, &w.now_ns, 8);
	memmove(data, data + w.pos, w.used - w.pos);
	memset(data + w.used - w.pos, 0, at->page_size - at->data_at - (w.used - w.pos));
	put_used(page, at, w.used - w.pos);
	w.used -= w.pos;
	w.pos = 0;
	return count_events(w);
}
