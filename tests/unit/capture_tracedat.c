// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/tracedat_write: files of made-up pages, read back by libtracecmd and trace-cmd. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "capture/marks.h"
#include "tests/lib/run.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/dat_made.h"

#define NCPU 3

struct made {
	char *dir, *path;
	FILE *pages[NCPU + 1]; /* the last one: the second buffer's */
	struct cap_dat_cpu cpu[NCPU], second[NCPU];
	struct cap_dat dat;
};

/* A page file with records "NAME a", "NAME b" at the times given. */
static struct cap_dat_cpu make_pages(FILE **ret, const char *name, const uint64_t at[2])
{
	struct cap_marks_layout layout;
	struct cap_marks *m;
	char text[64];

	*ret = tmpfile();
	assert_non_null(*ret);
	assert_int_equal(cap_marks_layout_parse(header_page, print_format, &layout, NULL), 0);
	assert_int_equal(cap_marks_open(&m, &layout, fileno(*ret), 42), 0);
	for (int i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%s %c", name, 'a' + i);
		assert_int_equal(cap_marks_append_at(m, at[i], text), 0);
	}
	assert_int_equal(cap_marks_flush(m), 0);
	cap_marks_close(m);
	return (struct cap_dat_cpu){ fileno(*ret), PAGE };
}

static int make(void **state)
{
	struct made *f = calloc(1, sizeof(*f));

	f->dir = tempdir_new();
	f->path = tempdir_file(f->dir, "made.dat");
	f->cpu[0] = make_pages(&f->pages[0], "cpu0", (uint64_t[]){ 1000000, 4000000 });
	f->cpu[1] = (struct cap_dat_cpu){ -1, 0 };
	f->cpu[2] = make_pages(&f->pages[2], "cpu2", (uint64_t[]){ 2000000, 6000000 });
	f->second[0] = make_pages(&f->pages[NCPU], "fcap:", (uint64_t[]){ 3000000, 5000000 });
	f->dat = dat_made();
	f->dat.ncpu = NCPU;
	f->dat.cpu = f->cpu;
	f->dat.second_name = "fcap";
	f->dat.second = f->second;
	*state = f;
	return 0;
}

static int unmake(void **state)
{
	struct made *f = *state;

	for (int i = 0; i <= NCPU; i++)
		if (f->pages[i])
			fclose(f->pages[i]);
	free(f->path);
	tempdir_remove(f->dir);
	free(f);
	return 0;
}

static void write_made(const struct made *f)
{
	FILE *out = fopen(f->path, "w");

	assert_non_null(out);
	assert_int_equal(cap_dat_write(fileno(out), &f->dat, NULL), 0);
	assert_int_equal(fclose(out), 0);
}

struct seen {
	char text[1024];
};

static int see(struct tracecmd_input *handle, struct tep_record *rec, int cpu, void *ctx)
{
	struct seen *seen = ctx;
	const size_t len = strlen(seen->text);

	(void)handle;
	snprintf(seen->text + len, sizeof(seen->text) - len, "%llu/%d/%s", rec->ts, cpu,
		 (const char *)rec->data + 16);
	return 0;
}

static void both_buffers_read_back_record_by_record(void **state)
{
	struct made *f = *state;
	struct seen main_seen = { "" }, second_seen = { "" };
	struct tracecmd_input *in, *second;

	write_made(f);
	in = tracecmd_open(f->path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(in);
	assert_int_equal(tep_get_cpus(tracecmd_get_tep(in)), NCPU);
	assert_non_null(tep_find_event_by_name(tracecmd_get_tep(in), "made_up", "other"));
	assert_string_equal(tep_data_comm_from_pid(tracecmd_get_tep(in), 42), "fcap");
	assert_int_equal(tracecmd_iterate_events(in, NULL, 0, see, &main_seen), 0);
	assert_string_equal(main_seen.text, "1000000/0/cpu0 a\n2000000/2/cpu2 a\n"
					    "4000000/0/cpu0 b\n6000000/2/cpu2 b\n");
	assert_int_equal(tracecmd_buffer_instances(in), 1);
	assert_string_equal(tracecmd_buffer_instance_name(in, 0), "fcap");
	second = tracecmd_buffer_instance_handle(in, 0);
	assert_non_null(second);
	assert_int_equal(tracecmd_iterate_events(second, NULL, 0, see, &second_seen), 0);
	assert_string_equal(second_seen.text, "3000000/0/fcap: a\n5000000/0/fcap: b\n");
	tracecmd_close(second);
	tracecmd_close(in);
}

static void a_file_without_a_second_buffer_is_valid(void **state)
{
	struct made *f = *state;
	struct tracecmd_input *in;

	f->dat.second_name = NULL;
	f->dat.second = NULL;
	write_made(f);
	in = tracecmd_open(f->path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(in);
	assert_int_equal(tracecmd_buffer_instances(in), 0);
	tracecmd_close(in);
}

static void trace_cmd_report_merges_both_in_silence(void **state)
{
	static const char *const order[] = { "cpu0 a", "cpu2 a",  "fcap: a",
					     "cpu0 b", "fcap: b", "cpu2 b" };
	struct made *f = *state;
	struct run_output o;
	const char *p;

	write_made(f);
	run_program(&o, (const char *const[]){ "trace-cmd", "report", "-N", "-i", f->path, NULL });
	if (o.status == 127) {
		print_message("# no trace-cmd here: read back by libtracecmd alone\n");
		run_output_free(&o);
		return;
	}
	assert_int_equal(o.status, 0);
	assert_string_equal(o.err, "");
	p = o.out;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		p = strstr(p, order[i]);
		assert_non_null(p);
	}
	run_output_free(&o);
}

static void the_head_is_as_documented(void **state)
{
	/* magic, "tracing", version, little-endian, long of 8, page size, then the page header */
	static const unsigned char head[] = "\x17\x08\x44tracing"
					    "6\0\0\x08\0\x10\0\0header_page";
	struct made *f = *state;
	unsigned char got[sizeof(head)];
	FILE *in;

	write_made(f);
	in = fopen(f->path, "r");
	assert_non_null(in);
	assert_int_equal(fread(got, 1, sizeof(got), in), sizeof(got));
	assert_memory_equal(got, head, sizeof(head));
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	assert_int_equal(ftell(in) % PAGE, 0);
	fclose(in);
}

static void a_page_file_that_is_too_short_is_an_error(void **state)
{
	struct made *f = *state;
	struct fcap_err err = { 0 };
	FILE *out = fopen(f->path, "w");

	assert_non_null(out);
	f->cpu[2].len = 2 * PAGE;
	assert_int_equal(cap_dat_write(fileno(out), &f->dat, &err), -EIO);
	assert_int_equal(err.code, EIO);
	fclose(out);
}

static void a_full_disk_is_an_error(void **state)
{
	struct made *f = *state;
	FILE *out = fopen("/dev/full", "w");

	if (!out)
		fail_msg("this machine has no /dev/full");
	assert_int_equal(cap_dat_write(fileno(out), &f->dat, NULL), -ENOSPC);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_buffers_read_back_record_by_record, make,
						unmake),
		cmocka_unit_test_setup_teardown(a_file_without_a_second_buffer_is_valid, make,
						unmake),
		cmocka_unit_test_setup_teardown(trace_cmd_report_merges_both_in_silence, make,
						unmake),
		cmocka_unit_test_setup_teardown(the_head_is_as_documented, make, unmake),
		cmocka_unit_test_setup_teardown(a_page_file_that_is_too_short_is_an_error, make,
						unmake),
		cmocka_unit_test_setup_teardown(a_full_disk_is_an_error, make, unmake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
