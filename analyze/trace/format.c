// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_MAX   65535 /* a record lies in a page, and its __data_loc counts in 16 bits */
#define NESTING_MAX 32	  /* of parentheses; kernels have 4 */

/* A decimal number of at most max at *p, which is moved behind it. */
static bool take_number(const char **p, uint32_t max, uint32_t *ret)
{
	uint64_t v = 0;
	const char *q = *p;

	for (; *q >= '0' && *q <= '9' && v <= max; q++)
		v = v * 10 + (uint64_t)(*q - '0');
	if (q == *p || v > max)
		return false;
	*p = q;
	*ret = (uint32_t)v;
	return true;
}

static bool take_word(const char **p, const char *word)
{
	const size_t n = strlen(word);

	*p += strspn(*p, " \t");
	if (strncmp(*p, word, n) != 0)
		return false;
	*p += n;
	*p += strspn(*p, " \t");
	return true;
}

int fan_format_head(const struct fan_format *f, struct fan_format_head *ret)
{
	const char *p = f->text.data;
	uint32_t id = 0;
	size_t n = 0;

	if (!take_word(&p, "name:"))
		return -EINVAL;
	for (; *p > ' ' && *p <= '~'; p++) {
		if (n + 1 >= sizeof(ret->name))
			return -EINVAL;
		ret->name[n++] = *p;
	}
	ret->name[n] = '\0';
	if (n == 0 || *p != '\n')
		return -EINVAL;
	p++;
	if (!take_word(&p, "ID:") || !take_number(&p, UINT16_MAX, &id) || *p != '\n')
		return -EINVAL;
	ret->id = (uint16_t)id;
	return 0;
}

/* The declaration "TYPE NAME" or "TYPE NAME[N]" of n bytes declares this name. */
static bool declares(const char *decl, size_t n, const char *name)
{
	const size_t len = strlen(name);

	if (n && decl[n - 1] == ']') {
		const char *open = memrchr(decl, '[', n);

		/* "__data_loc char[] name" ends without a bracket */
		n = open ? (size_t)(open - decl) : 0;
	}
	if (n <= len || memcmp(decl + n - len, name, len) != 0)
		return false;
	decl += n - len - 1;
	return *decl == ' ' || *decl == '*' || *decl == ']';
}

static bool has_prefix(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool fan_format_field(const struct fan_format *f, const char *name, struct fan_format_field *ret)
{
	const char *p = f->text.data;

	while ((p = strchr(p, '\n')) != NULL) {
		const char *decl;
		size_t n;

		p++;
		if (has_prefix(p, "print fmt:"))
			return false;
		if (!take_word(&p, "field:"))
			continue;
		decl = p;
		n = strcspn(p, ";\n");
		if (p[n] != ';' || !declares(decl, n, name))
			continue;
		p += n + 1;
		ret->is_dynamic = has_prefix(decl, "__data_loc") || has_prefix(decl, "__rel_loc");
		return take_word(&p, "offset:") && take_number(&p, PLACE_MAX, &ret->offset) &&
		       take_word(&p, ";") && take_word(&p, "size:") &&
		       take_number(&p, PLACE_MAX, &ret->size) && *p == ';';
	}
	return false;
}

static bool take_or(const char **p, unsigned int depth, uint64_t *ret);

static bool take_operand(const char **p, unsigned int depth, uint64_t *ret)
{
	char *end;

	*p += strspn(*p, " ");
	if (**p == '(') {
		++*p;
		if (depth >= NESTING_MAX || !take_or(p, depth + 1, ret) || **p != ')')
			return false;
		++*p;
	} else {
		if (**p < '0' || **p > '9')
			return false;
		*ret = strtoull(*p, &end, 0);
		*p = end + strspn(end, "uUlL");
	}
	*p += strspn(*p, " ");
	return true;
}

static bool take_sum(const char **p, unsigned int depth, uint64_t *ret)
{
	uint64_t v;

	if (!take_operand(p, depth, ret))
		return false;
	while (**p == '+' || **p == '-') {
		const char op = *(*p)++;

		if (!take_operand(p, depth, &v))
			return false;
		*ret = op == '+' ? *ret + v : *ret - v;
	}
	return true;
}

static bool take_shift(const char **p, unsigned int depth, uint64_t *ret)
{
	uint64_t v;

	if (!take_sum(p, depth, ret))
		return false;
	while (has_prefix(*p, "<<")) {
		*p += 2;
		if (!take_sum(p, depth, &v) || v > 63)
			return false;
		*ret <<= v;
	}
	return true;
}

/* An expression of numbers, | + - << and parentheses, with C's precedence. */
static bool take_or(const char **p, unsigned int depth, uint64_t *ret)
{
	uint64_t v;

	if (!take_shift(p, depth, ret))
		return false;
	while (**p == '|') {
		++*p;
		if (!take_shift(p, depth, &v))
			return false;
		*ret |= v;
	}
	return true;
}

/* Whether the text goes on as: MASK ? "+" */
static bool is_preempted_mark(const char *p, uint64_t *ret_mask)
{
	/* & binds tighter than | */
	if (!take_shift(&p, 0, ret_mask))
		return false;
	p += strspn(p, " )");
	if (*p != '?')
		return false;
	p++;
	p += strspn(p, " (");
	return *p == '"' && memchr(p + 1, '+', strcspn(p + 1, "\"")) != NULL;
}

uint64_t fan_format_state_mask(const struct fan_format *sched_switch)
{
	const char *p = strstr(sched_switch->text.data, "print fmt:");
	uint64_t preempted = 0;

	while (p && (p = strstr(p, "prev_state")) != NULL) {
		p += strlen("prev_state");
		p += strspn(p, " ");
		if (*p != '&')
			continue;
		p++;
		if (is_preempted_mark(p, &preempted) && preempted > 1)
			return preempted - 1;
	}
	return UINT64_MAX;
}
