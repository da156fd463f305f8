// SPDX-License-Identifier: GPL-3.0-or-later
/* fanalyze audit: one trace, one question: were VMs kept apart? */
#include <string.h>

#include "analyze/cmd.h"
#include "analyze/one_report.h"
#include "analyze/report/text_audit.h"

static const char doc[] =
	"Says whether vCPUs of different VMs ran on one core at the same time, and whether core "
	"scheduling keeps them apart. As JSON it is the whole report."
	"\v"
	"Exit status: 0 they were kept apart; 3 they were not; 4 nothing can be said: the trace "
	"does not tell, there is nothing to be kept apart, or no core was used by two VMs.\n"
	"\n"
	"Examples:\n"
	"  fanalyze audit trace.dat\n"
	"  fanalyze audit --siblings '0-1;2-3' --tolerance 60ms trace.dat\n"
	"  fanalyze audit --json - trace.dat | jq .isolation.levels\n";

static int status_of(const struct fan_report *r)
{
	const char *word = r->isolation.verdict.word ? r->isolation.verdict.word : "";

	if (strcmp(word, "isolated") == 0)
		return FAN_EXIT_OK;
	return strcmp(word, "shared") == 0 ? FAN_EXIT_FOUND : FAN_EXIT_OPEN;
}

int fan_cmd_audit(int argc, char **argv)
{
	static const struct fan_report_verb verb = {
		.name = "fanalyze audit",
		.doc = doc,
		.write_text = fan_audit_text,
		.status = status_of,
	};

	return fan_one_report(argc, argv, &verb);
}
