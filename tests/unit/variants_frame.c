// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What stands around the pages of a file: options that are known, unknown or not there, names,
 * numbers of CPUs. Each file is handed to libtracecmd too.
 */
#include <errno.h>

#include "analyze/trace/guest.h"
#include "tests/lib/kinds.h"
#include "tests/unit/told.h"

enum { DATE = 1, OFFSET = 7, TIME_SHIFT = 12, GUEST = 13, TSC2NSEC = 14 };

static const struct tb_task vm = { 101, "CPU 0/KVM", 0 };

/* Two events, one a CPU; frees tb. */
static void assert_stamps(struct tb *tb, uint64_t first, uint64_t second, bool is_zlib)
{
	char want[128], *text;

	tb_wakeup(tb, tb_at(1, 1000), vm, 0);
	tb_switch(tb, tb_at(0, 3000), tb_idle, TB_R, vm);
	text = text_of(tb, is_zlib);
	snprintf(want, sizeof(want),
		 "%" PRIu64 " 1 0 0: 1 0: 101 0 CPU 0/KVM\n"
		 "%" PRIu64 " 0 0 0: 0 0: 0 120 1, 101 120 CPU 0/KVM\n",
		 first, second);
	assert_string_equal(text, want);
	free(text);
}

static struct tb *with_text(const struct tb_kind *kind, uint16_t id, const char *text)
{
	struct tb *tb = tb_new_kind(kind, 2);

	tb_option(tb, id, text, (uint32_t)strlen(text) + 1);
	return tb;
}

static void an_offset_is_added_to_every_stamp(void **state)
{
	const struct tb_kind *kind = *state;
	const bool is_zlib = kind->compression == TB_ZLIB;
	struct tb *tb;

	assert_stamps(with_text(kind, OFFSET, "5000000000"), 5000001000, 5000003000, is_zlib);
	assert_stamps(with_text(kind, OFFSET, "-400"), 600, 2600, is_zlib);
	assert_stamps(with_text(kind, OFFSET, "0x10"), 1016, 3016, is_zlib);
	/* in us, so that trace-cmd shows the time of day: 0x10 is 16 us; and both count */
	assert_stamps(with_text(kind, DATE, "0x10"), 17000, 19000, is_zlib);
	tb = with_text(kind, DATE, "0x10");
	tb_option(tb, OFFSET, "-1000", 6);
	assert_stamps(tb, 16000, 18000, is_zlib);
}

/* The clock of the buffer named "fcap" is that of the main one. */
static void an_offset_is_added_to_the_lines_of_the_recorder_too(void **state)
{
	struct tb *tb = with_text(*state, OFFSET, "50");
	char *text;

	tb_kvm_fpu(tb, tb_by(0, 100, 101), 1);
	tb_marker(tb, 120, "fcap: end");
	text = text_of(tb, ((struct tb_kind *)*state)->compression == TB_ZLIB);
	assert_string_equal(text, "150 0 0 0: 11 101: -1 5\n170 0 1 0: 13 1: fcap: end\n\n");
	free(text);
}

/* No stamp is before 0; libtracecmd turns such into the far future. */
static void a_stamp_that_would_be_before_0_is_0(void **state)
{
	const struct tb_kind *kind = *state;

	/* true: its opinion is not asked for */
	assert_stamps(with_text(kind, OFFSET, "-1500"), 0, 1500, true);
}

static void an_offset_that_is_none_is_refused(void **state)
{
	static const char *const texts[] = { "", "x", "12x", "9223372036854775807",
					     "99999999999999999999" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
		struct tb *tb = with_text(*state, OFFSET, texts[i]);
		struct fan_file *file = NULL;
		struct fcap_err err = { 0 };

		assert_int_equal(tb_write(tb, path), 0);
		tb_free(tb);
		assert_int_equal(fan_file_open(&file, path, &err), -EINVAL);
		assert_non_null(strstr(err.text, "damaged"));
		free(path);
		tempdir_remove(dir);
	}
}

/* Multiplier 3, shift 1: 1000 -> 1500, 3000 -> 4500. */
static void ticks_are_multiplied_and_shifted(void **state)
{
	const struct tb_kind *kind = *state;

	for (int machine = 0; machine < TB_MACHINES; machine++) {
		const bool big = machine == TB_BE64 || machine == TB_BE32;
		const unsigned char little_words[16] = { 3, 0, 0, 0, 1 };
		const unsigned char big_words[16] = { 0, 0, 0, 3, 0, 0, 0, 1 };
		struct tb *tb = tb_new_kind(kind, 2);

		tb_set_machine(tb, (enum tb_machine)machine);
		tb_set_clock(tb, "x86-tsc");
		tb_option(tb, TSC2NSEC, big ? big_words : little_words, 16);
		assert_stamps(tb, 1500, 4500, kind->compression == TB_ZLIB);
	}
}

/* Ticks become ns, then the offset of the user, which is in ns, comes on top. */
static void an_offset_comes_on_top_of_ticks(void **state)
{
	const struct tb_kind *kind = *state;
	/* the third number, an offset, is not added: trace-cmd shows the same stamps */
	const uint32_t words[4] = { 3, 1, 100, 0 };
	struct tb *tb = with_text(kind, OFFSET, "7");

	tb_option(tb, TSC2NSEC, words, sizeof(words));
	assert_stamps(tb, 1507, 4507, kind->compression == TB_ZLIB);
}

static void unknown_options_are_passed_over(void **state)
{
	const struct tb_kind *kind = *state;
	struct tb *tb = tb_new_kind(kind, 2);

	tb_option(tb, 999, "later versions know this", 24);
	tb_option(tb, 0xffff, NULL, 0);
	assert_stamps(tb, 1000, 3000, kind->compression == TB_ZLIB);
}

/* As trace-cmd listen writes: flyrecord follows the number of CPUs at once. */
static void a_file_without_options_is_read(void **state)
{
	(void)state;
	for (int machine = 0; machine < TB_MACHINES; machine++) {
		struct tb *tb = tb_new(2, 6, TB_PLAIN);

		tb_set_machine(tb, (enum tb_machine)machine);
		tb_without_options(tb);
		tb_set_clock(tb, NULL);
		tb_set_cmdlines(tb, "");
		assert_stamps(tb, 1000, 3000, false);
	}
}

static void a_file_without_names_of_threads_is_read(void **state)
{
	const struct tb_kind *kind = *state;
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_cmdlines(tb, "");
	assert_stamps(tb, 1000, 3000, kind->compression == TB_ZLIB);
}

/* Sixteen CPUs were there, two have data: as if only those two were. */
static void a_file_with_data_of_fewer_cpus_is_read(void **state)
{
	const struct tb_kind *kind = *state;

	assert_stamps(tb_new_kind(kind, 16), 1000, 3000, kind->compression == TB_ZLIB);
}

/* The option CPUCOUNT is not there. */
static void the_count_of_cpus_may_be_told_by_the_head_alone(void **state)
{
	const struct tb_kind *kind = *state;
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_cpu_count(tb, 0);
	assert_stamps(tb, 1000, 3000, kind->compression == TB_ZLIB);
}

/* The option says 6, as does the table of version 6, and the head 2. */
static void the_option_may_tell_of_more_cpus_than_the_head(void **state)
{
	const struct tb_kind *kind = *state;
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_cpu_count(tb, 6);
	assert_stamps(tb, 1000, 3000, kind->compression == TB_ZLIB);
}

struct guest {
	uint32_t n;
	char name[16];
	uint32_t vcpu[4], tid[4];
};

static int take_guest(void *ctx, const char *name, uint32_t vcpu, uint32_t tid)
{
	struct guest *g = ctx;

	assert_true(g->n < 4 && strlen(name) < sizeof(g->name));
	strcpy(g->name, name);
	g->vcpu[g->n] = vcpu;
	g->tid[g->n++] = tid;
	return 0;
}

/* A host's file of a recording of host and guest: name, trace id, vCPUs with their threads. */
static void a_guest_of_the_host_is_told_with_its_threads(void **state)
{
	static const char little[] = "vm1\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\145\0\0\0\1\0\0\0"
				     "\146\0\0";
	static const char big[] =
		"vm1\0\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0\0\0\0\0\145\0\0\0\1\0\0\0\146";

	for (int machine = 0; machine < TB_MACHINES; machine++) {
		char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
		struct tb *tb = tb_new_kind(*state, 2);
		struct fan_file *file = NULL;
		struct fcap_err err = { 0 };
		struct guest g = { 0 };

		tb_set_machine(tb, (enum tb_machine)machine);
		tb_option(tb, GUEST, machine == TB_BE64 || machine == TB_BE32 ? big : little, 32);
		assert_int_equal(tb_write(tb, path), 0);
		tb_free(tb);
		if (fan_file_open(&file, path, &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(fan_guest_each(file, take_guest, &g), 0);
		assert_int_equal(g.n, 2);
		assert_string_equal(g.name, "vm1");
		assert_true(g.vcpu[0] == 0 && g.tid[0] == 101);
		assert_true(g.vcpu[1] == 1 && g.tid[1] == 102);
		fan_file_close(file);
		free(path);
		tempdir_remove(dir);
	}
}

/* A guest's file: one CPU, one sample, offset 500: 1000 and 3000 of the guest are the host's. */
static void a_shift_of_a_big_endian_guest_is_read(void **state)
{
	static const unsigned char shift[] = {
		0, 0, 0, 0, 0, 0, 0, 7,		      /* trace id */
		0, 0, 0, 0, 0, 0, 0, 1,		      /* flags, CPUs */
		0, 0, 0, 1, 0, 0, 0, 0,	  0, 0, 0, 9, /* samples, time */
		0, 0, 0, 0, 0, 0, 1, 244,	      /* offset */
		0, 0, 0, 0, 0, 0, 0, 1,		      /* scale */
		0, 0, 0, 0, 0, 0, 0, 0,		      /* fraction */
	};
	const struct tb_kind *kind = *state;
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_machine(tb, TB_BE64);
	tb_option(tb, TIME_SHIFT, shift, sizeof(shift));
	/* of CPU 1 the option tells nothing */
	assert_stamps(tb, 1000, 3500, kind->compression == TB_ZLIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ALL_KINDS(an_offset_is_added_to_every_stamp),
		IN_ALL_KINDS(an_offset_is_added_to_the_lines_of_the_recorder_too),
		IN_ALL_KINDS(a_stamp_that_would_be_before_0_is_0),
		IN_ALL_KINDS(an_offset_that_is_none_is_refused),
		IN_ALL_KINDS(ticks_are_multiplied_and_shifted),
		IN_ALL_KINDS(an_offset_comes_on_top_of_ticks),
		IN_ALL_KINDS(unknown_options_are_passed_over),
		cmocka_unit_test(a_file_without_options_is_read),
		IN_ALL_KINDS(a_file_without_names_of_threads_is_read),
		IN_ALL_KINDS(a_file_with_data_of_fewer_cpus_is_read),
		IN_ALL_KINDS(the_option_may_tell_of_more_cpus_than_the_head),
		IN_ALL_KINDS(a_guest_of_the_host_is_told_with_its_threads),
		IN_ALL_KINDS(a_shift_of_a_big_endian_guest_is_read),
		IN_ALL_KINDS(the_count_of_cpus_may_be_told_by_the_head_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
