// SPDX-License-Identifier: GPL-3.0-or-later
/* Instead of libFuzzer: hands each file that is named to the target, once. */
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/lib/target.h"

static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st = { 0 };
	uint8_t *data = NULL;
	int r = -1;

	if (f && fstat(fileno(f), &st) == 0)
		data = malloc((size_t)st.st_size + 1);
	if (data && fread(data, 1, (size_t)st.st_size, f) == (size_t)st.st_size)
		r = LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
	if (r < 0)
		perror(path);
	free(data);
	if (f)
		fclose(f);
	return r;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		printf("%s\n", argv[i]);
		fflush(stdout);
		if (replay(argv[i]) < 0)
			return 1;
	}
	return argc > 1 ? 0 : 1;
}
