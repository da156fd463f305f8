// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a trace.dat and all that "fanalyze info" tells of it. */
#include <string.h>
#include <unistd.h>

#include "analyze/inspect.h"
#include "tests/fuzz/lib/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fcap_err err = { 0 };
	struct fan_info info;
	char path[32];
	struct fan_inspect_options options = { 0 };
	const int fd = fuzz_file(data, size, path);

	for (int i = 0; i < 2; i++) {
		options.is_truncated = i > 0;
		if (fan_inspect(&info, path, &options, &err) < 0 &&
		    (err.code == 0 || err.text[0] == '\0'))
			fuzz_fail("refused without a sentence");
		fan_info_free(&info);
	}
	close(fd);
	return 0;
}
