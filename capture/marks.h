/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text lines become ring-buffer pages of ftrace "print" records, stamped CLOCK_MONOTONIC (the
 * trace clock "mono"). Pages go to a file as they fill, and ten times a second as they are; one
 * thread after the other may append.
 */
#ifndef CAP_MARKS_H
#define CAP_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "fcap/err.h"

/* Where things lie in a page and in a print record of this kernel. Offsets and sizes in bytes. */
struct cap_marks_layout {
	size_t page_size;   /* header and data */
	size_t commit_at;   /* the page header's count of used data bytes */
	size_t commit_size; /* 4 or 8 */
	size_t data_at;	    /* first data byte */
	size_t type_at, type_size;
	size_t pid_at, pid_size;
	size_t text_at;
	uint16_t type; /* ID of ftrace:print */
};

/*
 * Reads the layout from the texts of events/header_page and events/ftrace/print/format.
 * 0, or -EINVAL with a sentence when a needed field is missing.
 */
int cap_marks_layout_parse(const char *header_page, const char *print_format,
			   struct cap_marks_layout *ret, struct fcap_err *err);

struct cap_marks;

/* Pages go to the beginning of fd, which stays the caller's. common_pid of every record is pid. 0,
 * or -ENOMEM. */
int cap_marks_open(struct cap_marks **ret, const struct cap_marks_layout *layout, int fd, int pid);

/* The same behind this many bytes of whole pages, which are in fd already. */
int cap_marks_open_at(struct cap_marks **ret, const struct cap_marks_layout *layout, int fd,
		      int pid, uint64_t bytes);

/* Appends text (a newline is added), stamped now. 0; -EMSGSIZE: no page holds it; write errors,
 * which stick. */
int cap_marks_append(struct cap_marks *m, const char *text);

/* The same with the stamp given: never earlier than the last one. */
int cap_marks_append_at(struct cap_marks *m, uint64_t ts_ns, const char *text);

/* Writes the page under construction as it is: it grows on. 0, or the first error so far. */
int cap_marks_sync(struct cap_marks *m);

/* Writes and ends the page under construction. 0, or the first error of all appends. */
int cap_marks_flush(struct cap_marks *m);

/* Bytes of the pages that are full or ended. */
uint64_t cap_marks_bytes(const struct cap_marks *m);
void cap_marks_close(struct cap_marks *m);

#endif
