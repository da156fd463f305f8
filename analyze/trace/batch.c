// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/merge.h"

#define FULL  2
#define TEXTS 16 /* bytes an event: here and there a line has some hundreds */

struct fan_batcher {
	struct fan_merge *merge;
	struct fan_decoder *decoder;
	unsigned int kinds;
	bool is_kept;
};

int fan_batch_init(struct fan_batch *b, size_t room)
{
	*b = (struct fan_batch){ .status = 1, .room = room };
	b->events = calloc(room, sizeof(*b->events));
	return b->events ? 0 : -ENOMEM;
}

void fan_batch_free(struct fan_batch *b)
{
	free(b->events);
	free(b->texts);
}

int fan_batcher_open(struct fan_batcher **ret, const struct fan_file *file,
		     const struct fan_batcher_plan *plan, struct fcap_err *err)
{
	struct fan_batcher *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return fcap_fail(err, ENOMEM, "out of memory");
	s->is_kept = plan->is_kept;
	r = fan_decoder_new(&s->decoder, file, err);
	if (r == 0)
		r = fan_merge_open_helped(&s->merge, file, plan->helpers, err);
	if (r < 0) {
		fan_batcher_close(s);
		return r;
	}
	s->kinds = fan_decoder_kinds(s->decoder);
	*ret = s;
	return 0;
}

unsigned int fan_batcher_kinds(const struct fan_batcher *s)
{
	return s->kinds;
}

const struct fan_cut *fan_batcher_cut(const struct fan_batcher *s)
{
	return fan_merge_cut(s->merge);
}

void fan_batcher_close(struct fan_batcher *s)
{
	if (!s)
		return;
	fan_merge_close(s->merge);
	fan_decoder_free(s->decoder);
	free(s);
}

/* The text of an event that lies in its record; NULL: it has none. */
static struct fan_text *text_of(struct fan_event *ev)
{
	if (ev->kind == FAN_EV_MARKER)
		return &ev->marker;
	return ev->kind == FAN_EV_ATTACH ? &ev->attach.path : NULL;
}

/* Room for n more bytes; what is in an empty batch may move. 0: there is none; or -ENOMEM. */
static int reach_texts(struct fan_batch *b, size_t n)
{
	const size_t usual = b->room * TEXTS, room = n > usual ? n : usual;

	if (n <= b->texts_room - b->ntexts)
		return 1;
	if (b->ntexts)
		return 0;
	free(b->texts);
	b->texts_room = 0;
	b->texts = malloc(room);
	if (!b->texts)
		return -ENOMEM;
	b->texts_room = room;
	return 1;
}

/* Copies a text into the batch. 1; 0: there is no room left in it; or -ENOMEM. */
static int keep_text(struct fan_batch *b, struct fan_text *text)
{
	const int r = reach_texts(b, text->n);

	if (r > 0 && text->n) {
		text->p = memcpy(b->texts + b->ntexts, text->p, text->n);
		b->ntexts += text->n;
	}
	return r;
}

/* How many of n events have their texts in the batch now; fewer: there is no room; or -ENOMEM. */
static int keep_all(struct fan_batch *b, struct fan_event *events, int n)
{
	for (int i = 0; i < n; i++) {
		struct fan_text *text = text_of(&events[i]);
		const int r = text ? keep_text(b, text) : 1;

		if (r <= 0)
			return r < 0 ? r : i;
	}
	return n;
}

/*
 * The record that is next makes no sense, for the reason in to->why: it is of no use, if the data
 * may end before it. 1, or a negative errno.
 */
static int end_before(struct fan_batcher *s, struct fan_batch *to)
{
	const struct fan_record *rec;
	int r = fan_merge_next(s->merge, &rec, NULL);

	if (r > 0)
		r = fan_merge_cut_here(s->merge, rec, &to->why);
	if (r < 0)
		return r;
	to->events[to->n++] = (struct fan_event){
		.ts_ns = rec->ts_ns, .cpu = rec->cpu, .buffer = rec->buffer, .kind = FAN_EV_KINDS
	};
	return 1;
}

/* Reads some events more. 1; FULL: there is no room for their texts; or as in struct fan_batch. */
static int read_some(struct fan_batcher *s, struct fan_batch *to)
{
	struct fan_event *events = &to->events[to->n];
	const struct fan_record *const *recs;
	const int n = fan_merge_take(s->merge, (int)(to->room - to->n), &recs, &to->why);
	int decoded, kept;

	if (n <= 0)
		return n;
	decoded = fan_decode_many(s->decoder, recs, n, events, &to->why);
	kept = s->is_kept ? keep_all(to, events, decoded) : decoded;
	if (kept < 0)
		return kept;
	to->n += (size_t)kept;
	fan_merge_give_back(s->merge, n - kept);
	if (kept < decoded)
		return FULL;
	return decoded < n ? end_before(s, to) : 1;
}

void fan_batcher_fill(struct fan_batcher *s, struct fan_batch *to)
{
	int r;

	to->n = to->ntexts = 0;
	/* where nothing is kept, records are gone when the merge reads on */
	do
		r = read_some(s, to);
	while (r == 1 && s->is_kept && to->n < to->room);
	if (r == -ENOMEM)
		fcap_fail(&to->why, ENOMEM, "out of memory");
	to->status = r == FULL ? 1 : r;
}
