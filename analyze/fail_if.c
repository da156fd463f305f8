// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/fail_if.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/cmd.h"

enum { OPT_FAIL_IF = 0x2100 };

static const struct argp_option options[] = {
	{ "fail-if", OPT_FAIL_IF, "'PATH OP NUMBER'", 0,
	  "Exit with 3 if this holds of the result, PATH as in its JSON and OP one of < <= > >= == "
	  "!=; with 4 if there is no such value; repeatable",
	  0 },
	{ 0 },
};

static void add(struct argp_state *state, const char *arg, struct fan_fail_if *f)
{
	struct fan_condition *items = reallocarray(f->items, f->n + 1, sizeof(*items));
	struct fcap_err err = { 0 };
	const char **texts;

	f->items = items ? items : f->items;
	texts = reallocarray(f->texts, f->n + 1, sizeof(*texts));
	f->texts = texts ? texts : f->texts;
	if (!items || !texts)
		argp_failure(state, FAN_EXIT_SYSTEM, ENOMEM, "--fail-if");
	else if (fan_condition_parse(&items[f->n], arg, f->table, &err) < 0)
		argp_error(state, "--fail-if %s: %s", arg, err.text);
	else
		texts[f->n++] = arg;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	if (key != OPT_FAIL_IF)
		return ARGP_ERR_UNKNOWN;
	add(state, arg, state->input);
	return 0;
}

const struct argp fan_fail_if_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

/* Of one condition, with its sentence. */
static int judge(const struct fan_fail_if *f, size_t i, const void *item)
{
	const char *text = f->texts[i];
	struct fcap_err err = { 0 };
	double value;
	const int r = fan_condition_holds(&f->items[i], f->table, item, &value, &err);

	if (r == 0)
		return FAN_EXIT_OK;
	if (r > 0)
		fprintf(stderr, "fanalyze: --fail-if \"%s\" holds: it is %.10g\n", text, value);
	else
		fprintf(stderr, "fanalyze: --fail-if \"%s\" cannot be judged: %s\n", text,
			err.text);
	if (r > 0)
		return FAN_EXIT_FOUND;
	return r == -ENODATA ? FAN_EXIT_OPEN : r == -ENOMEM ? FAN_EXIT_SYSTEM : FAN_EXIT_USAGE;
}

/* Refusals before findings, findings before what is open: 1 2 3 4, and last 0. */
static int weightier(int a, int b)
{
	if (a == FAN_EXIT_OK || b == FAN_EXIT_OK)
		return a + b;
	return a < b ? a : b;
}

int fan_fail_if_status(const struct fan_fail_if *f, const void *item, int status)
{
	if (status == FAN_EXIT_SYSTEM || status == FAN_EXIT_USAGE)
		return status;
	for (size_t i = 0; i < f->n; i++)
		status = weightier(status, judge(f, i, item));
	return status;
}

void fan_fail_if_free(struct fan_fail_if *f)
{
	for (size_t i = 0; i < f->n; i++)
		fan_condition_free(&f->items[i]);
	free(f->items);
	free(f->texts);
}
