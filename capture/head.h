/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a trace file says before its pages: formats, clock, kernel. Taken from tracefs once, before
 * tracing begins, and kept in the part "head", so that a file can be made without the tracefs.
 */
#ifndef CAP_HEAD_H
#define CAP_HEAD_H

#include <stdint.h>
#include <stdio.h>

#include "capture/marks.h"
#include "capture/plan.h"
#include "capture/session.h"
#include "capture/tracedat_write.h"
#include "fcap/err.h"

#define CAP_HEAD_PART	"head"
#define CAP_HEAD_FORMAT "format/" /* of a name in it; then SYSTEM/EVENT */

struct cap_head {
	struct cap_blob header_page, header_event;
	struct cap_blob clock, uname, version; /* texts with their NUL */
	struct cap_blob *format;	       /* those of ftrace, then those of the systems */
	struct cap_dat_system *system;
	size_t nftrace, nformat, nsystem;
	uint32_t ncpu;
	int pid;    /* who records */
	int level;  /* of compression that was asked for; 0: none */
	char *text; /* all the above point into it */
};

/*
 * Reads it from the session, which is set up, into one text for the caller to free: the part as it
 * is stored, and what cap_head_parse() wants. 0, or negative errno with a sentence.
 */
int cap_head_collect(char **ret, size_t *ret_len, const struct cap_session *s,
		     const struct cap_plan *plan, int level, struct fcap_err *err);

/* What the part says of who records what how, before anything of tracefs. 0, or negative errno. */
int cap_head_add_facts(FILE *out, uint32_t ncpu, int level);

/* From such a text, which it takes over, also when it fails. 0; -EINVAL: damaged; -ENOMEM. */
int cap_head_parse(struct cap_head *ret, char *text, size_t len);

/* The layout of pages and markers. 0, or -EINVAL with a sentence. */
int cap_head_layout(const struct cap_head *h, struct cap_marks_layout *ret, struct fcap_err *err);

void cap_head_clear(struct cap_head *h);

#endif
