/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of a trace.dat, versions 6 and 7: sections, options, buffers, where the pages of
 * each CPU lie. Does not look into pages. Every size and offset is checked against the file.
 */
#ifndef FAN_TRACE_FILE_H
#define FAN_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/bytes.h"
#include "fcap/err.h"

struct fan_format {
	char *system; /* "ftrace" for the ftrace events */
	struct fan_blob text;
};

struct fan_cpu_data {
	int32_t cpu;
	uint64_t offset, size; /* in the file */
	bool is_cut;	       /* the file ends in them or before: size is of what is there */
};

struct fan_buffer {
	char *name;  /* "" is the main buffer */
	char *clock; /* NULL: not in the file */
	uint32_t page_size;
	bool compressed;	   /* the data are compressed chunks */
	uint64_t table_offset;	   /* version 6: where the instance describes itself */
	struct fan_cpu_data *cpus; /* those with data, by number */
	size_t ncpus;
};

struct fan_option {
	uint16_t id;
	struct fan_blob data;
};

/* Who wants to know how far reading is: bytes of all data. tell NULL: nobody. */
struct fan_reading_watch {
	void (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

struct fan_file {
	int fd;
	char *path;
	uint64_t size;	      /* of the whole file */
	unsigned int version; /* 6 or 7 */
	bool big_endian;
	unsigned int long_size; /* 4 or 8 */
	uint32_t page_size;
	uint32_t cpus;	   /* as the header says; data may be there for fewer */
	char *compression; /* NULL, "none", "zstd", "zlib" */
	struct fan_blob header_page, header_event;
	uint32_t commit_offset, commit_size, data_offset; /* of a page, from header_page */
	struct fan_format *formats;
	size_t nformats;
	struct fan_blob cmdlines, printk;
	struct fan_option *options; /* those that are not sections or buffers */
	size_t noptions;
	struct fan_buffer *buffers; /* [0]: the main one, or the only one with events */
	size_t nbuffers;
	int64_t shift_ns;  /* what the options DATE and OFFSET add to every stamp, |.| <= 2^62 */
	char *kernel;	   /* release, from the UNAME option; or NULL */
	uint64_t held;	   /* bytes of all of this, unzipped sections included, as far as bounded */
	uint64_t in_pages; /* bytes of the file that are data of CPUs */
	uint64_t section_at; /* version 7: where the last section that was opened begins */
	size_t nstreams;     /* CPUs with data, of all buffers */
	struct fan_reading_watch watch; /* for the caller to set */
	bool may_be_cut;		/* opened by fan_file_open_cut() */
	bool has_lost_buffers;		/* besides the main one, of a file that is cut off */
};

/*
 * Opens and reads everything but the pages. 0; -EINVAL with a sentence in err: not a trace.dat,
 * or a damaged one; -ENOTSUP: a compression we cannot read; other errnos of the system.
 */
int fan_file_open(struct fan_file **ret, const char *path, struct fcap_err *err);

/*
 * The same of a file that is cut off or damaged in the data of its CPUs: what is there is read, see
 * struct fan_cut. The rest of the file must be whole.
 */
int fan_file_open_cut(struct fan_file **ret, const char *path, struct fcap_err *err);

void fan_file_close(struct fan_file *f);

#endif
