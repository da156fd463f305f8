// SPDX-License-Identifier: GPL-3.0-or-later
/* Open, drain and count the buffers of all CPUs. */
#include "capture/buffers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/cpu_stats.h"
#include "capture/io.h"
#include "capture/pace.h"

static int alloc_buffers(struct cap_buffers **ret, uint32_t ncpu)
{
	struct cap_buffers *b = calloc(1, sizeof(*b));

	if (!b)
		return -ENOMEM;
	b->pages = calloc(ncpu, sizeof(*b->pages));
	b->stats = calloc(ncpu, sizeof(*b->stats));
	b->cpu = calloc(ncpu, sizeof(*b->cpu));
	if (!b->pages || !b->stats || !b->cpu) {
		cap_buffers_close(b);
		return -ENOMEM;
	}
	b->ncpu = ncpu;
	for (uint32_t i = 0; i < ncpu; i++)
		b->cpu[i].src = b->cpu[i].dst = -1;
	*ret = b;
	return 0;
}

static int open_cpu(struct cap_buffers *b, uint32_t i, const struct cap_session *s,
		    struct cap_parts *parts, struct fcap_err *err)
{
	char name[32];

	snprintf(name, sizeof(name), "cpu%u", i);
	b->cpu[i].dst = cap_parts_create(parts, name, err);
	if (b->cpu[i].dst < 0)
		return b->cpu[i].dst;
	b->cpu[i].src = cap_session_cpu_open(s, i);
	if (b->cpu[i].src >= 0 || b->cpu[i].src == -ENOENT) /* numbers may have holes */
		return 0;
	return fcap_fail(err, -b->cpu[i].src, "cannot open the trace buffer of CPU %u: %s%s", i,
			 strerror(-b->cpu[i].src),
			 b->cpu[i].src == -EMFILE ? "; raise the hard limit (ulimit -Hn)" : "");
}

int cap_buffers_none(struct cap_buffers **ret, uint32_t ncpu)
{
	return alloc_buffers(ret, ncpu);
}

int cap_buffers_start(struct cap_buffers **ret, const struct cap_session *s,
		      struct cap_parts *parts, struct cap_drain_conf conf, struct fcap_err *err)
{
	struct cap_buffers *b;
	int r = alloc_buffers(&b, cap_session_ncpu(s));

	if (r < 0)
		return fcap_fail(err, -r, "out of memory");
	for (uint32_t i = 0; i < b->ncpu && r == 0; i++)
		r = open_cpu(b, i, s, parts, err);
	b->buffer_bytes = conf.buffer_bytes;
	b->page_size = conf.page_size;
	conf.cpu = b->cpu;
	conf.ncpu = b->ncpu;
	if (r == 0)
		r = cap_drain_start(&b->drain, &conf, err);
	if (r < 0) {
		cap_buffers_close(b);
		return r;
	}
	*ret = b;
	return 0;
}

static void note_enough(struct cap_buffers *b, uint32_t i, const struct cap_cpu_stats *st)
{
	const struct cap_drain_stat *drained = cap_drain_stat(b->drain, i);
	const struct cap_loss loss = {
		.buffer_bytes = b->buffer_bytes,
		.bytes = drained->bytes,
		.read = st->read,
		.lost = cap_cpu_stats_lost(st),
		.longest_ns = drained->longest_ns,
		.full_ns = drained->full_ns,
	};
	const uint64_t enough = cap_pace_enough(&loss);

	if (enough > b->enough)
		b->enough = enough;
}

static int count_cpu(struct cap_buffers *b, uint32_t i, const struct cap_session *s,
		     struct cap_sink to)
{
	struct cap_cpu_stats st;
	char file[64];

	if (b->cpu[i].src < 0)
		return 0;
	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", i);
	b->stats[i] = cap_session_read(s, file, NULL);
	if (!b->stats[i])
		return -EIO;
	st = cap_cpu_stats_parse(b->stats[i]);
	b->events += st.read;
	b->lost += cap_cpu_stats_lost(&st);
	if (cap_cpu_stats_lost(&st))
		note_enough(b, i, &st);
	return cap_cpu_stats_tell(&st, i, to);
}

/* Bytes of whole pages in the part of a CPU, whatever became of the drain. */
static uint64_t whole_pages(const struct cap_buffers *b, uint32_t i)
{
	return b->cpu[i].src < 0 ? 0 : cap_io_whole(b->cpu[i].dst, b->page_size);
}

int cap_buffers_stop(struct cap_buffers *b, const struct cap_session *s, struct cap_sink to,
		     struct fcap_err *err)
{
	int r = 0, drained;

	if (!b->drain)
		return 0;
	drained = cap_drain_stop(b->drain, err);
	for (uint32_t i = 0; i < b->ncpu; i++) {
		const int counted = count_cpu(b, i, s, to);

		b->pages[i] = (struct cap_dat_cpu){ b->cpu[i].dst,
						    drained < 0
							    ? whole_pages(b, i)
							    : cap_drain_stat(b->drain, i)->bytes };
		b->bytes += b->pages[i].len;
		r = r < 0 ? r : counted;
	}
	if (drained == 0 && r < 0)
		return fcap_fail(err, -r, "cannot tell how many events were lost: %s",
				 strerror(-r));
	return drained;
}

static void look_at_cpu(const struct cap_buffers *b, uint32_t i, const struct cap_session *s,
			struct cap_buffers_now *now)
{
	struct cap_cpu_stats st;
	char file[64], *text;

	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", i);
	text = cap_session_read(s, file, NULL);
	if (!text)
		return;
	st = cap_cpu_stats_parse(text);
	free(text);
	now->events += st.read + st.entries;
	now->lost += cap_cpu_stats_lost(&st);
	now->bytes += whole_pages(b, i) + st.bytes;
	if (st.bytes > now->fill_bytes)
		now->fill_bytes = st.bytes;
}

struct cap_buffers_now cap_buffers_look(const struct cap_buffers *b, const struct cap_session *s)
{
	struct cap_buffers_now now = { 0 };

	for (uint32_t i = 0; b && i < b->ncpu; i++)
		if (b->cpu[i].src >= 0)
			look_at_cpu(b, i, s, &now);
	return now;
}

void cap_buffers_close(struct cap_buffers *b)
{
	if (!b)
		return;
	cap_drain_free(b->drain);
	for (uint32_t i = 0; i < b->ncpu; i++) {
		if (b->cpu[i].src >= 0)
			close(b->cpu[i].src);
		if (b->cpu[i].dst >= 0)
			close(b->cpu[i].dst);
		free(b->stats[i]);
	}
	free(b->pages);
	free(b->stats);
	free(b->cpu);
	free(b);
}
