// SPDX-License-Identifier: GPL-3.0-or-later
/* Options and messages of `fcap calibrate`. */
#include "capture/cmd_calibrate.h"

#include <argp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/calibrate.h"
#include "capture/record.h"
#include "fcap/num.h"
#include "fcap/options.h"

#define RUNS_MAX 999

enum { OPT_RUNS = 0x100, OPT_DIR, OPT_SAMPLE };

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct cap_calibrate_opts *opts = state->input;
	uint64_t number = 0;

	switch (key) {
	case OPT_RUNS:
		if (fcap_parse_u64(arg, 1, RUNS_MAX, &number) < 0)
			argp_error(state, "--runs %s: give a whole number from 1 to %d", arg,
				   RUNS_MAX);
		opts->runs = (unsigned int)number;
		return 0;
	case OPT_DIR:
		opts->dir = arg;
		return 0;
	case OPT_SAMPLE:
		if (fcap_parse_ns(arg, &number) < 0)
			argp_error(state, "--sample %s: give a duration with its unit", arg);
		opts->sample = arg;
		return 0;
	case ARGP_KEY_ARG:
		/* the command begins: all that follows is its own */
		opts->argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!opts->argv)
			argp_error(state, "which command shall be run? fcap calibrate -- CMD ARGS");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* How far it has come, for who waits for it. */
static void say(const char *text)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "fcap: %s\n", text);
}

int cap_cmd_calibrate(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "runs", OPT_RUNS, "N", 0, "Runs of each kind, 1 to 999 (10)", 0 },
		{ "dir", OPT_DIR, "DIR", 0,
		  "Make this folder for the traces, run-NNNN-none.dat and run-NNNN-all.dat "
		  "(calibration)",
		  0 },
		{ "sample", OPT_SAMPLE, "TIME", 0,
		  "Read the counters every TIME in all runs (100ms)", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = take_option,
		.args_doc = "-- CMD [ARGS...]",
		.doc = "Tells what recording events does to the load: records CMD without events "
		       "and with all of them, in turns (none all all none...), and compares the "
		       "runs with fanalyze compare; then the runs without events with each other, "
		       "which shows what differs by chance."
		       "\vCMD should report its work (see FCAP_FD), as that is what gets slower; "
		       "else only CPU time is compared. Exits with the status of the first "
		       "comparison; 125 if a run failed.\n"
		       "\nExamples:\n"
		       "  fcap calibrate -- ./run-vms.sh\n"
		       "  fcap calibrate --runs 20 --dir cost -- ./run-vms.sh\n",
	};
	struct cap_calibrate_opts opts = {
		.runs = 10, .dir = "calibration", .sample = "100ms", .say = say
	};
	struct fcap_err err = { 0 };
	int r;

	argp_err_exit_status = CAP_STATUS_FAILED;
	if (fcap_options_parse(&argp, argc, argv, FCAP_WORDS_LAST, &opts) != 0)
		return CAP_STATUS_FAILED;
	r = cap_calibrate(&opts, &err);
	if (err.code)
		fprintf(stderr, "fcap: %s\n", err.text);
	return r < 0 ? CAP_STATUS_FAILED : r;
}
