/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builder's own parts: what builder.c gathers and builder_file.c writes out. */
#ifndef TESTS_LIB_BUILDER_INTERNAL_H
#define TESTS_LIB_BUILDER_INTERNAL_H

#include "tests/lib/builder.h"
#include "tests/lib/formats.h"

/* tids below this get a line of the saved command lines */
#define TB_COMMS 65536

/* The pages of one CPU of one buffer; the last one is open. */
struct tb_lane {
	unsigned char *data;
	size_t size, room;
	size_t used;	     /* payload bytes in the open page */
	unsigned int events; /* in the open page */
	uint64_t last_ns;
	int64_t missed;	     /* mark of the open page */
	int64_t next_missed; /* mark of the page that the next record begins; 0: none */
	bool next_absolute;
};

struct tb_bytes {
	unsigned char *data;
	size_t size;
};

struct tb_opt {
	uint16_t id;
	struct tb_bytes value;
};

struct tb {
	int ncpu, version, cpu_count;
	enum tb_compression compression;
	struct event_words words;
	bool without_options;
	uint32_t page_size;
	unsigned int events_per_page, pages_per_chunk;
	char *clock, *kernel, *cmdlines;
	char (*comms)[16];     /* TB_COMMS; empty: not seen */
	struct tb_lane *lanes; /* of the main buffer */
	struct tb_lane *marks; /* of the buffer "fcap", all but the first stay empty */
	bool *without;	       /* by row of event_formats() */
	struct tb_opt *opts;
	size_t nopts;
};

/* Aborts the test with this message unless ok. */
void tb_must(bool ok, const char *message);

/* The lowest n bytes of a number in the file's byte order. */
static inline void tb_store(const struct tb *tb, unsigned char *to, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[tb->words.big_endian ? n - 1 - i : i] = (unsigned char)(v >> 8 * i);
}

/*
 * A record as the machine of the file has it, to be freed: byte order, and what is of the size of a
 * long. data is laid out as on x86_64. *size is changed.
 */
unsigned char *tb_translate(const struct tb *tb, const void *data, size_t *size);

/* Appends one record, laid out as on x86_64; its size is rounded up to 4 with zeros. */
void tb_append(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns, const void *data,
	       size_t size);

#endif
