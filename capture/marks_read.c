// SPDX-License-Identifier: GPL-3.0-or-later
/* Pages of ftrace print records -> marker lines. */
#include "capture/marks_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/marks_pages.h"

struct page {
	const struct cap_marks_layout *at;
	unsigned char *data; /* behind the page's header */
	size_t used, pos;
	uint64_t now_ns;
};

/* The next line of a page, whose newline is cut off. 1; 0: none left; -EBADMSG: damaged. */
static int next_line(struct page *p, char **ret)
{
	for (;;) {
		const size_t left = p->used - p->pos;
		unsigned char *entry = p->data + p->pos;
		uint32_t type, delta, size;
		size_t head = 4;

		if (left == 0)
			return 0;
		if (left < 8)
			return -EBADMSG;
		cap_page_split(cap_page_word(entry), &type, &delta);
		if (type == CAP_TYPE_TIME_EXTEND) {
			p->now_ns += delta + ((uint64_t)cap_page_word(entry + 4) << CAP_DELTA_BITS);
			p->pos += 8;
			continue;
		}
		size = type ? type * 4 : cap_page_word(entry + 4) - 4;
		head += type ? 0 : 4;
		if (type > CAP_TYPE_LEN_MAX || left < head || size > left - head ||
		    size < p->at->text_at + 2 || size % 4)
			return -EBADMSG;
		p->now_ns += delta;
		p->pos += head + size;
		entry[head + size - 1] = '\0';
		*ret = (char *)entry + head + p->at->text_at;
		(*ret)[strcspn(*ret, "\n")] = '\0';
		return 1;
	}
}

/* All lines of one page; the first pass only looks whether it is good. */
static int read_page(unsigned char *data, const struct cap_marks_layout *at, cap_mark_fn fn,
		     void *ctx, struct cap_marks_found *found)
{
	struct page p = { at, data + at->data_at, 0, 0, cap_page_number(data, 8) };
	uint64_t lines = 0;
	char *text;
	int r;

	p.used = cap_page_number(data + at->commit_at, at->commit_size);
	if (p.used == 0 || p.used > at->page_size - at->data_at)
		return -EBADMSG;
	while ((r = next_line(&p, &text)) > 0)
		lines++;
	if (r < 0)
		return r;
	found->lines += lines;
	found->last_ns = p.now_ns;
	found->bytes += at->page_size;
	p.pos = 0;
	while (r == 0 && next_line(&p, &text) > 0)
		r = fn(ctx, text);
	return r;
}

int cap_marks_read(int fd, const struct cap_marks_layout *layout, cap_mark_fn fn, void *ctx,
		   struct cap_marks_found *ret)
{
	const uint64_t bytes = cap_io_whole(fd, layout->page_size);
	unsigned char *data = malloc(layout->page_size);
	int r = data ? 0 : -ENOMEM;

	*ret = (struct cap_marks_found){ 0 };
	while (r == 0 && ret->bytes < bytes) {
		const ssize_t n = pread(fd, data, layout->page_size, (off_t)ret->bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)layout->page_size) {
			r = n < 0 ? -errno : 0;
			break;
		}
		r = read_page(data, layout, fn, ctx, ret);
		/* a kill may have caught us at the last page */
		if (r == -EBADMSG) {
			r = 0;
			break;
		}
	}
	free(data);
	return r;
}
