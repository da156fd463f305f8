// SPDX-License-Identifier: GPL-3.0-or-later
/* --duration, --pid, --vm. */
#include "capture/cmd_attach.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"

#define DURATION_MIN_NS 1000000U
#define DURATION_MAX_NS 31536000000000000ULL /* a year: more is a slip of the unit */

enum {
	OPT_DURATION = 0x200,
	OPT_PID,
	OPT_VM,
};

/* "PID[,PID...]" */
static void add_pids(struct cap_attach_args *args, const char *text, struct argp_state *state)
{
	const char *p = text;

	for (;;) {
		const size_t len = strcspn(p, ",");
		char number[16];
		uint64_t pid;

		snprintf(number, sizeof(number), "%.*s", (int)(len < 15 ? len : 15), p);
		if (fcap_parse_u64(number, 1, INT_MAX, &pid) < 0) {
			argp_error(state, "--pid %s: give numbers of processes, such as 812,815",
				   text);
			return;
		}
		if (args->opts.npid == CAP_ATTACH_MAX)
			argp_error(state, "--pid: at most %d of them", CAP_ATTACH_MAX);
		args->pid[args->opts.npid++] = (pid_t)pid;
		if (!p[len])
			return;
		p += len + 1;
	}
}

static void add_vm(struct cap_attach_args *args, const char *name, struct argp_state *state)
{
	if (!*name)
		argp_error(state, "--vm: give the name of a VM");
	if (args->opts.nvm == CAP_ATTACH_MAX)
		argp_error(state, "--vm: at most %d of them", CAP_ATTACH_MAX);
	args->vm[args->opts.nvm++] = name;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct cap_attach_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		args->opts = (struct cap_attach_opts){ .vm = args->vm, .pid = args->pid };
		return 0;
	case OPT_DURATION:
		if (fcap_parse_ns(arg, &args->opts.duration_ns) < 0 ||
		    args->opts.duration_ns < DURATION_MIN_NS ||
		    args->opts.duration_ns > DURATION_MAX_NS)
			argp_error(state, "--duration %s: give a time from 1ms on, with its unit",
				   arg);
		args->opts.duration = arg;
		return 0;
	case OPT_PID:
		add_pids(args, arg, state);
		return 0;
	case OPT_VM:
		add_vm(args, arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Without CMD, what runs already:", 0 },
	{ "duration", OPT_DURATION, "TIME", 0, "Record for this long, such as 30s", 0 },
	{ "pid", OPT_PID, "PID[,PID...]", 0,
	  "Record until these processes have ended, and sample the counters of their threads; "
	  "repeatable",
	  0 },
	{ "vm", OPT_VM, "NAME", 0, "Record until this VM has ended; repeatable", 0 },
	{ 0 },
};

const struct argp cap_attach_argp = { .options = options, .parser = take_option };

void cap_attach_check(const struct cap_attach_args *args, bool has_command, bool in_scope,
		      const struct argp_state *state)
{
	const struct cap_attach_opts *o = &args->opts;

	if (!has_command && !cap_attach_is_asked(o))
		argp_error(state, "what shall be recorded? fcap record -- CMD ARGS, or what runs "
				  "already: --duration TIME, --pid PID or --vm NAME");
	if (has_command && cap_attach_is_asked(o))
		argp_error(state,
			   "%s and a command exclude each other: a command is recorded until "
			   "it ends, if need be by timeout(1)",
			   o->duration ? "--duration"
			   : o->npid   ? "--pid"
				       : "--vm");
	if (!has_command && in_scope)
		argp_error(state, "--scope=command needs a command");
}
