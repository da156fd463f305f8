/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decompression of one whole zstd frame whose uncompressed size is known. */
#ifndef FAN_TRACE_ZSTD_H
#define FAN_TRACE_ZSTD_H

#include <stddef.h>

struct fan_zstd; /* a context that is worth reusing from chunk to chunk */

struct fan_zstd *fan_zstd_new(void); /* NULL: no memory */
void fan_zstd_free(struct fan_zstd *z);

/* 0; -EINVAL if src is damaged or does not hold exactly dst_size bytes. */
int fan_zstd_decompress(struct fan_zstd *z, void *dst, size_t dst_size, const void *src,
			size_t src_size);

#endif
