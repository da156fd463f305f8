/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How entries lie in a page of the ring buffer: what writers and readers of pages share. */
#ifndef CAP_MARKS_PAGES_H
#define CAP_MARKS_PAGES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* kinds of ring-buffer entries, from events/header_event */
#define CAP_TYPE_LEN_MAX     28U
#define CAP_TYPE_PADDING     29U
#define CAP_TYPE_TIME_EXTEND 30U
#define CAP_TYPE_TIME_STAMP  31U
#define CAP_DELTA_BITS	     27

/* of the page header's count of used bytes; above it stand marks that events are missing */
#define CAP_COMMIT_MASK ((1U << CAP_DELTA_BITS) - 1)

static inline uint32_t cap_page_word(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Of 4 bytes, or of 8. */
static inline uint64_t cap_page_number(const unsigned char *p, size_t size)
{
	uint64_t v;

	if (size == 4)
		return cap_page_word(p);
	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void cap_page_split(uint32_t head, uint32_t *ret_type, uint32_t *ret_delta)
{
#if __BYTE_ORDER == __LITTLE_ENDIAN
	*ret_type = head & 31;
	*ret_delta = head >> 5;
#else
	*ret_type = head >> CAP_DELTA_BITS;
	*ret_delta = head & ((1U << CAP_DELTA_BITS) - 1);
#endif
}

#endif
