// SPDX-License-Identifier: GPL-3.0-or-later
/* A marker line: what is parsed and written again parses to the same. */
#include <string.h>

#include "fcap/marker.h"
#include "tests/fuzz/lib/target.h"

static void write_again(const struct fcap_marker *m)
{
	struct fcap_marker again;
	struct fcap_line line;

	fcap_line_begin(&line, m->kind);
	for (size_t i = 0; i < m->n; i++)
		fcap_line_str(&line, m->kv[i].key, m->kv[i].value);
	/* a key or a kind that did not fit is not the same */
	if (line.full || strlen(m->kind) > 40)
		return;
	if (fcap_marker_parse(line.text, &again) != 0 || again.n != m->n ||
	    strcmp(again.kind, m->kind) != 0)
		fuzz_fail("written and read, it is another line");
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(again.kv[i].key, m->kv[i].key) != 0 ||
		    strcmp(again.kv[i].value, m->kv[i].value) != 0)
			fuzz_fail("written and read, it says something else");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fcap_marker m;
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (fcap_marker_parse(text, &m) == 0)
		write_again(&m);
	free(text);
	return 0;
}
