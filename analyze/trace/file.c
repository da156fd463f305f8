// SPDX-License-Identifier: GPL-3.0-or-later
/* The start of a trace.dat, and what the frames of both versions have in common. */
#include "analyze/trace/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/trace/file_parts.h"
#include "fcap/cpulist.h"

#define SYSTEM_MAX  256	  /* bytes of the name of a system of events */
#define FORMATS_MAX 65536 /* common_type has 16 bits */
#define BUFFERS_MAX 10000
#define STREAMS_MAX 65536	       /* CPUs with data, of all buffers */
#define HELD_MAX    (256U << 20)       /* bytes of metadata; a recording has 5 to 30 MiB */
#define SHIFT_MAX   (INT64_C(1) << 62) /* a century and a half */
#define PIECE	    64		       /* bytes of a piece of metadata besides its text, about */

int fan_file_damage(struct fcap_err *err, int r, uint64_t at, const char *what)
{
	if (r == -ENODATA)
		return fcap_fail(err, EINVAL, "the file is cut off in its %s (at byte %" PRIu64 ")",
				 what, at);
	if (r == -ERANGE)
		return fcap_fail(err, EINVAL,
				 "the file is cut off: it ends before its %s (told of at byte "
				 "%" PRIu64 ")" FAN_TRUNCATED_HINT,
				 what, at);
	if (r == -EINVAL)
		return fcap_fail(err, EINVAL, "the file is damaged in its %s (at byte %" PRIu64 ")",
				 what, at);
	return fcap_fail(err, -r, "cannot read its %s: %s", what, strerror(-r));
}

int fan_file_hold(struct fan_file *f, uint64_t n)
{
	if (n > HELD_MAX - f->held)
		return -EINVAL;
	f->held += n;
	return 0;
}

int fan_file_blob(struct fan_file *f, struct fan_bytes *b, uint64_t n, struct fan_blob *ret)
{
	int r = n > b->end - b->pos ? -ENODATA : 0;

	if (r == 0)
		r = fan_file_hold(f, n);
	return r < 0 ? r : fan_bytes_blob(b, n, ret);
}

int fan_file_blob64(struct fan_file *f, struct fan_bytes *b, struct fan_blob *ret)
{
	uint64_t size = 0;
	const int r = fan_bytes_u64(b, &size);

	return r < 0 ? r : fan_file_blob(f, b, size, ret);
}

/* Offset and size of one field of the text of events/header_page. */
static int page_field(const char *text, const char *name, uint32_t *offset, uint32_t *size)
{
	const char *p = strstr(text, name);

	if (!p ||
	    sscanf(p + strlen(name), "; offset:%" SCNu32 "; size:%" SCNu32, offset, size) != 2)
		return -EINVAL;
	return 0;
}

static int read_page_layout(struct fan_file *f)
{
	const char *text = f->header_page.data;
	uint32_t size = 0;

	if (page_field(text, " commit", &f->commit_offset, &f->commit_size) < 0 ||
	    page_field(text, " data", &f->data_offset, &size) < 0)
		return -EINVAL;
	if ((f->commit_size != 4 && f->commit_size != 8) || f->commit_offset < 8 ||
	    f->data_offset < f->commit_offset + f->commit_size || f->data_offset > 64)
		return -EINVAL;
	return 0;
}

static int expect(struct fan_bytes *b, const char *tag, size_t len)
{
	char got[16];
	const int r = fan_bytes_get(b, got, len);

	if (r < 0)
		return r;
	return memcmp(got, tag, len) == 0 ? 0 : -EINVAL;
}

int fan_file_read_header_info(struct fan_file *f, struct fan_bytes *b)
{
	int r;

	if (f->header_page.data)
		return -EINVAL;
	r = expect(b, "header_page", 12);
	if (r == 0)
		r = fan_file_blob64(f, b, &f->header_page);
	if (r == 0)
		r = expect(b, "header_event", 13);
	if (r == 0)
		r = fan_file_blob64(f, b, &f->header_event);
	return r < 0 ? r : read_page_layout(f);
}

static int add_format(struct fan_file *f, const char *system, struct fan_bytes *b)
{
	struct fan_format *grown, fmt = { NULL, { NULL, 0 } };
	int r;

	if (f->nformats >= FORMATS_MAX)
		return -EINVAL;
	r = fan_file_hold(f, PIECE + strlen(system));
	if (r == 0)
		r = fan_file_blob64(f, b, &fmt.text);
	if (r < 0)
		return r;
	fmt.system = strdup(system);
	grown = realloc(f->formats, (f->nformats + 1) * sizeof(*grown));
	if (grown)
		f->formats = grown;
	if (!grown || !fmt.system) {
		free(fmt.text.data);
		free(fmt.system);
		return -ENOMEM;
	}
	f->formats[f->nformats++] = fmt;
	return 0;
}

int fan_file_read_ftrace_events(struct fan_file *f, struct fan_bytes *b)
{
	uint32_t n = 0;
	int r;

	r = fan_bytes_u32(b, &n);
	for (uint32_t i = 0; r == 0 && i < n; i++)
		r = add_format(f, "ftrace", b);
	return r;
}

int fan_file_read_event_formats(struct fan_file *f, struct fan_bytes *b)
{
	uint32_t systems = 0, n = 0;
	char *name;
	int r;

	r = fan_bytes_u32(b, &systems);
	for (uint32_t s = 0; r == 0 && s < systems; s++) {
		r = fan_bytes_string(b, SYSTEM_MAX, &name);
		if (r < 0)
			return r;
		r = fan_bytes_u32(b, &n);
		for (uint32_t i = 0; r == 0 && i < n; i++)
			r = add_format(f, name, b);
		free(name);
	}
	return r;
}

/* "Linux HOST RELEASE MACHINE": only the release is ours to keep. */
static int keep_kernel(struct fan_file *f, const char *uname)
{
	char release[128];

	if (f->kernel || sscanf(uname, "%*s %*s %127s", release) != 1)
		return 0;
	f->kernel = strdup(release);
	return f->kernel ? 0 : -ENOMEM;
}

/* "0x5e0be1f5c3a10" of DATE, in us, or "-1500" of OFFSET: both count, as in trace-cmd report. */
static int add_shift(struct fan_file *f, const char *text, int64_t unit_ns)
{
	int64_t ns;
	char *end;

	errno = 0;
	ns = strtoll(text, &end, 0);
	if (end == text || *end || errno || __builtin_mul_overflow(ns, unit_ns, &ns) ||
	    __builtin_add_overflow(f->shift_ns, ns, &ns) || ns > SHIFT_MAX || ns < -SHIFT_MAX)
		return -EINVAL;
	f->shift_ns = ns;
	return 0;
}

int fan_file_add_option(struct fan_file *f, uint16_t id, struct fan_bytes *b, uint64_t size)
{
	struct fan_option *grown, opt = { .id = id };
	int r;

	r = fan_file_hold(f, PIECE);
	if (r == 0)
		r = fan_file_blob(f, b, size, &opt.data);
	if (r < 0)
		return r;
	grown = realloc(f->options, (f->noptions + 1) * sizeof(*grown));
	if (!grown) {
		free(opt.data.data);
		return -ENOMEM;
	}
	f->options = grown;
	f->options[f->noptions++] = opt;
	if (id == FAN_OPT_UNAME)
		return keep_kernel(f, opt.data.data);
	if (id == FAN_OPT_DATE)
		return add_shift(f, opt.data.data, 1000);
	if (id == FAN_OPT_OFFSET)
		return add_shift(f, opt.data.data, 1);
	if (id == FAN_OPT_CPUCOUNT && size >= 4)
		f->cpus = fan_u32(opt.data.data, f->big_endian);
	return f->cpus > FCAP_CPUS_MAX ? -EINVAL : 0;
}

struct fan_buffer *fan_file_add_buffer(struct fan_file *f)
{
	struct fan_buffer *grown;

	if (f->nbuffers >= BUFFERS_MAX)
		return NULL;
	grown = realloc(f->buffers, (f->nbuffers + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	f->buffers = grown;
	grown += f->nbuffers++;
	memset(grown, 0, sizeof(*grown));
	grown->page_size = f->page_size;
	return grown;
}

int fan_file_add_cpu(struct fan_file *f, struct fan_buffer *buf, struct fan_cpu_data data)
{
	struct fan_cpu_data *grown;

	if (data.size == 0)
		return 0;
	if (data.cpu < 0 || data.cpu >= FCAP_CPUS_MAX)
		return -EINVAL;
	if (data.offset > f->size || data.size > f->size - data.offset) {
		if (!f->may_be_cut)
			return -ERANGE;
		data.size = data.offset < f->size ? f->size - data.offset : 0;
		data.is_cut = true;
	}
	if (data.size > f->size - f->in_pages || f->nstreams >= STREAMS_MAX)
		return -EINVAL;
	f->in_pages += data.size;
	f->nstreams++;
	grown = realloc(buf->cpus, (buf->ncpus + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	buf->cpus = grown;
	buf->cpus[buf->ncpus++] = data;
	return 0;
}

/* "local [mono] global": the clock in brackets; a v7 buffer names its clock alone. */
static char *clock_in_use(const char *text)
{
	const char *open = strchr(text, '[');
	const size_t len = open ? strcspn(open + 1, "]") : 0;

	return open ? strndup(open + 1, len) : strdup(text);
}

static int name_clocks(struct fan_file *f)
{
	const char *text = NULL;

	for (size_t i = 0; i < f->noptions; i++)
		if (f->options[i].id == FAN_OPT_TRACECLOCK)
			text = f->options[i].data.data;
	for (size_t i = 0; text && *text && i < f->nbuffers; i++) {
		if (f->buffers[i].clock)
			continue;
		f->buffers[i].clock = clock_in_use(text);
		if (!f->buffers[i].clock)
			return -ENOMEM;
	}
	return 0;
}

/*
 * A recording of an instance alone (trace-cmd record -B NAME -e ...) has an empty main buffer: the
 * first one with data takes its place. Marker lines of fcap are no such data.
 */
static void choose_main(struct fan_file *f)
{
	const struct fan_buffer empty = f->buffers[0];

	for (size_t i = 1; empty.ncpus == 0 && i < f->nbuffers; i++) {
		if (f->buffers[i].ncpus == 0 || strcmp(f->buffers[i].name, "fcap") == 0)
			continue;
		f->buffers[0] = f->buffers[i];
		f->buffers[i] = empty;
		return;
	}
}

static const struct {
	const char *magic;
	size_t n;
	const char *what;
} others[] = {
	{ "PERFILE2", 8, "a perf.data file" },
	{ "\x1f\x8b", 2, "compressed with gzip; \"gunzip\" unpacks it" },
	{ "\xfd"
	  "7zXZ",
	  5, "compressed with xz; \"unxz\" unpacks it" },
	{ "\x28\xb5\x2f\xfd", 4, "compressed with zstd; \"unzstd\" unpacks it" },
	{ "\xa1\xb2\xc3\xd4", 4, "a packet capture (pcap)" },
	{ "\xd4\xc3\xb2\xa1", 4, "a packet capture (pcap)" },
	{ "\x0a\x0d\x0d\x0a", 4, "a packet capture (pcapng)" },
	{ "BZh", 3, "compressed with bzip2; \"bunzip2\" unpacks it" },
	{ "PK\3\4", 4, "a ZIP archive; \"unzip\" unpacks it" },
	{ "\0\5\x16\7", 4, "an AppleDouble file, what macOS keeps beside a file" },
	{ "\x7f"
	  "ELF",
	  4, "an ELF file, a program" },
};

/* All of the first bytes, of which there is one or more, are printable or blank. */
static bool is_text(const char *head, uint64_t size)
{
	for (size_t i = 0; i < 31 && i < size; i++)
		if ((head[i] < ' ' || head[i] > '~') && (head[i] < '\t' || head[i] > '\r'))
			return false;
	return true;
}

/* "/annex/objects/KEY", or a link that was checked out as a file and leads there. */
static bool is_annexed(const char *head)
{
	return strncmp(head, "/annex/objects/", 15) == 0 || strstr(head, ".git/annex/objects/");
}

/* Says what a file is that is not a trace.dat. */
static int refuse(const struct fan_file *f, const char *head, struct fcap_err *err)
{
	if (f->size == 0)
		return fcap_fail(err, EINVAL, "the file is empty");
	if (strncmp(head, "version https://git-lfs", 23) == 0)
		return fcap_fail(err, EINVAL,
				 "this is a Git LFS pointer, not the trace itself; "
				 "\"git lfs pull\" fetches it");
	if (is_annexed(head))
		return fcap_fail(err, EINVAL,
				 "this is a git-annex pointer, not the trace itself; \"git annex "
				 "get\" fetches it");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (memcmp(head, others[i].magic, others[i].n) == 0)
			return fcap_fail(err, EINVAL, "this is %s; a trace.dat is needed",
					 others[i].what);
	if (is_text(head, f->size) && head[0] == '{')
		return fcap_fail(err, EINVAL,
				 "this is JSON, not a trace.dat file; of reports fanalyze compare "
				 "and plot make something");
	if (is_text(head, f->size))
		return fcap_fail(err, EINVAL,
				 "this is a text, not a trace.dat file, which trace-cmd record or "
				 "fcap record writes");
	return fcap_fail(err, EINVAL, "this is not a trace.dat file");
}

static int read_start(struct fan_file *f, struct fan_bytes *b, struct fcap_err *err)
{
	char head[32] = "", *version = NULL;
	unsigned char sizes[2];
	int r;

	r = fan_pread(f->fd, head, f->size < 31 ? (size_t)f->size : 31, 0);
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "first bytes");
	if (f->size < 10 || memcmp(head, "\x17\x08\x44tracing", 10) != 0)
		return refuse(f, head, err);
	b->pos = 10;
	r = fan_bytes_string(b, 16, &version);
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "version");
	f->version = strcmp(version, "6") == 0 ? 6 : strcmp(version, "7") == 0 ? 7 : 0;
	free(version);
	if (!f->version)
		return fcap_fail(err, EINVAL,
				 "only versions 6 and 7 of trace.dat can be read, not \"%.15s\"",
				 head + 10);
	r = fan_bytes_get(b, sizes, sizeof(sizes));
	if (r == 0 && (sizes[0] > 1 || (sizes[1] != 4 && sizes[1] != 8)))
		r = -EINVAL;
	if (r < 0)
		return fan_file_damage(err, r, b->pos, "first bytes");
	f->big_endian = b->big_endian = sizes[0] == 1;
	f->long_size = sizes[1];
	r = fan_bytes_u32(b, &f->page_size);
	if (r == 0 &&
	    (f->page_size < 4096 || f->page_size > 1U << 26 || (f->page_size & (f->page_size - 1))))
		r = -EINVAL;
	return r < 0 ? fan_file_damage(err, r, b->pos, "page size") : 0;
}

static int open_regular(struct fan_file *f, const char *path, struct fcap_err *err)
{
	struct stat st;

	f->path = strdup(path);
	if (!f->path)
		return fcap_fail(err, ENOMEM, "out of memory");
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (f->fd < 0)
		return fcap_fail(err, errno, "cannot open it: %s", strerror(errno));
	if (fstat(f->fd, &st) < 0)
		return fcap_fail(err, errno, "cannot stat it: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fcap_fail(err, EINVAL, "this is not a regular file");
	f->size = (uint64_t)st.st_size;
	return 0;
}

static int open_file(struct fan_file **ret, const char *path, bool may_be_cut, struct fcap_err *err)
{
	struct fan_file *f = calloc(1, sizeof(*f));
	struct fan_bytes b = { 0 };
	int r;

	if (!f)
		return fcap_fail(err, ENOMEM, "out of memory");
	f->fd = -1;
	f->may_be_cut = may_be_cut;
	r = open_regular(f, path, err);
	if (r < 0)
		goto fail;
	b.fd = f->fd;
	b.end = f->size;
	r = read_start(f, &b, err);
	if (r < 0)
		goto fail;
	r = f->version == 6 ? fan_file_read_v6(f, &b, err) : fan_file_read_v7(f, &b, err);
	if (r < 0)
		goto fail;
	if (name_clocks(f) < 0) {
		r = fcap_fail(err, ENOMEM, "out of memory");
		goto fail;
	}
	choose_main(f);
	*ret = f;
	return 0;
fail:
	fan_file_close(f);
	return r;
}

int fan_file_open(struct fan_file **ret, const char *path, struct fcap_err *err)
{
	return open_file(ret, path, false, err);
}

int fan_file_open_cut(struct fan_file **ret, const char *path, struct fcap_err *err)
{
	return open_file(ret, path, true, err);
}

void fan_file_close(struct fan_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nformats; i++) {
		free(f->formats[i].system);
		free(f->formats[i].text.data);
	}
	for (size_t i = 0; i < f->noptions; i++)
		free(f->options[i].data.data);
	for (size_t i = 0; i < f->nbuffers; i++) {
		free(f->buffers[i].name);
		free(f->buffers[i].clock);
		free(f->buffers[i].cpus);
	}
	free(f->formats);
	free(f->options);
	free(f->buffers);
	free(f->header_page.data);
	free(f->header_event.data);
	free(f->cmdlines.data);
	free(f->printk.data);
	free(f->compression);
	free(f->kernel);
	free(f->path);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}
