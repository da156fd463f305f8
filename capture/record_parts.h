/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording under way; for record*.c only. */
#ifndef CAP_RECORD_PARTS_H
#define CAP_RECORD_PARTS_H

#include <sys/resource.h>

#include "capture/attach.h"
#include "capture/buffers.h"
#include "capture/child.h"
#include "capture/cpus.h"
#include "capture/guestpipe.h"
#include "capture/head.h"
#include "capture/marks.h"
#include "capture/parts.h"
#include "capture/plan.h"
#include "capture/progress.h"
#include "capture/record.h"
#include "capture/sampler.h"
#include "capture/scope.h"
#include "capture/session.h"
#include "capture/signals.h"
#include "capture/trigger.h"
#include "capture/usage.h"
#include "capture/workpipe.h"

struct cap_recording {
	const struct cap_record_opts *opts;
	struct cap_parts *parts;
	struct cap_plan plan;
	struct cap_session *session;
	struct cap_buffers *buffers;
	struct cap_head head;
	char *head_text; /* as it is stored, for further files */
	size_t head_len;
	struct cap_marks_layout layout;
	struct cap_marks *marks;     /* NULL: it has a trigger */
	struct cap_trigger *trigger; /* NULL: all is recorded */
	struct cap_sampler *sampler;
	struct cap_cpus cpus;
	struct cap_child child;	  /* if there is a command */
	struct cap_attach attach; /* if not */
	struct cap_progress progress;
	struct cap_workpipe work;
	struct cap_guests *guests; /* NULL: none to read */
	uint64_t buffer_bytes;
	uint64_t begun_ns, ended_ns; /* of tracing */
	struct cap_usage usage;
	struct cap_scope scope;
	struct cap_signals signals;
	struct rlimit old_nofile;
	int procfd, sysfd, marks_fd, work_fd;
	int status;
};

/* One sentence to whoever asked for the recording. */
__attribute__((format(printf, 2, 3))) void cap_record_say(const struct cap_recording *r,
							  const char *fmt, ...);

/* Where marker lines go. */
struct cap_sink cap_record_sink(const struct cap_recording *r);

/*
 * The command has ended, or what we attached to: stops everything, and makes the file. 0 if it has
 * all of the recording; else negative errno, and the sentence says what became of what there is.
 */
int cap_record_finish(struct cap_recording *r, struct fcap_err *err);

#endif
