// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/figure and plot/render: text that gnuplot takes as it is meant, whole files, gnuplot. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "plot/figure.h"
#include "plot/render.h"
#include "tests/unit/plot_test.h"
#include "tests/unit/paper.h"

static char *quoted(const char *s, size_t max)
{
	struct paper p;

	fplot_put_quoted(paper(&p), s, max);
	return read_paper(&p);
}

static void assert_quoted(const char *s, size_t max, const char *want)
{
	char *got = quoted(s, max);

	assert_string_equal(got, want);
	free(got);
}

static void assert_text(const char *s, const char *also, const char *want)
{
	struct paper p;

	fplot_put_text(paper(&p), s, also);
	assert_paper(&p, want);
}

static size_t names_in(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	size_t n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n;
}

static void put_file(const char *dir, const char *name, const char *text, mode_t mode)
{
	char *path = tempdir_file(dir, name);
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
	const size_t len = strlen(text);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
	free(path);
}

static void quotes_backslashes_and_percents_reach_the_legend_as_they_are(void **state)
{
	(void)state;
	assert_quoted("vm1", 20, "'vm1'");
	assert_quoted("it's", 20, "'it''s'");
	assert_quoted("a\\n \"b\" 5% `ls` @x {/b} $1", 40, "'a\\n \"b\" 5% `ls` @x {/b} $1'");
	assert_quoted("'", 20, "''''");
	assert_quoted("", 20, "''");
	assert_quoted(NULL, 20, "'-'");
}

static void control_characters_become_their_numbers(void **state)
{
	(void)state;
	assert_quoted("a\nb\tc\x1b[31m\x7f", 40, "'a\\x0Ab\\x09c\\x1B[31m\\x7F'");
	/* U+0085 next line, U+2028 line separator, U+202E turns what follows around */
	assert_quoted("\xC2\x85", 20, "'\\xC2\\x85'");
	assert_quoted("\xE2\x80\xA8", 20, "'\\xE2\\x80\\xA8'");
	assert_quoted("\xE2\x80\xAE", 20, "'\\xE2\\x80\\xAE'");
}

static void utf8_stays_and_what_is_none_becomes_numbers(void **state)
{
	(void)state;
	/* e acute, euro sign, a face */
	assert_quoted("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 20,
		      "'\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80'");
	/* a byte alone, a slash in two and in three bytes, half a pair, cut short, beyond Unicode
	 */
	assert_quoted("\xFF\x80", 20, "'\\xFF\\x80'");
	assert_quoted("\xC0\xAF", 20, "'\\xC0\\xAF'");
	assert_quoted("\xE0\x80\xAF", 20, "'\\xE0\\x80\\xAF'");
	assert_quoted("\xED\xA0\x80", 20, "'\\xED\\xA0\\x80'");
	assert_quoted("a\xE2\x82", 20, "'a\\xE2\\x82'");
	assert_quoted("\xF4\x90\x80\x80", 20, "'\\xF4\\x90\\x80\\x80'");
	assert_quoted("\xF8\x88\x80\x80", 20, "'\\xF8\\x88\\x80\\x80'");
}

static void long_names_lose_their_middle(void **state)
{
	(void)state;
	assert_quoted("12345678", 8, "'12345678'");
	assert_quoted("123456789", 8,
		      "'1234\xE2\x80\xA6"
		      "789'");
	assert_quoted("/machine/qemu-1.scope", 7, "'/ma\xE2\x80\xA6ope'");
	/* characters, not bytes */
	assert_quoted("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 4, "'\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9'");
	assert_quoted("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 4,
		      "'\xC3\xA9\xC3\xA9\xE2\x80\xA6\xC3\xA9'");
}

static void chosen_characters_become_numbers_too(void **state)
{
	(void)state;
	assert_text("a\\b\"c", "", "a\\b\"c");
	assert_text("a\\b\"c", "\\\"", "a\\x5Cb\\x22c");
	assert_text(NULL, "\\", "-");
}

static void lists_of_formats_are_read(void **state)
{
	unsigned int bits = 77;

	(void)state;
	assert_int_equal(fplot_formats_parse("svg", &bits), 0);
	assert_int_equal(bits, FPLOT_SVG);
	assert_int_equal(fplot_formats_parse("png,pdf,png", &bits), 0);
	assert_int_equal(bits, FPLOT_PNG | FPLOT_PDF);
	bits = 77;
	assert_int_equal(fplot_formats_parse("", &bits), -EINVAL);
	assert_int_equal(fplot_formats_parse("svg,", &bits), -EINVAL);
	assert_int_equal(fplot_formats_parse(",svg", &bits), -EINVAL);
	assert_int_equal(fplot_formats_parse("sv", &bits), -EINVAL);
	assert_int_equal(fplot_formats_parse("svgz", &bits), -EINVAL);
	assert_int_equal(fplot_formats_parse("SVG", &bits), -EINVAL);
	assert_int_equal(bits, 77);
}

static int put_half(const void *what, FILE *f)
{
	fputs(what, f);
	return -ENOMEM;
}

static void a_file_that_fails_leaves_the_one_before(void **state)
{
	char *dir = tempdir_new();
	struct fcap_err err = { 0 };

	(void)state;
	put_file(dir, "x.tsv", "before", 0600);
	assert_int_equal(fplot_write(dir, "x.tsv", put_half, "half", &err), -ENOMEM);
	assert_non_null(strstr(err.text, "x.tsv"));
	assert_content(dir, "x.tsv", "before");
	assert_int_equal(names_in(dir), 1);
	assert_int_equal(fplot_write(dir, "y.tsv", put_half, "half", &err), -ENOMEM);
	assert_int_equal(names_in(dir), 1);
	assert_int_equal(fplot_write("/nonexistent", "x.tsv", put_half, "half", &err), -ENOENT);
	tempdir_remove(dir);
}

static void directories_are_made_with_those_above(void **state)
{
	char *dir = tempdir_new(), *deep = tempdir_file(dir, "a/b//c/");
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(fplot_make_dir(deep, &err), 0);
	assert_true(is_there(dir, "a/b/c"));
	assert_int_equal(fplot_make_dir(deep, &err), 0);
	put_file(dir, "file", "", 0600);
	free(deep);
	deep = tempdir_file(dir, "file");
	assert_int_equal(fplot_make_dir(deep, &err), -ENOTDIR);
	free(deep);
	deep = tempdir_file(dir, "file/below");
	assert_int_equal(fplot_make_dir(deep, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "cannot make"));
	free(deep);
	tempdir_remove(dir);
}

/* Runs fplot_render() with this gnuplot, a shell script, as the only program there is. */
static int render_with(const char *script, const char *dir, struct fcap_err *err)
{
	char *bin = tempdir_new(), *path = own(getenv("PATH"));
	int e;

	if (script)
		put_file(bin, "gnuplot", script, 0700);
	assert_int_equal(setenv("PATH", bin, 1), 0);
	e = fplot_render(dir, "share", FPLOT_SVG | FPLOT_PNG, err);
	assert_int_equal(setenv("PATH", path, 1), 0);
	free(path);
	tempdir_remove(bin);
	return e;
}

static void without_gnuplot_old_images_go_and_the_error_says_so(void **state)
{
	char *dir = tempdir_new();
	struct fcap_err err = { 0 };

	(void)state;
	put_file(dir, "share.svg", "old", 0600);
	put_file(dir, "share.pdf", "not asked for", 0600);
	put_file(dir, "share.gp", "script", 0600);
	assert_int_equal(render_with(NULL, dir, &err), -ENOENT);
	assert_non_null(strstr(err.text, "gnuplot: not found"));
	assert_false(is_there(dir, "share.svg"));
	assert_true(is_there(dir, "share.pdf"));
	assert_true(is_there(dir, "share.gp"));
	tempdir_remove(dir);
}

static void gnuplot_runs_in_the_directory_with_the_script(void **state)
{
	char *dir = tempdir_new();
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(render_with("#!/bin/sh\necho \"$*\" >share.svg\n", dir, &err), 0);
	assert_content(dir, "share.svg", "-d share.gp\n");
	tempdir_remove(dir);
}

static void what_gnuplot_says_is_in_the_error_and_no_image_is_left(void **state)
{
	char *dir = tempdir_new();
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(render_with("#!/bin/sh\n"
				     "echo half >share.png\n"
				     "echo first >&2\n"
				     "echo '\"share.gp\" line 3: unknown terminal' >&2\n"
				     "echo >&2\n"
				     "exit 1\n",
				     dir, &err),
			 -EIO);
	assert_string_equal(err.text, "gnuplot: \"share.gp\" line 3: unknown terminal");
	assert_false(is_there(dir, "share.png"));
	assert_int_equal(render_with("#!/bin/sh\nexit 1\n", dir, &err), -EIO);
	assert_string_equal(err.text, "gnuplot: it failed without a word");
	assert_int_equal(render_with("#!/bin/sh\nkill -9 $$\n", dir, &err), -EIO);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_backslashes_and_percents_reach_the_legend_as_they_are),
		cmocka_unit_test(control_characters_become_their_numbers),
		cmocka_unit_test(utf8_stays_and_what_is_none_becomes_numbers),
		cmocka_unit_test(long_names_lose_their_middle),
		cmocka_unit_test(chosen_characters_become_numbers_too),
		cmocka_unit_test(lists_of_formats_are_read),
		cmocka_unit_test(a_file_that_fails_leaves_the_one_before),
		cmocka_unit_test(directories_are_made_with_those_above),
		cmocka_unit_test(without_gnuplot_old_images_go_and_the_error_says_so),
		cmocka_unit_test(gnuplot_runs_in_the_directory_with_the_script),
		cmocka_unit_test(what_gnuplot_says_is_in_the_error_and_no_image_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
