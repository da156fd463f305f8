// SPDX-License-Identifier: GPL-3.0-or-later
/* What the checks share: outcomes, and readers below the root. */
#include "capture/check_parts.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"

/* Names of processes and files get into the texts: none may steer the terminal. */
static void make_printable(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

__attribute__((format(printf, 5, 0))) static void set_outcome(struct cap_check *c,
							      enum cap_check_state state,
							      const char *loss, const char *fix,
							      const char *cause, va_list ap)
{
	c->state = state;
	c->loss = loss;
	vsnprintf(c->cause, sizeof(c->cause), cause, ap);
	make_printable(c->cause);
	snprintf(c->fix, sizeof(c->fix), "%s", fix ? fix : "");
	make_printable(c->fix);
}

void cap_check_ok(struct cap_check *c, const char *cause, ...)
{
	va_list ap;

	va_start(ap, cause);
	set_outcome(c, CAP_CHECK_OK, NULL, NULL, cause, ap);
	va_end(ap);
}

void cap_check_degraded(struct cap_check *c, const char *loss, const char *fix, const char *cause,
			...)
{
	va_list ap;

	va_start(ap, cause);
	set_outcome(c, CAP_CHECK_DEGRADED, loss, fix, cause, ap);
	va_end(ap);
}

void cap_check_missing(struct cap_check *c, const char *fix, const char *cause, ...)
{
	va_list ap;

	va_start(ap, cause);
	set_outcome(c, CAP_CHECK_MISSING, NULL, fix, cause, ap);
	va_end(ap);
}

void cap_check_follows(struct cap_check *c, const char *need)
{
	cap_check_missing(c, NULL, "cannot be told without %s", need);
	c->follows = true;
}

void cap_check_append(char *text, size_t size, const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, size - len, fmt, ap);
	va_end(ap);
}

bool cap_check_line(const struct cap_check_ctx *x, const char *path, char *ret, size_t size)
{
	if (cap_io_read_at(x->host->root, path, ret, size) < 0) {
		ret[0] = '\0';
		return false;
	}
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

bool cap_check_exists(const struct cap_check_ctx *x, const char *path)
{
	return faccessat(x->host->root, path, F_OK, 0) == 0;
}

bool cap_check_number(const struct cap_check_ctx *x, const char *file, const char *key, int base,
		      uint64_t *ret)
{
	const size_t len = strlen(key);
	char *text, *end;
	bool found = false;

	if (cap_io_read_all(x->procfd, file, &text, NULL) < 0)
		return false;
	for (const char *p = text; *p && !found; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, key, len) != 0)
			continue;
		*ret = strtoull(p + len, &end, base);
		found = end != p + len;
	}
	free(text);
	return found;
}

bool cap_check_mount(const struct cap_check_ctx *x, const char *type, const char *word,
		     const char *prefer, struct cap_mount *ret)
{
	bool found = false;
	char *text;

	if (cap_io_read_all(x->procfd, "self/mountinfo", &text, NULL) < 0)
		return false;
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		struct cap_mount m;

		if (!cap_mount_parse(p, &m) || strcmp(m.type, type) != 0 ||
		    (word && !cap_list_has(m.super, strlen(m.super), word)))
			continue;
		if (!found || (prefer && strcmp(m.point, prefer) == 0))
			*ret = m;
		found = true;
	}
	free(text);
	return found;
}

const char *cap_check_below(const char *path)
{
	path += strspn(path, "/");
	return *path ? path : ".";
}

bool cap_check_program(const struct cap_check_ctx *x, const char *name)
{
	for (const char *p = x->host->path; p && *p;) {
		const size_t len = strcspn(p, ":");
		char path[512];

		snprintf(path, sizeof(path), "%.*s/%s", (int)len, p, name);
		if (len && faccessat(x->host->root, cap_check_below(path), X_OK, 0) == 0)
			return true;
		p += len + (p[len] == ':');
	}
	return false;
}

bool cap_check_has_word(const char *text, const char *word)
{
	const size_t word_len = strlen(word);

	while (*text) {
		size_t len;

		text += strspn(text, " \t\n[]");
		len = strcspn(text, " \t\n[]");
		if (len == word_len && memcmp(text, word, len) == 0)
			return true;
		text += len;
	}
	return false;
}

bool cap_check_cpu_flag(const struct cap_check_ctx *x, const char *flag)
{
	const char *line = strstr(x->cpuinfo, "\nflags\t");
	char flags[4096];

	if (!line)
		return false;
	snprintf(flags, sizeof(flags), "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
	return cap_check_has_word(flags, flag);
}

bool cap_check_is_since(const struct cap_check_ctx *x, unsigned int major, unsigned int minor)
{
	unsigned int have_major, have_minor;

	return sscanf(x->release, "%u.%u", &have_major, &have_minor) == 2 &&
	       (have_major > major || (have_major == major && have_minor >= minor));
}
