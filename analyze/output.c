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
#include "analyze/pending.h"
#include "analyze/report/json.h"

enum { OPT_JSON = 0x2000, OPT_CSV, OPT_TEX, OPT_HTML };

static const struct argp_option json_options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write it as JSON too; - instead of the text", 0 },
	{ 0 },
};

static const struct argp_option all_options[] = {
	{ "json", OPT_JSON, "FILE", 0, "Write it as JSON too; - instead of the text", 0 },
	{ "csv", OPT_CSV, "FILE", 0, "Write its estimates as CSV too; - instead of the text", 0 },
	{ "tex", OPT_TEX, "FILE", 0,
	  "Write its tables for LaTeX (booktabs) too; - instead of the text", 0 },
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

const struct argp fan_json_argp = { json_options, parse, NULL, NULL, NULL, NULL, NULL };

static bool is_stdout(const char *file)
{
	return file && strcmp(file, "-") == 0;
}

static error_t parse_all(int key, char *arg, struct argp_state *state)
{
	struct fan_outputs *to = state->input;

	switch (key) {
	case OPT_JSON:
		to->json = arg;
		break;
	case OPT_CSV:
		to->csv = arg;
		break;
	case OPT_TEX:
		to->tex = arg;
		break;
	case ARGP_KEY_END:
		if (is_stdout(to->json) + is_stdout(to->csv) + is_stdout(to->tex) > 1)
			argp_error(state, "one of --json, --csv and --tex can be -");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (!*arg)
		argp_error(state, "--json, --csv, --tex: the file name is empty");
	return 0;
}

static const struct argp_option html_options[] = {
	{ "html", OPT_HTML, "FILE", 0,
	  "Write it as a page of HTML with figures too; - instead of the text", 0 },
	{ 0 },
};

static error_t parse_html(int key, char *arg, struct argp_state *state)
{
	struct fan_outputs *to = state->input;

	switch (key) {
	case OPT_HTML:
		if (!*arg)
			argp_error(state, "--html: the file name is empty");
		to->html = arg;
		return 0;
	case ARGP_KEY_END:
		if (is_stdout(to->html) &&
		    (is_stdout(to->json) || is_stdout(to->csv) || is_stdout(to->tex)))
			argp_error(state, "--html and another form cannot both be -");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp fan_html_argp = { html_options, parse_html, NULL, NULL, NULL, NULL, NULL };

const struct argp fan_outputs_argp = { all_options, parse_all, NULL, NULL, NULL, NULL, NULL };

/* A result in one form: as JSON by its table, or as write() has it. */
struct form {
	const void *item;
	const struct fan_table *table; /* NULL: write */
	fan_text_writer *write;
};

static int cannot_write(int error, struct fcap_err *err)
{
	return fcap_fail(err, error, "cannot write it: %s", strerror(error));
}

static int write_form(const struct form *form, FILE *f, struct fcap_err *err)
{
	if (form->table)
		return fan_tree_json(form->item, form->table, f, err);
	return form->write ? form->write(form->item, f, err)
			   : fcap_fail(err, EINVAL, "there is no such form of it");
}

static int write_stream(const struct form *form, FILE *f, struct fcap_err *err)
{
	int e = f ? write_form(form, f, err) : cannot_write(errno, err);

	if (f && fclose(f) != 0 && e == 0)
		e = cannot_write(errno, err);
	return e;
}

static int write_file(const struct form *form, const char *path, struct fcap_err *err)
{
	struct fan_pending to;
	struct stat st;
	int e, r;

	/* a link stays one: /dev/stdout is a link to whatever the shell put there */
	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_stream(form, fopen(path, "w"), err);
	r = fan_pending_open(&to, path);
	if (r < 0)
		return cannot_write(-r, err);
	e = write_form(form, to.f, err);
	r = fan_pending_close(&to, e == 0);
	return r < 0 ? cannot_write(-r, err) : e;
}

int fan_output_to(const void *item, const char *path, fan_text_writer *write, struct fcap_err *err)
{
	const struct form form = { item, NULL, write };

	return path && !is_stdout(path) ? write_file(&form, path, err)
					: write_form(&form, stdout, err);
}

int fan_output_all(const void *item, const struct fan_writers *writers,
		   const struct fan_outputs *to)
{
	const struct {
		const char *file;
		struct form form;
	} list[] = {
		{ to->json, { item, writers->json, NULL } },
		{ to->csv, { item, NULL, writers->csv } },
		{ to->tex, { item, NULL, writers->tex } },
		{ to->html, { item, NULL, writers->html } },
	};
	struct form standard = { item, NULL, writers->text };
	struct fcap_err err = { 0 };

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		if (is_stdout(list[i].file))
			standard = list[i].form;
		else if (list[i].file && write_file(&list[i].form, list[i].file, &err) < 0) {
			fan_complain(list[i].file, &err);
			return FAN_EXIT_SYSTEM;
		}
	}
	if (write_form(&standard, stdout, &err) < 0) {
		fan_complain("standard output", &err);
		return FAN_EXIT_SYSTEM;
	}
	return FAN_EXIT_OK;
}

int fan_output(const void *item, const struct fan_table *table, const char *json,
	       fan_text_writer *text)
{
	const struct fan_writers writers = { .text = text, .json = table };
	const struct fan_outputs to = { .json = json };

	return fan_output_all(item, &writers, &to);
}
