/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builder's own parts: what builder.c gathers and builder_file.c writes out. */
#ifndef TESTS_LIB_BUILDER_INTERNAL_H
#define TESTS_LIB_BUILDER_INTERNAL_H

#include "tests/lib/builder.h"

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

/* Appends one record; its size is rounded up to 4 with zeros. */
void tb_append(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns, const void *data,
	       size_t size);

#endif
