// SPDX-License-Identifier: GPL-3.0-or-later
/* Temporary folders of tests. */
#include "tests/lib/tempdir.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

char *tempdir_new(void)
{
	const char *base = getenv("TMPDIR");
	char *dir;

	must(asprintf(&dir, "%s/fcap-test.XXXXXX", base && *base ? base : "/tmp") >= 0, "asprintf");
	must(mkdtemp(dir) != NULL, dir);
	return dir;
}

char *tempdir_file(const char *dir, const char *name)
{
	char *path;

	must(asprintf(&path, "%s/%s", dir, name) >= 0, "asprintf");
	return path;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tempdir_remove(char *dir)
{
	must(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, dir);
	free(dir);
}
