// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/bytes.h"

#include <stdlib.h>
#include <string.h>

void cap_bytes_put(struct cap_bytes *b, const void *data, size_t len)
{
	if (b->failed)
		return;
	if (len > b->size - b->len) {
		const size_t size = (b->len + len) * 2;
		unsigned char *bigger = realloc(b->data, size);

		if (!bigger) {
			b->failed = true;
			return;
		}
		b->data = bigger;
		b->size = size;
	}
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
}

void cap_bytes_u16(struct cap_bytes *b, uint16_t v)
{
	cap_bytes_put(b, &v, sizeof(v));
}

void cap_bytes_u32(struct cap_bytes *b, uint32_t v)
{
	cap_bytes_put(b, &v, sizeof(v));
}

void cap_bytes_u64(struct cap_bytes *b, uint64_t v)
{
	cap_bytes_put(b, &v, sizeof(v));
}

void cap_bytes_string(struct cap_bytes *b, const char *s)
{
	cap_bytes_put(b, s, strlen(s) + 1);
}

void cap_bytes_clear(struct cap_bytes *b)
{
	free(b->data);
	*b = (struct cap_bytes){ 0 };
}
