// SPDX-License-Identifier: GPL-3.0-or-later
/* Rings that are read only while tracing is off. */
#include "capture/trigger_ring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/mono.h"
#include "capture/trigger_page.h"

#define CHUNK_PAGES 256 /* that one write takes */

struct cap_ring {
	struct cap_session *session;
	const struct cap_marks_layout *at;
	uint32_t ncpu;
	int *src;		     /* by CPU; -1: none */
	struct cap_cpu_stats *empty; /* by CPU: its counts when its ring was last empty */
	struct cap_cpu_stats *full;  /* and when tracing was last switched off */
	uint64_t on_ns;
	unsigned char *chunk;
};

void cap_ring_reach_add(struct cap_ring_reach *r, const struct cap_cpu_stats *then,
			const struct cap_cpu_stats *now)
{
	if (now->overrun == then->overrun)
		return;
	r->has_overrun = true;
	if (now->oldest_ns + 1000 > r->from_ns)
		r->from_ns = now->oldest_ns + 1000;
}

static int open_cpu(struct cap_ring *r, uint32_t i, struct fcap_err *err)
{
	r->src[i] = cap_session_cpu_open(r->session, i);
	if (r->src[i] >= 0 || r->src[i] == -ENOENT) /* numbers may have holes */
		return 0;
	return fcap_fail(err, -r->src[i], "cannot open the trace buffer of CPU %u: %s%s", i,
			 strerror(-r->src[i]),
			 r->src[i] == -EMFILE ? "; raise the hard limit (ulimit -Hn)" : "");
}

static int alloc_ring(struct cap_ring *r)
{
	r->src = calloc(r->ncpu, sizeof(*r->src));
	r->empty = calloc(r->ncpu, sizeof(*r->empty));
	r->full = calloc(r->ncpu, sizeof(*r->full));
	r->chunk = malloc(CHUNK_PAGES * r->at->page_size);
	for (uint32_t i = 0; r->src && i < r->ncpu; i++)
		r->src[i] = -1;
	return r->src && r->empty && r->full && r->chunk ? 0 : -ENOMEM;
}

int cap_ring_open(struct cap_ring **ret, struct cap_session *s, const struct cap_marks_layout *at,
		  struct fcap_err *err)
{
	struct cap_ring *r = calloc(1, sizeof(*r));
	int code = 0;

	if (!r)
		return fcap_fail(err, ENOMEM, "out of memory");
	r->session = s;
	r->at = at;
	r->ncpu = cap_session_ncpu(s);
	if (alloc_ring(r) < 0) {
		cap_ring_close(r);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	for (uint32_t i = 0; i < r->ncpu && code == 0; i++)
		code = open_cpu(r, i, err);
	if (code < 0) {
		cap_ring_close(r);
		return code;
	}
	*ret = r;
	return 0;
}

uint32_t cap_ring_ncpu(const struct cap_ring *r)
{
	return r->ncpu;
}

int cap_ring_on(struct cap_ring *r, struct fcap_err *err)
{
	const int code = cap_session_on(r->session, err);

	r->on_ns = cap_mono_ns();
	return code;
}

static int look_at_cpu(const struct cap_ring *r, uint32_t i, struct cap_cpu_stats *ret)
{
	char file[64], *text;

	if (r->src[i] < 0)
		return 0;
	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", i);
	text = cap_session_read(r->session, file, NULL);
	if (!text)
		return -EIO;
	*ret = cap_cpu_stats_parse(text);
	free(text);
	return 0;
}

static int look_at_all(const struct cap_ring *r, struct cap_cpu_stats *ret, struct fcap_err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < r->ncpu && code == 0; i++)
		code = look_at_cpu(r, i, &ret[i]);
	return code < 0 ? fcap_fail(err, -code, "cannot tell how far the trace buffers go back: %s",
				    strerror(-code))
			: 0;
}

int cap_ring_off(struct cap_ring *r, struct cap_ring_reach *ret, struct fcap_err *err)
{
	struct cap_ring_reach reach = { .from_ns = r->on_ns };
	int code = cap_session_off(r->session, err);

	if (code == 0)
		code = look_at_all(r, r->full, err);
	if (code < 0)
		return code;
	for (uint32_t i = 0; i < r->ncpu; i++)
		cap_ring_reach_add(&reach, &r->empty[i], &r->full[i]);
	*ret = reach;
	return 0;
}

int cap_ring_tell_lost(const struct cap_ring *r, struct cap_sink to)
{
	int code = 0;

	for (uint32_t i = 0; i < r->ncpu && code == 0; i++) {
		const struct cap_cpu_stats *then = &r->empty[i], *now = &r->full[i];
		const struct cap_cpu_stats lost = {
			.commit_overrun = now->commit_overrun - then->commit_overrun,
			.dropped = now->dropped - then->dropped,
		};

		code = cap_cpu_stats_tell(&lost, i, to);
	}
	return code;
}

/* Reads one page. 1; 0: there are no more; negative errno. */
static int read_page(const struct cap_ring *r, int src, unsigned char *page)
{
	for (;;) {
		const ssize_t n = read(src, page, r->at->page_size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			return 0;
		memset(page + n, 0, r->at->page_size - (size_t)n);
		return 1;
	}
}

/* Fills the chunk with pages that have events. Their number; 0: there are no more. */
static int fill_chunk(const struct cap_ring *r, int src, uint64_t from_ns, uint64_t *events)
{
	int n = 0, code = 1;

	while (n < CHUNK_PAGES && code > 0) {
		unsigned char *page = r->chunk + (size_t)n * r->at->page_size;
		int64_t left;

		code = read_page(r, src, page);
		if (code <= 0)
			break;
		left = cap_page_cut(page, r->at, from_ns);
		if (left < 0)
			return (int)left;
		*events += (uint64_t)left;
		n += left > 0;
	}
	return code < 0 ? code : n;
}

static int save_cpu(const struct cap_ring *r, uint32_t i, uint64_t from_ns,
		    struct cap_ring_saved *to)
{
	struct cap_dat_cpu *pages = &to->pages[i];
	int n;

	while ((n = fill_chunk(r, r->src[i], from_ns, &to->events)) > 0) {
		const size_t len = (size_t)n * r->at->page_size;
		const int code = cap_io_write(pages->fd, r->chunk, len);

		if (code < 0)
			return code;
		pages->len += len;
		to->bytes += len;
	}
	return n;
}

static int make_parts(const struct cap_ring *r, struct cap_parts *parts, struct cap_ring_saved *to,
		      struct fcap_err *err)
{
	to->pages = calloc(r->ncpu, sizeof(*to->pages));
	if (!to->pages)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (uint32_t i = 0; i < r->ncpu; i++)
		to->pages[i].fd = -1;
	for (uint32_t i = 0; i < r->ncpu; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cpu%u", i);
		to->pages[i].fd = cap_parts_create(parts, name, err);
		if (to->pages[i].fd < 0)
			return to->pages[i].fd;
	}
	return 0;
}

int cap_ring_save(struct cap_ring *r, uint64_t from_ns, struct cap_parts *parts,
		  struct cap_ring_saved *ret, struct fcap_err *err)
{
	int code;

	*ret = (struct cap_ring_saved){ 0 };
	code = make_parts(r, parts, ret, err);
	if (code < 0)
		return code;
	for (uint32_t i = 0; i < r->ncpu && code == 0; i++)
		if (r->src[i] >= 0)
			code = save_cpu(r, i, from_ns, ret);
	if (code < 0)
		return fcap_fail(err, -code, "cannot store the trace: %s", strerror(-code));
	return look_at_all(r, r->empty, err);
}

void cap_ring_saved_clear(struct cap_ring_saved *s, uint32_t ncpu)
{
	for (uint32_t i = 0; s->pages && i < ncpu; i++)
		if (s->pages[i].fd >= 0)
			close(s->pages[i].fd);
	free(s->pages);
	*s = (struct cap_ring_saved){ 0 };
}

void cap_ring_close(struct cap_ring *r)
{
	if (!r)
		return;
	for (uint32_t i = 0; r->src && i < r->ncpu; i++)
		if (r->src[i] >= 0)
			close(r->src[i]);
	free(r->src);
	free(r->empty);
	free(r->full);
	free(r->chunk);
	free(r);
}
