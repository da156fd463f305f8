// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/sink.h"

#include <errno.h>

#include "analyze/report/utf8.h"

static const char hex[] = "0123456789ABCDEF";

void fan_sink_pass(struct fan_sink *s)
{
	if (s->n)
		fwrite_unlocked(s->bytes, 1, s->n, s->f);
	s->n = 0;
}

int fan_sink_state(const struct fan_sink *s)
{
	if (!ferror_unlocked(s->f))
		return 0;
	return errno > 0 ? -errno : -EIO;
}

int fan_sink_flush(struct fan_sink *s)
{
	fan_sink_pass(s);
	fflush(s->f);
	return fan_sink_state(s);
}

void fan_sink_many_bytes(struct fan_sink *s, const char *bytes, size_t n)
{
	while (n > sizeof(s->bytes) - s->n) {
		const size_t part = sizeof(s->bytes) - s->n;

		memcpy(s->bytes + s->n, bytes, part);
		s->n += part;
		bytes += part;
		n -= part;
		fan_sink_pass(s);
	}
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

void fan_sink_u64(struct fan_sink *s, uint64_t v, unsigned int width)
{
	char digits[20], *const end = digits + sizeof(digits), *at = end;

	do
		*--at = (char)('0' + v % 10);
	while (v /= 10);
	while (end - at < (ptrdiff_t)width)
		*--at = '0';
	fan_sink_bytes(s, at, (size_t)(end - at));
}

void fan_sink_hex(struct fan_sink *s, unsigned char byte)
{
	const char text[] = { '\\', 'x', hex[byte >> 4], hex[byte & 15] };

	fan_sink_bytes(s, text, sizeof(text));
}

void fan_sink_real(struct fan_sink *s, double v)
{
	char text[32];
	const int n = snprintf(text, sizeof(text), "%.17g", v);

	if (n > 0 && (size_t)n < sizeof(text))
		fan_sink_bytes(s, text, (size_t)n);
}

static void put_unit(struct fan_sink *s, uint32_t unit)
{
	const char text[] = {
		'\\',	       'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15], hex[unit >> 4 & 15],
		hex[unit & 15]
	};

	fan_sink_bytes(s, text, sizeof(text));
}

/* One UTF-8 character of len bytes as \uHHHH, or as two of them. */
static void put_code_point(struct fan_sink *s, const unsigned char *p, size_t len)
{
	uint32_t c = len == 2 ? p[0] & 0x1Fu : len == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (p[i] & 0x3Fu);
	if (c < 0x10000) {
		put_unit(s, c);
		return;
	}
	put_unit(s, 0xD800 + ((c - 0x10000) >> 10));
	put_unit(s, 0xDC00 + ((c - 0x10000) & 0x3FF));
}

/* A byte that stands for itself or is no ASCII; returns the bytes of it. */
static size_t put_other(struct fan_sink *s, const unsigned char *p)
{
	const size_t len = fan_utf8_length(p);

	if (len > 1)
		put_code_point(s, p, len);
	else if (len == 0)
		put_unit(s, 0xFFFD);
	else if (*p == '"' || *p == '\\')
		fan_sink_bytes(s, (const char[]){ '\\', (char)*p }, 2);
	else
		put_unit(s, *p);
	return len ? len : 1;
}

void fan_sink_json(struct fan_sink *s, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	fan_sink_char(s, '"');
	while (*p) {
		if (*p >= ' ' && *p <= '~' && *p != '"' && *p != '\\')
			fan_sink_char(s, (char)*p++);
		else
			p += put_other(s, p);
	}
	fan_sink_char(s, '"');
}
