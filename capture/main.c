// SPDX-License-Identifier: GPL-3.0-or-later
/* The verbs of fcap. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "capture/cmd_calibrate.h"
#include "capture/cmd_check.h"
#include "capture/cmd_record.h"
#include "capture/cmd_recover.h"
#include "fcap/options.h"
#include "fcap/version.h"

#define USAGE_STATUS 125 /* as of every failure that is not the recorded command's */

static const struct verb {
	const char *name, *summary;
	char *title; /* what messages call the program */
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "record", "record the host's scheduling while a command runs", (char[]){ "fcap record" },
	  cap_cmd_record },
	{ "calibrate", "what does recording events do to the load? runs in turns, compared",
	  (char[]){ "fcap calibrate" }, cap_cmd_calibrate },
	{ "check", "can this machine record? what is missing, and how to fix it",
	  (char[]){ "fcap check" }, cap_cmd_check },
	{ "recover", "finish the file of a recording that was killed", (char[]){ "fcap recover" },
	  cap_cmd_recover },
};

static void print_help(FILE *out)
{
	fputs("Usage: fcap VERB [OPTIONS...]\n"
	      "Records how a host's scheduler shares its CPUs among virtual machines.\n\n",
	      out);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n`fcap VERB --help' tells the options of a verb; `fcap --version' the version.\n",
	      out);
}

static void complain(const char *name)
{
	const char *nearest = NULL;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		nearest = fcap_nearer(name, nearest, verbs[i].name);
	if (nearest)
		fprintf(stderr, "fcap: %s: no such verb; did you mean %s?\n", name, nearest);
	else
		fprintf(stderr, "fcap: %s: no such verb; fcap --help lists them\n", name);
}

static void tell_verbs(void)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		printf("%s\t%s\n", verbs[i].name, verbs[i].summary);
}

static int finish_output(void)
{
	return fclose(stdout) == 0 ? 0 : USAGE_STATUS;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return USAGE_STATUS;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_help(stdout);
		return finish_output();
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("fcap " FCAP_VERSION);
		return finish_output();
	}
	if (strcmp(argv[1], FCAP_COMPLETE) == 0) {
		tell_verbs();
		return finish_output();
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(argv[1], verbs[i].name) != 0)
			continue;
		argv[1] = verbs[i].title;
		return verbs[i].run(argc - 1, argv + 1);
	}
	complain(argv[1]);
	return USAGE_STATUS;
}
