// SPDX-License-Identifier: GPL-3.0-or-later
/* Records of x86_64 as a machine of another byte order or another size of long writes them. */
#include "tests/lib/builder_internal.h"

#include <stdlib.h>
#include <string.h>

#define COMMON_FIELDS 4

/* The format of the event that the record says it is; NULL: none of ours. */
static const struct event_format *find_format(uint16_t id)
{
	const struct event_format *e;
	size_t n;

	e = event_formats(&n);
	for (size_t i = 0; i < n; i++)
		if (e[i].id == id)
			return &e[i];
	return NULL;
}

/* A number of the record on x86_64, its sign kept. */
static uint64_t load(const unsigned char *from, size_t n, bool is_signed)
{
	uint64_t v = 0;

	memcpy(&v, from, n);
	return is_signed && n < 8 && v >> (8 * n - 1) ? v | UINT64_MAX << 8 * n : v;
}

/* What lies behind the fixed fields, texts, moves by as much as those become shorter. */
static void move_field(const struct tb *tb, unsigned char *to, const unsigned char *from,
		       const struct event_field *f, unsigned int shorter)
{
	uint64_t v;

	if (f->element <= 1) {
		memcpy(to + f->to, from + f->offset, f->to_size);
		return;
	}
	v = load(from + f->offset, f->size, f->is_signed);
	if (f->is_dynamic)
		v -= shorter;
	tb_store(tb, to + f->to, v, f->to_size);
}

unsigned char *tb_translate(const struct tb *tb, const void *data, size_t *size)
{
	struct event_field f[EVENT_FIELDS];
	const struct event_format *e;
	unsigned char *to = calloc(1, *size + 1);
	uint16_t id = 0;
	size_t n, end = 0, new_end = 0;

	tb_must(to, "out of memory");
	memcpy(to, data, *size);
	if (!tb->words.big_endian && tb->words.long_size == 8)
		return to;
	tb_must(*size >= 8, "a record without the common fields");
	memcpy(&id, data, sizeof(id));
	e = find_format(id);
	tb_must(e, "a record of an unknown event on another machine");
	n = event_format_fields(e, &tb->words, f);
	/* a record may end before its format does: what is missing stays out */
	while (n > COMMON_FIELDS && f[n - 1].offset + f[n - 1].size > *size)
		n--;
	if (n) {
		end = f[n - 1].offset + f[n - 1].size;
		new_end = f[n - 1].to + f[n - 1].to_size;
	}
	memset(to, 0, *size);
	memcpy(to + new_end, (const unsigned char *)data + end, *size - end);
	for (size_t i = 0; i < n; i++)
		move_field(tb, to, data, &f[i], (unsigned int)(end - new_end));
	*size -= end - new_end;
	return to;
}
