// SPDX-License-Identifier: GPL-3.0-or-later
/* A report in JSON: read, and what is read can be written. */
#include <stdio.h>

#include "analyze/report/read_json.h"
#include "tests/fuzz/lib/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
	struct fcap_err err = { 0 };
	struct fan_report r;

	if (!f)
		return 0;
	if (fan_tree_read(&r, &fan_report_table, "fcap-report/1", f, &err) == 0)
		fuzz_write_report(&r);
	else if (err.text[0] == '\0')
		fuzz_fail("refused without a sentence");
	fan_report_free(&r);
	fclose(f);
	return 0;
}
