// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/event_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/format.h"

struct fan_event_names {
	char *name[FAN_EVENT_TYPES]; /* by type; NULL: none */
	uint32_t type_offset;	     /* of common_type in every record */
	bool has_type, big_endian;
};

/* The first format of a number counts. */
static int take_event(struct fan_event_names *n, const struct fan_format *f, struct fcap_err *err)
{
	struct fan_format_field type = { 0 };
	struct fan_format_head head;
	char **name;

	/* the records of a format that makes no sense are counted by number */
	if (fan_format_head(f, &head) < 0)
		return 0;
	if (!n->has_type && (!fan_format_field(f, "common_type", &type) || type.size != 2))
		return fcap_fail(err, EINVAL, "%s:%s: its format lacks the common fields",
				 f->system, head.name);
	if (!n->has_type)
		n->type_offset = type.offset;
	n->has_type = true;
	name = &n->name[head.id];
	if (!*name && asprintf(name, "%s:%s", f->system, head.name) < 0) {
		*name = NULL;
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	return 0;
}

int fan_event_names_new(struct fan_event_names **ret, const struct fan_file *file,
			struct fcap_err *err)
{
	struct fan_event_names *n = calloc(1, sizeof(*n));
	int r = 0;

	if (!n)
		return fcap_fail(err, ENOMEM, "out of memory");
	n->big_endian = file->big_endian;
	for (size_t i = 0; r == 0 && i < file->nformats; i++)
		r = take_event(n, &file->formats[i], err);
	if (r < 0) {
		fan_event_names_free(n);
		return r;
	}
	*ret = n;
	return 0;
}

void fan_event_names_free(struct fan_event_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < FAN_EVENT_TYPES; i++)
		free(n->name[i]);
	free(n);
}

const char *fan_event_name(const struct fan_event_names *n, unsigned int type)
{
	return n->name[type];
}

int fan_event_type(const struct fan_event_names *n, const struct fan_record *rec)
{
	if (!n->has_type || rec->size < n->type_offset + 2)
		return -EINVAL;
	return fan_u16((const char *)rec->data + n->type_offset, n->big_endian);
}
