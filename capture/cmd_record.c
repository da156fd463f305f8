// SPDX-License-Identifier: GPL-3.0-or-later
/* Options and messages of `fcap record`. */
#include "capture/cmd_record.h"

#include <argp.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/record.h"
#include "fcap/num.h"

#define LABELS_MAX     64
#define LABEL_KEY_MAX  64
#define GUESTS_MAX     256
#define SAMPLE_MIN_NS  1000000U
#define SAMPLE_MAX_NS  3600000000000U
#define SAMPLE_DEFAULT 100000000U
#define SAMPLE_ALONE   1000000000U /* without events: of hours a sample a second is enough */

enum { OPT_LABEL = 0x100, OPT_SAMPLE, OPT_GUEST, OPT_EVENTS };

struct args {
	struct cap_record_opts opts;
	const char *label[LABELS_MAX];
	struct cap_guest_source guest[GUESTS_MAX];
};

static bool is_label(const char *text)
{
	const char *eq = strchr(text, '=');

	if (!eq || eq == text || eq - text > LABEL_KEY_MAX)
		return false;
	for (; text < eq; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_-.", *text))
			return false;
	return true;
}

static void add_label(struct args *args, const char *text, struct argp_state *state)
{
	if (!is_label(text))
		argp_error(state,
			   "--label %s: give KEY=VALUE, the key of letters, digits, '_', '-' "
			   "and '.'",
			   text);
	if (args->opts.nlabel == LABELS_MAX)
		argp_error(state, "--label: at most %d of them", LABELS_MAX);
	args->label[args->opts.nlabel++] = text;
}

/* Cuts "NAME=PATH" in two. */
static void add_guest(struct args *args, char *text, struct argp_state *state)
{
	char *eq = strchr(text, '=');

	if (!eq || eq == text || !eq[1]) {
		argp_error(state, "--guest %s: give NAME=PATH, the name that the VM has", text);
		return;
	}
	if (args->opts.nguest == GUESTS_MAX)
		argp_error(state, "--guest: at most %d of them", GUESTS_MAX);
	*eq = '\0';
	for (size_t i = 0; i < args->opts.nguest; i++)
		if (strcmp(args->guest[i].vm, text) == 0)
			argp_error(state, "--guest: %s has a path already", text);
	args->guest[args->opts.nguest++] = (struct cap_guest_source){ text, eq + 1 };
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case 'o':
		args->opts.output = arg;
		return 0;
	case OPT_LABEL:
		add_label(args, arg, state);
		return 0;
	case OPT_GUEST:
		add_guest(args, arg, state);
		return 0;
	case OPT_EVENTS:
		if (strcmp(arg, "all") != 0 && strcmp(arg, "none") != 0)
			argp_error(state, "--events %s: give all or none", arg);
		args->opts.events = strcmp(arg, "none") == 0 ? CAP_EVENTS_NONE : CAP_EVENTS_ALL;
		return 0;
	case OPT_SAMPLE:
		if (fcap_parse_ns(arg, &args->opts.sample_ns) < 0 ||
		    args->opts.sample_ns < SAMPLE_MIN_NS || args->opts.sample_ns > SAMPLE_MAX_NS)
			argp_error(state,
				   "--sample %s: give a duration from 1ms to 1h, with its unit",
				   arg);
		return 0;
	case ARGP_KEY_ARG:
		/* the command begins: all that follows is its own */
		args->opts.argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!args->opts.argv)
			argp_error(state,
				   "which command shall be recorded? fcap record -- CMD ARGS");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void say(const char *text)
{
	fprintf(stderr, "fcap: %s\n", text);
}

int cap_cmd_record(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "output", 'o', "FILE", 0, "Write FILE (trace.dat)", 0 },
		{ "label", OPT_LABEL, "KEY=VALUE", 0,
		  "Note this in the file, for example core_sched=on, and put it into the "
		  "environment of CMD, as FCAP_LABEL_core_sched; repeatable",
		  0 },
		{ "guest", OPT_GUEST, "NAME=PATH", 0,
		  "Take what fcap-guest prints inside the VM NAME, and work and scores that are "
		  "reported there, from PATH: a file that grows, a fifo or a device; it may "
		  "appear later; repeatable",
		  0 },
		{ "sample", OPT_SAMPLE, "TIME", 0,
		  "Read steal counters and cgroups every TIME (100ms, without events 1s; at least "
		  "1ms)",
		  0 },
		{ "events", OPT_EVENTS, "WHICH", 0,
		  "Record all events, or none: counters alone, for hours, without tracefs; shares "
		  "and steal can then be told, but not who waited for whom (all)",
		  0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = take_option,
		.args_doc = "-- CMD [ARGS...]",
		.doc = "Records scheduling and KVM events of the whole host while CMD runs, with "
		       "the "
		       "steal counters of all vCPU threads and of CMD's own threads."
		       "\vExits with CMD's status, with 128+n if signal n killed it; 125 if the "
		       "recording failed, 126 if CMD cannot be run, 127 if it is not found. CMD "
		       "finds in FCAP_FD the number of a descriptor to which it may write "
		       "\"fcap-work vm=NAME n=AMOUNT\" and \"fcap-score vm=NAME value=NUMBER\".\n"
		       "\nExamples:\n"
		       "  fcap record -- ./run-vms.sh\n"
		       "  fcap record -o on.dat --label core_sched=on -- ./run-vms.sh\n"
		       "  fcap record --guest vm1=vm1.console -- ./run-vms.sh\n"
		       "  fcap record --sample 20ms -- sleep 30      VMs that run already\n"
		       "  fcap record --events none -- sleep 8h      their counters alone\n",
	};
	struct args args = {
		.opts = { .output = "trace.dat", .say = say },
	};
	struct fcap_err err = { 0 };
	int status;

	args.opts.label = args.label;
	args.opts.guest = args.guest;
	argp_err_exit_status = CAP_STATUS_FAILED;
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &args) != 0)
		return CAP_STATUS_FAILED;
	if (args.opts.sample_ns == 0)
		args.opts.sample_ns = args.opts.events == CAP_EVENTS_NONE ? SAMPLE_ALONE
									  : SAMPLE_DEFAULT;
	status = cap_record(&args.opts, &err);
	if (err.code)
		say(err.text);
	return status;
}
