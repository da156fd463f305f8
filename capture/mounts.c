// SPDX-License-Identifier: GPL-3.0-or-later
/* Parser of mountinfo. */
#include "capture/mounts.h"

#include <stdio.h>
#include <string.h>

bool cap_list_has(const char *list, size_t len, const char *word)
{
	const size_t word_len = strlen(word);

	for (size_t at = 0; at < len;) {
		size_t n = 0;

		while (at + n < len && list[at + n] != ',')
			n++;
		if (n == word_len && memcmp(list + at, word, n) == 0)
			return true;
		at += n + 1;
	}
	return false;
}

/* mountinfo writes blanks, tabs, newlines and backslashes as \ooo. */
static void unescape(char *s)
{
	char *out = s;

	for (; *s; s++, out++) {
		if (*s == '\\' && strspn(s + 1, "01234567") >= 3) {
			*out = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*out = *s;
		}
	}
	*out = '\0';
}

/* "ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAGS] - TYPE SOURCE SUPER-OPTIONS" */
bool cap_mount_parse(const char *line, struct cap_mount *ret)
{
	const size_t len = strcspn(line, "\n");
	const char *rest = memmem(line, len, " - ", 3);
	int end = 0;

	if (!rest || sscanf(line, "%*s %*s %*s %4095s %4095s %255s%n", ret->root, ret->point,
			    ret->options, &end) != 3)
		return false;
	if (line + end > rest || sscanf(rest, " - %31s %*s %511s", ret->type, ret->super) != 2)
		return false;
	unescape(ret->root);
	unescape(ret->point);
	return true;
}
