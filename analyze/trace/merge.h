/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All records of all buffers of a file in time order; ties by lowest CPU, then by buffer.
 * Memory: one window of pages a CPU.
 */
#ifndef FAN_TRACE_MERGE_H
#define FAN_TRACE_MERGE_H

#include "analyze/trace/file.h"
#include "analyze/trace/record.h"
#include "fcap/err.h"

struct fan_merge;

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

/* The next call of fan_merge_next() reads on: the data of records so far may be gone after it. */
bool fan_merge_is_dry(const struct fan_merge *m);

void fan_merge_close(struct fan_merge *m);

#endif
