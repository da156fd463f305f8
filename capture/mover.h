/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves whole pages from a trace buffer to a file through a pipe: no copy in user space. */
#ifndef CAP_MOVER_H
#define CAP_MOVER_H

#include <stddef.h>
#include <stdint.h>

struct cap_mover {
	int in, out;	  /* the ends of the pipe; private, -1: none */
	size_t pipe_size; /* bytes that one splice can take at most */
	size_t page_size; /* bytes of a page (sub-buffer) of the sources */
	char *page;	  /* of pipe_size or more, for what cannot be spliced */
};

/* 0, or negative errno; to be closed in both cases. */
int cap_mover_open(struct cap_mover *m, size_t page_size);

/*
 * Moves the whole pages that src (nonblocking) has, up to about limit bytes, to the position of
 * dst. Bytes moved; 0: there are none; negative errno.
 */
int64_t cap_mover_move(struct cap_mover *m, int src, int dst, uint64_t limit);

/* Moves all the rest, with the pages that are only partly filled: nobody writes any more. */
int64_t cap_mover_flush(struct cap_mover *m, int src, int dst);

void cap_mover_close(struct cap_mover *m);

#endif
