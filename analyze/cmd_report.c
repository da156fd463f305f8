// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze report: one trace, one report. */
#include "analyze/cmd.h"
#include "analyze/html.h"
#include "analyze/one_report.h"
#include "analyze/report/report_files.h"
#include "analyze/report/text.h"

static const char doc[] =
	"Says how the CPU was shared in a recorded run: share and expected share of each VM with "
	"an "
	"interval and a verdict, run, wait and sleep of each thread, and whether the waits agree "
	"with "
	"the kernel's own counter."
	"\v"
	"Examples:\n"
	"  fanalyze report trace.dat\n"
	"  fanalyze report --json report.json trace.dat\n"
	"  fanalyze report --html report.html trace.dat\n"
	"  fanalyze report --names esx trace.dat\n"
	"  fanalyze report --group process --json - trace.dat | jq .groups[0].share\n";

int fan_cmd_report(int argc, char **argv)
{
	static const struct fan_report_verb verb = {
		.doc = doc,
		.write_text = fan_report_text_styled,
		.write_csv = fan_report_csv,
		.write_tex = fan_report_tex,
		.write_html = fan_report_html,
		.has_names = true,
	};

	return fan_one_report(argc, argv, &verb);
}
