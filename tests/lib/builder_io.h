/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The builder's output: numbers in the file's byte order and texts to a FILE, FILEs in memory. */
#ifndef TESTS_LIB_BUILDER_IO_H
#define TESTS_LIB_BUILDER_IO_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "tests/lib/builder_internal.h"

enum option {
	OPT_DONE = 0,
	OPT_BUFFER = 3,
	OPT_CLOCK = 4,
	OPT_UNAME = 5,
	OPT_CPUS = 8,
	OPT_VERSION = 9,
	OPT_TRACEID = 11
};

static inline void put_bytes(FILE *f, const void *data, size_t len)
{
	if (len)
		fwrite(data, 1, len, f); /* failures stay in ferror(f), asked for at the end */
}

/* The lowest n bytes of a number. */
static inline void put_number(const struct tb *tb, FILE *f, uint64_t v, size_t n)
{
	unsigned char raw[8];

	tb_store(tb, raw, v, n);
	put_bytes(f, raw, n);
}

static inline void put_u16(const struct tb *tb, FILE *f, uint16_t v)
{
	put_number(tb, f, v, sizeof(v));
}

static inline void put_u32(const struct tb *tb, FILE *f, uint32_t v)
{
	put_number(tb, f, v, sizeof(v));
}

static inline void put_u64(const struct tb *tb, FILE *f, uint64_t v)
{
	put_number(tb, f, v, sizeof(v));
}

static inline void put_string(FILE *f, const char *s)
{
	put_bytes(f, s, strlen(s) + 1);
}

static inline uint64_t position(FILE *f)
{
	const off_t pos = ftello(f);

	tb_must(pos >= 0, "file without position");
	return (uint64_t)pos;
}

static inline void patch_u64(const struct tb *tb, FILE *f, uint64_t at, uint64_t v)
{
	tb_must(fseeko(f, (off_t)at, SEEK_SET) == 0, "cannot seek");
	put_u64(tb, f, v);
	tb_must(fseeko(f, 0, SEEK_END) == 0, "cannot seek");
}

static inline void pad_to(FILE *f, uint64_t align)
{
	while (position(f) % align)
		fputc(0, f);
}

/* A FILE in memory, for texts whose size goes before them. */
struct memory {
	FILE *f;
	char *data;
	size_t size;
};

static inline void memory_open(struct memory *m)
{
	m->f = open_memstream(&m->data, &m->size);
	tb_must(m->f, "out of memory");
}

static inline void memory_close(struct memory *m)
{
	tb_must(fclose(m->f) == 0, "out of memory");
}

static inline void put_option(const struct tb *tb, FILE *f, enum option id, const void *data,
			      size_t len)
{
	put_u16(tb, f, (uint16_t)id);
	put_u32(tb, f, (uint32_t)len);
	put_bytes(f, data, len);
}

/* One whose value is a number of n bytes. */
static inline void put_option_number(const struct tb *tb, FILE *f, enum option id, uint64_t v,
				     size_t n)
{
	unsigned char raw[8];

	tb_store(tb, raw, v, n);
	put_option(tb, f, id, raw, n);
}

/* The contents of sections, the same in both versions; builder_text.c. */
void tb_put_headers(const struct tb *tb, FILE *f);
void tb_put_ftrace(const struct tb *tb, FILE *f);
void tb_put_events(const struct tb *tb, FILE *f);
void tb_put_cmdlines(const struct tb *tb, FILE *f);
/* All options but those of buffers and sections. */
void tb_put_options(const struct tb *tb, FILE *f);

#endif
