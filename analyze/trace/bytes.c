// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int fan_pread(int fd, void *buf, size_t n, uint64_t offset)
{
	char *p = buf;

	while (n) {
		const ssize_t got = pread(fd, p, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ENODATA;
		p += got;
		n -= (size_t)got;
		offset += (uint64_t)got;
	}
	return 0;
}

int fan_bytes_skip(struct fan_bytes *b, uint64_t n)
{
	if (n > b->end - b->pos)
		return -ENODATA;
	b->pos += n;
	return 0;
}

int fan_bytes_get(struct fan_bytes *b, void *ret, size_t n)
{
	const uint64_t at = b->pos;
	int r;

	r = fan_bytes_skip(b, n);
	if (r < 0)
		return r;
	if (!b->mem)
		return fan_pread(b->fd, ret, n, at);
	memcpy(ret, b->mem + at, n);
	return 0;
}

int fan_bytes_u16(struct fan_bytes *b, uint16_t *ret)
{
	unsigned char raw[2];
	const int r = fan_bytes_get(b, raw, sizeof(raw));

	if (r == 0)
		*ret = fan_u16(raw, b->big_endian);
	return r;
}

int fan_bytes_u32(struct fan_bytes *b, uint32_t *ret)
{
	unsigned char raw[4];
	const int r = fan_bytes_get(b, raw, sizeof(raw));

	if (r == 0)
		*ret = fan_u32(raw, b->big_endian);
	return r;
}

int fan_bytes_u64(struct fan_bytes *b, uint64_t *ret)
{
	unsigned char raw[8];
	const int r = fan_bytes_get(b, raw, sizeof(raw));

	if (r == 0)
		*ret = fan_u64(raw, b->big_endian);
	return r;
}

int fan_bytes_blob(struct fan_bytes *b, uint64_t n, struct fan_blob *ret)
{
	char *data;
	int r;

	if (n > b->end - b->pos)
		return -ENODATA;
	data = malloc((size_t)n + 1);
	if (!data)
		return -ENOMEM;
	r = fan_bytes_get(b, data, (size_t)n);
	if (r < 0) {
		free(data);
		return r;
	}
	data[n] = '\0';
	free(ret->data);
	ret->data = data;
	ret->size = (size_t)n;
	return 0;
}

int fan_bytes_blob64(struct fan_bytes *b, struct fan_blob *ret)
{
	uint64_t size = 0;
	const int r = fan_bytes_u64(b, &size);

	return r < 0 ? r : fan_bytes_blob(b, size, ret);
}

int fan_bytes_string(struct fan_bytes *b, size_t max, char **ret)
{
	const uint64_t start = b->pos;
	struct fan_blob blob = { NULL, 0 };
	size_t len = 0;
	char c;
	int r;

	do {
		r = fan_bytes_get(b, &c, 1);
		if (r < 0)
			return r;
		if (++len > max)
			return -EINVAL;
	} while (c);
	b->pos = start;
	r = fan_bytes_blob(b, len, &blob);
	if (r == 0)
		*ret = blob.data;
	return r;
}
