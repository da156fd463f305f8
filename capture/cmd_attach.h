/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of `fcap record` for a recording without a command. */
#ifndef CAP_CMD_ATTACH_H
#define CAP_CMD_ATTACH_H

#include <argp.h>

#include "capture/attach.h"

#define CAP_ATTACH_MAX 256 /* VMs, and processes */

struct cap_attach_args {
	struct cap_attach_opts opts; /* points into what follows */
	const char *vm[CAP_ATTACH_MAX];
	pid_t pid[CAP_ATTACH_MAX];
};

/* A child parser; its input is a struct cap_attach_args. */
extern const struct argp cap_attach_argp;

/* Refuses, with argp_error(), what does not go with a command, or lacks one. */
void cap_attach_check(const struct cap_attach_args *args, bool has_command, bool in_scope,
		      const struct argp_state *state);

#endif
