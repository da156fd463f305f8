// SPDX-License-Identifier: GPL-3.0-or-later
/* The options of an analysis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/report/assemble_isolation.h"
#include "fcap/num.h"

enum {
	OPT_GROUP = 0x1000,
	OPT_VM,
	OPT_WEIGHT,
	OPT_PERIOD,
	OPT_WINDOW,
	OPT_WARMUP,
	OPT_FROM,
	OPT_TO,
	OPT_LEVEL,
	OPT_MARGIN,
	OPT_SIBLINGS,
	OPT_TOLERANCE,
	OPT_MAX_VIOLATION,
	OPT_BETWEEN,
	OPT_TRUNCATED,
};

static const struct argp_option options[] = {
	{ "group", OPT_GROUP, "vm|cgroup|process|comm", 0, "What shares the CPU (vm)", 0 },
	{ "vm", OPT_VM, "NAME=SELECTOR", 0,
	  "One VM, and only those so named: tgid:N, tids:N,N, cgroup:PATH or comm:PATTERN; "
	  "repeatable",
	  0 },
	{ "weight", OPT_WEIGHT, "NAME=W", 0,
	  "Take W as the weight of this group, on the scale of cpu.shares; repeatable", 0 },
	{ "period", OPT_PERIOD, "overlap|all", 0,
	  "Shares over the overlap (default): while all groups ran; or all the time", 0 },
	{ "window", OPT_WINDOW, "TIME", 0,
	  "Length of a window (the largest of 10ms to 1s that gives 300)", 0 },
	{ "warmup", OPT_WARMUP, "TIME", 0, "Leave this out at the beginning of the overlap", 0 },
	{ "from", OPT_FROM, "TIME", 0, "Analyse from here, after the start of the trace", 0 },
	{ "to", OPT_TO, "TIME", 0, "Analyse up to here, after the start of the trace", 0 },
	{ "truncated", OPT_TRUNCATED, NULL, 0,
	  "Of a file that is cut off or damaged analyse what comes before", 0 },
	{ "siblings", OPT_SIBLINGS, "CPUS;CPUS", 0,
	  "Which CPUs are threads of one core, such as '0-1;2-3', instead of what the trace tells",
	  0 },
	{ "tolerance", OPT_TOLERANCE, "TIME", 0,
	  "Isolation: so long a core may take to change over from one VM to the next (50us)", 0 },
	{ "max-violation", OPT_MAX_VIOLATION, "PERCENT", 0,
	  "Isolation: object to more than this of the time in which siblings run vCPUs (1)", 0 },
	{ "between", OPT_BETWEEN, "vm|guest|cookie", 0,
	  "Isolation: what must not share a core: vm (default), guest (the same, but only while "
	  "both are in their guests) or cookie",
	  0 },
	{ "level", OPT_LEVEL, "L", 0, "Level of the intervals, above 0.5 and below 1 (0.95)", 0 },
	{ "margin", OPT_MARGIN, "POINTS", 0, "Deviations within this count as fair (3)", 0 },
	{ 0 },
};

void fan_parse_level(struct argp_state *state, const char *arg, double *ret)
{
	double v;

	if (fcap_parse_real(arg, &v) < 0 || v <= 0.5 || v >= 1)
		argp_error(state, "--level %s: a number above 0.5 and below 1 is needed", arg);
	else
		*ret = v;
}

void fan_parse_margin(struct argp_state *state, const char *arg, const char *unit, double *ret)
{
	double v;

	if (fcap_parse_real(arg, &v) < 0 || v < 0 || v > 100)
		argp_error(state, "--margin %s: %s from 0 to 100 are needed", arg, unit);
	else
		*ret = v;
}

static void parse_time(struct argp_state *state, const char *option, const char *arg, uint64_t *ret)
{
	if (fcap_parse_ns(arg, ret) < 0)
		argp_error(state, "%s %s: a time with a unit is needed, such as 500ms or 2s",
			   option, arg);
}

static void parse_group(struct argp_state *state, const char *arg, enum fan_group_kind *ret)
{
	static const char *const names[] = { "vm", "process", "cgroup", "comm" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(arg, names[i]) == 0) {
			*ret = (enum fan_group_kind)i;
			return;
		}
	}
	argp_error(state, "--group %s: it can be vm, cgroup, process or comm", arg);
}

/* The NAME of "NAME=REST", to be freed; *ret_rest is what follows. */
static char *split_name(struct argp_state *state, const char *option, const char *arg,
			const char **ret_rest)
{
	const char *equals = strchr(arg, '=');
	char *name;

	if (!equals || equals == arg)
		argp_error(state, "%s %s: a name, = and more is needed", option, arg);
	name = strndup(arg, equals ? (size_t)(equals - arg) : 0);
	if (!name)
		argp_failure(state, 1, ENOMEM, "%s", option);
	*ret_rest = equals ? equals + 1 : "";
	return name;
}

/* Room for n more items behind those there are; ends the program without memory. */
static void *more(struct argp_state *state, void *items, size_t have, size_t n, size_t size)
{
	void *grown = reallocarray(items, have + n, size);

	if (!grown)
		argp_failure(state, 1, ENOMEM, "options");
	return grown;
}

static void parse_vm(struct argp_state *state, const char *arg, struct fan_analysis *a)
{
	struct fan_group_options *g = &a->report.groups;
	struct fan_vm_request request = { 0 };
	const char *rest;

	request.name = split_name(state, "--vm", arg, &rest);
	if (fcap_selector_parse(rest, &request.selector) < 0)
		argp_error(state,
			   "--vm %s: a selector is tgid:N, tids:N,N,..., cgroup:/PATH or "
			   "comm:PATTERN",
			   arg);
	a->vms = more(state, a->vms, g->nvms, 1, sizeof(*a->vms));
	a->vms[g->nvms++] = request;
	g->vms = a->vms;
	if (request.selector.kind != FCAP_SEL_TIDS)
		return;
	a->apart = more(state, a->apart, a->model.napart, request.selector.n, sizeof(*a->apart));
	memcpy(a->apart + a->model.napart, request.selector.tids,
	       request.selector.n * sizeof(*a->apart));
	a->model.napart += request.selector.n;
	a->model.apart = a->apart;
}

static void parse_weight(struct argp_state *state, const char *arg, struct fan_analysis *a)
{
	struct fan_given_weight given = { NULL, 0 };
	const char *rest;

	given.name = split_name(state, "--weight", arg, &rest);
	if (fcap_parse_real(rest, &given.weight) < 0 || given.weight <= 0)
		argp_error(state, "--weight %s: a weight above 0 is needed", arg);
	a->weights = more(state, a->weights, a->report.nweights, 1, sizeof(*a->weights));
	a->weights[a->report.nweights++] = given;
	a->report.weights = a->weights;
}

/* One core of the list; ends the program if it is none. */
static void add_core(struct argp_state *state, const char *arg, const char *list,
		     struct fan_analysis *a)
{
	struct fcap_cpuset set = { 0 };

	if (fcap_cpulist_parse(list, &set) < 0 || fcap_cpuset_count(&set) == 0)
		argp_error(state,
			   "--siblings %s: CPU lists with ; between them are needed, such as "
			   "'0-1;2-3'",
			   arg);
	for (size_t i = 0; i < a->model.nsiblings; i++)
		if (fcap_cpuset_overlaps(&a->siblings[i], &set))
			argp_error(state, "--siblings %s: a CPU is in two cores", arg);
	a->siblings = more(state, a->siblings, a->model.nsiblings, 1, sizeof(*a->siblings));
	a->siblings[a->model.nsiblings++] = set;
	a->model.siblings = a->siblings;
}

static void parse_siblings(struct argp_state *state, const char *arg, struct fan_analysis *a)
{
	char *copy = strdup(arg), *rest = copy;
	const char *list;

	if (!copy)
		argp_failure(state, 1, ENOMEM, "--siblings");
	a->model.nsiblings = 0;
	while ((list = strsep(&rest, ";")))
		add_core(state, arg, list, a);
	free(copy);
}

static void parse_max_violation(struct argp_state *state, const char *arg, double *ret)
{
	double v;

	if (fcap_parse_real(arg, &v) < 0 || v < 0 || v > 100)
		argp_error(state, "--max-violation %s: a percentage from 0 to 100 is needed", arg);
	else
		*ret = v;
}

static void parse_between(struct argp_state *state, const char *arg, enum fan_level *ret)
{
	for (int i = 0; i < FAN_LEVELS; i++) {
		if (strcmp(arg, fan_level_word((enum fan_level)i)) == 0) {
			*ret = (enum fan_level)i;
			return;
		}
	}
	argp_error(state, "--between %s: it can be vm, guest or cookie", arg);
}

static void check(struct argp_state *state, const struct fan_analysis *a)
{
	if (a->model.to_ns && a->model.to_ns <= a->model.from_ns)
		argp_error(state, "--to has to be later than --from");
}

static error_t parse_isolation(int key, const char *arg, struct argp_state *state)
{
	struct fan_analysis *a = state->input;

	switch (key) {
	case OPT_TOLERANCE:
		parse_time(state, "--tolerance", arg, &a->model.tolerance_ns);
		if (a->model.tolerance_ns == 0)
			argp_error(state, "--tolerance %s: it has to be longer than 0", arg);
		break;
	case OPT_MAX_VIOLATION:
		parse_max_violation(state, arg, &a->report.isolation.max_violation_pct);
		break;
	case OPT_BETWEEN:
		parse_between(state, arg, &a->report.isolation.between);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fan_analysis *a = state->input;

	switch (key) {
	case OPT_GROUP:
		parse_group(state, arg, &a->report.groups.kind);
		break;
	case OPT_VM:
		parse_vm(state, arg, a);
		break;
	case OPT_WEIGHT:
		parse_weight(state, arg, a);
		break;
	case OPT_PERIOD:
		if (strcmp(arg, "overlap") != 0 && strcmp(arg, "all") != 0)
			argp_error(state, "--period %s: it can be overlap or all", arg);
		a->report.overlap.all = strcmp(arg, "all") == 0;
		break;
	case OPT_WINDOW:
		parse_time(state, "--window", arg, &a->report.overlap.window_ns);
		if (a->report.overlap.window_ns == 0)
			argp_error(state, "--window %s: it has to be longer than 0", arg);
		break;
	case OPT_WARMUP:
		parse_time(state, "--warmup", arg, &a->report.overlap.warmup_ns);
		break;
	case OPT_FROM:
		parse_time(state, "--from", arg, &a->model.from_ns);
		break;
	case OPT_TO:
		parse_time(state, "--to", arg, &a->model.to_ns);
		if (a->model.to_ns == 0)
			argp_error(state, "--to %s: it has to be longer than 0", arg);
		break;
	case OPT_LEVEL:
		fan_parse_level(state, arg, &a->report.level);
		break;
	case OPT_MARGIN:
		fan_parse_margin(state, arg, "points", &a->report.margin);
		break;
	case OPT_TRUNCATED:
		a->is_truncated = true;
		break;
	case OPT_SIBLINGS:
		parse_siblings(state, arg, a);
		break;
	case ARGP_KEY_END:
		check(state, a);
		break;
	default:
		return parse_isolation(key, arg, state);
	}
	return 0;
}

const struct argp fan_analysis_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

static error_t parse_file(int key, char *arg, struct argp_state *state)
{
	const char **file = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (*file)
			argp_error(state, "one file at a time");
		if (!*arg)
			argp_error(state, "the file name is empty");
		*file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!*file)
			argp_error(state, "a trace.dat is needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp fan_file_argp = { NULL, parse_file, NULL, NULL, NULL, NULL, NULL };

void fan_analysis_init(struct fan_analysis *a, const char *command)
{
	*a = (struct fan_analysis){ .report = { .level = 0.95,
						.margin = 3,
						.isolation = { .max_violation_pct = 1 },
						.command = command } };
}

void fan_analysis_free(struct fan_analysis *a)
{
	/* the names were made here, even though their readers may not change them */
	for (size_t i = 0; i < a->report.groups.nvms; i++)
		free((char *)a->vms[i].name);
	for (size_t i = 0; i < a->report.nweights; i++)
		free((char *)a->weights[i].name);
	free(a->vms);
	free(a->weights);
	free(a->apart);
	free(a->siblings);
}
