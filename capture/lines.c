// SPDX-License-Identifier: GPL-3.0-or-later
/* Bytes -> lines. */
#include "capture/lines.h"

void cap_lines_reset(struct cap_lines *l)
{
	l->len = 0;
	l->skip = false;
}

int cap_lines_feed(struct cap_lines *l, const char *data, size_t len, cap_line_fn fn, void *ctx)
{
	int r = 0;

	for (size_t i = 0; i < len && r == 0; i++) {
		if (data[i] == '\n') {
			l->line[l->len] = '\0';
			r = l->skip ? 0 : fn(ctx, l->line, l->len);
			cap_lines_reset(l);
		} else if (l->len < sizeof(l->line) - 1) {
			l->line[l->len++] = data[i];
		} else if (!l->skip) {
			l->skip = true;
			r = fn(ctx, NULL, 0);
		}
	}
	return r;
}
