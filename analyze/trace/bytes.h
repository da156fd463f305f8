/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounded reading of numbers, strings and blobs in the file's byte order, from a stretch of a
 * file or of memory. Every read is checked against the end of the stretch.
 */
#ifndef FAN_TRACE_BYTES_H
#define FAN_TRACE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fan_blob {
	char *data; /* NUL-terminated behind size bytes */
	size_t size;
};

struct fan_bytes {
	int fd;		 /* used when mem is NULL */
	const char *mem; /* borrowed */
	uint64_t pos, end;
	bool big_endian;
};

static inline uint16_t fan_u16(const void *p, bool big_endian)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? __builtin_bswap16(v) : v;
}

static inline uint32_t fan_u32(const void *p, bool big_endian)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? __builtin_bswap32(v) : v;
}

static inline uint64_t fan_u64(const void *p, bool big_endian)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return big_endian ? __builtin_bswap64(v) : v;
}

/* pread until n bytes are there. 0; -ENODATA at the end of the file; another negative errno. */
int fan_pread(int fd, void *buf, size_t n, uint64_t offset);

/* All: 0; -ENODATA if the stretch ends first; negative errno of the read. */
int fan_bytes_get(struct fan_bytes *b, void *ret, size_t n);
int fan_bytes_skip(struct fan_bytes *b, uint64_t n);
int fan_bytes_u16(struct fan_bytes *b, uint16_t *ret);
int fan_bytes_u32(struct fan_bytes *b, uint32_t *ret);
int fan_bytes_u64(struct fan_bytes *b, uint64_t *ret);

/*
 * A blob of n bytes, NUL added; what ret held before is freed. free(ret->data). -ENOMEM, or as
 * above.
 */
int fan_bytes_blob(struct fan_bytes *b, uint64_t n, struct fan_blob *ret);

/* The same, its size first as a 64-bit number. */
int fan_bytes_blob64(struct fan_bytes *b, struct fan_blob *ret);

/* A NUL-terminated string of at most max bytes; free(*ret). -EINVAL if longer, or as above. */
int fan_bytes_string(struct fan_bytes *b, size_t max, char **ret);

#endif
