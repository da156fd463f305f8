/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A marker line of fcap in words, for people: "fcap steal CPU 0/KVM-815: run 123.457 ms, ...".
 * Nothing of the line is left out; keys that are not known stand as they are.
 */
#ifndef FCAP_PLUGIN_WORDS_H
#define FCAP_PLUGIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "fcap/marker.h"

/* Four times a line: of a value every byte may come out as \xHH. */
#define FCAP_WORDS_MAX (4 * FCAP_MARKER_MAX)

/* The command name of a thread, borrowed for the call; NULL: not known. */
typedef const char *(*fcap_comm_fn)(void *ctx, int tid);

struct fcap_words {
	fcap_comm_fn comm; /* NULL: threads are numbers */
	void *ctx;
	size_t len;
	bool full; /* the text did not fit */
	char text[FCAP_WORDS_MAX];
};

/* Writes the line into w->text, without a newline. 0; -ENOSPC if it did not fit. */
int fcap_words_write(struct fcap_words *w, const struct fcap_marker *m);

/* Is the kind in the list "a,b,c"? "all" holds every kind. */
bool fcap_words_has_kind(const char *list, const char *kind);

#endif
