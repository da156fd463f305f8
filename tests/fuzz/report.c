// SPDX-License-Identifier: GPL-3.0-or-later
/* A whole trace.dat through the model and statistics to the text and the JSON. */
#include <stdio.h>
#include <unistd.h>

#include "analyze/analysis.h"
#include "analyze/stats/gsl.h"
#include "tests/fuzz/lib/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fan_analysis a;
	struct fan_report report;
	struct fcap_err err = { 0 };
	char path[32];
	const int fd = fuzz_file(data, size, path);

	fan_stats_init();
	fan_analysis_init(&a, "fanalyze");
	/* by chance, but each input always in the same way */
	a.is_truncated = size % 2;
	if (fan_analyse(&report, path, &a, &err) == 0)
		fuzz_write_report(&report);
	else if (err.code == 0 || err.text[0] == '\0')
		fuzz_fail("refused without a sentence");
	fan_report_free(&report);
	fan_analysis_free(&a);
	close(fd);
	return 0;
}
