// SPDX-License-Identifier: GPL-3.0-or-later
/* Why the file was made, where a recorder waited for limits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/facts_parts.h"

static char *value_of(const struct fcap_marker *line, const char *key)
{
	const char *text = fcap_marker_get(line, key);

	return strdup(text ? text : "-");
}

int fan_facts_take_trigger(struct fan_facts *f, const struct fcap_marker *line, uint64_t ts_ns)
{
	struct fan_trigger_fact *t = &f->trigger;

	if (f->ntriggers++ > 0)
		return 0;
	*t = (struct fan_trigger_fact){ .vm = value_of(line, "vm"),
					.metric = value_of(line, "metric"),
					.value = value_of(line, "value"),
					.limit = value_of(line, "limit"),
					.span_ns = fan_line_number(line, "span_ns", 0),
					.ts_ns = ts_ns };
	return t->vm && t->metric && t->value && t->limit ? 0 : -ENOMEM;
}

void fan_facts_clear_trigger(struct fan_facts *f)
{
	free(f->trigger.vm);
	free(f->trigger.metric);
	free(f->trigger.value);
	free(f->trigger.limit);
}
