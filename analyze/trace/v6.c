// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a version 6 trace.dat: one part after the other, then a table of CPU data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/file_parts.h"
#include "fcap/cpulist.h"

/* The "flyrecord" table of one buffer: offset and size for every CPU of the header. */
static int read_flyrecord(struct fan_file *f, struct fan_bytes *b, struct fan_buffer *buf)
{
	struct fan_cpu_data data = { 0 };
	int r = 0;

	for (uint32_t cpu = 0; cpu < f->cpus; cpu++) {
		data.cpu = (int32_t)cpu;
		r = fan_bytes_u64(b, &data.offset);
		if (r == 0)
			r = fan_bytes_u64(b, &data.size);
		if (r == 0)
			r = fan_file_add_cpu(f, buf, data);
		if (r < 0)
			break;
	}
	return r;
}

/* BUFFER option of version 6: where the buffer's own table lies, and its name. */
static int add_v6_instance(struct fan_file *f, struct fan_bytes *b, uint32_t size)
{
	struct fan_buffer *buf;
	struct fan_bytes at = *b;
	uint64_t offset = 0;
	int r;

	if (size < 9)
		return -EINVAL;
	at.end = b->pos + size;
	r = fan_bytes_skip(b, size);
	if (r == 0)
		r = fan_bytes_u64(&at, &offset);
	if (r < 0)
		return r;
	/* trace-cmd split takes the options of instances along, without their data */
	if (offset == 0)
		return 0;
	buf = fan_file_add_buffer(f);
	if (!buf)
		return -ENOMEM;
	r = fan_bytes_string(&at, size - 8, &buf->name);
	if (r < 0)
		return r;
	/* kept here until the CPU count is certain: options may still change it */
	buf->table_offset = offset;
	return 0;
}

static int read_v6_options(struct fan_file *f, struct fan_bytes *b)
{
	uint16_t id = 0;
	uint32_t size = 0;
	int r;

	for (;;) {
		r = fan_bytes_u16(b, &id);
		if (r < 0 || id == FAN_OPT_DONE)
			return r;
		r = fan_bytes_u32(b, &size);
		if (r == 0 && id == FAN_OPT_BUFFER)
			r = add_v6_instance(f, b, size);
		else if (r == 0)
			r = fan_file_add_option(f, id, b, size);
		if (r < 0)
			return r;
	}
}

/* An options block if there is one, then the table itself. */
static int read_v6_table(struct fan_file *f, struct fan_bytes *b, size_t buffer)
{
	char tag[10];
	int r;

	r = fan_bytes_get(b, tag, sizeof(tag));
	if (r == 0 && memcmp(tag, "options  ", 10) == 0) {
		r = read_v6_options(f, b);
		if (r == 0)
			r = fan_bytes_get(b, tag, sizeof(tag));
	}
	if (r < 0)
		return r;
	if (memcmp(tag, "latency  ", 10) == 0)
		return -EOPNOTSUPP;
	if (memcmp(tag, "flyrecord", 10) != 0)
		return -EINVAL;
	return read_flyrecord(f, b, &f->buffers[buffer]);
}

/* Takes back the buffers from this one on. */
static void drop_buffers(struct fan_file *f, size_t from)
{
	f->has_lost_buffers = true;
	while (f->nbuffers > from) {
		struct fan_buffer *buf = &f->buffers[--f->nbuffers];

		f->nstreams -= buf->ncpus;
		free(buf->name);
		free(buf->cpus);
	}
}

/* b is left where reading ended. */
static int read_v6_instances(struct fan_file *f, struct fan_bytes *b)
{
	struct fan_bytes at = { .fd = f->fd, .end = f->size, .big_endian = f->big_endian };
	int r = 0;

	/* nbuffers is re-read: a table's own options could name another buffer */
	for (size_t i = 1; r == 0 && i < f->nbuffers; i++) {
		at.pos = f->buffers[i].table_offset;
		r = at.pos > f->size ? -ERANGE : read_v6_table(f, &at, i);
		if ((r == -ERANGE || r == -ENODATA || r == -EINVAL) && f->may_be_cut) {
			/* the place of the table may not have been written yet */
			drop_buffers(f, i);
			return 0;
		}
		if (r == -ERANGE)
			return r;
		b->pos = at.pos;
	}
	return r;
}

/* Kallsyms and printk formats of version 6: only the latter is kept. */
static int read_v6_symbols(struct fan_file *f, struct fan_bytes *b)
{
	uint32_t size = 0;
	int r;

	r = fan_bytes_u32(b, &size);
	if (r == 0)
		r = fan_bytes_skip(b, size);
	if (r == 0)
		r = fan_bytes_u32(b, &size);
	if (r == 0)
		r = fan_file_blob(f, b, size, &f->printk);
	if (r == 0)
		r = fan_file_blob64(f, b, &f->cmdlines);
	return r;
}

int fan_file_read_v6(struct fan_file *f, struct fan_bytes *b, struct fcap_err *err)
{
	struct fan_buffer *main_buffer = fan_file_add_buffer(f);
	int r;

	if (main_buffer)
		main_buffer->name = strdup("");
	if (!main_buffer || !main_buffer->name)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = fan_file_read_header_info(f, b);
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "page header");
	r = fan_file_read_ftrace_events(f, b);
	if (r == 0)
		r = fan_file_read_event_formats(f, b);
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "event formats");
	r = read_v6_symbols(f, b);
	if (r == 0)
		r = fan_bytes_u32(b, &f->cpus);
	if (r == 0 && f->cpus > FCAP_CPUS_MAX)
		r = -EINVAL;
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "symbols");
	r = read_v6_table(f, b, 0);
	if (r == 0)
		r = read_v6_instances(f, b);
	if (r == -EOPNOTSUPP)
		return fcap_fail(err, EINVAL, "it holds a latency trace (text), no events");
	if (r < 0)
		return fan_file_damage(err, r, b->pos,
				       r == -ERANGE ? "trace data" : "table of CPU data");
	return 0;
}
