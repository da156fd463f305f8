/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds marker lines of any length: what does not fit goes into a further line of the same
 * kind and identity. Knows nothing of where the lines go.
 */
#ifndef CAP_EMIT_H
#define CAP_EMIT_H

#include <stdint.h>

#include "fcap/marker.h"

/* Takes one finished line (no newline), borrowed for the call. 0, or negative errno. */
typedef int (*cap_emit_fn)(void *ctx, const char *text);

struct cap_sink {
	cap_emit_fn fn;
	void *ctx;
};

struct cap_emit {
	struct cap_sink to;
	struct fcap_line line;
	size_t head; /* length of kind and identity */
	unsigned int head_keys, keys;
	int error;
};

/* Starts a line; the keys up to cap_emit_identity() are repeated on each further line. */
void cap_emit_begin(struct cap_emit *e, struct cap_sink to, const char *kind);
void cap_emit_identity(struct cap_emit *e);
void cap_emit_u64(struct cap_emit *e, const char *key, uint64_t v);
void cap_emit_i64(struct cap_emit *e, const char *key, int64_t v);

/* A value longer than a whole line is cut. */
void cap_emit_str(struct cap_emit *e, const char *key, const char *v);

/* Hands over the last line. 0, or the first error of the sink. */
int cap_emit_end(struct cap_emit *e);

#endif
