/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in a file, as a tree like that of tree.h: NULL and FAN_NONE mean "does not exist".
 * Stamps are those of the file, in ns of its clock (in ticks where the clock is no time).
 */
#ifndef FAN_REPORT_INFO_H
#define FAN_REPORT_INFO_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

#define FAN_INFO_LATE_NS 1000000000 /* a CPU whose records begin later than this is told */

struct fan_i_cpu {
	int64_t cpu, bytes, records;
	int64_t first_ns, last_ns; /* FAN_NONE without records */
	int64_t loss_marks;	   /* places where the kernel says that events are missing */
	int64_t lost;		   /* events missing there; FAN_NONE: at least one not counted */
};

struct fan_i_buffer {
	char *name; /* "" is the main buffer */
	char *clock;
	int64_t bytes, records;
	struct fan_array cpus; /* struct fan_i_cpu: those with data */
};

struct fan_i_range {
	int64_t first_ns, last_ns, length_ns; /* FAN_NONE: no records */
};

struct fan_i_event {
	char *name;		  /* "system:name", or "unknown type N" */
	int64_t records, in_main; /* of all buffers; of the main one */
};

struct fan_i_marker {
	char *kind;
	int64_t lines;
};

struct fan_i_limit {
	char *question, *reason;
	char *remedy; /* NULL: no option of a recorder helps */
};

struct fan_info {
	char *schema; /* "fcap-info/1" */
	struct fan_r_tool tool;
	char *file;
	int64_t bytes, version;
	char *compression, *byte_order;
	int64_t word_bytes, page_bytes;
	char *kernel, *clock;
	int64_t cpus, cpus_with_data; /* of the header; in the main buffer */
	struct fan_strs options;      /* each name once */
	char *recorder;		      /* of the VERSION option */
	char *command;		      /* that fcap recorded */
	struct fan_array labels;      /* struct fan_pair */
	struct fan_i_range range;     /* of the main buffer; of all if that is empty */
	int64_t cut_ns, cut_cpu;      /* FAN_NONE: no CPU's data end before their time */
	struct fan_ints missing_cpus; /* of which nothing is left */
	struct fan_strs cut;	      /* what is missing of the file, in words */
	struct fan_array buffers;     /* struct fan_i_buffer */
	struct fan_array events;      /* struct fan_i_event, most first */
	struct fan_strs silent;	      /* formats without an event */
	struct fan_strs losses;	      /* texts of the recorder about lost events */
	struct fan_strs triggers;     /* why it made the file, if it waited for limits */
	struct fan_array markers;     /* struct fan_i_marker, in the order of first sight */
	int64_t malformed_markers;
	struct fan_array limits; /* struct fan_i_limit */
};

extern const struct fan_table fan_info_table;
extern const struct fan_table fan_i_buffer_table;
extern const struct fan_table fan_i_cpu_table;
extern const struct fan_table fan_i_event_table;
extern const struct fan_table fan_i_marker_table;
extern const struct fan_table fan_i_limit_table;

static inline void fan_info_free(struct fan_info *info)
{
	fan_tree_free(info, &fan_info_table);
}

/*
 * Adds what the file cannot answer, from the rest of the tree. clock_fault: why its stamps are no
 * time, or NULL. 0, or -ENOMEM.
 */
int fan_info_find_limits(struct fan_info *info, const char *clock_fault);

/*
 * Writes it for a person, 80 columns, and flushes f, which stays the caller's. 0; -ENOMEM; or the
 * error of the write, with a sentence in err.
 */
int fan_info_text(const struct fan_info *info, FILE *f, struct fcap_err *err);

#endif
