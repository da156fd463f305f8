/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --fail-if: conditions on a result, and the exit status they call for. For cmd_*.c only. */
#ifndef FAN_FAIL_IF_H
#define FAN_FAIL_IF_H

#include <argp.h>

#include "analyze/report/condition.h"

struct fan_fail_if {
	const struct fan_table *table; /* of what the conditions are about; set before parsing */
	struct fan_condition *items;   /* owned */
	const char **texts;	       /* as typed, borrowed; the list is owned */
	size_t n;
};

/* Child parser: its input is a struct fan_fail_if, zero but for the table. */
extern const struct argp fan_fail_if_argp;

/*
 * The exit status of a result, a struct of that table, that would have this one without conditions.
 * For each condition that holds, cannot be judged or names what is not there, a sentence on stderr.
 * A refusal (1, 2) is not changed; a name that is not there is one (2); what was found (3) goes
 * before what is open (4).
 */
int fan_fail_if_status(const struct fan_fail_if *f, const void *item, int status);

void fan_fail_if_free(struct fan_fail_if *f);

#endif
