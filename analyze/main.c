// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze: the table of verbs. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/cmd.h"
#include "analyze/stats/gsl.h"
#include "fcap/options.h"
#include "fcap/program.h"
#include "fcap/version.h"

static const struct verb {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "report", "shares, fairness, steal and waits of one run", fan_cmd_report },
	{ "audit", "did vCPUs of different VMs share a core at the same time", fan_cmd_audit },
	{ "compare", "what changed between configurations, over several runs of each",
	  fan_cmd_compare },
	{ "plot", "figures: shares, lag, waits, cores, gaps and more", fan_cmd_plot },
	{ "scores", "the same statistics for benchmark scores and work logs", fan_cmd_scores },
	{ "export", "the series behind the numbers: windows, spans, waits, exits", fan_cmd_export },
	{ "info", "what is in a file, and what it cannot answer", fan_cmd_info },
	{ "schema", "what the JSON of report, compare and info looks like", fan_cmd_schema },
};

static void print_help(FILE *f, const char *program)
{
	fprintf(f, "Usage: %s VERB [OPTION...] FILE\n", program);
	fputs("Says how the CPU was shared among the VMs of a trace.dat, and how fairly.\n"
	      "\n",
	      f);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(f, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
	fprintf(f,
		"\n"
		"  %s VERB --help   the options of a verb\n"
		"  %s --version\n",
		program, program);
	fputs("\n"
	      "Exit status: 0 done; 1 the system refused (I/O, memory); 2 usage, or a damaged\n"
	      "or unsuitable file; 3 done, but a --fail-if holds or the audit found VMs that\n"
	      "shared cores; 4 no verdict is possible.\n",
	      f);
}

static void complain(const char *name, const char *program)
{
	struct fcap_near near = fcap_near_to(name, strlen(name));

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fcap_near_try(&near, verbs[i].name);
	if (fcap_near_guess(&near))
		fprintf(stderr, "fanalyze: %s: no such verb; did you mean %s?\n", name, near.best);
	else
		fprintf(stderr, "fanalyze: %s: no such verb; see \"%s --help\"\n", name, program);
}

static void tell_verbs(void)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		printf("%s\t%s\n", verbs[i].name, verbs[i].summary);
}

/* At exit: what was cut off by a full disk or a closed pipe must not count as done. */
static void close_stdout(void)
{
	const bool had_failed = ferror(stdout);

	if ((fclose(stdout) == 0 && !had_failed) || errno == EBADF)
		return;
	/* a verb that noticed has said so, and fails anyway */
	if (!had_failed)
		fprintf(stderr, "fanalyze: standard output: %s\n", strerror(errno));
	_exit(FAN_EXIT_SYSTEM);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	char title[FCAP_PROGRAM_MAX];

	if (atexit(close_stdout) != 0)
		return FAN_EXIT_SYSTEM;
	fan_stats_init();
	fcap_program_title(argv[0], "fanalyze", "", title);
	if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "-h") == 0 ||
	    strcmp(name, "help") == 0) {
		print_help(stdout, title);
		return FAN_EXIT_OK;
	}
	if (strcmp(name, "--version") == 0) {
		puts("fanalyze " FCAP_VERSION);
		return FAN_EXIT_OK;
	}
	if (strcmp(name, FCAP_COMPLETE) == 0) {
		tell_verbs();
		return FAN_EXIT_OK;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(name, verbs[i].name) != 0)
			continue;
		/* what messages about options call the program, and what a report keeps of it */
		fcap_program_title(argv[0], "fanalyze", name, title);
		argv[1] = title;
		return verbs[i].run(argc - 1, argv + 1);
	}
	if (*name)
		complain(name, title);
	else
		print_help(stderr, title);
	return FAN_EXIT_USAGE;
}
