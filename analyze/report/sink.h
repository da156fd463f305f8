/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in small pieces on its way to a stream, a few KiB at a time: a number or a word costs less
 * than the call of a function of stdio would.
 */
#ifndef FAN_REPORT_SINK_H
#define FAN_REPORT_SINK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct fan_sink {
	FILE *f; /* the caller's; errors stay with it */
	size_t n;
	char bytes[4096];
};

/* Hands over what is kept so far. */
void fan_sink_pass(struct fan_sink *s);

/* Hands over all of it, down to the file. 0 or the negative errno of a write, be it long ago. */
int fan_sink_flush(struct fan_sink *s);

/* 0, or the negative errno of a write so far; only what was handed over was written. */
int fan_sink_state(const struct fan_sink *s);

/* The same where there is no room for all of it. */
void fan_sink_many_bytes(struct fan_sink *s, const char *bytes, size_t n);

static inline void fan_sink_bytes(struct fan_sink *s, const char *bytes, size_t n)
{
	if (n > sizeof(s->bytes) - s->n) {
		fan_sink_many_bytes(s, bytes, n);
		return;
	}
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static inline void fan_sink_char(struct fan_sink *s, char c)
{
	if (s->n == sizeof(s->bytes))
		fan_sink_pass(s);
	s->bytes[s->n++] = c;
}

static inline void fan_sink_text(struct fan_sink *s, const char *text)
{
	fan_sink_bytes(s, text, strlen(text));
}

/* In decimal, with zeros in front up to this width. */
void fan_sink_u64(struct fan_sink *s, uint64_t v, unsigned int width);

/* As \xHH. */
void fan_sink_hex(struct fan_sink *s, unsigned char byte);

/* %.17g of a finite number. */
void fan_sink_real(struct fan_sink *s, double v);

/* A JSON string with its quotes, in ASCII; bytes that are no UTF-8 become U+FFFD. */
void fan_sink_json(struct fan_sink *s, const char *text);

#endif
