/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the facts share. For facts*.c only. */
#ifndef FAN_MODEL_FACTS_PARTS_H
#define FAN_MODEL_FACTS_PARTS_H

#include "analyze/model/facts.h"
#include "fcap/num.h"

/* The number of a key within its range, or missing if it is absent or not a number. */
static inline int64_t fan_line_number(const struct fcap_marker *line, const char *key,
				      int64_t missing)
{
	const char *text = fcap_marker_get(line, key);
	int64_t v;

	return text && fcap_parse_i64(text, INT32_MIN, INT64_MAX, &v) == 0 ? v : missing;
}

/* Replaces *dst by a copy of the key's value, if the line has the key. 0 or -ENOMEM. */
int fan_line_keep(char **dst, const struct fcap_marker *line, const char *key);

/* Makes room for one more in *array and returns it zeroed, or NULL. */
void *fan_facts_append(void *array, size_t *n, size_t size);

/* "begin": a long one comes as several lines; what a line does not say stays. 0 or -ENOMEM. */
int fan_facts_take_begin(struct fan_facts *f, struct fan_machine *m,
			 const struct fcap_marker *line);

/* "cpu". 0, -EINVAL or -ENOMEM. */
int fan_facts_take_cpu(struct fan_facts *f, const struct fcap_marker *line);

/* "trigger". 0 or -ENOMEM. */
int fan_facts_take_trigger(struct fan_facts *f, const struct fcap_marker *line, uint64_t ts_ns);
void fan_facts_clear_trigger(struct fan_facts *f);

#endif
