/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file tells, event by event, as lines of text. */
#ifndef TESTS_UNIT_TOLD_H
#define TESTS_UNIT_TOLD_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/merge.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/second_opinion.h"
#include "tests/unit/paper.h"

static inline void add_payload(const struct fan_event *ev, FILE *f)
{
	switch (ev->kind) {
	case FAN_EV_SWITCH:
		fprintf(f, "%d %d %d, %d %d %.16s", ev->sw.prev_tid, ev->sw.prev_prio,
			ev->sw.prev_runnable, ev->sw.next_tid, ev->sw.next_prio,
			ev->sw.next_comm.c);
		break;
	case FAN_EV_WAKEUP:
	case FAN_EV_WAKEUP_NEW:
	case FAN_EV_WAKING:
		fprintf(f, "%d %d %.16s", ev->wakeup.tid, ev->wakeup.target_cpu, ev->wakeup.comm.c);
		break;
	case FAN_EV_MIGRATE:
		fprintf(f, "%d %d", ev->migrate.tid, ev->migrate.dest_cpu);
		break;
	case FAN_EV_FORK:
		fprintf(f, "%d %d %.16s", ev->fork.parent, ev->fork.child, ev->fork.comm.c);
		break;
	case FAN_EV_NEWTASK:
		fprintf(f, "%d %" PRIx64 " %.16s", ev->newtask.tid, ev->newtask.clone_flags,
			ev->newtask.comm.c);
		break;
	case FAN_EV_RENAME:
		fprintf(f, "%d %.16s", ev->rename.tid, ev->rename.comm.c);
		break;
	case FAN_EV_ATTACH:
		fprintf(f, "%d %d %.*s", ev->attach.tid, ev->attach.hierarchy,
			(int)ev->attach.path.n, ev->attach.path.p);
		break;
	case FAN_EV_VCPU:
		fprintf(f, "%d %d", ev->vcpu.id, ev->vcpu.what);
		if (ev->vcpu.what == FAN_VCPU_EXIT)
			fprintf(f, " %d %" PRIu32, ev->vcpu.isa, ev->vcpu.reason);
		if (ev->vcpu.what == FAN_VCPU_WOKEN)
			fprintf(f, " %" PRIu64 " %d", ev->vcpu.ns, ev->vcpu.has_blocked);
		break;
	case FAN_EV_MARKER:
		fprintf(f, "%.*s", (int)ev->marker.n, ev->marker.p);
		break;
	default:
		fprintf(f, "%d", ev->exit.tid);
	}
}

static inline void add_events(const struct fan_file *file, FILE *f)
{
	struct fcap_err err = { 0 };
	struct fan_decoder *d = NULL;
	struct fan_merge *m = NULL;
	const struct fan_record *rec;
	struct fan_event ev;
	int r;

	if (fan_decoder_new(&d, file, &err) < 0 || fan_merge_open(&m, file, &err) < 0)
		fail_msg("%s", err.text);
	while ((r = fan_merge_next(m, &rec, &err)) > 0) {
		/* of an event that has fewer members than another the rest is not set */
		memset(&ev, 0, sizeof(ev));
		r = fan_decode(d, rec, &ev, &err);
		if (r < 0)
			break;
		fprintf(f, "%" PRIu64 " %d %" PRIu32 " %" PRId64 ": %d %d: ", ev.ts_ns, ev.cpu,
			ev.buffer, ev.missed, ev.kind, ev.cur_tid);
		if (r)
			add_payload(&ev, f);
		fputc('\n', f);
	}
	if (r < 0)
		fail_msg("%s", err.text);
	fan_merge_close(m);
	fan_decoder_free(d);
}

/* All events of the file as lines, to be freed. */
static inline char *read_text(const char *path)
{
	struct fcap_err err = { 0 };
	struct fan_file *file = NULL;
	struct paper p;

	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	add_events(file, paper(&p));
	fan_file_close(file);
	return read_paper(&p);
}

/* Writes and frees tb; its events as lines. Not of zlib: libtracecmd has the same opinion. */
static inline char *text_of(struct tb *tb, bool is_zlib)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat"), *text;
	uint64_t records[2];

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	text = read_text(path);
	if (!is_zlib)
		compare_file(path, true, records);
	free(path);
	tempdir_remove(dir);
	return text;
}

#endif
