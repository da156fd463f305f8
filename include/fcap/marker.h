/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text lines that fcap puts into a trace ("fcap: kind key=value ..."): one definition for
 * the writer and for every reader. A value is quoted when it is empty or holds anything but
 * graphic ASCII without quote and backslash; inside quotes stand \" \\ \n \xHH.
 */
#ifndef FCAP_MARKER_H
#define FCAP_MARKER_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FCAP_MARKER_MAX	 2900 /* bytes of one line with its NUL: fits one ring-buffer record */
#define FCAP_MARKER_KEYS 64

struct fcap_line {
	char text[FCAP_MARKER_MAX];
	size_t len;
	bool full; /* a value did not fit: the line ends before its key */
};

static inline bool fcap_marker_is_plain(const char *s)
{
	if (!*s)
		return false;
	for (; *s; s++)
		if (*s <= ' ' || *s > '~' || *s == '"' || *s == '\\')
			return false;
	return true;
}

/* Starts a line of this kind: letters and '_' only. */
static inline void fcap_line_begin(struct fcap_line *l, const char *kind)
{
	l->full = false;
	l->len = (size_t)snprintf(l->text, sizeof(l->text), "fcap: %.40s", kind);
}

/* Appends " key=value" as it stands; the caller knows that the value is plain. */
__attribute__((format(printf, 3, 4))) static inline void fcap_line_raw(struct fcap_line *l,
								       const char *key,
								       const char *fmt, ...)
{
	const size_t room = sizeof(l->text) - l->len;
	int name, value = -1;
	va_list ap;

	name = snprintf(l->text + l->len, room, " %s=", key);
	if (name > 0 && (size_t)name < room) {
		const size_t left = room - (size_t)name;

		va_start(ap, fmt);
		value = vsnprintf(l->text + l->len + name, left, fmt, ap);
		va_end(ap);
		if (value >= 0 && (size_t)value < left) {
			l->len += (size_t)name + (size_t)value;
			return;
		}
	}
	l->text[l->len] = '\0';
	l->full = true;
}

static inline void fcap_line_u64(struct fcap_line *l, const char *key, uint64_t v)
{
	fcap_line_raw(l, key, "%" PRIu64, v);
}

static inline void fcap_line_i64(struct fcap_line *l, const char *key, int64_t v)
{
	fcap_line_raw(l, key, "%" PRId64, v);
}

/* Writes one character of a quoted value to p (room for 5); returns its length. */
static inline size_t fcap_marker_quote(char *p, unsigned char c)
{
	if (c == '"' || c == '\\' || c == '\n') {
		p[0] = '\\';
		p[1] = c == '\n' ? 'n' : (char)c;
		return 2;
	}
	if (c < ' ' || c > '~')
		return (size_t)snprintf(p, 5, "\\x%02X", c);
	p[0] = (char)c;
	return 1;
}

/* Appends " key=value", quoted where needed. */
static inline void fcap_line_str(struct fcap_line *l, const char *key, const char *v)
{
	char quoted[FCAP_MARKER_MAX];
	size_t n = 0;

	if (fcap_marker_is_plain(v)) {
		fcap_line_raw(l, key, "%s", v);
		return;
	}
	quoted[n++] = '"';
	for (; *v && n < sizeof(quoted) - 8; v++)
		n += fcap_marker_quote(quoted + n, (unsigned char)*v);
	if (*v) {
		l->full = true;
		return;
	}
	quoted[n++] = '"';
	quoted[n] = '\0';
	fcap_line_raw(l, key, "%s", quoted);
}

struct fcap_marker_pair {
	const char *key, *value;
	size_t key_len;
};

struct fcap_marker {
	const char *kind;
	size_t kind_len;
	size_t n;
	struct fcap_marker_pair kv[FCAP_MARKER_KEYS]; /* keys beyond these are dropped */
};

static inline int fcap_marker_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Unquotes in place the value that begins after the quote at p; returns what follows, or NULL. */
static inline char *fcap_marker_unquote(char *p)
{
	char *out = p;

	for (; *p && *p != '"'; p++) {
		if (*p != '\\') {
			*out++ = *p;
			continue;
		}
		p++;
		if (*p == 'x') {
			const int hi = fcap_marker_hex(p[1]);
			const int lo = hi < 0 ? -1 : fcap_marker_hex(p[2]);

			if (lo < 0 || (hi | lo) == 0)
				return NULL;
			*out++ = (char)(hi << 4 | lo);
			p += 2;
		} else if (*p == 'n') {
			*out++ = '\n';
		} else if (*p == '"' || *p == '\\') {
			*out++ = *p;
		} else {
			return NULL;
		}
	}
	if (*p != '"')
		return NULL;
	*out = '\0';
	return p + 1;
}

/* The end of a kind or value: blank, newline or NUL. Nearly every byte is above all of these. */
static inline char *fcap_marker_word_end(char *p)
{
	while ((unsigned char)*p > ' ' || (*p && *p != ' ' && *p != '\n'))
		p++;
	return p;
}

/* The same of a key, which '=' ends, too; letters are above that. */
static inline char *fcap_marker_key_end(char *p)
{
	while ((unsigned char)*p > '=' || (*p && *p != '=' && *p != ' ' && *p != '\n'))
		p++;
	return p;
}

/* Splits one key=value at *p, which is moved behind it. 0, or -EINVAL. */
static inline int fcap_marker_split(char **p, struct fcap_marker_pair *ret)
{
	char *eq = fcap_marker_key_end(*p);
	char *end;

	if (*eq != '=' || eq == *p)
		return -EINVAL;
	*eq = '\0';
	ret->key = *p;
	ret->key_len = (size_t)(eq - *p);
	if (eq[1] == '"') {
		ret->value = eq + 2;
		end = fcap_marker_unquote(eq + 2);
		if (!end || (*end && *end != ' ' && *end != '\n'))
			return -EINVAL;
	} else {
		ret->value = eq + 1;
		end = fcap_marker_word_end(eq + 1);
	}
	*p = *end ? end + 1 : end;
	*end = '\0';
	return 0;
}

/*
 * Splits a NUL-terminated line in place; *ret points into it. 0; 1: not a line of fcap's;
 * -EINVAL: ours, but malformed (what came before the fault is in *ret).
 */
static inline int fcap_marker_parse(char *text, struct fcap_marker *ret)
{
	char *p = text;

	ret->n = 0;
	if (strncmp(p, "fcap: ", 6) != 0)
		return 1;
	p += 6;
	ret->kind = p;
	p = fcap_marker_word_end(p);
	ret->kind_len = (size_t)(p - ret->kind);
	if (ret->kind_len == 0)
		return -EINVAL;
	if (*p)
		*p++ = '\0';
	for (;;) {
		struct fcap_marker_pair pair;

		while (*p == ' ' || *p == '\n')
			p++;
		if (!*p)
			return 0;
		if (fcap_marker_split(&p, &pair) < 0)
			return -EINVAL;
		if (ret->n < FCAP_MARKER_KEYS)
			ret->kv[ret->n++] = pair;
	}
}

/* Is the line of this kind? */
static inline bool fcap_marker_is(const struct fcap_marker *m, const char *kind)
{
	const size_t len = strlen(kind);

	return m->kind_len == len && memcmp(m->kind, kind, len) == 0;
}

/* The value of key, or NULL. */
static inline const char *fcap_marker_get(const struct fcap_marker *m, const char *key)
{
	const size_t len = strlen(key);

	for (size_t i = 0; i < m->n; i++)
		if (m->kv[i].key_len == len && memcmp(m->kv[i].key, key, len) == 0)
			return m->kv[i].value;
	return NULL;
}

#endif
