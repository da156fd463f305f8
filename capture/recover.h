/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the trace file from the parts of a recording that was killed. Prints nothing itself. */
#ifndef CAP_RECOVER_H
#define CAP_RECOVER_H

#include "capture/packing.h"
#include "capture/parts.h"
#include "fcap/err.h"

struct cap_recover_opts {
	const char *dir;
	const char *output;	    /* NULL: dir without its ".parts" */
	struct cap_packing packing; /* level 0: as the recording was to be */
	/* Told what came out: a sentence, borrowed for the call. */
	void (*say)(const char *text);
};

/*
 * 0, or negative errno with a sentence, and then the folder is still there; but for -ENODATA, when
 * there was nothing in it: then it is gone, unless it holds files of somebody else.
 */
int cap_recover(const struct cap_recover_opts *opts, struct fcap_err *err);

/*
 * A recording has failed, but its parts are kept: the cause, and what to do, in one sentence.
 * cause and ret may be the same. Returns -ret->code.
 */
int cap_recover_advise(const struct fcap_err *cause, const struct cap_parts *parts,
		       struct fcap_err *ret);

#endif
