// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a trace.dat around the builder's pages: versions 6 and 7. */
#include "tests/lib/builder_io.h"

#include <errno.h>
#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

enum section {
	SEC_OPTIONS = 0,
	SEC_BUFFER = 3,
	SEC_STRINGS = 15,
	SEC_HEADERS = 16,
	SEC_FTRACE = 17,
	SEC_EVENTS = 18,
	SEC_KALLSYMS = 19,
	SEC_PRINTK = 20,
	SEC_CMDLINES = 21,
	SECTIONS = 22,
};

#define FLAG_COMPRESSED 1
#define MARKS_NAME	"fcap"

/* A file being written. Positions to be known later are written as 0 and patched. */
struct out {
	FILE *f;
	const struct tb *tb;
	uint64_t section[SECTIONS]; /* where each began; version 7 */
	FILE *strings;
};

/* the compressions as the file names them */
static const struct {
	const char *name, *version;
} packers[] = {
	[TB_PLAIN] = { "none", "" },
	[TB_ZSTD] = { "zstd", "1.5.4" },
	[TB_ZLIB] = { "zlib", "1.2.13" },
};

static void put_empty(const struct tb *tb, FILE *f)
{
	put_u32(tb, f, 0);
}

static void put_start(const struct tb *tb, FILE *f)
{
	put_bytes(f, "\x17\x08\x44tracing", 10);
	put_string(f, tb->version == 6 ? "6" : "7");
	fputc(tb->words.big_endian ? 1 : 0, f);
	fputc((int)tb->words.long_size, f);
	put_u32(tb, f, tb->page_size);
}

/* "flyrecord", the table of the CPUs' pages, the clock, the pages. */
static void put_buffer_v6(const struct tb *tb, const struct tb_lane *lanes, FILE *f)
{
	/* the option counts, not the head; those that it has more were never there */
	const int n = tb->cpu_count > tb->ncpu ? tb->cpu_count : tb->ncpu;
	uint64_t table;

	put_string(f, "flyrecord");
	table = position(f);
	for (int c = 0; c < n; c++) {
		put_u64(tb, f, 0);
		put_u64(tb, f, c < tb->ncpu ? lanes[c].size : 0);
	}
	if (tb->clock) {
		put_u64(tb, f, strlen(tb->clock) + 2);
		fprintf(f, "[%s]", tb->clock);
	}
	for (int c = 0; c < tb->ncpu; c++) {
		pad_to(f, tb->page_size);
		patch_u64(tb, f, table + 16 * (uint64_t)c, position(f));
		put_bytes(f, lanes[c].data, lanes[c].size);
	}
}

static void write_v6(const struct tb *tb, FILE *f)
{
	const bool has_marks = tb->marks[0].size > 0;
	uint64_t marks_at = 0;

	put_start(tb, f);
	tb_put_headers(tb, f);
	tb_put_ftrace(tb, f);
	tb_put_events(tb, f);
	put_empty(tb, f);
	put_empty(tb, f);
	tb_put_cmdlines(tb, f);
	put_u32(tb, f, (uint32_t)tb->ncpu);
	if (tb->without_options) {
		put_buffer_v6(tb, tb->lanes, f);
		return;
	}
	put_string(f, "options  ");
	tb_put_options(tb, f);
	if (has_marks) {
		marks_at = position(f) + 6;
		put_option(tb, f, OPT_BUFFER, "\0\0\0\0\0\0\0\0" MARKS_NAME,
			   8 + sizeof(MARKS_NAME));
	}
	put_u16(tb, f, OPT_DONE);
	put_buffer_v6(tb, tb->lanes, f);
	if (has_marks) {
		patch_u64(tb, f, marks_at, position(f));
		put_buffer_v6(tb, tb->marks, f);
	}
}

/* The header of a section; its size is patched by end_section. */
static void begin_section(struct out *o, enum section id, const char *name, bool compressed)
{
	o->section[id] = position(o->f);
	put_u16(o->tb, o->f, (uint16_t)id);
	put_u16(o->tb, o->f, compressed ? FLAG_COMPRESSED : 0);
	put_u32(o->tb, o->f, (uint32_t)position(o->strings));
	put_u64(o->tb, o->f, 0);
	put_string(o->strings, name);
}

static void end_section(struct out *o, enum section id)
{
	const uint64_t start = o->section[id] + 16;

	patch_u64(o->tb, o->f, start - 8, position(o->f) - start);
}

static size_t pack_zstd(void *packed, size_t room, const void *data, size_t size)
{
	const size_t n = ZSTD_compress(packed, room, data, size, 1);

	tb_must(!ZSTD_isError(n), "zstd failed");
	return n;
}

static size_t pack_zlib(void *packed, size_t room, const void *data, size_t size)
{
	uLongf n = room;

	tb_must(compress2(packed, &n, data, size, 1) == Z_OK, "zlib failed");
	return n;
}

/* Both sizes, then the data as one zstd frame or zlib stream. */
static void put_packed(const struct tb *tb, FILE *f, const void *data, size_t size)
{
	const bool is_zlib = tb->compression == TB_ZLIB;
	const size_t room = is_zlib ? compressBound(size) : ZSTD_compressBound(size);
	void *packed = malloc(room);
	size_t n;

	tb_must(packed != NULL, "out of memory");
	n = (is_zlib ? pack_zlib : pack_zstd)(packed, room, data, size);
	put_u32(tb, f, (uint32_t)n);
	put_u32(tb, f, (uint32_t)size);
	put_bytes(f, packed, n);
	free(packed);
}

static void put_section(struct out *o, enum section id, const char *name, struct memory *m)
{
	const bool compressed = o->tb->compression != TB_PLAIN;

	begin_section(o, id, name, compressed);
	if (compressed)
		put_packed(o->tb, o->f, m->data, m->size);
	else
		put_bytes(o->f, m->data, m->size);
	end_section(o, id);
}

static void put_text_sections(struct out *o)
{
	static const struct {
		enum section id;
		const char *name;
		void (*put)(const struct tb *tb, FILE *f);
	} sections[] = {
		{ SEC_HEADERS, "headers", tb_put_headers },
		{ SEC_FTRACE, "ftrace events", tb_put_ftrace },
		{ SEC_EVENTS, "events format", tb_put_events },
		{ SEC_KALLSYMS, "kallsyms", put_empty },
		{ SEC_PRINTK, "printk", put_empty },
		{ SEC_CMDLINES, "command lines", tb_put_cmdlines },
	};

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		struct memory m;

		memory_open(&m);
		sections[i].put(o->tb, m.f);
		memory_close(&m);
		put_section(o, sections[i].id, sections[i].name, &m);
		free(m.data);
	}
}

static void put_chunks(const struct tb *tb, const struct tb_lane *lane, FILE *f)
{
	const size_t chunk = (size_t)tb->page_size * tb->pages_per_chunk;

	put_u32(tb, f, (uint32_t)((lane->size + chunk - 1) / chunk));
	for (size_t at = 0; at < lane->size; at += chunk)
		put_packed(tb, f, lane->data + at,
			   lane->size - at < chunk ? lane->size - at : chunk);
}

/* The section of one buffer's pages; the option that describes it goes to options. */
static void put_buffer_v7(struct out *o, const struct tb_lane *lanes, const char *name,
			  FILE *options)
{
	const bool compressed = o->tb->compression != TB_PLAIN;
	char title[64];
	uint32_t count = 0;
	struct memory cpus, m;

	snprintf(title, sizeof(title), "buffer flyrecord %s", name);
	begin_section(o, SEC_BUFFER, title, compressed);
	memory_open(&cpus);
	for (int c = 0; c < o->tb->ncpu; c++) {
		uint64_t start;

		if (lanes[c].size == 0)
			continue;
		pad_to(o->f, o->tb->page_size);
		start = position(o->f);
		if (compressed)
			put_chunks(o->tb, &lanes[c], o->f);
		else
			put_bytes(o->f, lanes[c].data, lanes[c].size);
		put_u32(o->tb, cpus.f, (uint32_t)c);
		put_u64(o->tb, cpus.f, start);
		put_u64(o->tb, cpus.f, position(o->f) - start);
		count++;
	}
	end_section(o, SEC_BUFFER);
	memory_close(&cpus);
	memory_open(&m);
	put_u64(o->tb, m.f, o->section[SEC_BUFFER]);
	put_string(m.f, name);
	put_string(m.f, o->tb->clock ? o->tb->clock : "local");
	put_u32(o->tb, m.f, o->tb->page_size);
	put_u32(o->tb, m.f, count);
	put_bytes(m.f, cpus.data, cpus.size);
	memory_close(&m);
	put_option(o->tb, options, OPT_BUFFER, m.data, m.size);
	free(m.data);
	free(cpus.data);
}

/* A section of options that ends with the position of the next one; returns where that stands. */
static uint64_t put_options_v7(struct out *o, const struct memory *m)
{
	const uint64_t none = 0;

	begin_section(o, SEC_OPTIONS, "options", false);
	put_bytes(o->f, m->data, m->size);
	put_option(o->tb, o->f, OPT_DONE, &none, sizeof(none));
	end_section(o, SEC_OPTIONS);
	return position(o->f) - sizeof(none);
}

/* Like trace-cmd: what is known before the recording, then the buffers, in a chain of two. */
static void write_v7(struct out *o)
{
	const struct tb *tb = o->tb;
	uint64_t first, next;
	struct memory m;

	put_start(tb, o->f);
	put_string(o->f, packers[tb->compression].name);
	put_string(o->f, packers[tb->compression].version);
	first = position(o->f);
	put_u64(o->tb, o->f, 0);
	put_text_sections(o);
	memory_open(&m);
	for (int id = SEC_HEADERS; id <= SEC_CMDLINES; id++)
		put_option_number(tb, m.f, (enum option)id, o->section[id], 8);
	tb_put_options(tb, m.f);
	memory_close(&m);
	next = put_options_v7(o, &m);
	free(m.data);
	patch_u64(o->tb, o->f, first, o->section[SEC_OPTIONS]);
	memory_open(&m);
	put_buffer_v7(o, tb->lanes, "", m.f);
	if (tb->marks[0].size)
		put_buffer_v7(o, tb->marks, MARKS_NAME, m.f);
	memory_close(&m);
	put_options_v7(o, &m);
	free(m.data);
	patch_u64(o->tb, o->f, next, o->section[SEC_OPTIONS]);
}

/* All sections' names, its own last. */
static void put_strings(struct out *o, struct memory *strings)
{
	const uint32_t name_at = (uint32_t)position(o->strings);
	const bool compressed = o->tb->compression != TB_PLAIN;

	put_string(o->strings, "strings");
	memory_close(strings);
	o->section[SEC_STRINGS] = position(o->f);
	put_u16(o->tb, o->f, SEC_STRINGS);
	put_u16(o->tb, o->f, compressed ? FLAG_COMPRESSED : 0);
	put_u32(o->tb, o->f, name_at);
	put_u64(o->tb, o->f, 0);
	if (compressed)
		put_packed(o->tb, o->f, strings->data, strings->size);
	else
		put_bytes(o->f, strings->data, strings->size);
	end_section(o, SEC_STRINGS);
}

int tb_write(struct tb *tb, const char *path)
{
	struct out o = { .tb = tb };
	struct memory strings;
	int r = 0;

	o.f = fopen(path, "wb");
	if (!o.f)
		return -errno;
	if (tb->version == 6) {
		write_v6(tb, o.f);
	} else {
		memory_open(&strings);
		o.strings = strings.f;
		write_v7(&o);
		put_strings(&o, &strings);
		free(strings.data);
	}
	if (ferror(o.f))
		r = -EIO;
	if (fclose(o.f) != 0 && r == 0)
		r = -errno;
	return r;
}
