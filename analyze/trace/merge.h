/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All records of all buffers of a file in time order; ties by lowest CPU, then by buffer.
 * Memory: one window of pages a CPU.
 */
#ifndef FAN_TRACE_MERGE_H
#define FAN_TRACE_MERGE_H

#include "analyze/trace/file.h"
#include "analyze/trace/record.h"
#include "fcap/cpulist.h"
#include "fcap/err.h"

struct fan_merge;

/*
 * How a file ends that was opened by fan_file_open_cut(). Where the data of one CPU of the main
 * buffer end before their time, nobody knows any more who ran: no record of that buffer follows.
 */
struct fan_cut {
	bool is_cut;
	int32_t cpu;		    /* the first whose data end */
	uint64_t ts_ns;		    /* of its last record that is whole */
	struct fcap_cpuset missing; /* CPUs of the main buffer of which not one record is left */
	bool has_lost_lines;	    /* other buffers, too, are not whole */
	struct fcap_err
		why; /* of the end of cpu's data, else of the first of these; code 0: none */
};

/* file stays the caller's and must outlive the merge. 0 or negative errno. */
int fan_merge_open(struct fan_merge **ret, const struct fan_file *file, struct fcap_err *err);

/* The same; of compressed data up to so many threads inflate what is needed next. */
int fan_merge_open_helped(struct fan_merge **ret, const struct fan_file *file, unsigned int helpers,
			  struct fcap_err *err);

/*
 * 1: *ret is the next record, borrowed until the next call; 0: the end; negative errno: read error
 * or damaged page.
 */
int fan_merge_next(struct fan_merge *m, const struct fan_record **ret, struct fcap_err *err);

/*
 * Up to max > 0 of the next records at once: how many *ret points to; 0 and negative as above. They
 * are borrowed until the next call of this or the above that does not hand out some of them again.
 */
int fan_merge_take(struct fan_merge *m, int max, const struct fan_record *const **ret,
		   struct fcap_err *err);

/* The last n of those that were taken at once come again. */
void fan_merge_give_back(struct fan_merge *m, int n);

/* Borrowed; what is known so far. */
const struct fan_cut *fan_merge_cut(const struct fan_merge *m);

/*
 * The record handed out last makes no sense, for this reason: the data of its CPU end before it.
 * 0; or the negative errno of why where the file must be whole.
 */
int fan_merge_cut_here(struct fan_merge *m, const struct fan_record *rec,
		       const struct fcap_err *why);

void fan_merge_close(struct fan_merge *m);

#endif
