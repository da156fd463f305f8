// SPDX-License-Identifier: GPL-3.0-or-later
/* trace.dat, version 6: the head is built in memory, then follow the page-aligned data. */
#include "capture/tracedat_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/tracedat_parts.h"

/* Where the second buffer's table will lie is not known yet: returns where to patch it in. */
static size_t put_options(struct cap_bytes *o, const struct cap_dat *dat)
{
	size_t patch = 0;

	cap_bytes_put(o, "options  ", 10);
	for (size_t i = 0; i < dat->noption; i++)
		cap_dat_put_option(o, (uint16_t)dat->option[i].id, dat->option[i].value);
	if (dat->second_name) {
		cap_bytes_u16(o, CAP_DAT_BUFFER);
		cap_bytes_u32(o, (uint32_t)(8 + strlen(dat->second_name) + 1));
		patch = o->len;
		cap_bytes_u64(o, 0);
		cap_bytes_string(o, dat->second_name);
	}
	cap_bytes_u16(o, 0);
	return patch;
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
static uint64_t put_table(struct cap_bytes *o, const struct cap_dat *dat,
			  const struct cap_dat_cpu *cpu, uint64_t at, uint64_t *ret_first)
{
	uint64_t data = cap_dat_align(at + table_size(dat) + 10, dat->page_size);

	*ret_first = data;
	cap_bytes_put(o, "flyrecord", 10);
	for (uint32_t i = 0; i < dat->ncpu; i++) {
		cap_bytes_u64(o, data);
		cap_bytes_u64(o, cpu[i].len);
		data = cap_dat_align(data + cpu[i].len, dat->page_size);
	}
	cap_bytes_u64(o, strlen(dat->clock) + 2);
	cap_bytes_put(o, "[", 1);
	cap_bytes_put(o, dat->clock, strlen(dat->clock));
	cap_bytes_put(o, "]", 1);
	return data;
}

/* Up to and with the options. Returns where the second buffer's offset is patched in. */
static size_t put_head(struct cap_bytes *o, const struct cap_dat *dat)
{
	cap_dat_put_start(o, dat, "6");
	cap_dat_put_headers(o, dat);
	cap_dat_put_ftrace(o, dat);
	cap_dat_put_events(o, dat);
	cap_bytes_u32(o, 0); /* no kallsyms: kernel addresses stay in the kernel */
	cap_bytes_u32(o, 0); /* no trace_printk formats */
	cap_dat_put_sized(o, dat->cmdlines);
	cap_bytes_u32(o, dat->ncpu);
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
		at = cap_dat_align(at + cpu[i].len, dat->page_size);
	}
	return 0;
}

static int write_file(int fd, const struct cap_dat *dat, struct cap_bytes *head,
		      struct cap_bytes *table)
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
	struct cap_bytes head = { 0 }, table = { 0 };
	const int r = dat->packing.level ? cap_dat_write_v7(fd, dat)
					 : write_file(fd, dat, &head, &table);

	cap_bytes_clear(&head);
	cap_bytes_clear(&table);
	if (r < 0)
		return fcap_fail(err, -r, "cannot write the trace file: %s", strerror(-r));
	return 0;
}
