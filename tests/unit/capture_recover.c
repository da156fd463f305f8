// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * capture/recover and what it reads (archive, head, tail, marks_read): parts made by hand become a
 * file, read back by libtracecmd. Without root: the pages hold print records.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>

#include <trace-cmd.h>

#include "capture/archive.h"
#include "capture/head.h"
#include "capture/marks_read.h"
#include "capture/recover.h"
#include "capture/tail.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"
#include "tests/unit/dat_texts.h"

struct left {
	char *dir, *folder, *file;
	int fd; /* the folder */
	struct cap_marks_layout layout;
	char said[512];
};

static int leave(void **state)
{
	struct left *l = calloc(1, sizeof(*l));

	l->dir = tempdir_new();
	l->folder = tempdir_file(l->dir, "t.dat.parts");
	l->file = tempdir_file(l->dir, "t.dat");
	if (mkdir(l->folder, 0700) < 0)
		return -1;
	l->fd = open_folder(l->folder);
	*state = l;
	return cap_marks_layout_parse(header_page, print_format, &l->layout, NULL);
}

static int clear(void **state)
{
	struct left *l = *state;

	close(l->fd);
	free(l->folder);
	free(l->file);
	tempdir_remove(l->dir);
	free(l);
	return 0;
}

static FILE *open_part(const struct left *l, const char *name)
{
	FILE *f = fdopen(openat(l->fd, name, O_RDWR | O_CREAT | O_TRUNC, 0600), "r+");

	assert_non_null(f);
	return f;
}

static void add(FILE *out, const char *name, const char *text)
{
	cap_archive_add(out, name, text, strlen(text));
}

/* compress: the level, or NULL. */
static void put_head(const struct left *l, const char *compress)
{
	FILE *out = open_part(l, "head");

	add(out, "version", "fcap of old");
	add(out, "uname", "Linux there 6.1 x86_64");
	add(out, "pid", "42");
	add(out, "ncpu", "3");
	if (compress)
		add(out, "compress", compress);
	add(out, "clock", "local [mono]\n");
	add(out, "header_page", header_page);
	add(out, "header_event", header_event);
	add(out, "format/ftrace/print", print_format);
	add(out, "format/made_up/other", other_format);
	cap_archive_end(out);
	assert_int_equal(fclose(out), 0);
}

/* Lines 1000 ns apart, the first at first_ns; then cut: bytes of a page that was not finished. */
static void put_pages(const struct left *l, const char *name, uint64_t first_ns,
		      const char *const *line, size_t cut)
{
	static const char zeros[PAGE];
	FILE *f = open_part(l, name);
	struct cap_marks *m;

	assert_int_equal(cap_marks_open(&m, &l->layout, fileno(f), 42), 0);
	for (size_t i = 0; line[i]; i++)
		assert_int_equal(cap_marks_append_at(m, first_ns + i * 1000, line[i]), 0);
	assert_int_equal(cap_marks_flush(m), 0);
	assert_true(pwrite(fileno(f), zeros, cut, (off_t)cap_marks_bytes(m)) == (ssize_t)cut);
	cap_marks_close(m);
	assert_int_equal(fclose(f), 0);
}

static void put_recording(const struct left *l)
{
	put_head(l, NULL);
	put_pages(l, "cpu0", 1000000, (const char *[]){ "cpu0 a", "cpu0 b", NULL }, 100);
	put_pages(l, "cpu2", 1000500, (const char *[]){ "cpu2 a", NULL }, 0);
	put_pages(l, "marks", 900000,
		  (const char *[]){ "fcap: begin v=1", "fcap: task tid=7 tgid=7 comm=\"a b\"",
				    "fcap: lost cpu=0 overrun=3", NULL },
		  10);
}

static struct left *listening;

static void listen(const char *text)
{
	snprintf(listening->said, sizeof(listening->said), "%s", text);
}

static int recover(struct left *l, const char *output, struct fcap_err *err)
{
	const struct cap_recover_opts opts = { .dir = l->folder, .output = output, .say = listen };

	listening = l;
	return cap_recover(&opts, err);
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

static void assert_records(const char *path, const char *events, const char *markers)
{
	struct seen seen = { "" }, second_seen = { "" };
	struct tracecmd_input *in = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS), *second;

	assert_non_null(in);
	assert_int_equal(tep_get_cpus(tracecmd_get_tep(in)), 3);
	assert_non_null(tep_find_event_by_name(tracecmd_get_tep(in), "made_up", "other"));
	assert_string_equal(tep_data_comm_from_pid(tracecmd_get_tep(in), 42), "fcap");
	assert_string_equal(tep_data_comm_from_pid(tracecmd_get_tep(in), 7), "a b");
	assert_int_equal(tracecmd_iterate_events(in, NULL, 0, see, &seen), 0);
	assert_string_equal(seen.text, events);
	second = tracecmd_buffer_instance_handle(in, 0);
	assert_non_null(second);
	assert_int_equal(tracecmd_iterate_events(second, NULL, 0, see, &second_seen), 0);
	assert_string_equal(second_seen.text, markers);
	tracecmd_close(second);
	tracecmd_close(in);
}

#define EVENTS "1000000/0/cpu0 a\n1000500/2/cpu2 a\n1001000/0/cpu0 b\n"
#define MARKERS                                           \
	"900000/0/fcap: begin v=1\n"                      \
	"901000/0/fcap: task tid=7 tgid=7 comm=\"a b\"\n" \
	"902000/0/fcap: lost cpu=0 overrun=3\n"
#define CUT "902000/0/fcap: cut why=\"recovered from a recording that was killed\"\n"

static void what_was_stored_becomes_the_file(void **state)
{
	struct left *l = *state;

	put_recording(l);
	assert_int_equal(recover(l, NULL, NULL), 0);
	assert_records(l->file, EVENTS, MARKERS CUT);
	assert_int_equal(access(l->folder, F_OK), -1);
	assert_non_null(strstr(l->said, "3 marker lines, up to where the recording was killed"));
}

/* two pages of events, one of markers and one for the cut line: 4 x 4096 bytes are 16.4 kB */
static void it_may_be_compressed(void **state)
{
	struct left *l = *state;
	const struct cap_recover_opts opts = { .dir = l->folder,
					       .packing = { .level = 1 },
					       .say = listen };
	char head[12];
	FILE *f;

	listening = l;
	put_recording(l);
	assert_int_equal(cap_recover(&opts, NULL), 0);
	assert_records(l->file, EVENTS, MARKERS CUT);
	assert_non_null(strstr(l->said, ": 16.4 kB compressed to "));
	assert_non_null(strstr(l->said, "B, 3 marker lines"));
	f = fopen(l->file, "r");
	assert_non_null(f);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	assert_string_equal(head + 10, "7");
	fclose(f);
}

/* CPU 0 has its line; of CPU 1 the tail knows, of CPU 2 that it lost none */
static void losses_that_the_tail_knows_are_told_once(void **state)
{
	struct left *l = *state;
	FILE *out;

	put_recording(l);
	out = open_part(l, "tail");
	add(out, "stats/0", "overrun: 3\n");
	add(out, "stats/1", "entries: 0\noverrun: 17\ndropped events: 2\n");
	add(out, "stats/2", "overrun: 0\n");
	cap_archive_end(out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(recover(l, NULL, NULL), 0);
	assert_records(l->file, EVENTS,
		       MARKERS
		       "902000/0/fcap: lost cpu=1 overrun=17 dropped=2 commit_overrun=0\n" CUT);
}

static void a_recording_that_had_said_all_is_whole(void **state)
{
	struct left *l = *state;

	put_recording(l);
	put_pages(l, "marks", 900000,
		  (const char *[]){ "fcap: task tid=7 tgid=7 comm=\"a b\"", "fcap: end events=3",
				    NULL },
		  0);
	assert_int_equal(recover(l, NULL, NULL), 0);
	assert_records(
		l->file, EVENTS,
		"900000/0/fcap: task tid=7 tgid=7 comm=\"a b\"\n901000/0/fcap: end events=3\n");
	assert_null(strstr(l->said, "killed"));
}

static void a_recovery_that_fails_can_be_repeated(void **state)
{
	struct left *l = *state;
	char *nowhere = tempdir_file(l->dir, "no/t.dat");
	struct fcap_err err = { 0 };

	put_recording(l);
	assert_int_equal(recover(l, nowhere, &err), -ENOENT);
	assert_int_equal(recover(l, NULL, &err), 0);
	/* the cut line of the first time is there, and not twice */
	assert_records(l->file, EVENTS, MARKERS CUT);
	free(nowhere);
}

static void a_folder_without_a_page_has_nothing(void **state)
{
	struct left *l = *state;
	struct fcap_err err = { 0 };

	put_head(l, NULL);
	put_file(l->fd, "cpu0", "less than a page");
	assert_int_equal(recover(l, NULL, &err), -ENODATA);
	assert_non_null(strstr(err.text, "nothing was recorded yet; removed it"));
	assert_int_equal(access(l->folder, F_OK), -1);
	assert_int_equal(access(l->file, F_OK), -1);
}

/* Counts of a CPU that the head does not have. */
static void a_tail_of_another_machine_is_refused(void **state)
{
	static const char text[] = "stats/1 3\nabc\nstats/2 3\nabc\nend 0\n\n";
	struct cap_tail tail;

	(void)state;
	assert_int_equal(cap_tail_parse(&tail, strdup(text), strlen(text), 2), -EINVAL);
	assert_int_equal(cap_tail_parse(&tail, strdup(text), strlen(text), 3), 0);
	assert_null(tail.stats[0]);
	assert_string_equal(tail.stats[2], "abc");
	cap_tail_clear(&tail);
}

static void a_damaged_head_is_refused_and_the_folder_stays(void **state)
{
	struct left *l = *state;
	struct fcap_err err = { 0 };

	put_recording(l);
	put_file(l->fd, "head", "version 11\nfcap of old\nuname 22\nLinux");
	assert_int_equal(recover(l, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "head: damaged"));
	assert_int_equal(faccessat(l->fd, "cpu0", F_OK, 0), 0);
}

static void an_archive_gives_back_its_entries(void **state)
{
	char text[] = "a 3\nx\ny\nformat/b 0\n\nend 0\n\n";
	struct cap_archive_entry e;
	char *at = text, *end = text + strlen(text);

	(void)state;
	assert_int_equal(cap_archive_next(&at, end, &e), 1);
	assert_string_equal(e.name, "a");
	assert_string_equal(e.data, "x\ny");
	assert_int_equal(e.len, 3);
	assert_int_equal(cap_archive_next(&at, end, &e), 1);
	assert_string_equal(e.name, "format/b");
	assert_int_equal(e.len, 0);
	assert_int_equal(cap_archive_next(&at, end, &e), 0);
	assert_ptr_equal(at, end);
}

/* Every beginning of an archive is refused, in memory of just that length. */
static void an_archive_that_is_cut_off_is_refused(void **state)
{
	static const char whole[] = "a 3\nx\ny\nb 12\n0123456789ab\nend 0\n\n";

	(void)state;
	for (size_t len = 0; len < strlen(whole); len++) {
		char *text = strndup(whole, len), *at = text;
		struct cap_archive_entry e;
		int r;

		while ((r = cap_archive_next(&at, text + len, &e)) > 0)
			;
		if (r != -EINVAL)
			fail_msg("%zu bytes are taken for the whole", len);
		free(text);
	}
}

static void lengths_that_lie_are_refused(void **state)
{
	static const char *const bad[] = {
		"a 18446744073709551615\nx\n",
		"a 18446744073709551614\nx\n",
		"a 9\nx\n",
		"a -1\nx\n",
		"a x\nx\n",
		" 1\nx\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *text = strdup(bad[i]), *at = text;
		struct cap_archive_entry e;

		assert_int_equal(cap_archive_next(&at, text + strlen(bad[i]), &e), -EINVAL);
		free(text);
	}
}

static int collect(void *ctx, char *text)
{
	return keep_line(ctx, text);
}

/* Two lines of 2000 bytes fill a page but for less than a third one. */
static void lines_are_read_back_up_to_the_first_bad_page(void **state)
{
	struct left *l = *state;
	struct cap_marks_found found;
	struct kept kept = { .n = 0 };
	const uint64_t huge = PAGE;
	char text[2001];
	int fd;

	memset(text, 'y', 2000);
	text[2000] = '\0';
	put_pages(l, "marks", 1ULL << 40, (const char *[]){ text, text, "short", "last", NULL }, 0);
	fd = openat(l->fd, "marks", O_RDWR);
	assert_int_equal(cap_marks_read(fd, &l->layout, collect, &kept, &found), 0);
	assert_int_equal(found.bytes, 2 * PAGE);
	assert_int_equal(found.lines, 4);
	assert_true(found.last_ns == (1ULL << 40) + 3000);
	assert_string_equal(kept.line[1], text);
	assert_string_equal(kept.line[3], "last");
	kept_clear(&kept);
	/* more data than a page holds: the second page counts no longer */
	assert_true(pwrite(fd, &huge, sizeof(huge), PAGE + 8) == sizeof(huge));
	assert_int_equal(cap_marks_read(fd, &l->layout, collect, &kept, &found), 0);
	assert_int_equal(found.bytes, PAGE);
	assert_int_equal(kept.n, 2);
	kept_clear(&kept);
	close(fd);
}

/* Each word of a page is set to values that no page has: nothing is read outside of it. */
static void no_word_of_a_page_leads_out_of_it(void **state)
{
	static const uint32_t bad[] = { 0, 1, 29, 30, 31, 28, 0x80000000U, UINT32_MAX };
	struct left *l = *state;
	struct kept kept = { .n = 0 };
	struct cap_marks_found found;
	int fd;

	put_pages(l, "marks", 5, (const char *[]){ "fcap: a", "fcap: b", "fcap: c", NULL }, 0);
	fd = openat(l->fd, "marks", O_RDWR);
	for (off_t at = 8; at < 16 + 3 * 32; at += 4) {
		uint32_t old;

		assert_true(pread(fd, &old, sizeof(old), at) == sizeof(old));
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			assert_true(pwrite(fd, &bad[i], sizeof(old), at) == sizeof(old));
			assert_int_equal(cap_marks_read(fd, &l->layout, collect, &kept, &found), 0);
			assert_true(found.lines <= 3 && kept.n == found.lines);
			kept_clear(&kept);
		}
		assert_true(pwrite(fd, &old, sizeof(old), at) == sizeof(old));
	}
	assert_int_equal(cap_marks_read(fd, &l->layout, collect, &kept, &found), 0);
	assert_int_equal(kept.n, 3);
	kept_clear(&kept);
	close(fd);
}

static void a_page_under_construction_is_readable_as_it_is(void **state)
{
	struct left *l = *state;
	FILE *f = open_part(l, "marks");
	struct kept kept = { .n = 0 };
	struct cap_marks_found found;
	struct cap_marks *m;

	assert_int_equal(cap_marks_open(&m, &l->layout, fileno(f), 42), 0);
	assert_int_equal(cap_marks_append_at(m, 10, "fcap: a"), 0);
	assert_int_equal(cap_marks_sync(m), 0);
	assert_int_equal(cap_marks_bytes(m), 0);
	assert_int_equal(cap_marks_read(fileno(f), &l->layout, collect, &kept, &found), 0);
	assert_int_equal(found.lines, 1);
	/* 0.1 s later it is written without being asked, and the page is the same one */
	assert_int_equal(cap_marks_append_at(m, 50, "fcap: b"), 0);
	assert_int_equal(cap_marks_append_at(m, 100000011, "fcap: c"), 0);
	assert_int_equal(cap_marks_read(fileno(f), &l->layout, collect, &kept, &found), 0);
	assert_int_equal(found.lines, 3);
	assert_int_equal(found.bytes, PAGE);
	assert_true(found.last_ns == 100000011);
	kept_clear(&kept);
	cap_marks_close(m);
	fclose(f);
}

#define OF_LEFT(test) cmocka_unit_test_setup_teardown(test, leave, clear)

static void it_is_compressed_if_the_recording_was_to_be(void **state)
{
	struct left *l = *state;
	char head[12];
	FILE *f;

	put_recording(l);
	put_head(l, "7");
	assert_int_equal(recover(l, NULL, NULL), 0);
	assert_records(l->file, EVENTS, MARKERS CUT);
	f = fopen(l->file, "r");
	assert_non_null(f);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	assert_int_equal(fclose(f), 0);
	assert_string_equal(head + 10, "7"); /* the version of the format that is compressed */
}

static void a_level_that_is_none_is_damage(void **state)
{
	struct left *l = *state;
	struct fcap_err err = { 0 };

	put_recording(l);
	put_head(l, "20");
	assert_int_equal(recover(l, NULL, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OF_LEFT(what_was_stored_becomes_the_file),
		OF_LEFT(it_may_be_compressed),
		OF_LEFT(it_is_compressed_if_the_recording_was_to_be),
		OF_LEFT(a_level_that_is_none_is_damage),
		OF_LEFT(losses_that_the_tail_knows_are_told_once),
		OF_LEFT(a_recording_that_had_said_all_is_whole),
		OF_LEFT(a_recovery_that_fails_can_be_repeated),
		OF_LEFT(a_folder_without_a_page_has_nothing),
		cmocka_unit_test(a_tail_of_another_machine_is_refused),
		OF_LEFT(a_damaged_head_is_refused_and_the_folder_stays),
		cmocka_unit_test(an_archive_gives_back_its_entries),
		cmocka_unit_test(an_archive_that_is_cut_off_is_refused),
		cmocka_unit_test(lengths_that_lie_are_refused),
		OF_LEFT(lines_are_read_back_up_to_the_first_bad_page),
		OF_LEFT(no_word_of_a_page_leads_out_of_it),
		OF_LEFT(a_page_under_construction_is_readable_as_it_is),
	};

	return cmocka_run_group_tests_name("recover", tests, NULL, NULL);
}
