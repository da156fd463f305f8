/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One recording from beginning to end. Prints nothing itself. */
#ifndef CAP_RECORD_H
#define CAP_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "capture/guestpipe.h"
#include "fcap/err.h"

enum cap_events { CAP_EVENTS_ALL, CAP_EVENTS_NONE };

struct cap_record_opts {
	const char *output;
	const char *const *label; /* "KEY=VALUE" */
	size_t nlabel;
	enum cap_events events;
	uint64_t sample_ns;
	const struct cap_guest_source *guest;
	size_t nguest;
	char *const *argv; /* the command, NULL-terminated */
	/* Told what a user should know that is no error: a sentence, borrowed for the call. */
	void (*say)(const char *text);
};

/* Exit statuses beside the command's own. */
enum {
	CAP_STATUS_FAILED = 125, /* ours */
	CAP_STATUS_CANNOT_RUN = 126,
	CAP_STATUS_NOT_FOUND = 127,
};

/*
 * Records while the command runs. The exit status: the command's, 128 + n if signal n killed it,
 * or one of the above with the reason in *err.
 */
int cap_record(const struct cap_record_opts *opts, struct fcap_err *err);

#endif
