// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/event_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

struct fan_event_names {
	char *name[FAN_EVENT_TYPES]; /* by type; NULL: none */
	uint32_t type_offset;	     /* of common_type in every record */
	bool has_type, big_endian;
};

static int take_event(struct fan_event_names *n, const struct tep_event *ev)
{
	char **name;

	if (ev->id < 0 || ev->id >= FAN_EVENT_TYPES)
		return 0;
	name = &n->name[ev->id];
	if (*name)
		return 0;
	return asprintf(name, "%s:%s", ev->system, ev->name) < 0 ? -ENOMEM : 0;
}

static int take_type_field(struct fan_event_names *n, struct tep_event *ev, struct fcap_err *err)
{
	const struct tep_format_field *f = tep_find_common_field(ev, "common_type");

	if (!f || f->size != 2 || f->offset < 0)
		return fcap_fail(err, EINVAL, "%s:%s: its format lacks the common fields",
				 ev->system, ev->name);
	n->type_offset = (uint32_t)f->offset;
	n->has_type = true;
	return 0;
}

static int take_all(struct fan_event_names *n, struct tep_handle *tep, struct fcap_err *err)
{
	struct tep_event **events = tep_list_events(tep, TEP_EVENT_SORT_ID);
	int r = 0;

	/* a file without formats has no list */
	for (size_t i = 0; r == 0 && events && events[i]; i++) {
		if (!n->has_type)
			r = take_type_field(n, events[i], err);
		if (r == 0 && take_event(n, events[i]) < 0)
			r = fcap_fail(err, ENOMEM, "out of memory");
	}
	return r;
}

int fan_event_names_new(struct fan_event_names **ret, const struct fan_file *file,
			struct fcap_err *err)
{
	struct fan_event_names *n = calloc(1, sizeof(*n));
	struct tep_handle *tep = tep_alloc();
	int r;

	if (!n || !tep) {
		free(n);
		tep_free(tep);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	n->big_endian = file->big_endian;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(tep, file->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, (int)file->long_size);
	/* the records of a format that libtraceevent cannot parse are counted by number */
	for (size_t i = 0; i < file->nformats; i++)
		tep_parse_event(tep, file->formats[i].text.data, file->formats[i].text.size,
				file->formats[i].system);
	r = take_all(n, tep, err);
	tep_free(tep);
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
