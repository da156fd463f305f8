// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/events_none: files of counters alone, read back by trace-cmd and by fanalyze's reader. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trace-cmd.h>

#include "analyze/trace/file.h"
#include "capture/assemble.h"
#include "capture/events_none.h"
#include "tests/lib/run.h"
#include "tests/lib/tempdir.h"

static char told[512];

static void keep(const char *text)
{
	snprintf(told, sizeof(told), "%s", text);
}

static struct cap_head none_head(void)
{
	struct cap_head head;
	size_t len;
	char *text;

	assert_int_equal(cap_none_head(&text, &len, 0, NULL), 0);
	assert_int_equal(cap_head_parse(&head, text, len), 0);
	return head;
}

/* Writes two lines into a file of counters alone. */
static void make_file(const char *path)
{
	struct cap_head head = none_head();
	struct cap_dat_cpu *none = calloc(head.ncpu, sizeof(*none)), marks;
	struct cap_tasks tasks = { 0 };
	struct cap_marks_layout layout;
	struct fcap_err err = { 0 };
	struct cap_tail tail;
	struct cap_parts *parts;
	struct cap_marks *m;
	FILE *pages = tmpfile();
	uint64_t bytes;

	assert_true(pages && none);
	assert_int_equal(cap_parts_open(&parts, path, false, NULL), 0);
	assert_int_equal(cap_head_layout(&head, &layout, &err), 0);
	assert_int_equal(cap_marks_open(&m, &layout, fileno(pages), 42), 0);
	assert_int_equal(cap_marks_append_at(m, 1000000, "fcap: begin v=1 events=none"), 0);
	assert_int_equal(cap_marks_append_at(m, 2500000, "fcap: steal tid=7 run=1 delay=2 n=3"), 0);
	assert_int_equal(cap_marks_flush(m), 0);
	assert_int_equal(cap_tail_parse(&tail, NULL, 0, head.ncpu), 0);
	marks = (struct cap_dat_cpu){ fileno(pages), cap_marks_bytes(m) };
	if (cap_assemble(parts,
			 &(struct cap_assembly){ .head = &head,
						 .tail = &tail,
						 .tasks = &tasks,
						 .page_size = (uint32_t)layout.page_size,
						 .cpu = none,
						 .marks = &marks },
			 &bytes, &err) < 0)
		fail_msg("%s", err.text);
	cap_parts_close(parts);
	cap_marks_close(m);
	cap_tail_clear(&tail);
	cap_head_clear(&head);
	fclose(pages);
	free(none);
}

static void a_page_is_as_large_as_one_of_this_machine(void **state)
{
	struct cap_head head = none_head();
	struct cap_marks_layout l;

	(void)state;
	assert_int_equal(cap_head_layout(&head, &l, NULL), 0);
	assert_int_equal(l.page_size, sysconf(_SC_PAGESIZE));
	/* 8 bytes of time, then a long that counts; ip is a long behind 8 common bytes */
	assert_int_equal(l.commit_at, 8);
	assert_int_equal(l.data_at, 8 + sizeof(long));
	assert_int_equal(l.text_at, 8 + sizeof(long));
	assert_int_equal(l.type, 5);
	cap_head_clear(&head);
}

static void libtracecmd_finds_an_empty_buffer_and_one_named_fcap(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "none.dat");
	struct tracecmd_input *in, *second;
	struct tep_record *rec;

	(void)state;
	make_file(path);
	in = tracecmd_open(path, 0);
	assert_non_null(in);
	assert_null(tracecmd_read_data(in, 0));
	assert_int_equal(tracecmd_buffer_instances(in), 1);
	assert_string_equal(tracecmd_buffer_instance_name(in, 0), "fcap");
	second = tracecmd_buffer_instance_handle(in, 0);
	assert_non_null(second);
	rec = tracecmd_read_data(second, 0);
	assert_non_null(rec);
	assert_int_equal(rec->ts, 1000000);
	tracecmd_free_record(rec);
	rec = tracecmd_read_data(second, 0);
	assert_non_null(rec);
	assert_int_equal(rec->ts, 2500000);
	tracecmd_free_record(rec);
	assert_null(tracecmd_read_data(second, 0));
	tracecmd_close(second);
	tracecmd_close(in);
	free(path);
	tempdir_remove(dir);
}

static void the_reader_of_fanalyze_takes_the_file(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "none.dat");
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };

	(void)state;
	make_file(path);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(file->buffers[0].clock, "mono");
	assert_true(file->cpus >= 1);
	assert_non_null(file->kernel);
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
}

/* A /proc in which self/schedstat is there or not, and 1/fd. */
static int fake_proc(char **dir, bool has_schedstat, bool has_fd)
{
	int fd, r;

	*dir = tempdir_new();
	fd = open(*dir, O_RDONLY | O_DIRECTORY);
	assert_true(fd >= 0);
	assert_int_equal(mkdirat(fd, "self", 0700) | mkdirat(fd, "1", 0700), 0);
	if (has_schedstat) {
		r = openat(fd, "self/schedstat", O_CREAT | O_WRONLY, 0600);
		assert_true(r >= 0);
		close(r);
	}
	if (has_fd)
		assert_int_equal(mkdirat(fd, "1/fd", 0700), 0);
	told[0] = '\0';
	return fd;
}

static void remove_proc(char *dir, int fd)
{
	close(fd);
	tempdir_remove(dir);
}

static void a_kernel_that_counts_no_waits_is_refused(void **state)
{
	struct fcap_err err = { 0 };
	char *dir;
	const int fd = fake_proc(&dir, false, true);

	(void)state;
	assert_int_equal(cap_none_check(fd, keep, &err), -ENOENT);
	assert_non_null(strstr(err.text, "CONFIG_SCHED_INFO"));
	assert_string_equal(told, "");
	remove_proc(dir, fd);
}

static void who_may_not_look_into_others_is_told_what_is_missing(void **state)
{
	struct fcap_err err = { 0 };
	char *dir;
	int fd = fake_proc(&dir, true, false);

	(void)state;
	assert_int_equal(cap_none_check(fd, keep, &err), 0);
	assert_non_null(strstr(told, "only VMs of your own"));
	remove_proc(dir, fd);
	fd = fake_proc(&dir, true, true);
	assert_int_equal(cap_none_check(fd, keep, &err), 0);
	assert_string_equal(told, "");
	remove_proc(dir, fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_is_as_large_as_one_of_this_machine),
		cmocka_unit_test(libtracecmd_finds_an_empty_buffer_and_one_named_fcap),
		cmocka_unit_test(the_reader_of_fanalyze_takes_the_file),
		cmocka_unit_test(a_kernel_that_counts_no_waits_is_refused),
		cmocka_unit_test(who_may_not_look_into_others_is_told_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
