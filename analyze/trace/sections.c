// SPDX-License-Identifier: GPL-3.0-or-later
/* The sections of a version 7 trace.dat. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/file_parts.h"
#include "analyze/trace/inflate.h"

#define OPTION_BLOCKS  1000 /* chained option sections: more is a loop */
#define SECTION_ZIPPED 1

/* ids of options that give the place of a section: the section carries the same id */
enum {
	OPT_STRINGS = 15,
	OPT_HEADER_INFO = 16,
	OPT_FTRACE_EVENTS = 17,
	OPT_EVENT_FORMATS = 18,
	OPT_KALLSYMS = 19,
	OPT_PRINTK = 20,
	OPT_CMDLINES = 21,
	OPT_BUFFER_TEXT = 22,
};

struct section {
	uint16_t id, flags;
	struct fan_bytes body; /* reads the file, or unzipped */
	char *unzipped;	       /* owned */
	uint64_t end;	       /* of the section in the file */
};

static int unzip(struct fan_file *f, struct section *s)
{
	struct fan_blob zipped = { NULL, 0 };
	struct fan_inflate *z = NULL;
	uint32_t zsize = 0, size = 0;
	int r;

	r = fan_bytes_u32(&s->body, &zsize);
	if (r == 0)
		r = fan_bytes_u32(&s->body, &size);
	if (r == 0)
		r = fan_file_hold(f, size);
	if (r == 0)
		r = fan_file_blob(f, &s->body, zsize, &zipped);
	if (r < 0)
		return r;
	r = fan_inflate_new(&z, f->compression);
	s->unzipped = malloc((size_t)size + 1);
	if (r == 0 && !s->unzipped)
		r = -ENOMEM;
	if (r == 0)
		r = fan_inflate(z, s->unzipped, size, zipped.data, zsize);
	fan_inflate_free(z);
	free(zipped.data);
	s->body.mem = s->unzipped;
	s->body.pos = 0;
	s->body.end = size;
	return r;
}

static int read_section_head(struct fan_file *f, uint64_t offset, struct section *ret)
{
	struct fan_bytes b = { .fd = f->fd, .end = f->size, .big_endian = f->big_endian };
	uint64_t size = 0;
	uint32_t name = 0;
	int r;

	memset(ret, 0, sizeof(*ret));
	f->section_at = offset;
	if (offset > f->size)
		return -ERANGE;
	b.pos = offset;
	r = fan_bytes_u16(&b, &ret->id);
	if (r == 0)
		r = fan_bytes_u16(&b, &ret->flags);
	if (r == 0)
		r = fan_bytes_u32(&b, &name);
	if (r == 0)
		r = fan_bytes_u64(&b, &size);
	if (r == 0 && size > f->size - b.pos)
		r = -ERANGE;
	if (r < 0)
		return r;
	ret->body = b;
	ret->body.end = ret->end = b.pos + size;
	return 0;
}

/* Nothing here needs symbols, which are the most of what stands in a file before its data. */
static bool is_of_use(uint16_t id)
{
	return id != OPT_KALLSYMS && id != OPT_STRINGS;
}

/* Reads the head of a section and unzips a body of use; free(ret->unzipped) also after failure. */
static int open_section(struct fan_file *f, uint64_t offset, uint16_t id, struct section *ret)
{
	int r;

	ret->unzipped = NULL;
	r = read_section_head(f, offset, ret);
	if (r < 0)
		return r;
	if (ret->id != id)
		return -EINVAL;
	return ret->flags & SECTION_ZIPPED && is_of_use(id) ? unzip(f, ret) : 0;
}

static int read_printk(struct fan_file *f, struct fan_bytes *b)
{
	uint32_t size = 0;
	const int r = fan_bytes_u32(b, &size);

	return r < 0 ? r : fan_file_blob(f, b, size, &f->printk);
}

static int read_known_section(struct fan_file *f, uint64_t offset, uint16_t id)
{
	struct section s;
	int r;

	r = open_section(f, offset, id, &s);
	if (r == 0 && id == OPT_HEADER_INFO)
		r = fan_file_read_header_info(f, &s.body);
	else if (r == 0 && id == OPT_FTRACE_EVENTS)
		r = fan_file_read_ftrace_events(f, &s.body);
	else if (r == 0 && id == OPT_EVENT_FORMATS)
		r = fan_file_read_event_formats(f, &s.body);
	else if (r == 0 && id == OPT_PRINTK)
		r = read_printk(f, &s.body);
	else if (r == 0 && id == OPT_CMDLINES)
		r = fan_file_blob64(f, &s.body, &f->cmdlines);
	/* of the others it is enough that they are there */
	free(s.unzipped);
	return r;
}

static int by_cpu(const void *a, const void *b)
{
	const struct fan_cpu_data *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* The CPUs of a BUFFER option; each may appear once. */
static int read_buffer_cpus(struct fan_file *f, struct fan_bytes *b, struct fan_buffer *buf)
{
	uint32_t n = 0, cpu = 0;
	struct fan_cpu_data data = { 0 };
	int r;

	r = fan_bytes_u32(b, &n);
	for (uint32_t i = 0; r == 0 && i < n; i++) {
		r = fan_bytes_u32(b, &cpu);
		if (r == 0)
			r = fan_bytes_u64(b, &data.offset);
		if (r == 0)
			r = fan_bytes_u64(b, &data.size);
		if (r < 0)
			break;
		data.cpu = cpu > INT32_MAX ? -1 : (int32_t)cpu;
		r = fan_file_add_cpu(f, buf, data);
		if (r == 0 && cpu >= f->cpus)
			f->cpus = cpu + 1;
	}
	if (r < 0)
		return r;
	if (buf->ncpus)
		qsort(buf->cpus, buf->ncpus, sizeof(*buf->cpus), by_cpu);
	for (size_t i = 1; i < buf->ncpus; i++)
		if (buf->cpus[i].cpu == buf->cpus[i - 1].cpu)
			return -EINVAL;
	return 0;
}

static int read_buffer(struct fan_file *f, struct fan_bytes *b)
{
	struct fan_buffer *buf = fan_file_add_buffer(f);
	struct section s;
	uint64_t offset = 0;
	int r;

	if (!buf)
		return -ENOMEM;
	r = fan_bytes_u64(b, &offset);
	if (r == 0)
		r = fan_bytes_string(b, 4096, &buf->name);
	if (r == 0)
		r = fan_bytes_string(b, 4096, &buf->clock);
	if (r == 0)
		r = fan_bytes_u32(b, &buf->page_size);
	if (r == 0 && (buf->page_size < 4096 || buf->page_size > 1U << 26 ||
		       (buf->page_size & (buf->page_size - 1))))
		r = -EINVAL;
	if (r == 0)
		r = read_buffer_cpus(f, b, buf);
	if (r < 0 || buf->ncpus == 0)
		return r;
	r = read_section_head(f, offset, &s);
	buf->compressed = s.flags & SECTION_ZIPPED;
	/* that it ends beyond the file is known of its CPUs */
	return r == -ERANGE && f->may_be_cut && s.id == FAN_OPT_BUFFER ? 0 : r;
}

/* One option; *next is where the next block of options lies, set by the last of a block. */
static int read_option(struct fan_file *f, struct fan_bytes *b, bool *done, uint64_t *next)
{
	struct fan_bytes body;
	uint64_t offset = 0;
	uint32_t size = 0;
	uint16_t id = 0;
	int r;

	r = fan_bytes_u16(b, &id);
	if (r == 0)
		r = fan_bytes_u32(b, &size);
	if (r < 0)
		return r;
	body = *b;
	r = fan_bytes_skip(b, size);
	if (r < 0)
		return r;
	body.end = b->pos;
	if (id == FAN_OPT_DONE) {
		*done = true;
		return fan_bytes_u64(&body, next);
	}
	if (id == FAN_OPT_BUFFER)
		return read_buffer(f, &body);
	if (id == OPT_BUFFER_TEXT)
		return -EOPNOTSUPP;
	if (id < OPT_STRINGS || id > OPT_CMDLINES || size != 8)
		return fan_file_add_option(f, id, &body, size);
	r = fan_bytes_u64(&body, &offset);
	return r < 0 ? r : read_known_section(f, offset, id);
}

/* The names of the sections, which nothing here needs, close the file: they must be whole. */
static int check_tail(struct fan_file *f, uint64_t offset)
{
	struct section s;
	int r;

	if (offset == f->size)
		return 0;
	r = read_section_head(f, offset, &s);
	if (r == -ENODATA)
		return r;
	return r == -ERANGE && s.id == OPT_STRINGS ? -ENODATA : 0;
}

static int read_options(struct fan_file *f, uint64_t offset)
{
	struct section s;
	uint64_t end = 0;
	bool done;
	int r = 0;

	for (unsigned int i = 0; r == 0 && offset; i++) {
		if (i >= OPTION_BLOCKS)
			return -EINVAL;
		r = open_section(f, offset, FAN_OPT_DONE, &s);
		end = s.end;
		for (done = false; r == 0 && !done;)
			r = read_option(f, &s.body, &done, &offset);
		free(s.unzipped);
	}
	return r < 0 ? r : check_tail(f, end);
}

/* The main buffer first, wherever its option stood. */
static int put_main_buffer_first(struct fan_file *f)
{
	for (size_t i = 0; i < f->nbuffers; i++) {
		struct fan_buffer found = f->buffers[i];

		if (found.name[0] != '\0')
			continue;
		memmove(f->buffers + 1, f->buffers, i * sizeof(found));
		f->buffers[0] = found;
		return 0;
	}
	return -ENOENT;
}

/* What is lost of a file that may be cut off stands behind its main buffer. */
static bool has_main_buffer(struct fan_file *f)
{
	for (size_t i = 0; i < f->nbuffers; i++)
		if (!f->buffers[i].name)
			return false;
	return put_main_buffer_first(f) == 0 && f->header_page.data;
}

int fan_file_read_v7(struct fan_file *f, struct fan_bytes *b, struct fcap_err *err)
{
	uint64_t offset = 0;
	char *version = NULL;
	int r;

	r = fan_bytes_string(b, 64, &f->compression);
	if (r == 0)
		r = fan_bytes_string(b, 64, &version);
	free(version);
	if (r == 0)
		r = fan_bytes_u64(b, &offset);
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "first bytes");
	if (strcmp(f->compression, "none") != 0 && !fan_inflate_knows(f->compression))
		return fcap_fail(
			err, ENOTSUP,
			"it is compressed with \"%s\", and only zstd and zlib can be read; "
			"\"trace-cmd convert --compression none\" can rewrite it",
			f->compression);
	if (offset == 0)
		return fan_file_damage(err, -ENODATA, b->pos,
				       "options: the recording was not finished");
	r = read_options(f, offset);
	if (r == -EOPNOTSUPP)
		return fcap_fail(err, EINVAL, "it holds a latency trace (text), no events");
	if ((r == -ERANGE || r == -ENODATA) && f->may_be_cut) {
		if (!has_main_buffer(f))
			return fcap_fail(err, EINVAL,
					 "the file is cut off: which data are whose stands at the "
					 "end of a file of version 7, so that nothing of it can be "
					 "analysed");
		f->has_lost_buffers = true;
		return 0;
	}
	if (r < 0)
		return fan_file_damage(err, r, f->section_at,
				       r == -ERANGE ? "trace data" : "sections");
	if (!f->header_page.data)
		return fan_file_damage(err, -EINVAL, f->section_at,
				       "sections: the page header is missing");
	if (put_main_buffer_first(f) < 0)
		return fan_file_damage(err, -EINVAL, f->section_at,
				       "sections: there is no main buffer");
	return 0;
}
