/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our reader hands out the records that libtracecmd hands out, same order, stamps, CPUs, events,
 * threads, sizes, bytes and loss marks; or the test fails.
 */
#ifndef TESTS_UNIT_SECOND_OPINION_H
#define TESTS_UNIT_SECOND_OPINION_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <trace-cmd/trace-cmd.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/event_names.h"
#include "analyze/trace/merge.h"

struct comparison {
	const char *path;
	struct fan_merge *merge;
	struct fan_event_names *names;
	struct fan_decoder *decoder;
	uint32_t buffer;
	uint64_t records;
	bool is_loss_compared;
};

/* The next record of our reader that belongs to the buffer; false at the end. */
static inline bool next_of_buffer(struct comparison *c, const struct fan_record **ret)
{
	struct fcap_err err = { 0 };
	int r;

	do {
		r = fan_merge_next(c->merge, ret, &err);
		if (r < 0)
			fail_msg("%s: %s", c->path, err.text);
	} while (r > 0 && (*ret)->buffer != c->buffer);
	return r > 0;
}

/* What the record is, and on whose time: our names and our common_pid are theirs. */
static inline void compare_event(const struct comparison *c, struct tep_handle *tep,
				 const struct fan_record *ours, struct tep_record *theirs)
{
	const struct tep_event *event = tep_find_event_by_record(tep, theirs);
	const int type = fan_event_type(c->names, ours);
	const char *name = type < 0 ? NULL : fan_event_name(c->names, (unsigned int)type);
	char *theirs_name = NULL;
	struct fcap_err err = { 0 };
	struct fan_event ev;

	assert_int_equal(type, tep_data_type(tep, theirs));
	if (event && asprintf(&theirs_name, "%s:%s", event->system, event->name) < 0)
		fail_msg("out of memory");
	if (!name != !theirs_name || (name && strcmp(name, theirs_name) != 0))
		fail_msg("%s: record %" PRIu64 ": ours is %s, theirs %s", c->path, c->records,
			 name ? name : "-", theirs_name ? theirs_name : "-");
	free(theirs_name);
	if (fan_decode(c->decoder, ours, &ev, &err) < 0)
		fail_msg("%s: record %" PRIu64 ": %s", c->path, c->records, err.text);
	/* without an event that it knows the decoder does not look at the common fields */
	if (fan_decoder_kinds(c->decoder) && ev.cur_tid != tep_data_pid(tep, theirs))
		fail_msg("%s: record %" PRIu64 ": ours is of thread %d, theirs of %d", c->path,
			 c->records, ev.cur_tid, tep_data_pid(tep, theirs));
}

static inline int compare_record(struct tracecmd_input *handle, struct tep_record *theirs, int cpu,
				 void *data)
{
	struct comparison *c = data;
	const struct fan_record *ours;

	(void)cpu;
	if (!next_of_buffer(c, &ours))
		fail_msg("%s: ours ends after %" PRIu64 " records", c->path, c->records);
	if (ours->ts_ns != theirs->ts || ours->cpu != theirs->cpu ||
	    ours->size != (uint32_t)theirs->size ||
	    memcmp(ours->data, theirs->data, ours->size) != 0)
		fail_msg("%s: record %" PRIu64 ": ours %" PRIu64 " ns, cpu %d, %" PRIu32
			 " bytes; theirs %llu ns, cpu %d, %d bytes",
			 c->path, c->records, ours->ts_ns, ours->cpu, ours->size, theirs->ts,
			 theirs->cpu, theirs->size);
	if (c->is_loss_compared && ours->missed != theirs->missed_events)
		fail_msg("%s: record %" PRIu64 ": ours missed %" PRId64 ", theirs %lld", c->path,
			 c->records, ours->missed, theirs->missed_events);
	compare_event(c, tracecmd_get_tep(handle), ours, theirs);
	c->records++;
	return 0;
}

/* Compares one buffer of the file; returns the number of its records. */
static inline uint64_t compare_buffer(struct comparison *c, const struct fan_file *file,
				      struct tracecmd_input *handle)
{
	struct fcap_err err = { 0 };
	const struct fan_record *extra;

	c->records = 0;
	if (fan_merge_open(&c->merge, file, &err) < 0)
		fail_msg("%s: %s", c->path, err.text);
	assert_int_equal(tracecmd_iterate_events(handle, NULL, 0, compare_record, c), 0);
	if (next_of_buffer(c, &extra))
		fail_msg("%s: theirs ends after %" PRIu64 " records", c->path, c->records);
	fan_merge_close(c->merge);
	return c->records;
}

/* Compares all buffers; the counts of the main one and of the first other go to ret. */
static inline void compare_file(const char *path, bool is_loss_compared, uint64_t ret[2])
{
	struct comparison c = { .path = path, .is_loss_compared = is_loss_compared };
	struct tracecmd_input *handle, *instance;
	struct fcap_err err = { 0 };
	struct fan_file *file;

	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	if (fan_event_names_new(&c.names, file, &err) < 0 ||
	    fan_decoder_new(&c.decoder, file, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(handle);
	assert_int_equal(file->nbuffers, 1 + tracecmd_buffer_instances(handle));
	assert_string_equal(file->buffers[0].name, "");
	ret[0] = compare_buffer(&c, file, handle);
	ret[1] = 0;
	for (c.buffer = 1; c.buffer < file->nbuffers; c.buffer++) {
		const int i = (int)c.buffer - 1;

		assert_string_equal(file->buffers[c.buffer].name,
				    tracecmd_buffer_instance_name(handle, i));
		instance = tracecmd_buffer_instance_handle(handle, i);
		assert_non_null(instance);
		ret[1] += compare_buffer(&c, file, instance);
		tracecmd_close(instance);
	}
	tracecmd_close(handle);
	fan_event_names_free(c.names);
	fan_decoder_free(c.decoder);
	fan_file_close(file);
}

#endif
