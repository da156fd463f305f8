/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first and the last line of a recording: "begin", and "end" or "cut". */
#ifndef CAP_RUN_LINES_H
#define CAP_RUN_LINES_H

#include "capture/emit.h"
#include "capture/record.h"
#include "capture/sampler.h"

/*
 * "begin": what was started how, and where. root: the thread of the command, which is told with
 * the scope of the recording. 0, or negative errno.
 */
int cap_run_lines_begin(const struct cap_record_opts *opts, const struct cap_host *host, pid_t root,
			struct cap_sink to);

/*
 * The name of the sched_ext scheduler that is in charge, from the folder sys/kernel/sched_ext below
 * dirfd (the root); "unnamed" if it has none. False: none is, or this kernel has no sched_ext.
 */
bool cap_sched_ext_name(int dirfd, char *ret, size_t size);

/* "end": events and bytes stored, and the CPU time that recording cost. 0, or negative errno. */
int cap_run_lines_end(uint64_t events, uint64_t bytes, struct cap_sink to);

/* "cut": why the recording ends before what it was to record. 0, or negative errno. */
int cap_run_lines_cut(const char *why, struct cap_sink to);

#endif
