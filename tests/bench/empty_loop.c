// SPDX-License-Identifier: GPL-3.0-or-later
/* empty_loop FILE: hands out all records of a trace with libtracecmd, and counts them. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include <trace-cmd/trace-cmd.h>

static int count(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *data)
{
	uint64_t *n = data;

	(void)handle;
	(void)record;
	(void)cpu;
	++*n;
	return 0;
}

int main(int argc, char **argv)
{
	struct tracecmd_input *handle = argc == 2 ? tracecmd_open(argv[1],
								  TRACECMD_FL_LOAD_NO_PLUGINS)
						  : NULL;
	uint64_t n = 0;

	if (!handle) {
		fprintf(stderr, "empty_loop: a trace.dat is needed\n");
		return 2;
	}
	if (tracecmd_iterate_events(handle, NULL, 0, count, &n) < 0)
		return 1;
	tracecmd_close(handle);
	printf("%" PRIu64 "\n", n);
	return 0;
}
