// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/export_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/report/tree.h"
#include "analyze/report/utf8.h"

static void put(FILE *f, const char *s)
{
	fwrite_unlocked(s, 1, strlen(s), f);
}

static void put_u64(FILE *f, uint64_t v)
{
	char digits[20], *at = digits + sizeof(digits);

	do
		*--at = (char)('0' + v % 10);
	while (v /= 10);
	fwrite_unlocked(at, 1, (size_t)(digits + sizeof(digits) - at), f);
}

/* One UTF-8 character of len bytes as \uHHHH, or as two of them. */
static void put_code_point(FILE *f, const unsigned char *s, size_t len)
{
	uint32_t c = len == 2 ? s[0] & 0x1Fu : len == 3 ? s[0] & 0x0Fu : s[0] & 0x07u;

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3Fu);
	if (c < 0x10000)
		fprintf(f, "\\u%04" PRIX32, c);
	else
		fprintf(f, "\\u%04" PRIX32 "\\u%04" PRIX32, 0xD800 + ((c - 0x10000) >> 10),
			0xDC00 + ((c - 0x10000) & 0x3FF));
}

void fan_put_json_string(FILE *f, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	putc_unlocked('"', f);
	while (*s) {
		const size_t len = fan_utf8_length(s);

		if (len == 0)
			put(f, "\\uFFFD");
		else if (len > 1)
			put_code_point(f, s, len);
		else if (*s < ' ' || *s == 0x7F)
			fprintf(f, "\\u%04X", *s);
		else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			putc_unlocked(*s, f);
		s += len ? len : 1;
	}
	putc_unlocked('"', f);
}

/* Inside quotes or, if there is nothing to quote in it, without them. */
static void put_csv_byte(FILE *f, char c)
{
	if (c < ' ' || c > '~')
		fprintf(f, "\\x%02X", (unsigned char)c);
	else if (c == '"')
		put(f, "\"\"");
	else
		putc_unlocked(c, f);
}

/* A spreadsheet takes a cell that begins so for a formula. */
static void put_no_formula(FILE *f, char first)
{
	if (first && strchr("=+-@", first))
		putc_unlocked('\'', f);
}

static void put_csv(FILE *f, const char *s)
{
	const bool is_quoted = strpbrk(s, ",\"") != NULL;

	if (is_quoted)
		putc_unlocked('"', f);
	put_no_formula(f, *s);
	for (; *s; s++)
		put_csv_byte(f, *s);
	if (is_quoted)
		putc_unlocked('"', f);
}

void fan_rows_begin(const struct fan_rows *rows)
{
	for (size_t i = 0; !rows->is_json && i < rows->n; i++) {
		put(rows->f, i ? "," : "");
		put(rows->f, rows->columns[i]);
	}
	if (!rows->is_json)
		putc_unlocked('\n', rows->f);
}

static void next_cell(struct fan_rows *rows)
{
	const char *name = rows->columns[rows->at];

	if (rows->is_json) {
		put(rows->f, rows->at ? ",\"" : "{\"");
		put(rows->f, name);
		put(rows->f, "\":");
	} else if (rows->at) {
		putc_unlocked(',', rows->f);
	}
	rows->at++;
}

static void put_nothing(struct fan_rows *rows)
{
	if (rows->is_json)
		put(rows->f, "null");
}

void fan_rows_i64(struct fan_rows *rows, int64_t v)
{
	next_cell(rows);
	if (v == FAN_NONE) {
		put_nothing(rows);
		return;
	}
	if (v < 0)
		putc_unlocked('-', rows->f);
	put_u64(rows->f, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void fan_rows_real(struct fan_rows *rows, double v)
{
	next_cell(rows);
	if (isfinite(v))
		fprintf(rows->f, "%.17g", v);
	else
		put_nothing(rows);
}

void fan_rows_text(struct fan_rows *rows, const char *s)
{
	next_cell(rows);
	if (!s)
		put_nothing(rows);
	else if (rows->is_json)
		fan_put_json_string(rows->f, s);
	else
		put_csv(rows->f, s);
}

static bool is_again(const struct fcap_marker *line, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(line->kv[k].key, line->kv[i].key) == 0)
			return true;
	return false;
}

/* As fcap_line_str() has it, inside the quotes of a cell. */
static void put_csv_value(FILE *f, const char *v)
{
	char escaped[8];

	if (fcap_marker_is_plain(v)) {
		put(f, v);
		return;
	}
	put_csv_byte(f, '"');
	for (; *v; v++) {
		const size_t n = fcap_marker_quote(escaped, (unsigned char)*v);

		for (size_t i = 0; i < n; i++)
			put_csv_byte(f, escaped[i]);
	}
	put_csv_byte(f, '"');
}

static void put_csv_pairs(FILE *f, const struct fcap_marker *line)
{
	putc_unlocked('"', f);
	put_no_formula(f, line->n ? *line->kv[0].key : '\0');
	for (size_t i = 0; i < line->n; i++) {
		if (is_again(line, i))
			continue;
		put(f, i ? " " : "");
		for (const char *key = line->kv[i].key; *key; key++)
			put_csv_byte(f, *key);
		putc_unlocked('=', f);
		put_csv_value(f, line->kv[i].value);
	}
	putc_unlocked('"', f);
}

static void put_json_pairs(FILE *f, const struct fcap_marker *line)
{
	putc_unlocked('{', f);
	for (size_t i = 0; i < line->n; i++) {
		if (is_again(line, i))
			continue;
		put(f, i ? "," : "");
		fan_put_json_string(f, line->kv[i].key);
		putc_unlocked(':', f);
		fan_put_json_string(f, line->kv[i].value);
	}
	putc_unlocked('}', f);
}

void fan_rows_pairs(struct fan_rows *rows, const struct fcap_marker *line)
{
	next_cell(rows);
	if (rows->is_json)
		put_json_pairs(rows->f, line);
	else
		put_csv_pairs(rows->f, line);
}

int fan_rows_end(struct fan_rows *rows)
{
	rows->at = 0;
	put(rows->f, rows->is_json ? "}\n" : "\n");
	if (!ferror_unlocked(rows->f))
		return 0;
	return errno > 0 ? -errno : -EIO;
}
