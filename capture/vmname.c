// SPDX-License-Identifier: GPL-3.0-or-later
/* VM names from command lines and cgroup paths. */
#include "capture/vmname.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct args {
	const char *text;
	size_t len;
};

static bool keep(const char *name, size_t len, char *ret, size_t size)
{
	if (len == 0)
		return false;
	snprintf(ret, size, "%.*s", (int)(len < size ? len : size - 1), name);
	return true;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The argument behind p, or the first one for NULL; NULL: no further one that is whole. */
static const char *next_arg(const struct args *a, const char *p)
{
	const char *end = a->text + a->len;
	const char *next = p ? p + strlen(p) + 1 : a->text;

	return next < end && memchr(next, '\0', (size_t)(end - next)) ? next : NULL;
}

static bool program_begins(const struct args *a, const char *with)
{
	const char *program = next_arg(a, NULL), *slash = program ? strrchr(program, '/') : NULL;

	return program && begins(slash ? slash + 1 : program, with);
}

/* The value of "OPTION VALUE" or, of one with two dashes, "OPTION=VALUE". NULL: none. */
static const char *option(const struct args *a, const char *name)
{
	const size_t len = strlen(name);
	const char *arg = next_arg(a, NULL);

	while (arg && (arg = next_arg(a, arg))) {
		if (strcmp(arg, name) == 0)
			return next_arg(a, arg);
		if (name[1] == '-' && begins(arg, name) && arg[len] == '=')
			return arg + len + 1;
	}
	return NULL;
}

/* What stands up to the next single comma, with ",," as one. *p moves behind that comma. */
static bool take_item(const char **p, char *ret, size_t size)
{
	size_t n = 0;

	for (; **p && (**p != ',' || (*p)[1] == ','); ++*p) {
		*p += **p == ',';
		if (n + 1 < size)
			ret[n++] = **p;
	}
	ret[n] = '\0';
	*p += **p == ',';
	return n > 0;
}

/* QEMU: "NAME[,opt=...]" or options in any order, one of them guest=NAME. */
static bool from_qemu(const char *value, char *ret, size_t size)
{
	char item[512];

	for (const char *p = value; *p;) {
		const bool is_first = p == value;

		if (!take_item(&p, item, sizeof(item)))
			continue;
		if (begins(item, "guest="))
			return keep(item + 6, strlen(item + 6), ret, size);
		if (is_first && !strchr(item, '='))
			return keep(item, strlen(item), ret, size);
	}
	return false;
}

static bool from_name(const struct args *a, char *ret, size_t size)
{
	const char *one = option(a, "-name"), *two = option(a, "--name");

	if (one)
		return from_qemu(one, ret, size);
	if (two && program_begins(a, "qemu"))
		return from_qemu(two, ret, size);
	return two && keep(two, strlen(two), ret, size);
}

/* What every VM's socket, or the folder of all of them, may be called. */
static bool says_nothing(const char *name, size_t len)
{
	static const char *const word[] = { "api",     "api-socket", "ch",
					    "ch-api",  "clh-api",    "cloud-hypervisor",
					    "control", "crosvm",     "fc",
					    "fc-api",  "run",	     "firecracker",
					    "tmp",     "vmm",	     "socket" };

	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
		if (strlen(word[i]) == len && strncmp(word[i], name, len) == 0)
			return true;
	return len == 0;
}

/* From the path of a socket: its name without what it ends in, else its folder's. */
static bool from_path(const char *path, size_t len, char *ret, size_t size)
{
	static const char *const end[] = { ".sock", ".socket" };

	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
		const size_t n = strlen(end[i]);

		if (len > n && strncmp(path + len - n, end[i], n) == 0) {
			len -= n;
			break;
		}
	}
	for (int part = 0; part < 2; part++) {
		const char *slash = memrchr(path, '/', len);
		const char *name = slash ? slash + 1 : path;
		const size_t n = len - (size_t)(name - path);

		if (!says_nothing(name, n))
			return keep(name, n, ret, size);
		if (!slash)
			break;
		len = (size_t)(slash - path);
	}
	return false;
}

static bool from_socket(const struct args *a, char *ret, size_t size)
{
	static const char *const name[] = { "--api-sock", "--api-socket", "--socket", "-s" };
	const size_t n = program_begins(a, "crosvm") ? 4 : 2;

	for (size_t i = 0; i < n; i++) {
		const char *value = option(a, name[i]);

		if (!value || begins(value, "fd="))
			continue;
		if (begins(value, "path="))
			value += 5;
		if (from_path(value, strcspn(value, ","), ret, size))
			return true;
	}
	return false;
}

static bool from_id_or_socket(const struct args *a, char *ret, size_t size)
{
	const char *id = option(a, "--id");

	return (id && keep(id, strlen(id), ret, size)) || from_socket(a, ret, size);
}

bool cap_vmname_from_cmdline(const char *cmdline, size_t len, char *ret, size_t size)
{
	const struct args a = { cmdline, len };

	return from_name(&a, ret, size) || from_id_or_socket(&a, ret, size);
}

/* systemd writes bytes that mean something in its names as \xHH. */
static void unescape(char *text)
{
	char *out = text;

	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && p[1] == 'x' && isxdigit((unsigned char)p[2]) &&
		    isxdigit((unsigned char)p[3])) {
			const char hex[] = { p[2], p[3], '\0' };

			*out++ = (char)strtoul(hex, NULL, 16);
			p += 3;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
}

/* Cuts the end off; false if the text does not end so. */
static bool cut(char *text, const char *end)
{
	const size_t len = strlen(text), n = strlen(end);

	if (len <= n || strcmp(text + len - n, end) != 0)
		return false;
	text[len - n] = '\0';
	return true;
}

/* "DRIVER-NUMBER-NAME" -> NAME; without a number all of it is the name. */
static const char *behind_number(const char *text)
{
	const char *p = text;

	while (islower((unsigned char)*p))
		p++;
	if (p == text || *p != '-' || !isdigit((unsigned char)p[1]))
		return text;
	p++;
	while (isdigit((unsigned char)*p))
		p++;
	return *p == '-' && p[1] ? p + 1 : text;
}

static bool machine_of(char *part, char *ret, size_t size)
{
	char *driver = strstr(part, ".libvirt-");
	const char *name = part;

	if (driver) {
		*driver = '\0';
		name = behind_number(part);
	} else if (begins(part, "machine-") && cut(part, ".scope")) {
		unescape(part);
		name = behind_number(part + 8);
	} else {
		return false;
	}
	return keep(name, strlen(name), ret, size);
}

bool cap_vmname_from_libvirt(const char *path, char *ret, size_t size)
{
	for (const char *p = path; *p; p += strcspn(p, "/"), p += *p == '/') {
		char part[NAME_MAX + 1];

		snprintf(part, sizeof(part), "%.*s", (int)strcspn(p, "/"), p);
		if (machine_of(part, ret, size))
			return true;
	}
	return false;
}

/* What libvirt makes below a machine for kinds of its threads. */
static bool is_inner(const char *name, size_t len)
{
	static const char *const inner[] = { "emulator", "libvirt", "vcpu", "iothread" };

	for (size_t i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		const size_t n = strlen(inner[i]);

		if (len >= n && strncmp(name, inner[i], n) == 0 &&
		    strspn(name + n, "0123456789") == len - n)
			return i >= 2 || len == n;
	}
	return false;
}

/* "session-5.scope", "run-u12.scope", "run-r0a1b...scope": numbered as they come. */
static bool is_passing(const char *name)
{
	const char *p = begins(name, "session-") ? name + 8
			: begins(name, "run-")	 ? name + 4
						 : NULL;

	if (!p)
		return false;
	p += *p == 'u' || *p == 'r' || *p == 'p' || *p == 'c';
	p += strspn(p, "0123456789abcdef-i");
	return strcmp(p, ".scope") == 0 || strcmp(p, ".service") == 0;
}

bool cap_vmname_from_cgroup(const char *path, char *ret, size_t size)
{
	size_t len = strlen(path);

	while (len) {
		const char *slash = memrchr(path, '/', len);
		const char *name = slash ? slash + 1 : path;
		const size_t n = len - (size_t)(name - path);

		if (!is_inner(name, n))
			return keep(name, n, ret, size) && !is_passing(ret);
		len = slash ? (size_t)(slash - path) : 0;
	}
	return false;
}

bool cap_vmname_choose(const char *cmdline, size_t len, const char *cgroup, char *ret, size_t size)
{
	const struct args a = { cmdline, len };

	if (from_name(&a, ret, size))
		return true;
	if (cgroup && cap_vmname_from_libvirt(cgroup, ret, size))
		return true;
	return from_id_or_socket(&a, ret, size) ||
	       (cgroup && cap_vmname_from_cgroup(cgroup, ret, size));
}
