// SPDX-License-Identifier: GPL-3.0-or-later
/* --when, --before, --after, --max-saves. */
#include "capture/cmd_trigger.h"

#include "fcap/num.h"

#define TIME_MAX_NS 3600000000000ULL

enum {
	OPT_WHEN = 0x300,
	OPT_BEFORE,
	OPT_AFTER,
	OPT_MAX_SAVES,
};

static void add_rule(struct cap_trigger_args *args, const char *text, struct argp_state *state)
{
	struct fcap_err err = { 0 };

	if (args->opts.nrule == CAP_RULES_MAX)
		argp_error(state, "--when: at most %d of them", CAP_RULES_MAX);
	else if (cap_rule_parse(&args->rule[args->opts.nrule], text, &err) < 0)
		argp_error(state, "%s", err.text);
	else
		args->opts.nrule++;
}

static void take_time(uint64_t *to, const char *option, const char *text, uint64_t min_ns,
		      const struct argp_state *state)
{
	if (fcap_parse_ns(text, to) < 0 || *to < min_ns || *to > TIME_MAX_NS)
		argp_error(state, "%s %s: give a time from %s to 1h, with its unit", option, text,
			   min_ns ? "1ms" : "0s");
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct cap_trigger_args *args = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		args->opts = (struct cap_trigger_opts){ .rule = args->rule,
							.after_ns = CAP_TRIGGER_AFTER_NS,
							.max_saves = CAP_TRIGGER_SAVES };
		return 0;
	case OPT_WHEN:
		args->given = "--when";
		add_rule(args, arg, state);
		return 0;
	case OPT_BEFORE:
		args->given = "--before";
		take_time(&args->opts.before_ns, args->given, arg, 1000000, state);
		return 0;
	case OPT_AFTER:
		args->given = "--after";
		take_time(&args->opts.after_ns, args->given, arg, 0, state);
		return 0;
	case OPT_MAX_SAVES:
		args->given = "--max-saves";
		if (fcap_parse_u64(arg, 1, CAP_TRIGGER_SAVES_MAX, &args->opts.max_saves) < 0)
			argp_error(state, "--max-saves %s: give a number from 1 to %d", arg,
				   CAP_TRIGGER_SAVES_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Only around rare moments, with --events=trigger:", 0 },
	{ "when", OPT_WHEN, "[VM:]METRIC>LIMIT%/SPAN", 0,
	  "Save what happened when the METRIC of a VM was above LIMIT over the last SPAN: steal, "
	  "the delay of its vCPU threads as % of SPAN and thread, or wait, the delay of all its "
	  "threads as % of SPAN; repeatable",
	  0 },
	{ "before", OPT_BEFORE, "TIME", 0,
	  "Save at most so much from before the crossing (5s, or the longest SPAN)", 0 },
	{ "after", OPT_AFTER, "TIME", 0, "And so much from after it (500ms)", 0 },
	{ "max-saves", OPT_MAX_SAVES, "N", 0, "At most so many files; then only count (8)", 0 },
	{ 0 },
};

const struct argp cap_trigger_argp = { .options = options, .parser = take_option };

static void check_rules(const struct cap_trigger_opts *o, uint64_t sample_ns,
			const struct argp_state *state)
{
	for (size_t i = 0; i < o->nrule; i++) {
		struct fcap_err err = { 0 };

		if (cap_rule_check(&o->rule[i], sample_ns, &err) < 0)
			argp_error(state, "%s", err.text);
		if (o->before_ns && o->before_ns < o->rule[i].span_ns)
			argp_error(state, "--before is shorter than the span of --when %s",
				   o->rule[i].text);
	}
}

void cap_trigger_check(const struct cap_trigger_args *args, const struct cap_record_opts *o,
		       const struct argp_state *state)
{
	if (o->events != CAP_EVENTS_TRIGGER) {
		if (args->given)
			argp_error(state, "%s needs --events=trigger", args->given);
		return;
	}
	if (args->opts.nrule == 0)
		argp_error(state, "--events=trigger needs a limit, such as --when "
				  "'steal>20%%/1s'");
	if (o->tuning.realtime)
		argp_error(state, "--realtime and --events=trigger exclude each other: nothing is "
				  "drained until a limit is crossed");
	check_rules(&args->opts, o->sample_ns, state);
}
