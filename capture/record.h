/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One recording from beginning to end. Prints nothing itself. */
#ifndef CAP_RECORD_H
#define CAP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/attach.h"
#include "capture/guestpipe.h"
#include "capture/packing.h"
#include "capture/trigger.h"
#include "capture/tuning.h"
#include "fcap/err.h"

enum cap_events { CAP_EVENTS_ALL, CAP_EVENTS_NONE, CAP_EVENTS_TRIGGER };

struct cap_record_opts {
	const char *output;	  /* with CAP_EVENTS_TRIGGER what the files are named after */
	bool no_clobber;	  /* an output that exists is an error */
	const char *const *label; /* "KEY=VALUE" */
	size_t nlabel;
	enum cap_events events;
	struct cap_trigger_opts trigger; /* with CAP_EVENTS_TRIGGER */
	uint64_t sample_ns;
	const struct cap_guest_source *guest;
	size_t nguest;
	struct cap_packing packing;
	struct cap_tuning tuning;
	char *const *argv; /* the command, NULL-terminated; NULL: attach says what and how long */
	struct cap_attach_opts attach;
	/* Told what a user should know that is no error: a sentence, borrowed for the call. */
	void (*say)(const char *text);
	/* Shows a line on progress, in the place of the last one; "": erases it. NULL: nobody
	 * looks. */
	void (*progress)(const char *text);
};

/* Exit statuses beside the command's own. */
enum {
	CAP_STATUS_FAILED = 125, /* ours */
	CAP_STATUS_CANNOT_RUN = 126,
	CAP_STATUS_NOT_FOUND = 127,
};

/*
 * Records while the command runs, or without one as long as asked, or until a signal. The exit
 * status: the command's, 128 + n if signal n killed it, 0 without one; or one of the above with the
 * reason in *err.
 */
int cap_record(const struct cap_record_opts *opts, struct fcap_err *err);

#endif
