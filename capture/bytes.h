/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that grow, to build the small sections of a file in memory; numbers in our own order. */
#ifndef CAP_BYTES_H
#define CAP_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. */
struct cap_bytes {
	unsigned char *data;
	size_t len, size;
	bool failed; /* out of memory: told once, at the end; nothing is added any more */
};

void cap_bytes_put(struct cap_bytes *b, const void *data, size_t len);
void cap_bytes_u16(struct cap_bytes *b, uint16_t v);
void cap_bytes_u32(struct cap_bytes *b, uint32_t v);
void cap_bytes_u64(struct cap_bytes *b, uint64_t v);
/* With its NUL. */
void cap_bytes_string(struct cap_bytes *b, const char *s);
void cap_bytes_clear(struct cap_bytes *b);

#endif
