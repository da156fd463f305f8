// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze schema: what the JSON of the other verbs looks like. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/report/compare_tree.h"
#include "analyze/report/info.h"
#include "analyze/report/schema.h"
#include "analyze/report/tree.h"
#include "fcap/options.h"

static const struct fan_schema schemas[] = {
	{ "fcap-report/1", "One run, as fanalyze report and fanalyze audit write it.",
	  &fan_report_table },
	{ "fcap-compare/1",
	  "Several runs, or scores, by configuration: of fanalyze compare and fanalyze scores.",
	  &fan_compare_table },
	{ "fcap-info/1", "What is in a file: of fanalyze info.", &fan_info_table },
};

static const char doc[] =
	"Prints what the JSON of a verb looks like, as JSON Schema (draft 2020-12): every field "
	"with its type, its unit and what it means. NAME is report, compare or info."
	"\v"
	"Examples:\n"
	"  fanalyze schema report >report.schema.json\n"
	"  fanalyze schema compare | jq '.properties | keys'\n"
	"  fanalyze schema --as man >fields.man            a manual page's part, of all\n";

struct arguments {
	const struct fan_schema *schema; /* NULL: none named */
	bool as_man;
};

static const struct argp_option options[] = {
	{ "as", 'a', "json|man", 0,
	  "A JSON Schema (default), or lines of a manual page, then of all, and of the flags, "
	  "without a NAME",
	  0 },
	{ 0 },
};

/* "fcap-report/1" by "report". */
static const struct fan_schema *find(const char *name)
{
	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++) {
		const char *word = schemas[i].name + strlen("fcap-");

		if (strncmp(word, name, strlen(name)) == 0 && word[strlen(name)] == '/')
			return &schemas[i];
	}
	return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'a':
		a->as_man = strcmp(arg, "man") == 0;
		if (!a->as_man && strcmp(arg, "json") != 0)
			argp_error(state, "--as %s: it can be json or man", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (a->schema)
			argp_error(state, "one name at a time");
		a->schema = find(arg);
		if (!a->schema)
			argp_error(state, "%s: it can be report, compare or info", arg);
		return 0;
	case ARGP_KEY_END:
		if (!a->schema && !a->as_man)
			argp_error(state, "of what? report, compare or info");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int print(const struct arguments *a)
{
	struct fcap_err err = { 0 };
	int r = 0;

	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]) && r == 0; i++) {
		if (a->schema && a->schema != &schemas[i])
			continue;
		r = a->as_man ? fan_schema_page(&schemas[i], stdout, &err)
			      : fan_schema_json(&schemas[i], stdout, &err);
	}
	if (r == 0 && !a->schema)
		r = fan_schema_flags_page(stdout, &err);
	return r < 0 ? fan_complain("fanalyze schema", &err) : FAN_EXIT_OK;
}

int fan_cmd_schema(int argc, char **argv)
{
	static const struct argp argp = { options, parse, "NAME", doc, NULL, NULL, NULL };
	struct arguments a = { 0 };

	argp_err_exit_status = FAN_EXIT_USAGE;
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &a);
	return print(&a);
}
