/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of `fcap record` for limits. */
#ifndef CAP_CMD_TRIGGER_H
#define CAP_CMD_TRIGGER_H

#include <argp.h>

#include "capture/record.h"

struct cap_trigger_args {
	struct cap_trigger_opts opts; /* points into what follows */
	struct cap_rule rule[CAP_RULES_MAX];
	const char *given; /* the last option of these, or NULL */
};

/* A child parser; its input is a struct cap_trigger_args. */
extern const struct argp cap_trigger_argp;

/*
 * Refuses, with argp_error(), what does not go together. o: the other options; its sample_ns is
 * known.
 */
void cap_trigger_check(const struct cap_trigger_args *args, const struct cap_record_opts *o,
		       const struct argp_state *state);

#endif
