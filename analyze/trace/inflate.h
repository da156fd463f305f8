/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decompression of one whole zstd frame or zlib stream whose uncompressed size is known, as
 * trace-cmd makes one of each chunk of pages and of each compressed section.
 */
#ifndef FAN_TRACE_INFLATE_H
#define FAN_TRACE_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fan_inflate; /* a state that is worth reusing from chunk to chunk */

/* True for the names that a file may give its compression and that can be read: zstd, zlib. */
bool fan_inflate_knows(const char *compression);

/* -EINVAL: the name is NULL or not known; -ENOMEM. */
int fan_inflate_new(struct fan_inflate **ret, const char *compression);
void fan_inflate_free(struct fan_inflate *z);

/*
 * Before n bytes more of memory are kept for what is inflated. False: it would be over 1 GiB, which
 * 512 CPUs with chunks of a MiB do not reach: a few KiB of file can be made to unzip to that.
 */
bool fan_inflate_hold(struct fan_inflate *z, size_t n);

/*
 * The same for n bytes of a chunk that is inflated before it is needed. False: there is nobody to
 * do it, or it would be over 24 MiB, or a chunk above 1 MiB: then it has to wait for its turn.
 */
bool fan_inflate_may_hurry(struct fan_inflate *z, size_t n);

struct fan_job;
struct fan_helpers;

/* Has up to n threads inflate chunks ahead. Without memory or threads for it nobody does. */
void fan_inflate_get_help(struct fan_inflate *z, unsigned int n);

/* Borrowed; NULL: nobody helps. */
struct fan_helpers *fan_inflate_helpers(const struct fan_inflate *z);

/*
 * 0; -EINVAL if src is damaged, or does not hold exactly dst_size bytes, or is longer than what
 * holds them. Never writes more than dst_size.
 */
int fan_inflate(struct fan_inflate *z, void *dst, uint32_t dst_size, const void *src,
		uint32_t src_size);

#endif
