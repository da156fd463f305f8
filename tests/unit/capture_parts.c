// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/parts: the folder FILE.parts, its lock, and how it becomes FILE. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>

#include "capture/parts.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

struct place {
	char *dir, *file, *folder;
};

static int make_place(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	p->dir = tempdir_new();
	p->file = tempdir_file(p->dir, "t.dat");
	p->folder = tempdir_file(p->dir, "t.dat.parts");
	*state = p;
	return 0;
}

static int clear_place(void **state)
{
	struct place *p = *state;

	free(p->file);
	free(p->folder);
	tempdir_remove(p->dir);
	free(p);
	return 0;
}

static bool is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void put(const char *dir, const char *name, const char *text)
{
	const int fd = open_folder(dir);

	put_file(fd, name, text);
	close(fd);
}

static void assert_text(const char *dir, const char *name, const char *text)
{
	char *path = tempdir_file(dir, name), got[64] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	assert_true(fread(got, 1, sizeof(got) - 1, f) == strlen(text));
	assert_string_equal(got, text);
	fclose(f);
	free(path);
}

static void stage(struct cap_parts *p, const char *text)
{
	const int fd = cap_parts_stage(p, NULL);

	assert_true(fd >= 0);
	assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void parts_become_the_file_and_go_away(void **state)
{
	const struct place *at = *state;
	struct cap_parts *p;
	int fd;

	assert_int_equal(cap_parts_open(&p, at->file, false, NULL), 0);
	fd = cap_parts_create(p, "cpu0", NULL);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(cap_parts_create(p, "cpu0", NULL), -EEXIST);
	stage(p, "all");
	assert_false(is_there(at->file));
	assert_int_equal(cap_parts_publish(p, NULL), 0);
	assert_text(at->dir, "t.dat", "all");
	cap_parts_close(p);
	assert_false(is_there(at->folder));
}

static void outputs_that_cannot_be_are_refused(void **state)
{
	const struct place *at = *state;
	char *lost = tempdir_file(at->dir, "no/t.dat");
	struct cap_parts *p, *second;
	struct fcap_err err = { 0 };

	assert_int_equal(cap_parts_open(&p, at->dir, false, &err), -EISDIR);
	assert_int_equal(cap_parts_open(&p, "/dev/null", false, &err), -EISDIR);
	assert_int_equal(cap_parts_open(&p, lost, false, &err), -ENOENT);
	assert_int_equal(cap_parts_open(&p, at->file, false, &err), 0);
	assert_int_equal(cap_parts_open(&second, at->file, false, &err), -EEXIST);
	assert_non_null(strstr(err.text, "another recording is writing there"));
	assert_true(is_there(at->folder));
	cap_parts_close(p);
	free(lost);
}

static void a_folder_that_was_left_behind_is_not_touched(void **state)
{
	const struct place *at = *state;
	struct cap_parts *p;
	struct fcap_err err = { 0 };

	assert_int_equal(cap_parts_open(&p, at->file, false, NULL), 0);
	assert_int_equal(cap_parts_store(p, "head", "h", 1, NULL), 0);
	cap_parts_keep(p, true);
	cap_parts_close(p);
	assert_int_equal(cap_parts_open(&p, at->file, false, &err), -EEXIST);
	assert_non_null(strstr(err.text, "run \"fcap recover "));
	assert_text(at->folder, "head", "h");
}

static void no_clobber_replaces_no_file_now_or_later(void **state)
{
	const struct place *at = *state;
	struct cap_parts *p;

	assert_int_equal(cap_parts_open(&p, at->file, true, NULL), 0);
	stage(p, "new");
	put(at->dir, "t.dat", "old");
	assert_int_equal(cap_parts_publish(p, NULL), -EEXIST);
	cap_parts_close(p);
	assert_text(at->dir, "t.dat", "old");
	assert_false(is_there(at->folder));
	assert_int_equal(cap_parts_open(&p, at->file, true, NULL), -EEXIST);
	assert_false(is_there(at->folder));
}

static void a_stored_part_replaces_the_one_before_as_a_whole(void **state)
{
	const struct place *at = *state;
	struct cap_parts *p;
	char *text;
	size_t len;

	assert_int_equal(cap_parts_open(&p, at->file, false, NULL), 0);
	assert_int_equal(cap_parts_load(p, "tail", &text, &len), -ENOENT);
	assert_int_equal(cap_parts_store(p, "tail", "longer", 6, NULL), 0);
	assert_int_equal(cap_parts_store(p, "tail", "new", 3, NULL), 0);
	assert_int_equal(cap_parts_load(p, "tail", &text, &len), 0);
	assert_int_equal(len, 3);
	assert_string_equal(text, "new");
	free(text);
	/* what a kill has left of the next one is in nobody's way */
	put(at->folder, "tail.new", "half of it");
	assert_int_equal(cap_parts_store(p, "tail", "third", 5, NULL), 0);
	assert_text(at->folder, "tail", "third");
	cap_parts_close(p);
}

static void a_folder_taken_over_stays_until_it_is_done(void **state)
{
	const struct place *at = *state;
	char *slash = tempdir_file(at->dir, "t.dat.parts//");
	struct cap_parts *p;

	assert_int_equal(mkdir(at->folder, 0700), 0);
	put(at->folder, "head", "h");
	put(at->folder, "trace.dat", "half of it, by one that was killed");
	assert_int_equal(cap_parts_reopen(&p, slash, NULL, NULL), 0);
	assert_string_equal(cap_parts_file(p), at->file);
	assert_string_equal(cap_parts_dir(p), at->folder);
	stage(p, "not finished");
	cap_parts_close(p);
	assert_text(at->folder, "head", "h");
	assert_int_equal(cap_parts_reopen(&p, at->folder, NULL, NULL), 0);
	stage(p, "finished");
	assert_int_equal(cap_parts_publish(p, NULL), 0);
	cap_parts_keep(p, false);
	cap_parts_close(p);
	assert_text(at->dir, "t.dat", "finished");
	assert_false(is_there(at->folder));
	free(slash);
}

static void a_file_elsewhere_grows_there(void **state)
{
	const struct place *at = *state;
	char *other = tempdir_file(at->dir, "other"), *file;
	struct cap_parts *p;
	struct fcap_err err = { 0 };

	assert_int_equal(mkdir(at->folder, 0700) | mkdir(other, 0700), 0);
	file = tempdir_file(other, "x.dat");
	assert_int_equal(cap_parts_reopen(&p, at->folder, file, NULL), 0);
	stage(p, "all");
	assert_int_equal(cap_parts_publish(p, NULL), 0);
	cap_parts_close(p);
	assert_text(other, "x.dat", "all");
	/* and nothing but it is there: the folder can be emptied and removed */
	assert_int_equal(unlink(file) | rmdir(other), 0);
	/* a name that does not tell the file's needs one */
	assert_int_equal(cap_parts_reopen(&p, at->dir, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.text, "-o FILE"));
	free(file);
	free(other);
}

static void a_discarded_folder_goes_unless_others_have_files_in_it(void **state)
{
	const struct place *at = *state;
	char *theirs = tempdir_file(at->folder, "cpuinfo");
	struct cap_parts *p;

	assert_int_equal(mkdir(at->folder, 0700), 0);
	put(at->folder, "cpu17", "");
	put(at->folder, "head.new", "half");
	put(at->folder, "cpuinfo", "of somebody else");
	assert_int_equal(cap_parts_reopen(&p, at->folder, NULL, NULL), 0);
	assert_false(cap_parts_discard(p));
	cap_parts_close(p);
	assert_text(at->folder, "cpuinfo", "of somebody else");
	/* nothing else is there any more */
	assert_int_equal(unlink(theirs), 0);
	assert_int_equal(rmdir(at->folder) | mkdir(at->folder, 0700), 0);
	put(at->folder, "marks", "");
	assert_int_equal(cap_parts_reopen(&p, at->folder, NULL, NULL), 0);
	assert_true(cap_parts_discard(p));
	cap_parts_close(p);
	assert_false(is_there(at->folder));
	free(theirs);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, clear_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_PLACE(parts_become_the_file_and_go_away),
		IN_PLACE(outputs_that_cannot_be_are_refused),
		IN_PLACE(a_folder_that_was_left_behind_is_not_touched),
		IN_PLACE(no_clobber_replaces_no_file_now_or_later),
		IN_PLACE(a_stored_part_replaces_the_one_before_as_a_whole),
		IN_PLACE(a_folder_taken_over_stays_until_it_is_done),
		IN_PLACE(a_file_elsewhere_grows_there),
		IN_PLACE(a_discarded_folder_goes_unless_others_have_files_in_it),
	};

	return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
