// SPDX-License-Identifier: GPL-3.0-or-later
/* What managers of machines and containers call their cgroups. */
#include "analyze/model/cgroup_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_SHORT  12 /* characters of a container's identifier, as docker ps prints */
#define UID_SHORT 8  /* of a pod's: up to its first dash */

/* A piece of the path. */
struct part {
	const char *text;
	size_t len;
};

static struct part last_part(struct part path)
{
	const char *slash = memrchr(path.text, '/', path.len);
	const char *text = slash ? slash + 1 : path.text;

	return (struct part){ text, path.len - (size_t)(text - path.text) };
}

/* Without its last part; of length 0 if there was but one. */
static struct part parent_of(struct part path)
{
	const char *slash = memrchr(path.text, '/', path.len);

	return (struct part){ path.text, slash ? (size_t)(slash - path.text) : 0 };
}

static bool is(struct part p, const char *text)
{
	return p.len == strlen(text) && memcmp(p.text, text, p.len) == 0;
}

static bool cut_front(struct part *p, const char *front)
{
	const size_t n = strlen(front);

	if (p->len <= n || memcmp(p->text, front, n) != 0)
		return false;
	p->text += n;
	p->len -= n;
	return true;
}

static bool cut_end(struct part *p, const char *end)
{
	const size_t n = strlen(end);

	if (p->len <= n || memcmp(p->text + p->len - n, end, n) != 0)
		return false;
	p->len -= n;
	return true;
}

static size_t span(struct part p, const char *of)
{
	size_t n = 0;

	while (n < p.len && strchr(of, p.text[n]))
		n++;
	return n;
}

static int hex(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/*
 * systemd writes bytes that mean something in its names as \xHH; blanks and what is no character
 * stay so, and so does a slash, which would look like a part of the path.
 */
static void put(FILE *f, struct part p)
{
	for (size_t i = 0; i < p.len; i++) {
		const bool is_escape = p.len - i >= 4 && p.text[i] == '\\' && p.text[i + 1] == 'x';
		const int high = is_escape ? hex(p.text[i + 2]) : -1;
		const int low = high < 0 ? -1 : hex(p.text[i + 3]);
		const int c = low < 0 ? 0 : high << 4 | low;

		if (c > ' ' && c != 0x7f && c != '/') {
			putc(c, f);
			i += 3;
		} else {
			putc(p.text[i], f);
		}
	}
}

/* "qemu-3-vm1" -> "vm1": the number is another one at each start. */
static struct part behind_number(struct part p)
{
	const char *dash[] = { "-", "\\x2d" };
	struct part at = p;

	at.text += span(at, "abcdefghijklmnopqrstuvwxyz");
	at.len -= (size_t)(at.text - p.text);
	for (size_t i = 0; at.len < p.len && i < 2; i++) {
		struct part number = at, name;
		size_t digits;

		if (!cut_front(&number, dash[i]))
			continue;
		digits = span(number, "0123456789");
		name = (struct part){ number.text + digits, number.len - digits };
		if (digits > 0 && cut_front(&name, dash[i]))
			return name;
	}
	return p;
}

/* "machine-qemu\x2d3\x2dvm1.scope", "qemu-3-vm1.libvirt-qemu" */
static bool find_machine(struct part p, struct part *ret)
{
	const char *libvirt = memmem(p.text, p.len, ".libvirt-", 9);

	if (libvirt && libvirt > p.text)
		p.len = (size_t)(libvirt - p.text);
	else if (!cut_front(&p, "machine-") || !cut_end(&p, ".scope"))
		return false;
	*ret = p;
	return true;
}

static bool put_machine(FILE *f, struct part p, bool is_long)
{
	if (!find_machine(p, &p))
		return false;
	put(f, is_long ? p : behind_number(p));
	return true;
}

/* "docker-ID.scope"; *name stays NULL where only what stands above can tell whose the ID is. */
static bool find_container(struct part p, struct part *ret_id, const char **ret_name)
{
	static const struct {
		const char *front, *name;
	} manager[] = {
		{ "docker-", "docker:" },
		{ "libpod-conmon-", "conmon:" },
		{ "libpod-", "podman:" },
		{ "crio-conmon-", "conmon:" },
		{ "cri-containerd-", "containerd:" },
		{ "crio-", "crio:" },
		{ "kata_", "kata:" },
	};

	*ret_name = NULL;
	cut_end(&p, ".scope");
	for (size_t i = 0; !*ret_name && i < sizeof(manager) / sizeof(manager[0]); i++)
		if (cut_front(&p, manager[i].front))
			*ret_name = manager[i].name;
	*ret_id = p;
	return p.len == 64 && span(p, "0123456789abcdef") == p.len;
}

/* The pod's identifier in "kubepods-burstable-podUID.slice", or in "podUID" below kubepods. */
static bool find_uid(struct part path, struct part *ret)
{
	struct part p = last_part(path);
	const char *pod = memmem(p.text, p.len, "pod", 3);

	if (!memmem(path.text, path.len, "/kubepods", 9))
		return false;
	cut_end(&p, ".slice");
	/* the last "pod", not that of kubepods; identifiers hold none */
	for (; pod; pod = memmem(pod + 1, p.len - (size_t)(pod + 1 - p.text), "pod", 3)) {
		*ret = (struct part){ pod + 3, p.len - (size_t)(pod + 3 - p.text) };
		if (ret->len >= 32 && span(*ret, "0123456789abcdef-_") == ret->len)
			return true;
	}
	return false;
}

static void put_pod(FILE *f, struct part uid, bool is_long)
{
	const size_t n = is_long ? uid.len : UID_SHORT;

	fputs("pod:", f);
	/* systemd has the dash for the levels of slices */
	for (size_t i = 0; i < n; i++)
		putc(uid.text[i] == '_' ? '-' : uid.text[i], f);
}

/* In a pod the pod tells whose the container is; only its monitor has the same ID once more. */
static bool put_container(FILE *f, struct part path, bool is_long)
{
	const struct part above = parent_of(path);
	const char *name;
	struct part id, uid;
	const bool is_container = find_container(last_part(path), &id, &name);
	const bool in_pod = find_uid(above, &uid);

	if (!name && is(last_part(above), "docker"))
		name = "docker:";
	if (!is_container || (!name && !in_pod))
		return false;
	if (in_pod) {
		put_pod(f, uid, is_long);
		putc('/', f);
	}
	if (!in_pod || (name && strcmp(name, "conmon:") == 0))
		fputs(name, f);
	id.len = is_long ? id.len : ID_SHORT;
	put(f, id);
	return true;
}

/* What a manager is known to call so. */
static bool put_known(FILE *f, struct part path, bool is_long)
{
	struct part uid;

	if (put_machine(f, last_part(path), is_long))
		return true;
	if (!find_uid(path, &uid))
		return put_container(f, path, is_long);
	put_pod(f, uid, is_long);
	return true;
}

/* What libvirt makes below a machine for kinds of its threads. */
static bool is_of_libvirt(struct part p)
{
	static const char *const inner[] = { "vcpu", "iothread" };

	if (is(p, "emulator") || is(p, "libvirt"))
		return true;
	for (size_t i = 0; i < sizeof(inner) / sizeof(inner[0]); i++) {
		struct part number = p;

		if (cut_front(&number, inner[i]) && span(number, "0123456789") == number.len)
			return true;
	}
	return false;
}

/* What may be a machine that this one is within. */
static struct part machine_above(struct part path)
{
	const struct part above = parent_of(path);

	return is(last_part(above), "libvirt") ? parent_of(above) : above;
}

static void put_name(FILE *f, struct part path, enum fan_name_length length)
{
	const struct part leaf = last_part(path), above = parent_of(path);
	const struct part machine = machine_above(path);

	if (put_known(f, path, length == FAN_NAME_LONG))
		return;
	if (is_of_libvirt(leaf) && put_known(f, machine, length == FAN_NAME_LONG)) {
		if (length == FAN_NAME_VM)
			return;
		putc('/', f);
	} else if (length == FAN_NAME_LONG && above.len > 0) {
		if (!put_known(f, above, false))
			put(f, last_part(above));
		putc('/', f);
	}
	put(f, leaf);
}

size_t fan_cgroup_machine_length(const char *path)
{
	const struct part all = { path, strlen(path) }, machine = machine_above(all);
	struct part name;

	return is_of_libvirt(last_part(all)) && find_machine(last_part(machine), &name)
		       ? machine.len
		       : all.len;
}

char *fan_cgroup_name(const char *path, enum fan_name_length length)
{
	char *name = NULL;
	size_t size;
	FILE *f;

	if (length == FAN_NAME_PATH)
		return strdup(path);
	f = open_memstream(&name, &size);
	if (!f)
		return NULL;
	put_name(f, (struct part){ path, strlen(path) }, length);
	if (fclose(f) != 0) {
		free(name);
		return NULL;
	}
	return name;
}
