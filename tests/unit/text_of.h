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
#include "tests/unit/paper.h"

/* The whole of it, to be freed. */
static inline char *text_of(const struct fan_report *r)
{
	struct paper p;

	assert_int_equal(fan_report_text(r, paper(&p), NULL), 0);
	return read_paper(&p);
}

#endif
