// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The pages of two CPUs, whatever is in them: a byte of flags, a byte that splits the rest between
 * the CPUs, then the data.
 */
#include <string.h>
#include <unistd.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/merge.h"
#include "tests/fuzz/lib/target.h"

enum { BIG_ENDIAN_FILE = 1, LONG_OF_4 = 2, TICKS = 4, LARGE = 8, ZSTD = 16, ZLIB = 32, CUT = 64 };

/* Every byte handed out can be read, and order_ns never goes back. */
static void read_all(struct fan_merge *m, size_t size)
{
	const struct fan_record *rec;
	struct fcap_err err = { 0 };
	volatile uint8_t sink = 0;
	uint64_t n = 0, last = 0;
	int r;

	while ((r = fan_merge_next(m, &rec, &err)) > 0) {
		for (uint32_t i = 0; i < rec->size; i++)
			sink = ((const uint8_t *)rec->data)[i];
		if (rec->order_ns < last)
			fuzz_fail("the order goes back");
		last = rec->order_ns;
		/* a compressed page may be a thousand times as large */
		if (++n > 4096 * (uint64_t)size + 4096)
			fuzz_fail("more records than bytes");
	}
	(void)sink;
	if (r < 0 && err.text[0] == '\0')
		fuzz_fail("refused without a sentence");
}

static void set_frame(struct fan_file *f, struct fan_buffer *buffer, uint8_t flags)
{
	static char zstd[] = "zstd", zlib[] = "zlib";

	f->version = 7;
	f->big_endian = flags & BIG_ENDIAN_FILE;
	f->long_size = f->commit_size = flags & LONG_OF_4 ? 4 : 8;
	f->commit_offset = 8;
	f->data_offset = 8 + f->commit_size;
	f->page_size = buffer->page_size = flags & LARGE ? 16384 : 4096;
	f->compression = flags & ZSTD ? zstd : flags & ZLIB ? zlib : NULL;
	buffer->compressed = f->compression != NULL;
	f->may_be_cut = flags & CUT;
	f->noptions = flags & TICKS ? 1 : 0;
	f->buffers = buffer;
	f->nbuffers = 1;
}

/* CPU 0 has the first of 256 parts of the data; plain data is whole pages. */
static void split(const struct fan_file *f, struct fan_buffer *buffer, uint8_t parts, size_t size)
{
	const uint64_t page = buffer->compressed ? 1 : f->page_size;
	const uint64_t first = size * parts / 256 / page * page;
	const uint64_t second = (size - first) / page * page;

	if (first)
		buffer->cpus[buffer->ncpus++] = (struct fan_cpu_data){ 0, 0, first, false };
	if (second)
		buffer->cpus[buffer->ncpus++] = (struct fan_cpu_data){ 1, first, second,
								       f->may_be_cut };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char factor[] = "\2\0\0\0\1\0\0\0\5\0\0\0\0\0\0";
	struct fan_option tsc = { FAN_OPT_TSC2NSEC, { (char *)factor, sizeof(factor) } };
	struct fan_cpu_data cpus[2];
	struct fan_buffer buffer = { .cpus = cpus };
	struct fan_file f = { .options = &tsc, .cpus = 2 };
	struct fcap_err err = { 0 };
	struct fan_merge *m = NULL;
	char path[32];

	if (size < 3)
		return 0;
	set_frame(&f, &buffer, data[0]);
	f.size = size - 2;
	f.fd = fuzz_file(data + 2, size - 2, path);
	split(&f, &buffer, data[1], size - 2);
	if (fan_merge_open(&m, &f, &err) == 0)
		read_all(m, size);
	else if (err.text[0] == '\0')
		fuzz_fail("refused without a sentence");
	fan_merge_close(m);
	close(f.fd);
	return 0;
}
