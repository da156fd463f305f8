// SPDX-License-Identifier: GPL-3.0-or-later
/* Options and messages of `fcap record`. */
#include "capture/cmd_record.h"

#include <argp.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cmd_attach.h"
#include "capture/cmd_progress.h"
#include "capture/cmd_trigger.h"
#include "capture/record.h"
#include "fcap/num.h"
#include "fcap/options.h"

#define LABELS_MAX     64
#define LABEL_KEY_MAX  64
#define GUESTS_MAX     256
#define SAMPLE_MIN_NS  1000000U
#define SAMPLE_MAX_NS  3600000000000U
#define SAMPLE_DEFAULT 100000000U
#define SAMPLE_ALONE   1000000000U /* without events: of hours a sample a second is enough */

/* A buffer of one CPU has a page at least; more than this is a slip of the unit. */
#define BUFFER_MIN 4096U
#define BUFFER_MAX (64ULL << 30)

enum {
	OPT_LABEL = 0x100,
	OPT_SAMPLE,
	OPT_GUEST,
	OPT_EVENTS,
	OPT_NO_CLOBBER,
	OPT_COMPRESS,
	OPT_BUFFER_SIZE,
	OPT_NO_KVM_EXITS,
	OPT_REALTIME,
	OPT_RECORDER_CPUS,
	OPT_SCOPE,
	OPT_PROGRESS,
};

struct args {
	struct cap_record_opts opts;
	const char *label[LABELS_MAX];
	struct cap_guest_source guest[GUESTS_MAX];
	struct cap_attach_args attach;
	struct cap_trigger_args trigger;
	bool progress; /* beside a command, too */
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

static void take_sample(struct args *args, const char *text, struct argp_state *state)
{
	if (fcap_parse_ns(text, &args->opts.sample_ns) < 0 ||
	    args->opts.sample_ns < SAMPLE_MIN_NS || args->opts.sample_ns > SAMPLE_MAX_NS)
		argp_error(state, "--sample %s: give a duration from 1ms to 1h, with its unit",
			   text);
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

const char *cap_output_file(struct argp_state *state, const char *arg)
{
	if (strcmp(arg, "-") == 0)
		argp_error(state, "-o -: a trace.dat is not written from its begin to its end and "
				  "cannot go to standard output; name a file");
	return arg;
}

static error_t set_packing(struct args *args, const char *level, struct argp_state *state)
{
	struct fcap_err err = { 0 };

	if (cap_packing_parse(level, &args->opts.packing, &err) < 0)
		argp_error(state, "%s", err.text);
	return 0;
}

/* Returns ARGP_ERR_UNKNOWN for what is no option about loss and cost. */
static error_t take_tuning(int key, const char *arg, struct cap_tuning *to,
			   struct argp_state *state)
{
	uint64_t v = 1;

	switch (key) {
	case OPT_BUFFER_SIZE:
		if (fcap_parse_size(arg, &to->buffer_bytes) < 0 || to->buffer_bytes < BUFFER_MIN ||
		    to->buffer_bytes > BUFFER_MAX)
			argp_error(state,
				   "--buffer-size %s: give a size from 4KiB to 64GiB, with its "
				   "unit",
				   arg);
		return 0;
	case OPT_REALTIME:
		if (arg && fcap_parse_u64(arg, 1, CAP_REALTIME_MAX, &v) < 0)
			argp_error(state, "--realtime=%s: give a priority from 1 to %d", arg,
				   CAP_REALTIME_MAX);
		to->realtime = (unsigned int)v;
		return 0;
	case OPT_RECORDER_CPUS:
		to->cpus = arg;
		return 0;
	case OPT_NO_KVM_EXITS:
		to->no_kvm_exits = true;
		return 0;
	case OPT_SCOPE:
		to->scope_command = strcmp(arg, "command") == 0;
		if (!to->scope_command && strcmp(arg, "host") != 0)
			argp_error(state, "--scope %s: give host or command", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void take_events(struct args *args, const char *arg, struct argp_state *state)
{
	static const char *const names[] = { [CAP_EVENTS_ALL] = "all",
					     [CAP_EVENTS_NONE] = "none",
					     [CAP_EVENTS_TRIGGER] = "trigger" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(arg, names[i]) == 0) {
			args->opts.events = (enum cap_events)i;
			return;
		}
	argp_error(state, "--events %s: give all, none or trigger", arg);
}

/* All are known: what goes together, and what was not told. */
static void end_options(struct args *args, const struct argp_state *state)
{
	struct cap_record_opts *o = &args->opts;

	if (o->sample_ns == 0)
		o->sample_ns = o->events == CAP_EVENTS_NONE ? SAMPLE_ALONE : SAMPLE_DEFAULT;
	cap_attach_check(&args->attach, o->argv, o->tuning.scope_command, state);
	cap_trigger_check(&args->trigger, o, state);
	o->attach = args->attach.opts;
	o->trigger = args->trigger.opts;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &args->attach;
		state->child_inputs[1] = &args->trigger;
		return 0;
	case OPT_PROGRESS:
		args->progress = true;
		return 0;
	case 'o':
		args->opts.output = cap_output_file(state, arg);
		return 0;
	case OPT_NO_CLOBBER:
		args->opts.no_clobber = true;
		return 0;
	case OPT_LABEL:
		add_label(args, arg, state);
		return 0;
	case OPT_GUEST:
		add_guest(args, arg, state);
		return 0;
	case OPT_COMPRESS:
		return set_packing(args, arg, state);
	case OPT_EVENTS:
		take_events(args, arg, state);
		return 0;
	case OPT_SAMPLE:
		take_sample(args, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		/* the command begins: all that follows is its own */
		args->opts.argv = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		end_options(args, state);
		return 0;
	default:
		return take_tuning(key, arg, &args->opts.tuning, state);
	}
}

static void say(const char *text)
{
	fprintf(stderr, "fcap: %s\n", text);
}

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "Write FILE (trace.dat)", 0 },
	{ "no-clobber", OPT_NO_CLOBBER, NULL, 0,
	  "Refuse to begin if FILE exists, which is replaced otherwise", 0 },
	{ "compress", OPT_COMPRESS, "LEVEL", OPTION_ARG_OPTIONAL, CAP_PACKING_HELP, 0 },
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
	{ "events", OPT_EVENTS, "all|none|trigger", 0,
	  "Record all events; or none: counters alone, for hours, without tracefs; shares "
	  "and steal can then be told, but not who waited for whom; or those around the moments "
	  "that --when describes: trigger (all)",
	  0 },
	{ "progress", OPT_PROGRESS, NULL, 0,
	  "Show progress on a terminal although CMD may write there, too", 0 },
	{ NULL, 0, NULL, 0, "Loss and cost:", 3 },
	{ "buffer-size", OPT_BUFFER_SIZE, "SIZE", 0,
	  "Trace buffer of each CPU, such as 4MiB (an eighth of the free memory for all, "
	  "1MiB to 64MiB each, 2GiB in all)",
	  0 },
	{ "no-kvm-exits", OPT_NO_KVM_EXITS, NULL, 0,
	  "Leave out kvm_entry and kvm_exit: a smaller file, which does not tell why "
	  "guests exited and how long they ran inside",
	  0 },
	{ "realtime", OPT_REALTIME, "PRIO", OPTION_ARG_OPTIONAL,
	  "Drain the buffers at this priority of SCHED_FIFO (1)", 0 },
	{ "recorder-cpus", OPT_RECORDER_CPUS, "LIST", 0,
	  "Keep the recorder itself on these CPUs, such as 0-1,8", 0 },
	{ "scope", OPT_SCOPE, "host|command", 0,
	  "Record the whole host (default), or the tasks of CMD only: then a report has no "
	  "who-waited-for-whom, no isolation and no forced idle",
	  0 },
	{ 0 },
};

int cap_cmd_record(int argc, char **argv)
{
	static const struct argp_child children[] = { { &cap_attach_argp, 0, NULL, 1 },
						      { &cap_trigger_argp, 0, NULL, 2 },
						      { 0 } };
	static const struct argp argp = {
		.options = options,
		.children = children,
		.parser = take_option,
		.args_doc = "-- CMD [ARGS...]\n--duration TIME | --pid PID | --vm NAME",
		.doc = "Records scheduling and KVM events of the whole host while CMD runs, or for "
		       "a time, or until processes or VMs that run already have ended, with the "
		       "steal counters of all vCPU threads and of the threads of CMD or of those "
		       "processes."
		       "\vExits with CMD's status, with 128+n if signal n killed it; 125 if the "
		       "recording failed, 126 if CMD cannot be run, 127 if it is not found. CMD "
		       "finds in FCAP_FD the number of a descriptor to which it may write "
		       "\"fcap-work vm=NAME n=AMOUNT\" and \"fcap-score vm=NAME value=NUMBER\".\n"
		       "\nExamples:\n"
		       "  fcap record -- ./run-vms.sh\n"
		       "  fcap record -o on.dat --label core_sched=on -- ./run-vms.sh\n"
		       "  fcap record --compress -o small.dat -- ./run-vms.sh\n"
		       "  fcap record --guest vm1=vm1.console -- ./run-vms.sh\n"
		       "  fcap record --duration 30s                 VMs that run already\n"
		       "  fcap record --sample 20ms --vm vm1         until this one ends\n"
		       "  fcap record --events none -- sleep 8h      their counters alone\n"
		       "  fcap record --events trigger --when 'steal>20%/1s' --duration 8h\n",
	};
	struct args args = {
		.opts = { .output = "trace.dat", .say = say },
	};
	struct fcap_err err = { 0 };
	int status;

	args.opts.label = args.label;
	args.opts.guest = args.guest;
	argp_err_exit_status = CAP_STATUS_FAILED;
	if (fcap_options_parse(&argp, argc, argv, FCAP_WORDS_LAST, &args) != 0)
		return CAP_STATUS_FAILED;
	if ((args.progress || !args.opts.argv) && cap_cmd_progress_has_place())
		args.opts.progress = cap_cmd_progress_show;
	status = cap_record(&args.opts, &err);
	if (err.code)
		say(err.text);
	return status;
}
