/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages as trace.dat holds them compressed: for each CPU the number of chunks, then the chunks,
 * each behind its two sizes. Several threads compress, one writes, in order: the bytes do not
 * depend on the number of threads. Memory depends on that number alone.
 */
#ifndef CAP_CHUNKS_H
#define CAP_CHUNKS_H

#include <stdint.h>

#include "capture/packing.h"
#include "capture/tracedat_write.h"

struct cap_chunks {
	struct cap_packing packing;
	uint32_t page_size;
	uint32_t ncpu;
	const struct cap_dat_cpu *cpu; /* ncpu; borrowed for the call */
};

/* Where the data of a CPU lie in the file; len 0: it has none. */
struct cap_chunks_place {
	uint64_t offset, len;
};

/*
 * Packs data as one chunk: an allocated *ret of *ret_len bytes, sizes included, for the caller to
 * free. 0, or -ENOMEM.
 */
int cap_chunks_pack(const void *data, uint32_t len, int level, unsigned char **ret,
		    size_t *ret_len);

/*
 * Writes the pages of all CPUs that have some to fd from *at on, each at a multiple of the page
 * size; *at is then the end, and place (ncpu) tells where they are. 0; -EIO when a page file is
 * shorter than told; other negative errno.
 */
int cap_chunks_write(int fd, uint64_t *at, const struct cap_chunks *c,
		     struct cap_chunks_place *place);

#endif
