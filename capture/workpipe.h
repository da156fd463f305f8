/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines "fcap-work ..." and "fcap-score ..." that the workload writes to a descriptor become
 * "work" and "score" markers.
 */
#ifndef CAP_WORKPIPE_H
#define CAP_WORKPIPE_H

#include <stddef.h>
#include <stdint.h>

#include "capture/emit.h"
#include "capture/lines.h"

struct cap_workpipe {
	struct cap_sink to;
	uint64_t malformed; /* lines that were not understood */
	struct cap_lines lines;
};

void cap_workpipe_init(struct cap_workpipe *w, struct cap_sink to);

/*
 * Makes a marker of one line. guest: NULL, or the VM that it comes from, which then need not be
 * named in it, and whose clock is not ours: t is left out. 0; 1: not understood; the sink's error.
 */
int cap_work_line(const char *line, const char *guest, struct cap_sink to);

/* Takes bytes as they come; a line may arrive in pieces. 0, or the sink's error. */
int cap_workpipe_feed(struct cap_workpipe *w, const char *data, size_t len);

/*
 * Reads a nonblocking descriptor empty, or 1 MiB of it, which is more than a pipe holds. 1: its
 * writers are all gone; 0; negative errno.
 */
int cap_workpipe_read(struct cap_workpipe *w, int fd);

#endif
