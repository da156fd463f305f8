// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/cmd.h"
#include "analyze/report/json.h"

enum { OPT_JSON = 0x2000 };

static const struct argp_option options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write it as JSON too; - instead of the text", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	const char **json = state->input;

	if (key != OPT_JSON)
		return ARGP_ERR_UNKNOWN;
	if (!*arg)
		argp_error(state, "--json: the file name is empty");
	*json = arg;
	return 0;
}

const struct argp fan_json_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

static int cannot_write(struct fcap_err *err)
{
	return fcap_fail(err, errno, "cannot write it: %s", strerror(errno));
}

static int write_stream(const void *item, const struct fan_table *table, FILE *f,
			struct fcap_err *err)
{
	int e = f ? fan_tree_json(item, table, f, err) : cannot_write(err);

	if (f && fclose(f) != 0 && e == 0)
		e = cannot_write(err);
	return e;
}

static int write_file(const void *item, const struct fan_table *table, const char *path,
		      struct fcap_err *err)
{
	char *temporary = NULL;
	struct stat st;
	int e;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_stream(item, table, fopen(path, "w"), err);
	if (asprintf(&temporary, "%s.%d", path, (int)getpid()) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	e = write_stream(item, table, fopen(temporary, "wx"), err);
	if (e == 0 && rename(temporary, path) < 0)
		e = cannot_write(err);
	if (e < 0)
		unlink(temporary);
	free(temporary);
	return e;
}

int fan_output(const void *item, const struct fan_table *table, const char *json,
	       fan_text_writer *text)
{
	const bool is_json_only = json && strcmp(json, "-") == 0;
	struct fcap_err err = { 0 };

	if (json && !is_json_only && write_file(item, table, json, &err) < 0) {
		fan_complain(json, &err);
		return FAN_EXIT_SYSTEM;
	}
	if ((is_json_only ? fan_tree_json(item, table, stdout, &err) : text(item, stdout, &err)) <
	    0) {
		fan_complain("standard output", &err);
		return FAN_EXIT_SYSTEM;
	}
	return FAN_EXIT_OK;
}
