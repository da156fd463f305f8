// SPDX-License-Identifier: GPL-3.0-or-later
/* Marker lines, split where one is too short. */
#include "capture/emit.h"

void cap_emit_begin(struct cap_emit *e, struct cap_sink to, const char *kind)
{
	e->to = to;
	e->error = 0;
	e->keys = 0;
	fcap_line_begin(&e->line, kind);
	cap_emit_identity(e);
}

void cap_emit_identity(struct cap_emit *e)
{
	e->head = e->line.len;
	e->head_keys = e->keys;
}

static void hand_over(struct cap_emit *e)
{
	const int r = e->to.fn(e->to.ctx, e->line.text);

	if (r < 0 && !e->error)
		e->error = r;
}

static void next_line(struct cap_emit *e)
{
	hand_over(e);
	e->line.len = e->head;
	e->line.text[e->head] = '\0';
	e->line.full = false;
	e->keys = e->head_keys;
}

/* The value does not fit even a line of its own. */
static void put_cut(struct cap_emit *e, const char *key, const char *v)
{
	char cut[FCAP_MARKER_MAX];
	size_t len = strnlen(v, sizeof(cut) - 1);

	memcpy(cut, v, len);
	do {
		len = len * 7 / 8;
		cut[len] = '\0';
		e->line.full = false;
		fcap_line_str(&e->line, key, cut);
	} while (e->line.full && len);
}

void cap_emit_str(struct cap_emit *e, const char *key, const char *v)
{
	if (e->keys == FCAP_MARKER_KEYS)
		next_line(e);
	fcap_line_str(&e->line, key, v);
	if (e->line.full && e->line.len > e->head) {
		next_line(e);
		fcap_line_str(&e->line, key, v);
	}
	if (e->line.full)
		put_cut(e, key, v);
	e->keys++;
}

void cap_emit_u64(struct cap_emit *e, const char *key, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, v);
	cap_emit_str(e, key, text);
}

void cap_emit_i64(struct cap_emit *e, const char *key, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, v);
	cap_emit_str(e, key, text);
}

int cap_emit_end(struct cap_emit *e)
{
	hand_over(e);
	return e->error;
}
