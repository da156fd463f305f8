/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What recording events does to what is recorded: runs of a command with and without events, in
 * turns, by `fcap record`; `fanalyze compare` tells the difference, and what differs by chance.
 */
#ifndef CAP_CALIBRATE_H
#define CAP_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "fcap/err.h"

/* One run of the plan. */
struct cap_turn {
	bool has_events;
	unsigned int block; /* from 1: one run of each kind */
	unsigned int side;  /* 1, 2: of the runs without events; 0: it has events */
};

/*
 * Run number i (from 0): without, with, with, without, and again. The sides come in the same
 * order, 1 2 2 1, so that a drift over time favours neither.
 */
struct cap_turn cap_calibrate_turn(unsigned int i);

struct cap_calibrate_opts {
	unsigned int runs; /* of each kind */
	const char *dir;   /* is made; must not be there */
	const char *sample;
	char *const *argv; /* the command, NULL-terminated */
	/* Told before each run: a sentence, borrowed for the call. */
	void (*say)(const char *text);
};

/*
 * Makes all runs and prints both comparisons on stdout. The exit status of the first comparison,
 * or negative errno with a sentence; the traces made so far stay.
 */
int cap_calibrate(const struct cap_calibrate_opts *opts, struct fcap_err *err);

#endif
