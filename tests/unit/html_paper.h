/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is written to memory, for the tests of the page of HTML. */
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

#define DASH   "\xE2\x80\x93"
#define MINUS  "\xE2\x88\x92"
#define NARROW "\xE2\x80\xAF"
#define MICRO  "\xC2\xB5"

/* What is written to f between paper() and assert_paper(). */
struct paper {
	FILE *f;
	char *text;
	size_t size;
};

static inline void paper(struct paper *p)
{
	p->text = NULL;
	p->f = open_memstream(&p->text, &p->size);
	assert_non_null(p->f);
}

static inline char *read_paper(struct paper *p)
{
	assert_int_equal(fclose(p->f), 0);
	return p->text;
}

static inline void assert_paper(struct paper *p, const char *want)
{
	char *got = read_paper(p);

	assert_string_equal(got, want);
	free(got);
}

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
