// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/zstd.h"

#include <errno.h>
#include <stdlib.h>

#include <zstd.h>

struct fan_zstd {
	ZSTD_DCtx *ctx;
};

struct fan_zstd *fan_zstd_new(void)
{
	struct fan_zstd *z = malloc(sizeof(*z));

	if (!z)
		return NULL;
	z->ctx = ZSTD_createDCtx();
	if (!z->ctx) {
		free(z);
		return NULL;
	}
	return z;
}

void fan_zstd_free(struct fan_zstd *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->ctx);
	free(z);
}

int fan_zstd_decompress(struct fan_zstd *z, void *dst, size_t dst_size, const void *src,
			size_t src_size)
{
	const size_t n = ZSTD_decompressDCtx(z->ctx, dst, dst_size, src, src_size);

	return ZSTD_isError(n) || n != dst_size ? -EINVAL : 0;
}
