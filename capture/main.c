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
#include "fcap/program.h"
#include "fcap/version.h"

#define USAGE_STATUS 125 /* as of every failure that is not the recorded command's */

static const struct verb {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "record", "record the host's scheduling while a command runs", cap_cmd_record },
	{ "calibrate", "what does recording events do to the load? runs in turns, compared",
	  cap_cmd_calibrate },
	{ "check", "can this machine record? what is missing, and how to fix it", cap_cmd_check },
	{ "recover", "finish the file of a recording that was killed", cap_cmd_recover },
};

static void print_help(FILE *out, const char *program)
{
	fprintf(out,
		"Usage: %s VERB [OPTIONS...]\n"
		"Records how a host's scheduler shares its CPUs among virtual machines.\n\n",
		program);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
	fprintf(out,
		"\n`%s VERB --help' tells the options of a verb,\n`%s --version' the version.\n",
		program, program);
}

static void complain(const char *name, const char *program)
{
	struct fcap_near near = fcap_near_to(name, strlen(name));

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fcap_near_try(&near, verbs[i].name);
	if (fcap_near_guess(&near))
		fprintf(stderr, "fcap: %s: no such verb; did you mean %s?\n", name, near.best);
	else
		fprintf(stderr, "fcap: %s: no such verb; %s --help lists them\n", name, program);
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
	char title[FCAP_PROGRAM_MAX];

	fcap_program_title(argv[0], "fcap", "", title);
	if (argc < 2) {
		print_help(stderr, title);
		return USAGE_STATUS;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help(stdout, title);
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
		/* what messages about options call the program */
		fcap_program_title(argv[0], "fcap", verbs[i].name, title);
		argv[1] = title;
		return verbs[i].run(argc - 1, argv + 1);
	}
	complain(argv[1], title);
	return USAGE_STATUS;
}
