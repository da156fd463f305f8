// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/lib/target.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int fuzz_file(const uint8_t *data, size_t size, char path[32])
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		fuzz_fail("no file in memory");
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

void fuzz_fail(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}
