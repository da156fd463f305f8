/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is written to memory, for the tests of the page of HTML, and words in it. */
#ifndef TESTS_UNIT_HTML_PAPER_H
#define TESTS_UNIT_HTML_PAPER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/paper.h"

#define DASH   "\xE2\x80\x93"
#define MINUS  "\xE2\x88\x92"
#define NARROW "\xE2\x80\xAF"
#define MICRO  "\xC2\xB5"

static inline void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static inline void assert_lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in:\n%s", part, text);
}

#endif
