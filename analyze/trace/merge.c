// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Slabs of time: every stream reads ahead; a slab reaches up to the first moment behind which some
 * stream has not read yet, and all records in it are put in order at once.
 */
#include "analyze/trace/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/inflate.h"
#include "analyze/trace/order.h"
#include "analyze/trace/stream.h"

/* Records read ahead: of all streams, so that they stay in the cache; and of one. */
#define AHEAD	  16384
#define AHEAD_MIN 32
#define AHEAD_MAX 512

#define FETCH 64 /* records: they and their bytes fill half of the nearest cache */

struct head {
	int32_t cpu;
	uint32_t buffer;
	struct fan_stream *stream;
	const struct fan_queue *queue; /* of the stream */
	uint64_t last_ns;	       /* of what was taken from it */
	bool has_begun;		       /* something was */
};

/* What a slab has of one stream. */
struct part {
	const struct fan_record *recs;
	size_t n;
};

struct fan_merge {
	struct head *heads; /* by CPU, then by buffer: the order of ties */
	size_t nheads;
	struct fan_inflate *z;	 /* shared by all streams */
	size_t nlive;		 /* they come first; the others have ended */
	struct fan_record *recs; /* the places of the queues, one behind the other */
	struct part *parts;	 /* of the slab, in the order of heads */
	size_t nparts;
	const struct fan_record **order;      /* those of the slab, in order */
	const struct fan_record *const *next; /* in it, with so many more: not yet taken */
	size_t left;
	const struct fan_record *const *fetched; /* up to there their bytes are on their way */
	const struct fan_file *file;
	struct fan_cut cut;
	struct fan_entry *entries, *spare; /* to sort many streams */
};

static int by_cpu(const void *a, const void *b)
{
	const struct head *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->buffer < y->buffer ? -1 : 1;
}

/* Notes that nothing of these data is left behind what was taken. False: it may not be so. */
static bool note_cut(struct fan_merge *m, const struct head *h, int r, const struct fcap_err *why)
{
	if (r != -EINVAL || !m->file->may_be_cut)
		return false;
	if (m->cut.why.code == 0)
		m->cut.why = *why;
	if (h->buffer != 0)
		m->cut.has_lost_lines = true;
	else if (!h->has_begun)
		fcap_cpuset_add(&m->cut.missing, (unsigned int)h->cpu);
	else if (!m->cut.is_cut || h->last_ns < m->cut.ts_ns) {
		m->cut.is_cut = true;
		m->cut.why = *why;
		m->cut.cpu = h->cpu;
		m->cut.ts_ns = h->last_ns;
	}
	return true;
}

/* Room for n records of each stream, and so many threads that inflate ahead. */
struct plan {
	size_t n;
	unsigned int helpers;
};

/* Opens the stream of these data and reads its first records. */
static int open_stream(struct fan_merge *m, size_t b, size_t c, const struct plan *plan,
		       struct fcap_err *err)
{
	const struct fan_stream_room room = { m->recs + m->nheads * (plan->n + 1), plan->n, &m->z };
	struct head *h = &m->heads[m->nheads];
	struct fcap_err why = { 0 };
	int r;

	h->cpu = m->file->buffers[b].cpus[c].cpu;
	h->buffer = (uint32_t)b;
	r = fan_stream_open(&h->stream, m->file, b, c, &room, &why);
	if (r == 0) {
		m->nheads++;
		if (m->z)
			fan_inflate_get_help(m->z, plan->helpers);
		h->queue = fan_stream_queue(h->stream);
		r = fan_stream_fill(h->stream, &why);
	}
	if (r >= 0 || note_cut(m, h, r, &why))
		return 0;
	if (err)
		*err = why;
	return r;
}

static int open_streams(struct fan_merge *m, const struct plan *plan, struct fcap_err *err)
{
	const struct fan_file *file = m->file;

	for (size_t b = 0; b < file->nbuffers; b++) {
		for (size_t c = 0; c < file->buffers[b].ncpus; c++) {
			const int r = open_stream(m, b, c, plan, err);

			if (r < 0)
				return r;
		}
	}
	qsort(m->heads, m->nheads, sizeof(*m->heads), by_cpu);
	m->nlive = m->nheads;
	return 0;
}

static size_t count_streams(const struct fan_file *file)
{
	size_t n = 0;

	for (size_t b = 0; b < file->nbuffers; b++)
		n += file->buffers[b].ncpus;
	return n ? n : 1;
}

int fan_merge_open_helped(struct fan_merge **ret, const struct fan_file *file, unsigned int helpers,
			  struct fcap_err *err)
{
	const size_t n = count_streams(file), share = AHEAD / n;
	const size_t room = share < AHEAD_MIN ? AHEAD_MIN : share > AHEAD_MAX ? AHEAD_MAX : share;
	const struct plan plan = { room, helpers };
	struct fan_merge *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return fcap_fail(err, ENOMEM, "out of memory");
	m->file = file;
	m->cut.has_lost_lines = file->has_lost_buffers;
	m->heads = calloc(n, sizeof(*m->heads));
	m->recs = calloc(n * (room + 1), sizeof(*m->recs));
	m->parts = calloc(n, sizeof(*m->parts));
	m->order = calloc(n * room, sizeof(*m->order));
	m->entries = calloc(n * room, sizeof(*m->entries));
	m->spare = calloc(n * room, sizeof(*m->spare));
	if (!m->heads || !m->recs || !m->parts || !m->order || !m->entries || !m->spare)
		r = fcap_fail(err, ENOMEM, "out of memory");
	else
		r = open_streams(m, &plan, err);
	if (r < 0) {
		fan_merge_close(m);
		return r;
	}
	*ret = m;
	return 0;
}

int fan_merge_open(struct fan_merge **ret, const struct fan_file *file, struct fcap_err *err)
{
	return fan_merge_open_helped(ret, file, 0, err);
}

/* Behind a cut only other buffers go on. */
static void drop_main_buffer(struct fan_merge *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nlive; i++) {
		const struct head h = m->heads[i];

		if (h.buffer == 0)
			continue;
		m->heads[i] = m->heads[n];
		m->heads[n++] = h;
	}
	m->nlive = n;
}

/* Lets all streams read on; those at their end are moved behind the living. */
static int fill_queues(struct fan_merge *m, struct fcap_err *err)
{
	struct fcap_err why = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < m->nlive; i++) {
		const struct head h = m->heads[i];
		const int r = fan_stream_fill(h.stream, &why);

		if (r < 0 && !note_cut(m, &h, r, &why)) {
			if (err)
				*err = why;
			return r;
		}
		if (r <= 0)
			continue;
		m->heads[i] = m->heads[n];
		m->heads[n++] = h;
	}
	m->nlive = n;
	if (m->cut.is_cut)
		drop_main_buffer(m);
	return 0;
}

/* What lies in a slab: places up to to_ns, of the streams up to last; those behind it below. */
struct limit {
	uint64_t from_ns, to_ns;
	size_t last;
};

static struct limit find_limit(const struct fan_merge *m)
{
	struct limit l = { UINT64_MAX, UINT64_MAX, m->nlive };

	for (size_t i = 0; i < m->nlive; i++) {
		const struct fan_queue *q = m->heads[i].queue;
		const uint64_t read_ns = q->recs[q->n - 1].order_ns;

		if (q->recs->order_ns < l.from_ns)
			l.from_ns = q->recs->order_ns;
		if (!q->is_last && read_ns < l.to_ns) {
			l.to_ns = read_ns;
			l.last = i;
		}
	}
	if (l.to_ns - l.from_ns > UINT32_MAX) {
		l.to_ns = l.from_ns + UINT32_MAX;
		l.last = m->nlive;
	}
	return l;
}

/* How many records of a queue are in the slab: a stream's places never step back. */
static size_t count_up_to(const struct fan_queue *q, uint64_t to_ns)
{
	size_t lo = 0, hi = q->n;

	while (lo < hi) {
		const size_t middle = (lo + hi) / 2;

		if (q->recs[middle].order_ns <= to_ns)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/*
 * A slab of one or two streams: behind the last record of each stands one that is later. Which of
 * them is next cannot be predicted, so that there is no branch on it.
 */
static void merge_two(struct fan_merge *m)
{
	const struct fan_record *a = m->parts[0].recs;
	const struct fan_record *b = m->nparts == 2 ? m->parts[1].recs : a + m->parts[0].n;

	for (size_t i = 0; i < m->left; i++) {
		const struct fan_record *const two[2] = { a, b };
		const bool is_b = b->order_ns < a->order_ns;

		m->order[i] = two[is_b];
		a += !is_b;
		b += is_b;
	}
}

static void sort_many(struct fan_merge *m, const struct limit *l)
{
	const struct fan_entry *sorted;
	struct fan_entry *to = m->entries;

	for (size_t i = 0; i < m->nparts; i++) {
		const struct part *p = &m->parts[i];
		const uint32_t index = (uint32_t)(p->recs - m->recs);

		for (uint32_t k = 0; k < p->n; k++)
			*to++ = (struct fan_entry){ (uint32_t)(p->recs[k].order_ns - l->from_ns),
						    index + k };
	}
	sorted = fan_order(m->entries, m->spare, m->left, (uint32_t)(l->to_ns - l->from_ns));
	for (size_t i = 0; i < m->left; i++)
		m->order[i] = &m->recs[sorted[i].index];
}

static void tell_watcher(const struct fan_merge *m)
{
	uint64_t done = 0;

	for (size_t i = 0; i < m->nheads; i++)
		done += fan_stream_done(m->heads[i].stream);
	m->file->watch.tell(m->file->watch.ctx, done, m->file->in_pages);
}

/* 1: there is another slab; 0: the end; or a negative errno. */
static int next_slab(struct fan_merge *m, struct fcap_err *err)
{
	const int r = fill_queues(m, err);
	struct limit l;
	size_t n = 0;

	if (m->file->watch.tell)
		tell_watcher(m);
	if (r < 0 || m->nlive == 0)
		return r;
	l = find_limit(m);
	for (size_t i = 0; i < m->nlive && l.to_ns >= l.from_ns + (i > l.last); i++) {
		const struct fan_queue *q = m->heads[i].queue;
		const struct part p = { q->recs, count_up_to(q, l.to_ns - (i > l.last)) };

		if (p.n == 0)
			continue;
		m->heads[i].last_ns = q->recs[p.n - 1].order_ns;
		m->heads[i].has_begun = true;
		fan_stream_take(m->heads[i].stream, p.n);
		m->parts[n++] = p;
		m->left += p.n;
	}
	m->nparts = n;
	m->next = m->fetched = m->order;
	if (n <= 2 && l.to_ns < UINT64_MAX) {
		merge_two(m);
		m->fetched += m->left;
	} else {
		sort_many(m, &l);
	}
	return 1;
}

/* No cache foresees which of many streams is next: has some records and their bytes fetched. */
static void fetch(struct fan_merge *m)
{
	const size_t n = m->left < FETCH ? m->left : FETCH;

	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(m->next[i]);
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(m->next[i]->data);
	m->fetched = m->next + n;
}

int fan_merge_take(struct fan_merge *m, int max, const struct fan_record *const **ret,
		   struct fcap_err *err)
{
	ptrdiff_t n;

	if (m->left == 0) {
		const int r = next_slab(m, err);

		if (r <= 0)
			return r;
	}
	if (m->next == m->fetched)
		fetch(m);
	n = m->fetched - m->next;
	n = n < max ? n : max;
	*ret = m->next;
	m->next += n;
	m->left -= (size_t)n;
	return (int)n;
}

void fan_merge_give_back(struct fan_merge *m, int n)
{
	m->next -= n;
	m->left += (size_t)n;
}

int fan_merge_next(struct fan_merge *m, const struct fan_record **ret, struct fcap_err *err)
{
	const struct fan_record *const *one;
	const int r = fan_merge_take(m, 1, &one, err);

	if (r > 0)
		*ret = *one;
	return r;
}

const struct fan_cut *fan_merge_cut(const struct fan_merge *m)
{
	return &m->cut;
}

/* Of the slab only what other buffers have is left. */
static void keep_other_buffers(struct fan_merge *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->left; i++)
		if (m->next[i]->buffer != 0)
			m->order[n++] = m->next[i];
	m->next = m->fetched = m->order;
	m->left = n;
}

int fan_merge_cut_here(struct fan_merge *m, const struct fan_record *rec,
		       const struct fcap_err *why)
{
	const struct head h = {
		.cpu = rec->cpu, .buffer = rec->buffer, .last_ns = rec->ts_ns, .has_begun = true
	};

	if (!note_cut(m, &h, -why->code, why))
		return -why->code;
	if (rec->buffer == 0) {
		drop_main_buffer(m);
		keep_other_buffers(m);
	}
	return 0;
}

void fan_merge_close(struct fan_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nheads; i++)
		fan_stream_close(m->heads[i].stream);
	fan_inflate_free(m->z);
	free(m->heads);
	free(m->recs);
	free(m->parts);
	free(m->order);
	free(m->entries);
	free(m->spare);
	free(m);
}
