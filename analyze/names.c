// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/names.h"

#include <string.h>

enum { OPT_NAMES = 0x1300 };

static const struct argp_option options[] = {
	{ "names", OPT_NAMES, "kernel|esx", 0,
	  "What kinds of time are called: as the kernel does (default), or in a table more as in "
	  "esxtop: %RUN, %RDY, %MLMTD, ...",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	enum fan_names *names = state->input;

	if (key != OPT_NAMES)
		return ARGP_ERR_UNKNOWN;
	if (strcmp(arg, "kernel") != 0 && strcmp(arg, "esx") != 0)
		argp_error(state, "--names %s: it can be kernel or esx", arg);
	*names = strcmp(arg, "esx") == 0 ? FAN_NAMES_ESX : FAN_NAMES_KERNEL;
	return 0;
}

const struct argp fan_names_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };
