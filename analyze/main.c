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
};

static void print_help(FILE *f)
{
	fputs("Usage: fanalyze VERB [OPTION...] FILE\n"
	      "Says how the CPU was shared among the VMs of a trace.dat, and how fairly.\n"
	      "\n",
	      f);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		fprintf(f, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
	fputs("\n"
	      "  fanalyze VERB --help   the options of a verb\n"
	      "  fanalyze --version\n"
	      "\n"
	      "Exit status: 0 done; 1 the system refused (I/O, memory); 2 usage, or a damaged\n"
	      "or unsuitable file; 3 done, but a --fail-if holds or the audit found VMs that\n"
	      "shared cores; 4 no verdict is possible.\n",
	      f);
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

	if (atexit(close_stdout) != 0)
		return FAN_EXIT_SYSTEM;
	fan_stats_init();
	if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "help") == 0) {
		print_help(stdout);
		return FAN_EXIT_OK;
	}
	if (strcmp(name, "--version") == 0) {
		puts("fanalyze " FCAP_VERSION);
		return FAN_EXIT_OK;
	}
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(name, verbs[i].name) == 0)
			return verbs[i].run(argc - 1, argv + 1);
	if (*name)
		fprintf(stderr, "fanalyze: %s: no such verb; see \"fanalyze --help\"\n", name);
	else
		print_help(stderr);
	return FAN_EXIT_USAGE;
}
