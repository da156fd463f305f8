// SPDX-License-Identifier: GPL-3.0-or-later
/* Options and messages of `fcap recover`. */
#include "capture/cmd_recover.h"

#include <argp.h>
#include <stdio.h>

#include "capture/cmd_record.h"
#include "capture/record.h"
#include "capture/recover.h"
#include "capture/session.h"
#include "fcap/options.h"

enum { OPT_COMPRESS = 0x100 };

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct cap_recover_opts *opts = state->input;
	struct fcap_err err = { 0 };

	switch (key) {
	case 'o':
		opts->output = cap_output_file(state, arg);
		return 0;
	case OPT_COMPRESS:
		if (cap_packing_parse(arg, &opts->packing, &err) < 0)
			argp_error(state, "%s", err.text);
		return 0;
	case ARGP_KEY_ARG:
		if (opts->dir)
			argp_error(state, "%s: one folder at a time", arg);
		opts->dir = arg;
		return 0;
	case ARGP_KEY_END:
		if (!opts->dir)
			argp_error(state, "which folder? fcap recover trace.dat.parts");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void say(const char *text)
{
	fprintf(stderr, "fcap: %s\n", text);
}

int cap_cmd_recover(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "output", 'o', "FILE", 0, "Write FILE (DIR without its .parts)", 0 },
		{ "compress", OPT_COMPRESS, "LEVEL", OPTION_ARG_OPTIONAL, CAP_PACKING_HELP, 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = take_option,
		.args_doc = "DIR",
		.doc = "Makes a trace file of what a recording that was killed, or could not be "
		       "finished, has left in the folder DIR, and removes the folder."
		       "\vExits with 0; 125 if there was nothing to recover, or it failed: then "
		       "nothing is lost.\n"
		       "\nExamples:\n"
		       "  fcap recover trace.dat.parts\n"
		       "  fcap recover --compress trace.dat.parts\n"
		       "  fcap recover -o /elsewhere/trace.dat trace.dat.parts\n",
	};
	struct cap_recover_opts opts = { .say = say };
	struct fcap_err err = { 0 };

	argp_err_exit_status = CAP_STATUS_FAILED;
	if (fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &opts) != 0)
		return CAP_STATUS_FAILED;
	/* what the recording has left in the kernel is of no more use */
	cap_session_remove_stale();
	if (cap_recover(&opts, &err) == 0)
		return 0;
	say(err.text);
	return CAP_STATUS_FAILED;
}
