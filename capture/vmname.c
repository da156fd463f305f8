// SPDX-License-Identifier: GPL-3.0-or-later
/* VM names from command lines and cgroup paths. */
#include "capture/vmname.h"

#include <stdio.h>
#include <string.h>

static bool keep(const char *name, size_t len, char *ret, size_t size)
{
	if (len == 0)
		return false;
	snprintf(ret, size, "%.*s", (int)(len < size ? len : size - 1), name);
	return true;
}

/* QEMU: "NAME[,opt=...]" or options in any order, one of them guest=NAME. */
static bool from_qemu(const char *value, char *ret, size_t size)
{
	const char *p = value;

	for (;;) {
		const size_t len = strcspn(p, ",");

		if (strncmp(p, "guest=", 6) == 0)
			return keep(p + 6, len - 6, ret, size);
		if (p == value && !memchr(p, '=', len))
			return keep(p, len, ret, size);
		if (!p[len])
			return false;
		p += len + 1;
	}
}

bool cap_vmname_from_cmdline(const char *cmdline, size_t len, char *ret, size_t size)
{
	const char *end = cmdline + len;

	for (const char *p = cmdline; p < end;) {
		const size_t arg = strnlen(p, (size_t)(end - p));
		const char *next = p + arg + 1;

		if (next > end) /* cut: the last argument has no NUL */
			return false;
		if (p != cmdline && strncmp(p, "--name=", 7) == 0)
			return keep(p + 7, arg - 7, ret, size);
		if (p != cmdline && next < end && memchr(next, '\0', (size_t)(end - next))) {
			if (strcmp(p, "-name") == 0)
				return from_qemu(next, ret, size);
			if (strcmp(p, "--name") == 0)
				return keep(next, strlen(next), ret, size);
		}
		p = next;
	}
	return false;
}

bool cap_vmname_from_cgroup(const char *path, char *ret, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *leaf = slash ? slash + 1 : path;

	return keep(leaf, strlen(leaf), ret, size);
}
