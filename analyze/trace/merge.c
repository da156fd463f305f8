// SPDX-License-Identifier: GPL-3.0-or-later
/* A heap of CPU streams; the one on top gives records until another is earlier. */
#include "analyze/trace/merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/stream.h"

struct head {
	struct fan_record rec;
	struct fan_stream *stream;
};

struct fan_merge {
	struct head **heap; /* heap[0] is earliest; streams at their end have left it */
	size_t n;
	struct head *heads;
	size_t nheads;
	bool taken; /* heap[0]'s record was handed out */
};

static bool earlier(const struct head *a, const struct head *b)
{
	if (a->rec.ts_ns != b->rec.ts_ns)
		return a->rec.ts_ns < b->rec.ts_ns;
	if (a->rec.cpu != b->rec.cpu)
		return a->rec.cpu < b->rec.cpu;
	return a->rec.buffer < b->rec.buffer;
}

static void sift_down(struct fan_merge *m, size_t i)
{
	struct head *const moved = m->heap[i];
	size_t child;

	for (; (child = 2 * i + 1) < m->n; i = child) {
		if (child + 1 < m->n && earlier(m->heap[child + 1], m->heap[child]))
			child++;
		if (!earlier(m->heap[child], moved))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = moved;
}

/* Opens every stream and reads its first record. */
static int open_streams(struct fan_merge *m, const struct fan_file *file, struct fcap_err *err)
{
	int r;

	for (size_t b = 0; b < file->nbuffers; b++) {
		for (size_t c = 0; c < file->buffers[b].ncpus; c++) {
			struct head *h = &m->heads[m->nheads];

			r = fan_stream_open(&h->stream, file, b, c, err);
			if (r < 0)
				return r;
			m->nheads++;
			r = fan_stream_next(h->stream, &h->rec, err);
			if (r < 0)
				return r;
			if (r > 0)
				m->heap[m->n++] = h;
		}
	}
	return 0;
}

int fan_merge_open(struct fan_merge **ret, const struct fan_file *file, struct fcap_err *err)
{
	struct fan_merge *m = calloc(1, sizeof(*m));
	size_t total = 0;
	int r = -ENOMEM;

	if (!m)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (size_t b = 0; b < file->nbuffers; b++)
		total += file->buffers[b].ncpus;
	m->heads = calloc(total ? total : 1, sizeof(*m->heads));
	m->heap = calloc(total ? total : 1, sizeof(*m->heap));
	if (!m->heads || !m->heap) {
		fcap_fail(err, ENOMEM, "out of memory");
		goto fail;
	}
	r = open_streams(m, file, err);
	if (r < 0)
		goto fail;
	for (size_t i = m->n / 2; i-- > 0;)
		sift_down(m, i);
	*ret = m;
	return 0;
fail:
	fan_merge_close(m);
	return r;
}

/* Moves on behind the record that was handed out last. */
static int advance(struct fan_merge *m, struct fcap_err *err)
{
	struct head *h = m->heap[0];
	const int r = fan_stream_next(h->stream, &h->rec, err);

	if (r < 0)
		return r;
	if (r == 0)
		m->heap[0] = m->heap[--m->n];
	if (m->n)
		sift_down(m, 0);
	m->taken = false;
	return 0;
}

int fan_merge_next(struct fan_merge *m, struct fan_record *ret, struct fcap_err *err)
{
	int r;

	if (m->taken) {
		r = advance(m, err);
		if (r < 0)
			return r;
	}
	if (m->n == 0)
		return 0;
	*ret = m->heap[0]->rec;
	m->taken = true;
	return 1;
}

void fan_merge_close(struct fan_merge *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nheads; i++)
		fan_stream_close(m->heads[i].stream);
	free(m->heads);
	free(m->heap);
	free(m);
}
