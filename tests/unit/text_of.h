/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of a report, for tests that look for words in it. */
#ifndef TESTS_UNIT_TEXT_OF_H
#define TESTS_UNIT_TEXT_OF_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/report/text.h"

/* The whole of it, to be freed. */
static inline char *text_of(const struct fan_report *r)
{
	struct fcap_err err = { 0 };
	char *ret = NULL;
	size_t size;
	FILE *f = open_memstream(&ret, &size);

	assert_non_null(f);
	assert_int_equal(fan_report_text(r, f, &err), 0);
	assert_int_equal(fclose(f), 0);
	return ret;
}

#endif
