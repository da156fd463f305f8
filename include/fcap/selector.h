/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which threads are meant: "tgid:815", "tids:816,817", "cgroup:/caas1" (and what lies below it),
 * "comm:qemu*" (a shell pattern).
 */
#ifndef FCAP_SELECTOR_H
#define FCAP_SELECTOR_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FCAP_SELECTOR_TIDS 256

enum fcap_selector_kind { FCAP_SEL_TGID, FCAP_SEL_TIDS, FCAP_SEL_CGROUP, FCAP_SEL_COMM };

struct fcap_selector {
	enum fcap_selector_kind kind;
	int32_t tids[FCAP_SELECTOR_TIDS]; /* one of TGID, n of TIDS */
	size_t n;
	const char *text; /* of CGROUP and COMM; borrowed from what was parsed */
};

/* "N" or "N,N,...", each 1 .. 2^31 - 1. */
static inline int fcap_selector_numbers(const char *s, struct fcap_selector *ret)
{
	char *end;
	long v;

	for (ret->n = 0;; s = end + 1) {
		if (*s < '0' || *s > '9')
			return -EINVAL;
		errno = 0;
		v = strtol(s, &end, 10);
		if (errno || v < 1 || v > INT32_MAX || ret->n >= FCAP_SELECTOR_TIDS)
			return -ERANGE;
		ret->tids[ret->n++] = (int32_t)v;
		if (*end != ',')
			return *end ? -EINVAL : 0;
	}
}

/* 0; -EINVAL: no selector; -ERANGE: a number out of range, or too many. */
static inline int fcap_selector_parse(const char *s, struct fcap_selector *ret)
{
	static const char *const prefix[] = { "tgid:", "tids:", "cgroup:", "comm:" };
	int r;

	for (size_t i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++) {
		if (strncmp(s, prefix[i], strlen(prefix[i])) != 0)
			continue;
		ret->kind = (enum fcap_selector_kind)i;
		ret->text = s + strlen(prefix[i]);
		ret->n = 0;
		if (ret->kind == FCAP_SEL_CGROUP)
			return ret->text[0] == '/' ? 0 : -EINVAL;
		if (ret->kind == FCAP_SEL_COMM)
			return ret->text[0] ? 0 : -EINVAL;
		r = fcap_selector_numbers(ret->text, ret);
		return r == 0 && ret->kind == FCAP_SEL_TGID && ret->n != 1 ? -EINVAL : r;
	}
	return -EINVAL;
}

#endif
