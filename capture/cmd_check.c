// SPDX-License-Identifier: GPL-3.0-or-later
/* Options, text and JSON of `fcap check`. */
#include "capture/cmd_check.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "capture/check.h"
#include "fcap/options.h"
#include "fcap/version.h"

#define SCHEMA	       "fcap-check/1"
#define STATUS_MISSING 1   /* something that recording needs */
#define STATUS_FAILED  125 /* of every verb */
#define WIDTH	       80
#define NAME_WIDTH     12
#define STATE_WIDTH    10

enum { OPT_JSON = 0x100 };

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	bool *json = state->input;

	switch (key) {
	case OPT_JSON:
		*json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "%s: fcap check takes no file and no command", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Prints words from column at on, each further line from column indent on, and a newline. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
	size_t column = at;

	for (const char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
		const size_t len = strcspn(p, " ");

		if (column > at && column + 1 + len > WIDTH) {
			printf("\n%*s", (int)indent, "");
			column = at = indent;
		} else if (column > at) {
			putchar(' ');
			column++;
		}
		fwrite(p, 1, len, stdout);
		column += len;
		p += len;
	}
	putchar('\n');
}

static void print_text(const struct cap_check *check, size_t n)
{
	char answer[1024];

	for (size_t i = 0; i < n; i++) {
		const struct cap_check *c = &check[i];

		printf("%-*s%-*s", NAME_WIDTH, c->name, STATE_WIDTH,
		       cap_check_state_name(c->state));
		print_wrapped(c->cause, NAME_WIDTH + STATE_WIDTH, NAME_WIDTH + STATE_WIDTH);
		/* in one piece, so that a command can be pasted */
		if (c->fix[0])
			printf("%*sfix: %s\n", NAME_WIDTH, "", c->fix);
	}
	cap_check_answer(check, n, answer, sizeof(answer));
	putchar('\n');
	print_wrapped(answer, 0, 2);
}

/* A new string; names of VMs may hold bytes that are no UTF-8, which JSON cannot: "?" instead. */
static json_t *make_string(const char *text)
{
	json_t *ret = json_string(text);
	char copy[1024];

	if (ret)
		return ret;
	snprintf(copy, sizeof(copy), "%s", text);
	for (char *p = copy; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	return json_string(copy);
}

static json_t *make_check(const struct cap_check *c)
{
	return json_pack("{s:s, s:s, s:o, s:o}", "name", c->name, "state",
			 cap_check_state_name(c->state), "cause", make_string(c->cause), "fix",
			 c->fix[0] ? make_string(c->fix) : json_null());
}

static json_t *make_tree(const struct cap_check *check, size_t n)
{
	json_t *checks = json_array(), *losses = json_array();
	const char *loss[CAP_CHECK_MAX];
	const size_t count = cap_check_losses(check, n, loss);
	char answer[1024];

	for (size_t i = 0; i < n; i++)
		json_array_append_new(checks, make_check(&check[i]));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(losses, make_string(loss[i]));
	cap_check_answer(check, n, answer, sizeof(answer));
	return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o}", "schema", SCHEMA, "version",
			 FCAP_VERSION, "can_record", cap_check_can_record(check, n), "answer",
			 make_string(answer), "affected", losses, "checks", checks);
}

/* 0, or -ENOMEM. A write that failed shows when stdout is closed. */
static int print_json(const struct cap_check *check, size_t n)
{
	json_t *tree = make_tree(check, n);

	/* what could not be allocated is missing in the array: never less in silence */
	if (!tree || json_array_size(json_object_get(tree, "checks")) != n) {
		json_decref(tree);
		return -ENOMEM;
	}
	json_dumpf(tree, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(tree);
	return 0;
}

static int run(bool json)
{
	struct cap_check check[CAP_CHECK_MAX];
	const struct cap_check_host host = {
		.root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.dir = ".",
		.path = getenv("PATH"),
		.calls = &cap_check_system,
	};
	size_t n = 0;
	int r = host.root < 0 ? -errno : cap_check_run(&host, check, &n);

	if (host.root >= 0)
		close(host.root);
	if (r == 0 && json)
		r = print_json(check, n);
	else if (r == 0)
		print_text(check, n);
	if (r < 0) {
		fprintf(stderr, "fcap: cannot check: %s\n", strerror(-r));
		return STATUS_FAILED;
	}
	if (fclose(stdout) != 0) {
		fprintf(stderr, "fcap: cannot write the answer: %s\n", strerror(errno));
		return STATUS_FAILED;
	}
	return cap_check_can_record(check, n) ? 0 : STATUS_MISSING;
}

int cap_cmd_check(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "json", OPT_JSON, NULL, 0,
		  "Print JSON (" SCHEMA ") instead: every check with its state, cause and fix", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		.options = options,
		.parser = take_option,
		.doc = "Tells whether this machine can record: one line for each need, ok, "
		       "degraded (a result will be missing or weaker) or missing (no recording "
		       "without it), and below it what mends it. Makes one tracing "
		       "instance and removes it; changes nothing else."
		       "\vExits with 0 if this machine can record, degraded or not; 1 if "
		       "something that recording needs is missing; 125 if it cannot be told.\n"
		       "\nExamples:\n"
		       "  fcap check                          in words\n"
		       "  fcap check --json | jq .can_record  for scripts\n",
	};
	bool json = false;

	argp_err_exit_status = STATUS_FAILED;
	if (fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &json) != 0)
		return STATUS_FAILED;
	return run(json);
}
