/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads back the pages that marks.h wrote, as far as they are good. */
#ifndef CAP_MARKS_READ_H
#define CAP_MARKS_READ_H

#include "capture/marks.h"

/* Takes one line without its newline, which it may change. 0, or negative errno. */
typedef int (*cap_mark_fn)(void *ctx, char *text);

struct cap_marks_found {
	uint64_t bytes;	  /* of the whole, good pages at the beginning of the file */
	uint64_t lines;	  /* in them */
	uint64_t last_ns; /* stamp of the last; 0: none */
};

/*
 * Hands all lines to fn, up to the first page that is cut off or damaged. 0; read errors; fn's
 * error, with which it ends; -ENOMEM.
 */
int cap_marks_read(int fd, const struct cap_marks_layout *layout, cap_mark_fn fn, void *ctx,
		   struct cap_marks_found *ret);

#endif
