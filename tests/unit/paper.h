/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file in memory: what is written to it, as a text. */
#ifndef TESTS_UNIT_PAPER_H
#define TESTS_UNIT_PAPER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

struct paper {
	FILE *f;
	char *text;
	size_t size;
};

/* The file to write to; *p stays where it is until it is read. */
static inline FILE *paper(struct paper *p)
{
	*p = (struct paper){ 0 };
	p->f = open_memstream(&p->text, &p->size);
	assert_non_null(p->f);
	return p->f;
}

/* What was written, to be freed. */
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

#endif
