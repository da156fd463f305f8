// SPDX-License-Identifier: GPL-3.0-or-later
/* Files of trace-cmd with instances: events in an instance alone, and what split leaves of one. */
#include <stdio.h>
#include <string.h>

#include "analyze/report/assemble.h"
#include "analyze/report/passes.h"
#include "tests/unit/modelled.h"

struct bytes {
	char data[1 << 16];
	size_t size;
};

/* Two CPUs, three switches in the main buffer, one line in "fcap"; version 6, not compressed. */
static void write_two_buffers(const char *path)
{
	const struct tb_task vm = { 101, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(2, 6, TB_PLAIN);

	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, vm);
	tb_switch(tb, at_ms(0, 7), vm, TB_S, tb_idle);
	tb_switch(tb, at_ms(1, 8), tb_idle, TB_R, vm);
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
}

static void get(struct bytes *b, const char *path)
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	b->size = fread(b->data, 1, sizeof(b->data), f);
	assert_true(b->size < sizeof(b->data));
	assert_int_equal(fclose(f), 0);
}

static void put(const struct bytes *b, const char *path)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(b->data, 1, b->size, f), b->size);
	assert_int_equal(fclose(f), 0);
}

/* Where what[0..len) stands behind from; fails if nowhere. */
static char *find(struct bytes *b, const char *from, const char *what, size_t len)
{
	char *p = memmem(from, (size_t)(b->data + b->size - from), what, len);

	assert_non_null(p);
	return p;
}

/* The tables of the two buffers change places: 2 CPUs, each with offset and size of 8 bytes. */
static void exchange_tables(struct bytes *b)
{
	char *one = find(b, b->data, "flyrecord", 10) + 10;
	char *two = find(b, one, "flyrecord", 10) + 10;
	char kept[32];

	memcpy(kept, one, sizeof(kept));
	memcpy(one, two, sizeof(kept));
	memcpy(two, kept, sizeof(kept));
}

/* The name in the BUFFER option, behind its offset of 8 bytes. */
static char *name_of_buffer(struct bytes *b)
{
	return find(b, find(b, b->data, "options  ", 10), "fcap", 5);
}

static struct fan_file *open_changed(void (*change)(struct bytes *b))
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };
	struct bytes b;

	write_two_buffers(path);
	get(&b, path);
	change(&b);
	put(&b, path);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	free(path);
	tempdir_remove(dir);
	return file;
}

static uint64_t records_of(struct fan_file *file)
{
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	uint64_t n;

	if (fan_model_read(&m, file, NULL, &err) < 0)
		fail_msg("%s", err.text);
	n = m->records;
	fan_model_free(m);
	return n;
}

static void change_nothing(struct bytes *b)
{
	(void)b;
}

/* The line is now in the main buffer, the switches are in an instance "kvms". */
static void fill_an_instance(struct bytes *b)
{
	exchange_tables(b);
	memcpy(name_of_buffer(b), "kvms", 4);
}

/* Nothing in the main buffer either. */
static void fill_an_instance_alone(struct bytes *b)
{
	fill_an_instance(b);
	memset(find(b, b->data, "flyrecord", 10) + 10, 0, 32);
}

/* The events are in the instance that belongs to fcap's lines. */
static void fill_fcap_alone(struct bytes *b)
{
	exchange_tables(b);
	memset(find(b, b->data, "flyrecord", 10) + 10, 0, 32);
}

/* trace-cmd 3.1.6 split: the option is there, and its offset is 0. */
static void leave_the_option(struct bytes *b)
{
	memset(name_of_buffer(b) - 8, 0, 8);
}

static void the_main_buffer_is_analysed_and_no_other(void **state)
{
	struct fan_file *file = open_changed(change_nothing);

	(void)state;
	assert_int_equal(file->nbuffers, 2);
	assert_string_equal(file->buffers[0].name, "");
	assert_int_equal(records_of(file), 3);
	fan_file_close(file);
	file = open_changed(fill_an_instance);
	assert_string_equal(file->buffers[0].name, "");
	assert_int_equal(records_of(file), 1);
	fan_file_close(file);
}

static void events_of_an_instance_alone_are_analysed(void **state)
{
	struct fan_file *file = open_changed(fill_an_instance_alone);

	(void)state;
	assert_int_equal(file->nbuffers, 2);
	assert_string_equal(file->buffers[0].name, "kvms");
	assert_int_equal(file->buffers[0].ncpus, 2);
	assert_string_equal(file->buffers[1].name, "");
	assert_int_equal(records_of(file), 3);
	fan_file_close(file);
}

static size_t notes_with(void (*change)(struct bytes *b), const char *word)
{
	const struct fan_report_options options = { .level = 0.95, .margin = 3, .command = "x" };
	struct fan_file *file = open_changed(change);
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	struct fan_report r;
	size_t n = 0;

	if (fan_report_read(&m, file, NULL, &options, &err) < 0 ||
	    fan_report_assemble(&r, file, m, &options, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < r.quality.notes.n; i++)
		n += strstr(r.quality.notes.items[i], word) != NULL;
	fan_report_free(&r);
	fan_model_free(m);
	fan_file_close(file);
	return n;
}

static void a_report_says_that_it_is_of_an_instance(void **state)
{
	(void)state;
	assert_int_equal(notes_with(fill_an_instance_alone, "instance kvms"), 1);
	assert_int_equal(notes_with(change_nothing, "instance"), 0);
}

static void the_lines_of_fcap_are_no_events(void **state)
{
	struct fan_file *file = open_changed(fill_fcap_alone);

	(void)state;
	assert_string_equal(file->buffers[0].name, "");
	assert_int_equal(records_of(file), 0);
	fan_file_close(file);
}

static void an_instance_whose_data_were_left_out_is_passed_over(void **state)
{
	struct fan_file *file = open_changed(leave_the_option);

	(void)state;
	assert_int_equal(file->nbuffers, 1);
	assert_int_equal(records_of(file), 3);
	fan_file_close(file);
}

/*
 * trace-cmd record --date: the difference to the day's time in us, in hexadecimal; and one in ns,
 * in decimal. Together: 0x17a5b3c4d5e6 is 26000453064166, which are so many us.
 */
static void a_date_moves_all_stamps_and_no_length(void **state)
{
	const struct tb_task vm = { 101, "CPU 0/KVM", 0 };
	const uint64_t shift = 26000453064166ULL * 1000 + 1700000000000000;
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_file *file;
	struct fan_model *m;

	(void)state;
	tb_option(tb, 1, "0x17a5b3c4d5e6", 15);
	tb_option(tb, 7, "1700000000000000", 17);
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, vm);
	tb_switch(tb, at_ms(0, 7), vm, TB_S, tb_idle);
	m = model_and_file(tb, &file);
	assert_int_equal(m->start_ns, MODELLED_BASE + shift);
	assert_int_equal(m->end_ns, MODELLED_BASE + 7 * MODELLED_MS + shift);
	fan_model_free(m);
	fan_file_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_main_buffer_is_analysed_and_no_other),
		cmocka_unit_test(events_of_an_instance_alone_are_analysed),
		cmocka_unit_test(a_report_says_that_it_is_of_an_instance),
		cmocka_unit_test(the_lines_of_fcap_are_no_events),
		cmocka_unit_test(an_instance_whose_data_were_left_out_is_passed_over),
		cmocka_unit_test(a_date_moves_all_stamps_and_no_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
