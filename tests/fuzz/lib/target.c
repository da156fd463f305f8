// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/lib/target.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/report/json.h"
#include "analyze/report/text.h"

int fuzz_file(const uint8_t *data, size_t size, char path[32])
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		fuzz_fail("no file in memory");
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

void fuzz_write_report(const struct fan_report *r)
{
	struct fcap_err err = { 0 };
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		fuzz_fail("no stream");
	if (fan_report_text(r, f, &err) < 0 || fan_tree_json(r, &fan_report_table, f, &err) < 0)
		fuzz_fail(err.text);
	fclose(f);
	free(text);
}

void fuzz_fail(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}
