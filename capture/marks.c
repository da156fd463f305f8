// SPDX-License-Identifier: GPL-3.0-or-later
/* Marker lines -> pages of ftrace print records. */
#include "capture/marks.h"

#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/io.h"
#include "capture/marks_pages.h"
#include "capture/mono.h"

#define SYNC_NS 100000000U /* lines wait so long for their page to fill */

struct cap_marks {
	struct cap_marks_layout at;
	pthread_mutex_t lock;
	unsigned char *page;
	size_t used; /* data bytes in page */
	uint64_t last_ns, bytes;
	uint64_t synced_ns; /* when the page under construction was last written as it was, */
	size_t synced;	    /* and its used bytes then */
	int fd, pid, error;
};

/* Finds "field:... NAME;" or "NAME[...];" and reads its offset and size. */
static int find_field(const char *format, const char *name, size_t *ret_at, size_t *ret_size)
{
	const size_t len = strlen(name);

	for (const char *p = format; (p = strstr(p, "field:"));) {
		const char *semi = strchr(p, ';');
		const char *end = semi;
		unsigned long at, size;

		if (!semi)
			return -EINVAL;
		if (end[-1] == ']')
			while (end > p && *--end != '[')
				;
		if ((size_t)(end - p) > len && memcmp(end - len, name, len) == 0 &&
		    (end[-(ptrdiff_t)len - 1] == ' ' || end[-(ptrdiff_t)len - 1] == '*')) {
			if (sscanf(semi, "; offset:%lu; size:%lu;", &at, &size) != 2)
				return -EINVAL;
			*ret_at = at;
			*ret_size = size;
			return 0;
		}
		p = semi;
	}
	return -ENOENT;
}

static bool is_word(size_t size)
{
	return size == 2 || size == 4 || size == 8;
}

/* A record must fit into a page with its header, and every field into the record. */
static bool is_sane(const struct cap_marks_layout *l)
{
	return l->page_size >= 4096 && l->page_size <= 1U << 24 && l->data_at <= 64 &&
	       (l->commit_size == 4 || l->commit_size == 8) && l->commit_at >= 8 &&
	       l->commit_at + l->commit_size <= l->data_at && is_word(l->type_size) &&
	       is_word(l->pid_size) && l->text_at <= 64 &&
	       l->type_at + l->type_size <= l->text_at && l->pid_at + l->pid_size <= l->text_at;
}

int cap_marks_layout_parse(const char *header_page, const char *print_format,
			   struct cap_marks_layout *ret, struct fcap_err *err)
{
	struct cap_marks_layout l = { 0 };
	const char *id = strstr(print_format, "ID:");
	size_t data_size, unused;
	unsigned int type;

	if (find_field(header_page, "commit", &l.commit_at, &l.commit_size) < 0 ||
	    find_field(header_page, "data", &l.data_at, &data_size) < 0)
		return fcap_fail(err, EINVAL,
				 "the kernel's events/header_page has no commit or data field; "
				 "this kernel is not supported");
	l.page_size = l.data_at + data_size;
	if (!id || sscanf(id, "ID: %u", &type) != 1 || type > UINT16_MAX ||
	    find_field(print_format, "common_type", &l.type_at, &l.type_size) < 0 ||
	    find_field(print_format, "common_pid", &l.pid_at, &l.pid_size) < 0 ||
	    find_field(print_format, "buf", &l.text_at, &unused) < 0)
		return fcap_fail(err, EINVAL,
				 "the kernel's format of ftrace:print lacks a field that markers "
				 "need; this kernel is not supported");
	l.type = (uint16_t)type;
	if (!is_sane(&l))
		return fcap_fail(err, EINVAL,
				 "the kernel's page header or print format is out of range; this "
				 "kernel is not supported");
	*ret = l;
	return 0;
}

int cap_marks_open_at(struct cap_marks **ret, const struct cap_marks_layout *layout, int fd,
		      int pid, uint64_t bytes)
{
	struct cap_marks *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	m->page = calloc(1, layout->page_size);
	if (!m->page) {
		free(m);
		return -ENOMEM;
	}
	m->at = *layout;
	m->fd = fd;
	m->pid = pid;
	m->bytes = bytes;
	pthread_mutex_init(&m->lock, NULL);
	*ret = m;
	return 0;
}

int cap_marks_open(struct cap_marks **ret, const struct cap_marks_layout *layout, int fd, int pid)
{
	return cap_marks_open_at(ret, layout, fd, pid, 0);
}

static void put_word(unsigned char *at, size_t size, uint64_t v)
{
	const uint16_t v2 = (uint16_t)v;
	const uint32_t v4 = (uint32_t)v;

	if (size == 2)
		memcpy(at, &v2, 2);
	else if (size == 4)
		memcpy(at, &v4, 4);
	else
		memcpy(at, &v, 8);
}

static void put_head(struct cap_marks *m, uint32_t type_len, uint32_t delta)
{
#if __BYTE_ORDER == __LITTLE_ENDIAN
	const uint32_t head = delta << 5 | type_len;
#else
	const uint32_t head = type_len << CAP_DELTA_BITS | delta;
#endif
	put_word(m->page + m->at.data_at + m->used, 4, head);
	m->used += 4;
}

/* Writes the page at its place, where it may be written again. */
static int put_page(struct cap_marks *m)
{
	put_word(m->page + m->at.commit_at, m->at.commit_size, m->used);
	m->synced_ns = m->last_ns;
	m->synced = m->used;
	return cap_io_write_at(m->fd, m->page, m->at.page_size, m->bytes);
}

static int write_page(struct cap_marks *m)
{
	const int r = put_page(m);

	if (r < 0)
		return r;
	m->bytes += m->at.page_size;
	memset(m->page, 0, m->at.page_size);
	m->used = m->synced = 0;
	return 0;
}

/* One print record; the page has room. The first record of a page carries the page's own time. */
static void put_record(struct cap_marks *m, uint64_t ts_ns, const char *text, size_t len)
{
	const size_t text_size = len + 2; /* newline and NUL, as the kernel ends a line */
	const size_t size = (m->at.text_at + text_size + 3) & ~(size_t)3;
	uint64_t delta = 0;
	unsigned char *p;

	if (m->used == 0)
		put_word(m->page, 8, ts_ns);
	else
		delta = ts_ns - m->last_ns;
	if (delta >> CAP_DELTA_BITS) {
		put_head(m, CAP_TYPE_TIME_EXTEND, (uint32_t)(delta & ((1U << CAP_DELTA_BITS) - 1)));
		put_word(m->page + m->at.data_at + m->used, 4, delta >> CAP_DELTA_BITS);
		m->used += 4;
		delta = 0;
	}
	if (size / 4 <= CAP_TYPE_LEN_MAX) {
		put_head(m, (uint32_t)(size / 4), (uint32_t)delta);
	} else {
		put_head(m, 0, (uint32_t)delta);
		put_word(m->page + m->at.data_at + m->used, 4, size + 4);
		m->used += 4;
	}
	p = m->page + m->at.data_at + m->used;
	put_word(p + m->at.type_at, m->at.type_size, m->at.type);
	put_word(p + m->at.pid_at, m->at.pid_size, (uint64_t)m->pid);
	memcpy(p + m->at.text_at, text, len);
	p[m->at.text_at + len] = '\n';
	m->used += size;
	m->last_ns = ts_ns;
}

static int append_locked(struct cap_marks *m, uint64_t ts_ns, const char *text)
{
	const size_t len = strlen(text);
	const size_t room = m->at.page_size - m->at.data_at;
	/* time extend, record header, long length */
	const size_t need = 8 + 4 + 4 + m->at.text_at + ((len + 2 + 3) & ~(size_t)3) + 4;

	if (m->error)
		return m->error;
	if (need > room)
		return -EMSGSIZE;
	if (ts_ns < m->last_ns)
		ts_ns = m->last_ns;
	if (m->used + need > room)
		m->error = write_page(m);
	if (!m->error)
		put_record(m, ts_ns, text, len);
	/* who recovers the parts of a killed recording shall find what was said up to now */
	if (!m->error && m->last_ns - m->synced_ns > SYNC_NS)
		m->error = put_page(m);
	return m->error;
}

int cap_marks_append_at(struct cap_marks *m, uint64_t ts_ns, const char *text)
{
	int r;

	pthread_mutex_lock(&m->lock);
	r = append_locked(m, ts_ns, text);
	pthread_mutex_unlock(&m->lock);
	return r;
}

int cap_marks_append(struct cap_marks *m, const char *text)
{
	int r;

	pthread_mutex_lock(&m->lock);
	/* under the lock, so that stamps rise in file order */
	r = append_locked(m, cap_mono_ns(), text);
	pthread_mutex_unlock(&m->lock);
	return r;
}

int cap_marks_flush(struct cap_marks *m)
{
	int r;

	pthread_mutex_lock(&m->lock);
	if (!m->error && m->used)
		m->error = write_page(m);
	r = m->error;
	pthread_mutex_unlock(&m->lock);
	return r;
}

int cap_marks_sync(struct cap_marks *m)
{
	int r;

	pthread_mutex_lock(&m->lock);
	if (!m->error && m->used != m->synced)
		m->error = put_page(m);
	r = m->error;
	pthread_mutex_unlock(&m->lock);
	return r;
}

uint64_t cap_marks_bytes(const struct cap_marks *m)
{
	return m->bytes;
}

void cap_marks_close(struct cap_marks *m)
{
	if (!m)
		return;
	pthread_mutex_destroy(&m->lock);
	free(m->page);
	free(m);
}
