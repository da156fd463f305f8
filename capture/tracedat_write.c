// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.dat, version 6: the head is built in memory, then follow the page-aligned data. */
#include "capture/tracedat_write.h"

#include <endian.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"

struct out {
	unsigned char *data;
	size_t len, size;
	bool failed; /* out of memory: told once, at the end */
};

static void put(struct out *o, const void *data, size_t len)
{
	if (o->failed)
		return;
	if (len > o->size - o->len) {
		const size_t size = (o->len + len) * 2;
		unsigned char *bigger = realloc(o->data, size);

		if (!bigger) {
			o->failed = true;
			return;
		}
		o->data = bigger;
		o->size = size;
	}
	if (len)
		memcpy(o->data + o->len, data, len);
	o->len += len;
}

static void put_u16(struct out *o, uint16_t v)
{
	put(o, &v, sizeof(v));
}

static void put_u32(struct out *o, uint32_t v)
{
	put(o, &v, sizeof(v));
}

static void put_u64(struct out *o, uint64_t v)
{
	put(o, &v, sizeof(v));
}

static void put_sized(struct out *o, struct cap_blob b)
{
	put_u64(o, b.len);
	put(o, b.data, b.len);
}

static void put_formats(struct out *o, const struct cap_dat *dat)
{
	put_u32(o, (uint32_t)dat->nftrace);
	for (size_t i = 0; i < dat->nftrace; i++)
		put_sized(o, dat->ftrace[i]);
	put_u32(o, (uint32_t)dat->nsystem);
	for (size_t i = 0; i < dat->nsystem; i++) {
		const struct cap_dat_system *sys = &dat->system[i];

		put(o, sys->name, strlen(sys->name) + 1);
		put_u32(o, (uint32_t)sys->nformat);
		for (size_t j = 0; j < sys->nformat; j++)
			put_sized(o, sys->format[j]);
	}
}

static void put_option(struct out *o, enum cap_dat_option_id id, struct cap_blob value)
{
	put_u16(o, (uint16_t)id);
	put_u32(o, (uint32_t)value.len);
	put(o, value.data, value.len);
}

/* Where the second buffer's table will lie is not known yet: returns where to patch it in. */
static size_t put_options(struct out *o, const struct cap_dat *dat)
{
	size_t patch = 0;

	put(o, "options  ", 10);
	for (size_t i = 0; i < dat->noption; i++)
		put_option(o, dat->option[i].id, dat->option[i].value);
	if (dat->second_name) {
		put_u16(o, CAP_DAT_BUFFER);
		put_u32(o, (uint32_t)(8 + strlen(dat->second_name) + 1));
		patch = o->len;
		put_u64(o, 0);
		put(o, dat->second_name, strlen(dat->second_name) + 1);
	}
	put_u16(o, 0);
	return patch;
}

static uint64_t align(uint64_t at, uint64_t page)
{
	return (at + page - 1) / page * page;
}

static size_t table_size(const struct cap_dat *dat)
{
	return 10 + (size_t)dat->ncpu * 16 + 8 + strlen(dat->clock) + 2;
}

/*
 * The table of one buffer, to stand at file offset at; its data begin behind it, at *ret_first,
 * and end at the return value. Ten bytes stay free between the table and the data: a reader
 * that looks for a further section there must find none.
 */
static uint64_t put_table(struct out *o, const struct cap_dat *dat, const struct cap_dat_cpu *cpu,
			  uint64_t at, uint64_t *ret_first)
{
	uint64_t data = align(at + table_size(dat) + 10, dat->page_size);

	*ret_first = data;
	put(o, "flyrecord", 10);
	for (uint32_t i = 0; i < dat->ncpu; i++) {
		put_u64(o, data);
		put_u64(o, cpu[i].len);
		data = align(data + cpu[i].len, dat->page_size);
	}
	put_u64(o, strlen(dat->clock) + 2);
	put(o, "[", 1);
	put(o, dat->clock, strlen(dat->clock));
	put(o, "]", 1);
	return data;
}

/* Up to and with the options. Returns where the second buffer's offset is patched in. */
static size_t put_head(struct out *o, const struct cap_dat *dat)
{
	const unsigned char order = __BYTE_ORDER == __BIG_ENDIAN;
	const unsigned char long_size = sizeof(long);

	put(o, "\x17\x08\x44tracing", 10);
	put(o, "6", 2);
	put(o, &order, 1);
	put(o, &long_size, 1);
	put_u32(o, dat->page_size);
	put(o, "header_page", 12);
	put_sized(o, dat->header_page);
	put(o, "header_event", 13);
	put_sized(o, dat->header_event);
	put_formats(o, dat);
	put_u32(o, 0); /* no kallsyms: kernel addresses stay in the kernel */
	put_u32(o, 0); /* no trace_printk formats */
	put_sized(o, dat->cmdlines);
	put_u32(o, dat->ncpu);
	return put_options(o, dat);
}

static int write_cpus(int fd, const struct cap_dat *dat, const struct cap_dat_cpu *cpu,
		      uint64_t first)
{
	uint64_t at = first;
	int r;

	for (uint32_t i = 0; i < dat->ncpu; i++) {
		if (lseek(fd, (off_t)at, SEEK_SET) < 0)
			return -errno;
		r = cap_io_copy(cpu[i].fd, fd, cpu[i].len);
		if (r < 0)
			return r;
		at = align(at + cpu[i].len, dat->page_size);
	}
	return 0;
}

static int write_file(int fd, const struct cap_dat *dat, struct out *head, struct out *table)
{
	const size_t patch = put_head(head, dat);
	uint64_t first, first2 = 0, second, end;
	int r;

	second = end = put_table(head, dat, dat->cpu, head->len, &first);
	if (dat->second_name)
		end = put_table(table, dat, dat->second, second, &first2);
	if (head->failed || table->failed)
		return -ENOMEM;
	if (dat->second_name)
		memcpy(head->data + patch, &second, sizeof(second));
	r = cap_io_write(fd, head->data, head->len);
	if (r == 0)
		r = write_cpus(fd, dat, dat->cpu, first);
	if (r == 0 && dat->second_name) {
		if (lseek(fd, (off_t)second, SEEK_SET) < 0)
			return -errno;
		r = cap_io_write(fd, table->data, table->len);
		if (r == 0)
			r = write_cpus(fd, dat, dat->second, first2);
	}
	if (r == 0 && ftruncate(fd, (off_t)end) < 0)
		r = -errno;
	return r;
}

int cap_dat_write(int fd, const struct cap_dat *dat, struct fcap_err *err)
{
	struct out head = { 0 }, table = { 0 };
	const int r = write_file(fd, dat, &head, &table);

	free(head.data);
	free(table.data);
	if (r < 0)
		return fcap_fail(err, -r, "cannot write the trace file: %s", strerror(-r));
	return 0;
}
