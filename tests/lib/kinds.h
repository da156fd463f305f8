/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of trace.dat that the builder writes, to run one test on each. After cmocka.h. */
#ifndef TESTS_LIB_KINDS_H
#define TESTS_LIB_KINDS_H

#include "tests/lib/builder.h"

struct tb_kind {
	int version;
	enum tb_compression compression;
};

/* libtracecmd reads the first of them: Debian's has no zlib */
enum { TB_KINDS_LIBTRACECMD = 3, TB_KINDS = 4 };

/* not const: cmocka hands it out as a void * */
__attribute__((unused)) static struct tb_kind tb_kinds[TB_KINDS] = {
	{ 6, TB_PLAIN },
	{ 7, TB_PLAIN },
	{ 7, TB_ZSTD },
	{ 7, TB_ZLIB },
};

/* Tests of a group, one for each kind; *state is the kind. */
#define IN_LIBTRACECMD_KINDS(f)                                             \
	{ #f " in version 6", f, NULL, NULL, &tb_kinds[0] },                \
		{ #f " in version 7, plain", f, NULL, NULL, &tb_kinds[1] }, \
	{                                                                   \
#f " in version 7, zstd", f, NULL, NULL, &tb_kinds[2]       \
	}
#define IN_ALL_KINDS(f)                                               \
	IN_LIBTRACECMD_KINDS(f),                                      \
	{                                                             \
#f " in version 7, zlib", f, NULL, NULL, &tb_kinds[3] \
	}

static inline struct tb *tb_new_kind(const struct tb_kind *k, int ncpu)
{
	return tb_new(ncpu, k->version, k->compression);
}

#endif
