/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ring-buffer pages of one CPU in order, in two windows of 32 KiB (or one decompressed chunk)
 * that take turns: memory does not grow with the file, and a page outlives the window it is in.
 */
#ifndef FAN_TRACE_PAGES_H
#define FAN_TRACE_PAGES_H

#include "analyze/trace/file.h"

struct fan_inflate;
struct fan_pages;

/*
 * file stays the caller's; cpu is an index into its buffer's cpus. All that are open share what
 * decompresses, *z: NULL at first, made when it is needed, the caller's to free when all are
 * closed. 0 or negative errno.
 */
int fan_pages_open(struct fan_pages **ret, const struct fan_file *file, size_t buffer, size_t cpu,
		   struct fan_inflate **z, struct fcap_err *err);

/*
 * 1: *ret is the next page, page_size bytes, valid until the second window behind its own is
 * loaded; 0: no more pages; negative errno: read error or damaged data.
 */
int fan_pages_next(struct fan_pages *p, const char **ret, struct fcap_err *err);

/* Where in the file the page lies that was handed out last, or the chunk that it came in. */
uint64_t fan_pages_place(const struct fan_pages *p);

/* The next call of fan_pages_next() loads a window. */
bool fan_pages_loads_next(const struct fan_pages *p);

void fan_pages_close(struct fan_pages *p);

#endif
