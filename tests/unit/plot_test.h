/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of plot/ share: the content of files. */
#ifndef TESTS_UNIT_PLOT_TEST_H
#define TESTS_UNIT_PLOT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lib/tempdir.h"

static inline char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

static inline char *content(const char *dir, const char *name)
{
	char *path = tempdir_file(dir, name), *text = NULL;
	FILE *f = fopen(path, "r");
	size_t size = 0;

	if (!f)
		fail_msg("%s is not there", path);
	/* no file holds a NUL: all of it in one go; nothing at all is an empty file */
	if (getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = own("");
	}
	assert_int_equal(fclose(f), 0);
	free(path);
	return text;
}

static inline void assert_content(const char *dir, const char *name, const char *want)
{
	char *got = content(dir, name);

	assert_string_equal(got, want);
	free(got);
}

static inline bool is_there(const char *dir, const char *name)
{
	char *path = tempdir_file(dir, name);
	const bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

#endif
