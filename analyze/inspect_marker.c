// SPDX-License-Identifier: GPL-3.0-or-later
/* The marker lines of fcap: counted by kind, and what some of them say of the recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/inspect_parts.h"
#include "fcap/marker.h"

#define LABEL	  "label."
#define KINDS_MAX 64 /* more are somebody's mistake, and counted as malformed */

static int count_kind(struct fan_info *info, const char *kind)
{
	struct fan_i_marker *marker = info->markers.items;

	for (size_t i = 0; i < info->markers.n; i++)
		if (strcmp(marker[i].kind, kind) == 0) {
			marker[i].lines++;
			return 0;
		}
	if (info->markers.n == KINDS_MAX) {
		info->malformed_markers++;
		return 0;
	}
	marker = fan_array_add(&info->markers, &fan_i_marker_table);
	if (!marker)
		return -ENOMEM;
	marker->lines = 1;
	return fan_str_set(&marker->kind, kind);
}

/* A later value replaces the one before. */
static int set_label(struct fan_array *labels, const char *key, const char *value)
{
	struct fan_pair *pair = labels->items;

	for (size_t i = 0; i < labels->n; i++)
		if (strcmp(pair[i].key, key) == 0)
			return fan_str_set(&pair[i].value, value);
	return fan_pairs_add(labels, key, value);
}

static int take_begin(struct fan_info *info, const struct fcap_marker *line)
{
	int r = fan_str_set(&info->command, fcap_marker_get(line, "cmd"));

	for (size_t i = 0; r == 0 && i < line->n; i++)
		if (strncmp(line->kv[i].key, LABEL, strlen(LABEL)) == 0)
			r = set_label(&info->labels, line->kv[i].key + strlen(LABEL),
				      line->kv[i].value);
	return r;
}

static const char *value_or_dash(const struct fcap_marker *line, const char *key)
{
	const char *value = fcap_marker_get(line, key);

	return value ? value : "-";
}

int fan_inspect_marker(struct fan_info *info, const struct fan_text *text)
{
	char copy[FCAP_MARKER_MAX + 128];
	struct fcap_marker line;
	const size_t n = text->n < sizeof(copy) - 1 ? text->n : sizeof(copy) - 1;
	int r;

	memcpy(copy, text->p, n);
	copy[n] = '\0';
	r = fcap_marker_parse(copy, &line);
	if (r != 0) {
		info->malformed_markers += r < 0;
		return 0;
	}
	r = count_kind(info, line.kind);
	if (r == 0 && fcap_marker_is(&line, "begin"))
		r = take_begin(info, &line);
	if (r == 0 && fcap_marker_is(&line, "trigger"))
		r = fan_strs_add(&info->triggers, "%s of %s was %s %%, above the limit of %s %%",
				 value_or_dash(&line, "metric"), value_or_dash(&line, "vm"),
				 value_or_dash(&line, "value"), value_or_dash(&line, "limit"));
	if (r == 0 && fcap_marker_is(&line, "lost"))
		r = fan_strs_add(&info->losses, "fcap on CPU %s: %s overwritten, %s dropped",
				 value_or_dash(&line, "cpu"), value_or_dash(&line, "overrun"),
				 value_or_dash(&line, "dropped"));
	return r;
}
