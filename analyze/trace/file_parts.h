/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the frame reader share: file.c (start of the file, common parts), v6.c and
 * sections.c (version 7). Not for others.
 */
#ifndef FAN_TRACE_FILE_PARTS_H
#define FAN_TRACE_FILE_PARTS_H

#include "analyze/trace/file.h"

/* ids of options that both versions know */
enum {
	FAN_OPT_DONE = 0,
	FAN_OPT_DATE = 1,
	FAN_OPT_BUFFER = 3,
	FAN_OPT_TRACECLOCK = 4,
	FAN_OPT_UNAME = 5,
	FAN_OPT_OFFSET = 7,
	FAN_OPT_CPUCOUNT = 8,
	FAN_OPT_TIME_SHIFT = 12,
	FAN_OPT_GUEST = 13,
	FAN_OPT_TSC2NSEC = 14,
};

/*
 * A damaged spot: turns -ENODATA and -EINVAL into a sentence that names what was being read, and
 * the byte of the file at which that was noticed, or at which the section begins.
 */
int fan_file_damage(struct fcap_err *err, int r, uint64_t at, const char *what);

/*
 * Before n bytes are taken into memory: a file may name the same bytes again and again, or unzip
 * to any length. 0; -EINVAL: with them it is more than any recording has.
 */
int fan_file_hold(struct fan_file *f, uint64_t n);

/* fan_bytes_blob() and fan_bytes_blob64() of bytes that are held. */
int fan_file_blob(struct fan_file *f, struct fan_bytes *b, uint64_t n, struct fan_blob *ret);
int fan_file_blob64(struct fan_file *f, struct fan_bytes *b, struct fan_blob *ret);

int fan_file_read_header_info(struct fan_file *f, struct fan_bytes *b);
int fan_file_read_ftrace_events(struct fan_file *f, struct fan_bytes *b);
int fan_file_read_event_formats(struct fan_file *f, struct fan_bytes *b);
/* Takes one option that is neither a section nor a buffer. */
int fan_file_add_option(struct fan_file *f, uint16_t id, struct fan_bytes *b, uint64_t size);
/* A new last buffer, zeroed; NULL without memory. */
struct fan_buffer *fan_file_add_buffer(struct fan_file *f);
/*
 * Takes the data of one CPU if there are any. -ERANGE: beyond the end of a file that must not be
 * cut off; -EINVAL: no such CPU, or the CPUs have more data together than the file has bytes.
 */
int fan_file_add_cpu(struct fan_file *f, struct fan_buffer *buf, struct fan_cpu_data data);

/* The end of a sentence about a file that is cut off. */
#define FAN_TRUNCATED_HINT "; --truncated analyses what comes before"

/* Everything behind the start of the file. */
int fan_file_read_v6(struct fan_file *f, struct fan_bytes *b, struct fcap_err *err);
int fan_file_read_v7(struct fan_file *f, struct fan_bytes *b, struct fcap_err *err);

#endif
