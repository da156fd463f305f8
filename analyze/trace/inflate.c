// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/inflate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST /* src stays const */
#include <zlib.h>
#include <zstd.h>

#include "analyze/trace/helpers.h"

#define HELD_MAX  (1U << 30)
#define AHEAD_MAX (24U << 20)
#define HURRY_MAX (1U << 20) /* of one chunk */

struct codec {
	const char *name; /* as the file says it */
	void *(*open)(void);
	int (*run)(void *state, void *dst, uint32_t dst_size, const void *src, uint32_t src_size);
	void (*close)(void *state);
};

struct fan_inflate {
	const struct codec *codec;
	void *state;
	size_t held, ahead;
	struct fan_helpers *helpers;
};

static void *open_zstd(void)
{
	return ZSTD_createDCtx();
}

static int run_zstd(void *state, void *dst, uint32_t dst_size, const void *src, uint32_t src_size)
{
	const size_t n = ZSTD_decompressDCtx(state, dst, dst_size, src, src_size);

	return ZSTD_isError(n) || n != dst_size ? -EINVAL : 0;
}

static void close_zstd(void *state)
{
	ZSTD_freeDCtx(state);
}

static void *open_zlib(void)
{
	z_stream *s = calloc(1, sizeof(*s));

	if (s && inflateInit(s) != Z_OK) {
		free(s);
		return NULL;
	}
	return s;
}

static int run_zlib(void *state, void *dst, uint32_t dst_size, const void *src, uint32_t src_size)
{
	z_stream *s = state;

	if (inflateReset(s) != Z_OK)
		return -EINVAL;
	s->next_in = src;
	s->avail_in = src_size;
	s->next_out = dst;
	s->avail_out = dst_size;
	return inflate(s, Z_FINISH) == Z_STREAM_END && s->avail_in == 0 && s->avail_out == 0
		       ? 0
		       : -EINVAL;
}

static void close_zlib(void *state)
{
	inflateEnd(state);
	free(state);
}

static const struct codec codecs[] = {
	{ "zstd", open_zstd, run_zstd, close_zstd },
	{ "zlib", open_zlib, run_zlib, close_zlib },
};

static const struct codec *find(const char *compression)
{
	for (size_t i = 0; compression && i < sizeof(codecs) / sizeof(codecs[0]); i++)
		if (strcmp(codecs[i].name, compression) == 0)
			return &codecs[i];
	return NULL;
}

bool fan_inflate_knows(const char *compression)
{
	return find(compression) != NULL;
}

int fan_inflate_new(struct fan_inflate **ret, const char *compression)
{
	const struct codec *codec = find(compression);
	struct fan_inflate *z;

	if (!codec)
		return -EINVAL;
	z = calloc(1, sizeof(*z));
	if (!z)
		return -ENOMEM;
	z->codec = codec;
	z->state = codec->open();
	if (!z->state) {
		free(z);
		return -ENOMEM;
	}
	*ret = z;
	return 0;
}

void fan_inflate_free(struct fan_inflate *z)
{
	if (!z)
		return;
	fan_helpers_stop(z->helpers);
	z->codec->close(z->state);
	free(z);
}

bool fan_inflate_hold(struct fan_inflate *z, size_t n)
{
	if (n > HELD_MAX - z->held)
		return false;
	z->held += n;
	return true;
}

bool fan_inflate_may_hurry(struct fan_inflate *z, size_t n)
{
	if (!z->helpers || n > HURRY_MAX || n > AHEAD_MAX - z->ahead)
		return false;
	z->ahead += n;
	return true;
}

void fan_inflate_get_help(struct fan_inflate *z, unsigned int n)
{
	if (!z->helpers && n)
		z->helpers = fan_helpers_start(z->codec->name, n);
}

struct fan_helpers *fan_inflate_helpers(const struct fan_inflate *z)
{
	return z->helpers;
}

int fan_inflate(struct fan_inflate *z, void *dst, uint32_t dst_size, const void *src,
		uint32_t src_size)
{
	return z->codec->run(z->state, dst, dst_size, src, src_size);
}
