// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/export_rows.h"

#include <math.h>
#include <string.h>

#include "analyze/report/tree.h"

/* Inside quotes or, if there is nothing to quote in it, without them. */
static void put_csv_byte(struct fan_sink *to, char c)
{
	if (c < ' ' || c > '~')
		fan_sink_hex(to, (unsigned char)c);
	else if (c == '"')
		fan_sink_text(to, "\"\"");
	else
		fan_sink_char(to, c);
}

/* A spreadsheet takes a cell that begins so for a formula. */
static bool begins_formula(char first)
{
	return first == '=' || first == '+' || first == '-' || first == '@';
}

/* The length of it if nothing in it has to be written in another way, as in nearly all names. */
static size_t bare_length(const char *s)
{
	size_t n = 0;

	while (s[n] >= ' ' && s[n] <= '~' && s[n] != ',' && s[n] != '"')
		n++;
	return s[n] || begins_formula(*s) ? 0 : n;
}

static void put_csv(struct fan_sink *to, const char *s)
{
	const size_t bare = bare_length(s);
	bool is_quoted;

	if (bare) {
		fan_sink_bytes(to, s, bare);
		return;
	}
	is_quoted = strpbrk(s, ",\"") != NULL;
	if (is_quoted)
		fan_sink_char(to, '"');
	if (begins_formula(*s))
		fan_sink_char(to, '\'');
	for (; *s; s++)
		put_csv_byte(to, *s);
	if (is_quoted)
		fan_sink_char(to, '"');
}

void fan_rows_begin(struct fan_rows *rows)
{
	for (size_t i = 0; !rows->is_json && i < rows->n; i++) {
		fan_sink_text(&rows->to, i ? "," : "");
		fan_sink_text(&rows->to, rows->columns[i]);
	}
	if (!rows->is_json)
		fan_sink_char(&rows->to, '\n');
}

static void next_cell(struct fan_rows *rows)
{
	const char *name = rows->columns[rows->at];

	if (rows->is_json) {
		fan_sink_text(&rows->to, rows->at ? ",\"" : "{\"");
		fan_sink_text(&rows->to, name);
		fan_sink_text(&rows->to, "\":");
	} else if (rows->at) {
		fan_sink_char(&rows->to, ',');
	}
	rows->at++;
}

static void put_nothing(struct fan_rows *rows)
{
	if (rows->is_json)
		fan_sink_text(&rows->to, "null");
}

void fan_rows_i64(struct fan_rows *rows, int64_t v)
{
	next_cell(rows);
	if (v == FAN_NONE) {
		put_nothing(rows);
		return;
	}
	if (v < 0)
		fan_sink_char(&rows->to, '-');
	fan_sink_u64(&rows->to, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 0);
}

void fan_rows_real(struct fan_rows *rows, double v)
{
	next_cell(rows);
	if (isfinite(v))
		fan_sink_real(&rows->to, v);
	else
		put_nothing(rows);
}

void fan_rows_text(struct fan_rows *rows, const char *s)
{
	next_cell(rows);
	if (!s)
		put_nothing(rows);
	else if (rows->is_json)
		fan_sink_json(&rows->to, s);
	else
		put_csv(&rows->to, s);
}

static bool is_again(const struct fcap_marker *line, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(line->kv[k].key, line->kv[i].key) == 0)
			return true;
	return false;
}

/* As fcap_line_str() has it, inside the quotes of a cell. */
static void put_csv_value(struct fan_sink *to, const char *v)
{
	char escaped[8];

	if (fcap_marker_is_plain(v)) {
		fan_sink_text(to, v);
		return;
	}
	put_csv_byte(to, '"');
	for (; *v; v++) {
		const size_t n = fcap_marker_quote(escaped, (unsigned char)*v);

		for (size_t i = 0; i < n; i++)
			put_csv_byte(to, escaped[i]);
	}
	put_csv_byte(to, '"');
}

static void put_csv_pairs(struct fan_sink *to, const struct fcap_marker *line)
{
	fan_sink_char(to, '"');
	if (line->n && begins_formula(*line->kv[0].key))
		fan_sink_char(to, '\'');
	for (size_t i = 0; i < line->n; i++) {
		if (is_again(line, i))
			continue;
		fan_sink_text(to, i ? " " : "");
		for (const char *key = line->kv[i].key; *key; key++)
			put_csv_byte(to, *key);
		fan_sink_char(to, '=');
		put_csv_value(to, line->kv[i].value);
	}
	fan_sink_char(to, '"');
}

static void put_json_pairs(struct fan_sink *to, const struct fcap_marker *line)
{
	fan_sink_char(to, '{');
	for (size_t i = 0; i < line->n; i++) {
		if (is_again(line, i))
			continue;
		fan_sink_text(to, i ? "," : "");
		fan_sink_json(to, line->kv[i].key);
		fan_sink_char(to, ':');
		fan_sink_json(to, line->kv[i].value);
	}
	fan_sink_char(to, '}');
}

void fan_rows_pairs(struct fan_rows *rows, const struct fcap_marker *line)
{
	next_cell(rows);
	if (rows->is_json)
		put_json_pairs(&rows->to, line);
	else
		put_csv_pairs(&rows->to, line);
}

int fan_rows_end(struct fan_rows *rows)
{
	rows->at = 0;
	fan_sink_text(&rows->to, rows->is_json ? "}\n" : "\n");
	return fan_sink_state(&rows->to);
}
