// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/html_compare.c, analyze/html.c: the page of a comparison, also of scores alone. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/print.h"
#include "analyze/report/score_assemble.h"
#include "analyze/report/score_text.h"
#include "analyze/report/words.h"
#include "plot/html.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/html_paper.h"

static const struct fplot_words words = { .answer = "",
					  .of_flag = fan_flag_words,
					  .of_closure = fan_closure_words,
					  .of_est = fan_est_words,
					  .of_gap = fan_gap_title };

static char *page_of(const struct fan_compare *c)
{
	const struct fplot_page page = { .compare = c };
	const struct fplot_drawings none = { .n = 0 };
	const struct fplot_html html = { &page, &words, &none };
	struct fcap_err err = { 0 };
	struct paper p;

	if (fplot_html_write(&html, paper(&p), &err) < 0)
		fail_msg("%s", err.text);
	return read_paper(&p);
}

static void compare_scores(struct fan_compare *c, const char *table)
{
	const struct fan_score_options options = { .level = 0.95, .margin = 3, .command = "x" };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "scores.csv");
	struct fan_score_table t = { 0 };
	struct fcap_err err = { 0 };
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(table, f);
	assert_int_equal(fclose(f), 0);
	fan_tree_init(c, &fan_compare_table);
	if (fan_scores_read(&t, path, NULL, &err) < 0 || fan_scores_check(&t, &err) < 0 ||
	    fan_scores_assemble(c, &t, &options, &err) < 0)
		fail_msg("%s", err.text);
	fan_scores_free(&t);
	free(path);
	tempdir_remove(dir);
}

static const char runs[] = "run,config,vm,score\n"
			   "1,off,vm1,100\n1,off,vm2,90\n2,off,vm1,102\n2,off,vm2,91\n"
			   "3,on,vm1,80\n3,on,vm2,92\n4,on,vm1,82\n4,on,vm2,93\n";

static const char windows[] = "window,config,vm,share_pct,total\n"
			      "1,off,a,50,10\n2,off,a,51,11\n3,off,a,52,10\n4,off,a,50,12\n"
			      "1,on,a,60,10\n2,on,a,61,11\n3,on,a,62,10\n4,on,a,60,12\n";

static void a_gap_has_the_words_of_the_text_and_its_name(void **state)
{
	struct fan_compare c;
	char *got;

	(void)state;
	compare_scores(&c, runs);
	got = page_of(&c);
	assert_has(got, "<h3>Gap between VMs: what one has over the other "
			"<code>between_vm</code></h3>");
	assert_has(got, "<h3>Change of the score by core scheduling "
			"<code>coresched_change</code></h3>");
	assert_lacks(got, "between vm");
	assert_lacks(got, "coresched change");
	free(got);
	fan_compare_free(&c);
}

static void what_was_measured_is_said_in_words(void **state)
{
	struct fan_compare c;
	struct fan_c_gap *g;
	char *got;

	(void)state;
	compare_scores(&c, runs);
	g = c.gaps.items;
	assert_int_equal(fan_str_set(&g[0].of, "cpu_time"), 0);
	got = page_of(&c);
	assert_has(got, "<td>CPU time</td>");
	free(got);
	fan_compare_free(&c);
}

/* Scores tell nothing of cores. */
static void isolation_is_left_out_where_no_run_tells_of_it(void **state)
{
	struct fan_c_configuration *config;
	struct fan_compare c;
	char *got;

	(void)state;
	compare_scores(&c, runs);
	got = page_of(&c);
	assert_lacks(got, "id=\"isolation\"");
	free(got);
	config = c.configurations.items;
	assert_int_equal(fan_str_set(&config[0].isolation.word, "isolated"), 0);
	got = page_of(&c);
	assert_has(got, "id=\"isolation\"");
	free(got);
	fan_compare_free(&c);
}

static void windows_have_a_table_of_their_own(void **state)
{
	struct fan_compare c;
	char *got;

	(void)state;
	compare_scores(&c, windows);
	got = page_of(&c);
	assert_has(got, "<section id=\"windows\">");
	assert_has(got, "ess");
	free(got);
	fan_compare_free(&c);
	compare_scores(&c, runs);
	got = page_of(&c);
	assert_lacks(got, "id=\"windows\"");
	free(got);
	fan_compare_free(&c);
}

static char *answer_of(const struct fan_compare *c)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page), .is_raw = true };

	fan_print_scores_answer(c, &p);
	assert_int_equal(p.r, 0);
	return read_paper(&page);
}

/* A page begins with them as the text does: of windows, of a summary, of runs. */
static void scores_of_each_kind_have_an_answer(void **state)
{
	struct fan_compare c;
	char *got;

	(void)state;
	compare_scores(&c, windows);
	got = answer_of(&c);
	assert_has(got, "off (a): the measured group got ");
	assert_has(got, "on over off: the share of a changed by ");
	free(got);
	fan_compare_free(&c);
	compare_scores(&c, "config,gap_pct\noff,2\non,18\n");
	got = answer_of(&c);
	assert_string_equal(got, "No interval possible: summary only.\n"
				 "- off: a gap of 2 %, without the runs behind it\n"
				 "- on: a gap of 18 %, without the runs behind it\n");
	free(got);
	fan_compare_free(&c);
	compare_scores(&c, runs);
	got = answer_of(&c);
	assert_has(got, "on over off: ");
	free(got);
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_has_the_words_of_the_text_and_its_name),
		cmocka_unit_test(what_was_measured_is_said_in_words),
		cmocka_unit_test(isolation_is_left_out_where_no_run_tells_of_it),
		cmocka_unit_test(windows_have_a_table_of_their_own),
		cmocka_unit_test(scores_of_each_kind_have_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
