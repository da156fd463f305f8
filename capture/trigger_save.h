/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes one trace file of what the rings and the history hold. */
#ifndef CAP_TRIGGER_SAVE_H
#define CAP_TRIGGER_SAVE_H

#include "capture/head.h"
#include "capture/packing.h"
#include "capture/parts.h"
#include "capture/trigger_history.h"
#include "capture/trigger_ring.h"
#include "capture/trigger_text.h"

/* Everything is borrowed. */
struct cap_save_conf {
	struct cap_session *session;
	const struct cap_head *head;
	const char *head_text; /* the part as it is stored */
	size_t head_len;
	const struct cap_marks_layout *layout;
	struct cap_ring *ring;
	struct cap_history *history;
	struct cap_packing packing;
	bool no_clobber;
};

/*
 * Opens the folder in which this file will grow, with its head: what can fail does so before there
 * is something to save. 0, or negative errno with a sentence.
 */
int cap_save_open(struct cap_parts **ret, const struct cap_save_conf *conf, const char *file,
		  struct fcap_err *err);

/*
 * Stops tracing and makes the file, with all from before_ns before the crossing on, as far as the
 * rings go back; they are empty then. *s: file, reason and what was asked are given, the rest is
 * filled in. 0, or negative errno with a sentence; what was taken from the rings is kept then.
 */
int cap_save_make(const struct cap_save_conf *conf, struct cap_parts *parts, uint64_t before_ns,
		  struct cap_saved *s, struct fcap_err *err);

#endif
