// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * trace.dat, version 7, compressed with zstd: sections in the order in which they are known, then
 * the options, which say where they are. Where the options lie stands in the head, and is written
 * last: before that the file is an unfinished one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "capture/chunks.h"
#include "capture/io.h"
#include "capture/tracedat_parts.h"

/* flag of a section */
#define COMPRESSED 1

/* ids of sections, and of the options that give their places */
enum section {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = CAP_DAT_BUFFER,
	OPTION_CPUCOUNT = 8,
	SECTION_STRINGS = 15,
	SECTION_HEADERS = 16,
	SECTION_FTRACE = 17,
	SECTION_EVENTS = 18,
	SECTION_KALLSYMS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
};

struct v7 {
	int fd;
	const struct cap_dat *dat;
	uint64_t at; /* end of what is written */
	uint64_t options_at;
	struct cap_bytes options;
	struct cap_bytes strings; /* the names of the sections */
};

static void put_nothing(struct cap_bytes *b, const struct cap_dat *dat)
{
	(void)dat;
	cap_bytes_u32(b, 0);
}

static void put_cmdlines(struct cap_bytes *b, const struct cap_dat *dat)
{
	cap_dat_put_sized(b, dat->cmdlines);
}

static int append(struct v7 *v, const struct cap_bytes *b)
{
	const int r = b->failed ? -ENOMEM : cap_io_write(v->fd, b->data, b->len);

	v->at += b->len;
	return r;
}

/* Where its name is in the section of names. */
static uint32_t add_name(struct v7 *v, const char *name)
{
	const uint32_t at = (uint32_t)v->strings.len;

	cap_bytes_string(&v->strings, name);
	return at;
}

static void put_section_head(struct cap_bytes *b, enum section id, uint32_t name, uint64_t size)
{
	cap_bytes_u16(b, (uint16_t)id);
	cap_bytes_u16(b, id == SECTION_OPTIONS ? 0 : COMPRESSED);
	cap_bytes_u32(b, name);
	cap_bytes_u64(b, size);
}

/* A section of one chunk. The body may be the names themselves: they hold this one by then. */
static int write_section(struct v7 *v, enum section id, const char *name,
			 const struct cap_bytes *body)
{
	const uint32_t name_at = add_name(v, name);
	struct cap_bytes b = { 0 };
	unsigned char *packed = NULL;
	size_t len = 0;
	int r;

	if (body->failed)
		return -ENOMEM;
	if (body->len > UINT32_MAX)
		return -EFBIG;
	r = cap_chunks_pack(body->data, (uint32_t)body->len, v->dat->packing.level, &packed, &len);
	if (r < 0)
		return r;
	put_section_head(&b, id, name_at, len);
	cap_bytes_put(&b, packed, len);
	r = append(v, &b);
	cap_bytes_clear(&b);
	free(packed);
	return r;
}

/* What is known before anything is written. */
static void put_options(struct v7 *v)
{
	const uint32_t ncpu = v->dat->ncpu;

	cap_dat_put_option(&v->options, OPTION_CPUCOUNT, (struct cap_blob){ &ncpu, sizeof(ncpu) });
	for (size_t i = 0; i < v->dat->noption; i++)
		cap_dat_put_option(&v->options, (uint16_t)v->dat->option[i].id,
				   v->dat->option[i].value);
}

static int write_texts(struct v7 *v)
{
	static const struct {
		enum section id;
		const char *name;
		void (*put)(struct cap_bytes *b, const struct cap_dat *dat);
	} sections[] = {
		{ SECTION_HEADERS, "headers", cap_dat_put_headers },
		{ SECTION_FTRACE, "ftrace events", cap_dat_put_ftrace },
		{ SECTION_EVENTS, "events format", cap_dat_put_events },
		{ SECTION_KALLSYMS, "kallsyms", put_nothing }, /* addresses stay in the kernel */
		{ SECTION_PRINTK, "printk", put_nothing },
		{ SECTION_CMDLINES, "command lines", put_cmdlines },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && r == 0; i++) {
		struct cap_bytes body = { 0 };

		cap_dat_put_option(&v->options, (uint16_t)sections[i].id,
				   (struct cap_blob){ &v->at, sizeof(v->at) });
		sections[i].put(&body, v->dat);
		r = write_section(v, sections[i].id, sections[i].name, &body);
		cap_bytes_clear(&body);
	}
	return r;
}

/* Tells of a buffer: its section, name and clock, and the CPUs that have pages. */
static void put_buffer_option(struct v7 *v, uint64_t section, const char *name,
			      const struct cap_chunks_place *place)
{
	struct cap_bytes b = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->dat->ncpu; i++)
		n += place[i].len > 0;
	cap_bytes_u64(&b, section);
	cap_bytes_string(&b, name);
	cap_bytes_string(&b, v->dat->clock);
	cap_bytes_u32(&b, v->dat->page_size);
	cap_bytes_u32(&b, n);
	for (uint32_t i = 0; i < v->dat->ncpu; i++) {
		if (place[i].len == 0)
			continue;
		cap_bytes_u32(&b, i);
		cap_bytes_u64(&b, place[i].offset);
		cap_bytes_u64(&b, place[i].len);
	}
	v->options.failed |= b.failed;
	cap_dat_put_option(&v->options, CAP_DAT_BUFFER, (struct cap_blob){ b.data, b.len });
	cap_bytes_clear(&b);
}

/* Back to a number that was not known when its place was written. */
static int patch(int fd, uint64_t at, uint64_t value)
{
	return lseek(fd, (off_t)at, SEEK_SET) < 0 ? -errno
						  : cap_io_write(fd, &value, sizeof(value));
}

static int return_to_end(const struct v7 *v)
{
	return lseek(v->fd, (off_t)v->at, SEEK_SET) < 0 ? -errno : 0;
}

static int write_chunks(struct v7 *v, const struct cap_dat_cpu *cpu, struct cap_chunks_place *place)
{
	const struct cap_chunks c = { v->dat->packing, v->dat->page_size, v->dat->ncpu, cpu };
	const uint64_t begin = v->at;
	int r = cap_chunks_write(v->fd, &v->at, &c, place);

	if (r == 0)
		r = patch(v->fd, begin - sizeof(uint64_t), v->at - begin);
	return r < 0 ? r : return_to_end(v);
}

static int write_buffer(struct v7 *v, const char *name, const struct cap_dat_cpu *cpu)
{
	struct cap_chunks_place *place = calloc(v->dat->ncpu, sizeof(*place));
	struct cap_bytes head = { 0 }, title = { 0 };
	const uint64_t section = v->at;
	int r;

	cap_bytes_put(&title, "buffer flyrecord ", 17);
	cap_bytes_string(&title, name);
	if (!place || title.failed) {
		r = -ENOMEM;
		goto out;
	}
	put_section_head(&head, SECTION_BUFFER, add_name(v, (const char *)title.data), 0);
	r = append(v, &head);
	if (r == 0)
		r = write_chunks(v, cpu, place);
	if (r == 0)
		put_buffer_option(v, section, name, place);
out:
	cap_bytes_clear(&head);
	cap_bytes_clear(&title);
	free(place);
	return r;
}

/* One section of all options, not compressed; no other follows. */
static int write_options(struct v7 *v)
{
	const uint64_t none = 0;
	struct cap_bytes head = { 0 };
	int r;

	v->options_at = v->at;
	cap_dat_put_option(&v->options, SECTION_OPTIONS, (struct cap_blob){ &none, sizeof(none) });
	put_section_head(&head, SECTION_OPTIONS, add_name(v, "options"), v->options.len);
	r = append(v, &head);
	if (r == 0)
		r = append(v, &v->options);
	cap_bytes_clear(&head);
	return r;
}

/* Returns, in *ret_patch, where the place of the options is told. */
static int write_head(struct v7 *v, uint64_t *ret_patch)
{
	struct cap_bytes b = { 0 };
	int r;

	cap_dat_put_start(&b, v->dat, "7");
	cap_bytes_string(&b, "zstd");
	cap_bytes_string(&b, ZSTD_versionString());
	*ret_patch = b.len;
	cap_bytes_u64(&b, 0);
	r = append(v, &b);
	cap_bytes_clear(&b);
	return r;
}

static int write_all(struct v7 *v)
{
	uint64_t patch_at;
	int r = write_head(v, &patch_at);

	put_options(v);
	if (r == 0)
		r = write_texts(v);
	if (r == 0)
		r = write_buffer(v, "", v->dat->cpu);
	if (r == 0 && v->dat->second_name)
		r = write_buffer(v, v->dat->second_name, v->dat->second);
	if (r == 0)
		r = write_options(v);
	if (r == 0)
		r = write_section(v, SECTION_STRINGS, "strings", &v->strings);
	return r < 0 ? r : patch(v->fd, patch_at, v->options_at);
}

int cap_dat_write_v7(int fd, const struct cap_dat *dat)
{
	struct v7 v = { .fd = fd, .dat = dat };
	const int r = write_all(&v);

	cap_bytes_clear(&v.options);
	cap_bytes_clear(&v.strings);
	return r;
}
