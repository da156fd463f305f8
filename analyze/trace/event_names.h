/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which event a record is, by the formats in the file: for counting, not for decoding. */
#ifndef FAN_TRACE_EVENT_NAMES_H
#define FAN_TRACE_EVENT_NAMES_H

#include "analyze/trace/file.h"
#include "analyze/trace/record.h"

#define FAN_EVENT_TYPES 65536 /* common_type has 16 bits */

struct fan_event_names;

/* file is not kept. 0; -ENOMEM; -EINVAL: a format lacks common_type. */
int fan_event_names_new(struct fan_event_names **ret, const struct fan_file *file,
			struct fcap_err *err);
void fan_event_names_free(struct fan_event_names *n);

/* "system:name" of a type below FAN_EVENT_TYPES, valid as long as n; NULL: no format has it. */
const char *fan_event_name(const struct fan_event_names *n, unsigned int type);

/* The type of a record; -EINVAL: too short to have one, or the file holds no formats. */
int fan_event_type(const struct fan_event_names *n, const struct fan_record *rec);

#endif
