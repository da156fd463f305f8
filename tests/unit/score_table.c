// SPDX-License-Identifier: GPL-3.0-or-later
/* Score tables: what is read, and what is refused with its file and line. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/score_read.h"
#include "analyze/report/score_table.h"
#include "tests/lib/tempdir.h"

/* One table, read from texts, each a file of its own. */
struct fixture {
	char *dir;
	struct fan_score_table table;
	struct fcap_err err;
};

static void begin(struct fixture *x)
{
	*x = (struct fixture){ .dir = tempdir_new() };
}

static void end(struct fixture *x)
{
	fan_scores_free(&x->table);
	tempdir_remove(x->dir);
}

/* Reads these bytes as a file of this name. */
static int read_bytes(struct fixture *x, const char *name, const char *bytes, size_t n,
		      const char *config)
{
	char *path = tempdir_file(x->dir, name);
	FILE *f = fopen(path, "we");
	int r;

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	r = fan_scores_read(&x->table, path, config, &x->err);
	free(path);
	return r;
}

static int read_text(struct fixture *x, const char *name, const char *text)
{
	return read_bytes(x, name, text, strlen(text), NULL);
}

/* The file "t" is refused, at this line and with this word. */
static void assert_refused(const char *text, size_t line, const char *word)
{
	char where[64];
	struct fixture x;
	int r;

	begin(&x);
	r = read_text(&x, "t", text);
	if (r == 0)
		r = fan_scores_check(&x.table, &x.err);
	assert_int_equal(r, -EINVAL);
	if (line)
		snprintf(where, sizeof(where), "/t:%zu: ", line);
	else
		snprintf(where, sizeof(where), "/t: ");
	if (!strstr(x.err.text, where) || !strstr(x.err.text, word))
		fail_msg("\"%s\" does not tell of %s and %s", x.err.text, where, word);
	end(&x);
}

static const char *config_of(const struct fixture *x, size_t row)
{
	return fan_score_name(&x->table.configs, x->table.rows[row].config);
}

static const char *vm_of(const struct fixture *x, size_t row)
{
	return fan_score_name(&x->table.vms, x->table.rows[row].vm);
}

static void runs_are_sorted_by_configuration_run_and_vm(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_text(&x, "t",
				   "config,run,vm,score\non,1,a,5\noff,1,a,1\non,1,b,6\n"
				   "off,2,a,2.5\noff,1,b,0\n"),
			 0);
	assert_int_equal(fan_scores_check(&x.table, &x.err), 0);
	assert_int_equal(x.table.kind, FAN_SCORES_RUNS);
	assert_int_equal(x.table.n, 5);
	/* names by first appearance: on before off, run 1 before 2, a before b */
	assert_string_equal(config_of(&x, 0), "on");
	assert_string_equal(vm_of(&x, 1), "b");
	assert_true(x.table.rows[1].value == 6);
	assert_string_equal(config_of(&x, 2), "off");
	assert_string_equal(fan_score_name(&x.table.runs, x.table.rows[4].run), "2");
	assert_true(x.table.rows[4].value == 2.5);
	assert_int_equal(x.table.rows[4].line, 5);
	end(&x);
}

static void quotes_blanks_marks_comments_and_line_ends_are_understood(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_text(&x, "t",
				   "\xEF\xBB\xBF# from a spreadsheet\r\n\r\n"
				   "RUN, \"VM\" ,Score,remark\r\n"
				   "1,\"a \"\"b\"\", c\", 1e3 ,\"\"\r\n"
				   "# the second\r\n"
				   "2,d,7,x"),
			 0);
	assert_int_equal(x.table.n, 2);
	assert_string_equal(vm_of(&x, 0), "a \"b\", c");
	assert_true(x.table.rows[0].value == 1000);
	assert_string_equal(vm_of(&x, 1), "d");
	assert_int_equal(x.table.rows[1].line, 6);
	assert_int_equal(x.table.rows[1].config, -1);
	assert_int_equal(x.table.unused.n, 1);
	assert_string_equal(x.table.unused.items[0], "remark");
	end(&x);
}

static void tabs_separate_where_the_header_has_them(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_text(&x, "t", "run\tvm\tscore\n1\ta, b\t3\n"), 0);
	assert_string_equal(vm_of(&x, 0), "a, b");
	assert_true(x.table.rows[0].value == 3);
	end(&x);
}

static void a_configuration_may_come_from_outside(void **state)
{
	const char *text = "run,vm,score\n1,a,3\n";
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_bytes(&x, "off", text, strlen(text), "off"), 0);
	assert_int_equal(read_bytes(&x, "on", text, strlen(text), "on"), 0);
	assert_int_equal(fan_scores_check(&x.table, &x.err), 0);
	assert_string_equal(config_of(&x, 0), "off");
	assert_string_equal(config_of(&x, 1), "on");
	text = "run,vm,config,score\n1,a,x,3\n";
	assert_int_equal(read_bytes(&x, "t", text, strlen(text), "on"), -EINVAL);
	assert_non_null(strstr(x.err.text, "/t:1: the file has a column config"));
	end(&x);
}

static void the_lines_of_2015_are_whole_percents_of_a_total(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_text(&x, "guest 1.log",
				   "Creating new shared memory segment\n85% 29683\n0% 29520\n"
				   "Exiting...done\n"),
			 0);
	assert_int_equal(fan_scores_check(&x.table, &x.err), 0);
	assert_int_equal(x.table.kind, FAN_SCORES_SHARES);
	assert_int_equal(x.table.n, 2);
	assert_string_equal(vm_of(&x, 0), "guest 1");
	assert_true(x.table.rows[0].value == 85 && x.table.rows[0].total == 29683);
	assert_true(x.table.rows[1].value == 0 && x.table.rows[1].window == 2);
	assert_true(isnan(x.table.rows[0].expected_pct));
	assert_int_equal(x.table.notes, FAN_SCORES_WHOLE_PERCENT);
	end(&x);
}

/* With the colours that the program gives to deviations of 1.5, 3 and 10 points. */
static void the_later_lines_tell_each_group_and_what_was_due(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(
		read_text(&x, "g.log",
			  "  9.8 ( -0.2)   90.2 (  0.2)     29683\n"
			  "\033[31m\033[1m  0.0 \033[0m(\033[31m\033[1m-10.0\033[0m)  100.0 "
			  "(\033[31m\033[1m 10.0\033[0m)     29520\n"),
		0);
	assert_int_equal(fan_scores_check(&x.table, &x.err), 0);
	assert_int_equal(x.table.n, 4);
	/* by series: both windows of group1, then of group2 */
	assert_string_equal(vm_of(&x, 0), "g/group1");
	assert_true(x.table.rows[0].value == 9.8);
	assert_true(fabs(x.table.rows[0].expected_pct - 10) < 1e-12);
	assert_true(x.table.rows[1].value == 0 && x.table.rows[1].expected_pct == 10);
	assert_string_equal(vm_of(&x, 2), "g/group2");
	assert_true(x.table.rows[3].value == 100 && x.table.rows[3].total == 29520);
	assert_int_equal(x.table.notes, FAN_SCORES_DUE_TOLD);
	end(&x);
}

static void lines_that_differ_from_the_first_are_refused(void **state)
{
	(void)state;
	assert_refused("85% 29683\n85 29683\n", 2, "not a line like the first");
	assert_refused("85% 29683\n85% 29683 3\n", 2, "not a line like the first");
	assert_refused("85% 29683\n\n85%\n", 3, "not a line like the first");
	assert_refused("85% 29683\n 9.8 (-0.2) 90.2 (0.2) 29683\n", 2, "like the first");
	assert_refused(" 9.8 (-0.2) 90.2 (0.2) 29683\n 9.8 (-0.2) 29683\n", 2, "like the first");
	assert_refused("85% 0x10\n", 1, "header");
	assert_refused("101% 29683\n", 1, "a share of 101 %");
	assert_refused("85% -29683\n", 1, "below 0");
}

static void headers_without_what_is_needed_are_refused(void **state)
{
	(void)state;
	assert_refused("# nothing\n", 0, "no values");
	assert_refused("run,vm,score\n", 0, "no values");
	assert_refused("vm,score\na,1\n", 1, "neither run nor window");
	assert_refused("run,score\n1,1\n", 1, "does not name vm");
	assert_refused("run,vm\n1,a\n", 1, "neither score nor share_pct");
	assert_refused("run,window,vm,score\n1,1,a,1\n", 1, "both run and window");
	assert_refused("window,vm,score,share_pct\n1,a,1,1\n", 1, "both score and share_pct");
	assert_refused("run,vm,share_pct\n1,a,1\n", 1, "share_pct is for windows");
	assert_refused("run,vm,gap_pct\n1,a,1\n", 1, "summary");
	assert_refused("run,run,vm,score\n1,1,a,1\n", 1, "two columns");
}

static void values_that_are_not_there_or_no_numbers_are_refused(void **state)
{
	static const char *const missing[] = { "", " ", "-", "NA", "nan", "NULL" };
	static const char *const bad[] = { "3x", "inf", "0x", "1,5", "--1" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		snprintf(text, sizeof(text), "run,vm,score\n1,a,3\n\n2,a,%s\n", missing[i]);
		assert_refused(text, 4, "score is missing");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "run\tvm\tscore\n1\ta\t%s\n", bad[i]);
		assert_refused(text, 2, "is not a finite number");
	}
	assert_refused("run,vm,score\n1,a,-3\n", 2, "-3 is below 0");
	assert_refused("run,vm,score\n1,,3\n", 2, "name of the vm is missing");
	assert_refused("run,vm,score\n1,a\n", 2, "2 fields, but the header has 3");
	assert_refused("run,vm,score\n1,a,3,4\n", 2, "4 fields, but the header has 3");
	assert_refused("run,vm,score\n1,\"a,3\n", 2, "quote");
	assert_refused("run,vm,score\n1,\"a\"b,3\n", 2, "quote");
	assert_refused("window,vm,share_pct,total\n1,a,5,-1\n", 2, "total of -1");
	assert_refused("window,vm,share_pct,expected_pct\n1,a,5,101\n", 2, "expected share of 101");
}

static void doubles_and_windows_that_do_not_go_up_are_refused(void **state)
{
	(void)state;
	assert_refused("run,vm,score\n1,a,3\n2,a,3\n1,a,4\n", 4, "has a score of a already");
	assert_refused("window,vm,score\n1,a,3\n1,a,4\n", 3, "window 1 of a comes after window 1");
	assert_refused("window,vm,score\n2,a,3\n1,a,4\n", 3, "windows of one run go up");
	assert_refused("config,gap_pct\noff,2\noff,3\n", 3, "a second gap");
}

/* The work of a window is shared by all VMs: one that lacks it would make the others' shares. */
static void windows_of_work_are_those_of_all_vms(void **state)
{
	(void)state;
	assert_refused("window,vm,score\n1,a,3\n2,a,4\n1,b,3\n", 3, "window 2 of a");
	assert_refused("window,vm,score\n1,a,3\n1,b,3\n2,b,9\n", 4, "window 2 of b");
	assert_refused("window,vm,score\n1,a,3\n3,a,1\n2,b,9\n3,b,1\n", 2, "window 1 of a");
}

static void missing_windows_are_noted_up_to_a_twentieth(void **state)
{
	struct fixture x;
	char text[4096] = "window,vm,share_pct\n";
	size_t at = strlen(text);

	(void)state;
	/* 39 of 1 to 40 are there: one of 40 is missing, 2.5 % */
	for (int w = 1; w <= 40; w++)
		if (w != 7)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%d,a,50.5\n", w);
	begin(&x);
	assert_int_equal(read_text(&x, "t", text), 0);
	assert_int_equal(fan_scores_check(&x.table, &x.err), 0);
	assert_int_equal(x.table.notes, FAN_SCORES_MISSING | FAN_SCORES_NO_TOTAL);
	end(&x);
	/* one of 4 is missing: 25 % */
	assert_refused("window,vm,share_pct\n1,a,50\n2,a,50\n4,a,50\n", 4,
		       "1 of 4 windows of a are missing");
}

static void shares_beyond_their_bounds_by_rounding_are_clamped_and_noted(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(
		read_text(&x, "t", "window,vm,share_pct,total\n1,a,100.04,9\n2,a,-0.04,9\n"), 0);
	assert_true(x.table.rows[0].value == 100 && x.table.rows[1].value == 0);
	assert_true(x.table.notes & FAN_SCORES_CLAMPED);
	end(&x);
	assert_refused("window,vm,share_pct\n1,a,100.06\n", 2, "outside 0 to 100");
}

static void files_of_two_kinds_are_refused(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_text(&x, "a", "run,vm,score\n1,a,3\n"), 0);
	assert_int_equal(read_text(&x, "b", "85% 29683\n"), -EINVAL);
	assert_non_null(strstr(x.err.text, "/b:1: this holds windows of shares"));
	assert_non_null(strstr(x.err.text, "/a held scores of runs"));
	end(&x);
}

static void what_is_no_text_is_refused(void **state)
{
	static const char tracing[] = "\x17\x08\x44tracing6\0\0\1";
	char *longest = malloc(FAN_SCORE_LINE + 2);
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(read_bytes(&x, "trace.dat", tracing, sizeof(tracing), NULL), -EINVAL);
	assert_non_null(strstr(x.err.text, "/trace.dat:1: a NUL byte"));
	assert_non_null(longest);
	memset(longest, 'x', FAN_SCORE_LINE);
	assert_int_equal(read_bytes(&x, "long", longest, FAN_SCORE_LINE, NULL), -EINVAL);
	assert_non_null(strstr(x.err.text, "/long:1: longer than 65535 bytes"));
	free(longest);
	end(&x);
}

static void a_file_that_is_not_there_is_named(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assert_int_equal(fan_scores_read(&x.table, "/no/such/file", NULL, &x.err), -ENOENT);
	assert_string_equal(x.err.text, "/no/such/file: No such file or directory");
	end(&x);
}

static void names_are_limited_in_number(void **state)
{
	const size_t rows = FAN_SCORE_NAMES + 1;
	char *text = malloc(32 * rows);
	size_t at;
	struct fixture x;

	(void)state;
	assert_non_null(text);
	at = (size_t)snprintf(text, 32, "run,vm,score\n");
	for (size_t i = 0; i < rows; i++)
		at += (size_t)snprintf(text + at, 32, "r%zu,a,1\n", i);
	begin(&x);
	assert_int_equal(read_bytes(&x, "t", text, at, NULL), -EINVAL);
	assert_non_null(strstr(x.err.text, "/t:4098: more than 4096 different names of a run"));
	end(&x);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_sorted_by_configuration_run_and_vm),
		cmocka_unit_test(quotes_blanks_marks_comments_and_line_ends_are_understood),
		cmocka_unit_test(tabs_separate_where_the_header_has_them),
		cmocka_unit_test(a_configuration_may_come_from_outside),
		cmocka_unit_test(the_lines_of_2015_are_whole_percents_of_a_total),
		cmocka_unit_test(the_later_lines_tell_each_group_and_what_was_due),
		cmocka_unit_test(lines_that_differ_from_the_first_are_refused),
		cmocka_unit_test(headers_without_what_is_needed_are_refused),
		cmocka_unit_test(values_that_are_not_there_or_no_numbers_are_refused),
		cmocka_unit_test(doubles_and_windows_that_do_not_go_up_are_refused),
		cmocka_unit_test(windows_of_work_are_those_of_all_vms),
		cmocka_unit_test(missing_windows_are_noted_up_to_a_twentieth),
		cmocka_unit_test(shares_beyond_their_bounds_by_rounding_are_clamped_and_noted),
		cmocka_unit_test(files_of_two_kinds_are_refused),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_named),
		cmocka_unit_test(names_are_limited_in_number),
	};

	return cmocka_run_group_tests_name("score_table", tests, NULL, NULL);
}
