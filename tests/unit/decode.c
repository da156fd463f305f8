// SPDX-License-Identifier: GPL-3.0-or-later
/* Switches and wake-ups decoded the quick way and field by field: what they tell is the same. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/decode.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

enum { SWITCH = 300, WAKEUP = 301, OTHER = 302 };

/* A kernel's words: their order, and how long a long is. */
struct machine {
	bool big_endian;
	unsigned int long_size;
};

static const struct machine machines[] = { { false, 8 }, { false, 4 }, { true, 8 }, { true, 4 } };

#define MACHINES (sizeof(machines) / sizeof(machines[0]))

struct scene {
	char system[8], text[2][2048];
	struct fan_format formats[2];
	struct fan_file file;
	struct fan_decoder *dec;
	unsigned char data[64 + 8];
	struct fan_record rec;
};

/* prev_state has the size of a long, and all behind it moves: 32 + long_size is next_comm. */
static void write_formats(struct scene *s, unsigned int long_size, const char *comm)
{
	const unsigned int next = 32 + long_size;

	snprintf(s->text[0], sizeof(s->text[0]),
		 "name: sched_switch\nID: %d\n" COMMON
		 "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		 "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		 "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:long prev_state;\toffset:32;\tsize:%u;\tsigned:1;\n"
		 "\tfield:char next_comm[16];\toffset:%u;\tsize:16;\tsigned:0;\n"
		 "\tfield:pid_t next_pid;\toffset:%u;\tsize:4;\tsigned:1;\n"
		 "\tfield:int next_prio;\toffset:%u;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"%%s\", REC->prev_state & 0x100 ? \"+\" : \"\"\n",
		 SWITCH, long_size, next, next + 16, next + 20);
	snprintf(s->text[1], sizeof(s->text[1]),
		 "name: sched_wakeup\nID: %d\n" COMMON "\tfield:%s;\tsigned:0;\n"
		 "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		 "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		 "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
		 "print fmt: \"%%d\", REC->pid\n",
		 WAKEUP, comm);
}

static void begin_with(struct scene *s, const struct machine *m, const char *comm)
{
	struct fcap_err err = { 0 };

	memset(s, 0, sizeof(*s));
	memcpy(s->system, "sched", 5);
	write_formats(s, m->long_size, comm);
	for (size_t i = 0; i < 2; i++)
		s->formats[i] = (struct fan_format){ s->system,
						     { s->text[i], strlen(s->text[i]) } };
	s->file.big_endian = m->big_endian;
	s->file.long_size = m->long_size;
	s->file.formats = s->formats;
	s->file.nformats = 2;
	s->rec = (struct fan_record){ .ts_ns = 12345, .cpu = 3, .buffer = 1, .missed = 9 };
	s->rec.data = s->data;
	if (fan_decoder_new(&s->dec, &s->file, &err) < 0)
		fail_msg("%s", err.text);
}

static void begin(struct scene *s, const struct machine *m)
{
	begin_with(s, m, "char comm[16];\toffset:8;\tsize:16");
}

static void put(struct scene *s, size_t at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		s->data[at + (s->file.big_endian ? size - 1 - i : i)] = (unsigned char)(value >>
											8 * i);
}

/* 0x11 | 0x100 is a stopped thread that was preempted; 0x100 alone is a runnable one. */
static void put_switch(struct scene *s, uint64_t state)
{
	const size_t next = 32 + s->file.long_size;

	memset(s->data, 0, sizeof(s->data));
	put(s, 0, SWITCH, 2);
	put(s, 4, 42, 4);
	memcpy(s->data + 8, "first", 5);
	put(s, 24, 1042, 4);
	put(s, 28, (uint32_t)-1, 4);
	put(s, 32, state, s->file.long_size);
	memcpy(s->data + next, "sixteen letters!", 16);
	put(s, next + 16, 4000000, 4);
	put(s, next + 20, 139, 4);
	s->rec.size = (uint32_t)next + 24;
}

static void assert_comm(struct fan_comm comm, const char *text)
{
	assert_int_equal(strncmp(comm.c, text, sizeof(comm.c)), 0);
}

static void a_switch_tells_the_same_whatever_the_words_of_the_kernel(void **state)
{
	static struct scene s;
	struct fcap_err err = { 0 };
	struct fan_event ev;

	(void)state;
	for (size_t i = 0; i < MACHINES; i++) {
		begin(&s, &machines[i]);
		put_switch(&s, 0x100);
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), 1);
		assert_int_equal(ev.kind, FAN_EV_SWITCH);
		assert_true(ev.ts_ns == 12345 && ev.cpu == 3 && ev.buffer == 1 && ev.missed == 9);
		assert_int_equal(ev.cur_tid, 42);
		assert_int_equal(ev.sw.prev_tid, 1042);
		assert_int_equal(ev.sw.next_tid, 4000000);
		assert_int_equal(ev.sw.prev_prio, -1);
		assert_int_equal(ev.sw.next_prio, 139);
		assert_comm(ev.sw.prev_comm, "first");
		assert_comm(ev.sw.next_comm, "sixteen letters!");
		assert_true(ev.sw.prev_runnable);
		put_switch(&s, 0x111);
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), 1);
		assert_false(ev.sw.prev_runnable);
		fan_decoder_free(s.dec);
	}
}

static void a_wakeup_tells_the_same_whatever_the_words_of_the_kernel(void **state)
{
	static struct scene s;
	struct fcap_err err = { 0 };
	struct fan_event ev;

	(void)state;
	for (size_t i = 0; i < MACHINES; i++) {
		begin(&s, &machines[i]);
		put(&s, 0, WAKEUP, 2);
		put(&s, 4, 43, 4);
		memcpy(s.data + 8, "woken", 5);
		put(&s, 24, 77, 4);
		put(&s, 32, 5, 4);
		s.rec.size = 36;
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), 1);
		assert_int_equal(ev.kind, FAN_EV_WAKEUP);
		assert_int_equal(ev.cur_tid, 43);
		assert_int_equal(ev.wakeup.tid, 77);
		assert_int_equal(ev.wakeup.target_cpu, 5);
		assert_comm(ev.wakeup.comm, "woken");
		fan_decoder_free(s.dec);
	}
}

/* What the field of a name in a wake-up is, what lies at its place, and the name that this is. */
static const struct named {
	const char *field;
	size_t at;
	const char *bytes;
	uint32_t loc; /* of a dynamic one: its length and its place */
	const char *name;
} names[] = {
	/* the longest fill their field, with no end */
	{ "char comm[8];\toffset:8;\tsize:8", 8, "eight ltZZZZ", 0, "eight lt" },
	{ "char comm[4];\toffset:8;\tsize:4", 8, "on", 0, "on" },
	/* of 24 letters the first 16 are kept */
	{ "char comm[24];\toffset:36;\tsize:24", 36, "twenty-four letters long", 0,
	  "twenty-four lett" },
	{ "__data_loc char[] comm;\toffset:8;\tsize:4", 36, "wokenZZZ", 5 << 16 | 36, "woken" },
	/* 16 bytes from byte 57 on leave the 72 of the record */
	{ "__data_loc char[] comm;\toffset:8;\tsize:4", 57, "gone", 16 << 16 | 57, "" },
};

static void a_name_is_the_same_however_long_its_field_is(void **state)
{
	static struct scene s;
	struct fcap_err err = { 0 };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(names) / sizeof(names[0]); i++) {
		const struct named *n = &names[i / 2];
		struct fan_event ev;

		memset(&ev, 'X', sizeof(ev));
		begin_with(&s, &machines[i % 2 * 2], n->field);
		put(&s, 0, WAKEUP, 2);
		put(&s, 24, 77, 4);
		put(&s, 32, 5, 4);
		memcpy(s.data + n->at, n->bytes, strlen(n->bytes));
		if (n->loc)
			put(&s, 8, n->loc, 4);
		s.rec.size = sizeof(s.data);
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), 1);
		assert_int_equal(ev.wakeup.tid, 77);
		assert_int_equal(ev.wakeup.target_cpu, 5);
		assert_comm(ev.wakeup.comm, n->name);
		fan_decoder_free(s.dec);
	}
}

/* It counts, and it may carry the mark of a loss. */
static void an_event_of_no_use_still_has_what_all_events_have(void **state)
{
	static struct scene s;
	struct fcap_err err = { 0 };
	struct fan_event ev;

	(void)state;
	for (size_t i = 0; i < MACHINES; i++) {
		begin(&s, &machines[i]);
		put(&s, 0, OTHER, 2);
		put(&s, 4, 44, 4);
		s.rec.size = 8;
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), 0);
		assert_int_equal(ev.kind, FAN_EV_KINDS);
		assert_true(ev.ts_ns == 12345 && ev.cpu == 3 && ev.buffer == 1 && ev.missed == 9);
		assert_int_equal(ev.cur_tid, 44);
		fan_decoder_free(s.dec);
	}
}

static void a_record_that_is_too_short_is_refused(void **state)
{
	static struct scene s;
	struct fcap_err err = { 0 };
	struct fan_event ev;

	(void)state;
	for (size_t i = 0; i < MACHINES; i++) {
		begin(&s, &machines[i]);
		put_switch(&s, 0);
		s.rec.size -= 4;
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), -EINVAL);
		assert_string_equal(err.text, "a record on CPU 3 is shorter than its format");
		s.rec.size = 7;
		assert_int_equal(fan_decode(s.dec, &s.rec, &ev, &err), -EINVAL);
		assert_string_equal(err.text, "a record on CPU 3 is too short for any event");
		fan_decoder_free(s.dec);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_switch_tells_the_same_whatever_the_words_of_the_kernel),
		cmocka_unit_test(a_wakeup_tells_the_same_whatever_the_words_of_the_kernel),
		cmocka_unit_test(a_name_is_the_same_however_long_its_field_is),
		cmocka_unit_test(an_event_of_no_use_still_has_what_all_events_have),
		cmocka_unit_test(a_record_that_is_too_short_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
