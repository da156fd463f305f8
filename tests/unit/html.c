// SPDX-License-Identifier: GPL-3.0-or-later
/* plot/html*: the tables of the page of HTML, and the page itself. */
#include <errno.h>
#include <stdio.h>

#include "analyze/report/words.h"
#include "plot/html.h"
#include "plot/html_table.h"
#include "tests/unit/html_paper.h"
#include "tests/unit/report_sample.h"

static const struct fplot_words words = { .answer = "vm2 got <more>.\n- a & b\n",
					  .of_flag = fan_flag_words,
					  .of_closure = fan_closure_words,
					  .of_est = fan_est_words };

/* Two exits: off_cpu_ns is known of one, max_ns of none, p99_ns is 0 of both. */
static void make_exits(struct fan_array *exits)
{
	for (int i = 0; i < 2; i++) {
		struct fan_r_exit *e = fan_array_add(exits, &fan_exit_table);

		assert_non_null(e);
		e->reason = own(i ? "hlt" : "<io>");
		e->count = i + 1;
		e->p99_ns = 0;
		if (i)
			e->off_cpu_ns = 5;
	}
}

static void free_exits(struct fan_array *exits)
{
	struct fan_r_exit *e = exits->items;

	for (size_t i = 0; i < exits->n; i++)
		fan_tree_free(&e[i], &fan_exit_table);
	free(exits->items);
}

static void a_table_leaves_out_what_no_row_has(void **state)
{
	struct fan_array exits = { 0 };
	const struct fplot_table t = { .fields = &fan_exit_table, .items = &exits };
	struct fplot_out o = { .words = &words };
	struct paper p;
	char *got;

	(void)state;
	make_exits(&exits);
	paper(&p);
	o.f = p.f;
	fplot_html_table(&o, &t);
	assert_int_equal(o.e, 0);
	got = read_paper(&p);
	assert_has(got, "<tr><th scope=\"row\"><span>&lt;io&gt;</span></th><td class=\"n\">1</td>"
			"<td class=\"n\">" DASH "</td></tr>\n");
	assert_has(got, "<tr><th scope=\"row\"><span>hlt</span></th><td class=\"n\">2</td>"
			"<td class=\"n\">5 ns</td></tr>\n");
	assert_has(got, "<abbr title=\"Of that, not on a CPU: asleep or waiting.\">off cpu</abbr>");
	assert_has(got, "0 in all rows: p99.");
	assert_lacks(got, "p50");
	assert_lacks(got, "The longest");
	free(got);
	free_exits(&exits);
}

/* With fields of two exits a row each, and a column an exit. */
static void fields_are_told_with_what_they_mean(void **state)
{
	struct fan_array exits = { 0 };
	struct fplot_out o = { .words = &words };
	struct paper p;
	char *got;

	(void)state;
	make_exits(&exits);
	paper(&p);
	o.f = p.f;
	fplot_html_fields(&o, &fan_exit_table, &exits, 1);
	got = read_paper(&p);
	assert_has(got, "<th scope=\"row\">count<small>Number of exits that an entry followed."
			"</small></th><td>1</td></tr>");
	assert_has(got, "1 more: see the report as JSON");
	assert_lacks(got, "The longest");
	free(got);
	free_exits(&exits);
}

static void a_table_of_names_alone_is_none(void **state)
{
	struct fan_array exits = { 0 };
	struct fan_r_exit *e = fan_array_add(&exits, &fan_exit_table);
	const struct fplot_table t = { .fields = &fan_exit_table, .items = &exits };
	struct fplot_out o = { .words = &words };
	struct paper p;

	(void)state;
	assert_non_null(e);
	e->reason = own("hlt");
	paper(&p);
	o.f = p.f;
	fplot_html_table(&o, &t);
	assert_paper(&p, "");
	free_exits(&exits);
}

static void wait_for(struct fan_r_group *g, const char *name, int64_t ns)
{
	struct fan_r_amount *a = fan_array_add(&g->waited_for.groups, &fan_amount_table);

	assert_non_null(a);
	a->name = own(name);
	a->ns = ns;
}

/*
 * vm2 waited 30 for vm1 and 10 for itself: 75 and 25 %. Its neighbours' columns come in the order
 * of the rows, and what is in no row behind them: vm2, vm1, gone.
 */
static void parts_are_percent_of_their_row(void **state)
{
	static const struct fplot_column columns[] = {
		{ .path = "name" },
		{ .path = "waited_for.groups", .shown = FPLOT_PART },
		{ .path = "waited_for.self_ns", .head = "itself", .shown = FPLOT_PART },
	};
	struct fan_report r;
	struct fan_r_group *g;
	const struct fplot_table t = {
		.fields = &fan_group_table, .items = &r.groups, .columns = columns, .ncolumns = 3
	};
	struct fplot_out o = { .words = &words };
	struct paper p;
	char *got;

	(void)state;
	sample_make(&r);
	g = r.groups.items;
	wait_for(&g[0], "gone", 0);
	wait_for(&g[0], "vm1", 30);
	g[0].waited_for.self_ns = 10;
	wait_for(&g[1], "vm2", 7);
	wait_for(&g[1], "gone", 7);
	paper(&p);
	o.f = p.f;
	fplot_html_table(&o, &t);
	got = read_paper(&p);
	assert_has(got, ">vm2</abbr></th><th scope=\"col\" class=\"n\"><abbr title=\"Time in which "
			"another group held the CPU, by group.\">vm1</abbr></th>");
	assert_true(strstr(got, ">gone</abbr>") > strstr(got, ">vm1</abbr>"));
	assert_has(got,
		   "<tr><th scope=\"row\"><span>vm2</span></th><td class=\"n\">" DASH "</td>"
		   "<td class=\"n part\" style=\"--p:75.0%\" title=\"30 ns\">75.0</td>"
		   "<td class=\"n part\" style=\"--p:0.0%\" title=\"0 s\">0</td>"
		   "<td class=\"n part\" style=\"--p:25.0%\" title=\"10 ns\">25.0</td></tr>\n");
	free(got);
	fan_report_free(&r);
}

static void a_path_that_is_no_field_is_an_error(void **state)
{
	static const struct fplot_column columns[] = { { .path = "reason" },
						       { .path = "reason.no" } };
	struct fan_array exits = { 0 };
	const struct fplot_table t = {
		.fields = &fan_exit_table, .items = &exits, .columns = columns, .ncolumns = 2
	};
	struct fplot_out o = { .f = stdout, .words = &words };

	(void)state;
	fplot_html_table(&o, &t);
	assert_int_equal(o.e, -EINVAL);
}

/* The page of a report with these drawings; to be freed. */
static char *page_of(const struct fan_report *r, const struct fplot_drawings *drawings)
{
	const struct fplot_page page = { .report = r };
	const struct fplot_html html = { &page, &words, drawings };
	struct fcap_err err = { 0 };
	struct paper p;

	paper(&p);
	assert_int_equal(fplot_html_write(&html, p.f, &err), 0);
	return read_paper(&p);
}

static void the_page_begins_with_the_answer(void **state)
{
	const struct fplot_drawings none = { .n = 0 };
	struct fan_report r;
	char *got;

	(void)state;
	sample_make(&r);
	got = page_of(&r, &none);
	assert_has(got, "<p class=\"answer\">vm2 got &lt;more&gt;.</p>\n"
			"<ul class=\"notes\">\n<li>a &amp; b</li>\n</ul>\n");
	assert_true(strstr(got, "class=\"answer\"") < strstr(got, "<nav"));
	/* notes stand in front of the numbers that they are about */
	assert_true(strstr(got, "<li>no kvm events</li>") < strstr(got, "<nav"));
	assert_true(strstr(got, "<li>vm2: * indicative: one run</li>") <
		    strstr(got, "<td class=\"n\">9000</td>"));
	assert_has(got, "<li>vm1: no interval; no verdict: fewer than 20 windows</li>");
	assert_has(got, "<span class=\"word good\" title=\"one run\">fair*</span>");
	assert_has(got, "w\\xFF\\x1B[31m\xc3\xa9"); /* WEIRD_NAME */
	assert_has(got, "core_sched=on");
	free(got);
	fan_report_free(&r);
}

static void sections_without_content_are_left_out(void **state)
{
	const struct fplot_drawings none = { .n = 0 };
	struct fan_report r;
	char *got;

	(void)state;
	sample_make(&r);
	got = page_of(&r, &none);
	assert_has(got, "<a href=\"#shares\">Shares</a>");
	assert_has(got, "<section id=\"shares\">");
	assert_lacks(got, "#work");
	assert_lacks(got, "id=\"work\"");
	assert_lacks(got, "id=\"figures\"");
	free(got);
	fan_report_free(&r);
}

static void every_drawing_finds_a_place(void **state)
{
	char svg[] = "<svg id=\"a\"><use href=\"#a\"/></svg>", why[] = "there is <none>";
	const struct fplot_figure share = { .name = "share", .title = "Shares & more" };
	const struct fplot_figure novel = { .name = "novel", .title = "Something new" };
	const struct fplot_figure lag = { .name = "lag", .title = "Lag" };
	struct fplot_drawing items[] = { { &share, svg, NULL },
					 { &novel, svg, NULL },
					 { &lag, NULL, why } };
	const struct fplot_drawings drawings = { items, 3, NULL };
	struct fan_report r;
	char *got;

	(void)state;
	sample_make(&r);
	got = page_of(&r, &drawings);
	assert_has(got, "<figure id=\"figure-share\"><div class=\"paper\">\n<svg role=\"img\" "
			"aria-label=\"Shares &amp; more\" id=\"share-a\"><use "
			"href=\"#share-a\"/></svg></div>");
	assert_has(got, "<svg role=\"img\" aria-label=\"Something new\" id=\"novel-a\">");
	assert_true(strstr(got, "figure-novel") > strstr(got, "<h2>More figures</h2>"));
	assert_has(got, "\xE2\x80\x9CLag\xE2\x80\x9D: there is &lt;none&gt;.</p>");
	assert_lacks(got, "figure-lag");
	assert_lacks(got, "figures missing");
	free(got);
	fan_report_free(&r);
}

static void a_page_without_figures_says_why(void **state)
{
	char why[] = "no figures: gnuplot was not found";
	const struct fplot_drawings drawings = { NULL, 0, why };
	struct fan_report r;
	char *got;

	(void)state;
	sample_make(&r);
	got = page_of(&r, &drawings);
	assert_has(got, "missing: no figures: gnuplot was not found.</p>");
	free(got);
	fan_report_free(&r);
}

/* Nothing but what fan_tree_init() makes of it. */
static void an_empty_report_is_a_page(void **state)
{
	const struct fplot_drawings none = { .n = 0 };
	struct fan_report r;
	char *got;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	got = page_of(&r, &none);
	assert_has(got, "<h1>a trace</h1>");
	assert_has(got, "</html>\n");
	free(got);
	fan_report_free(&r);
}

static void a_full_disk_is_said(void **state)
{
	const struct fplot_drawings none = { .n = 0 };
	FILE *f = fopen("/dev/full", "w");
	struct fan_report r;
	const struct fplot_page page = { .report = &r };
	const struct fplot_html html = { &page, &words, &none };
	struct fcap_err err = { 0 };

	(void)state;
	assert_non_null(f);
	sample_make(&r);
	assert_int_equal(fplot_html_write(&html, f, &err), -ENOSPC);
	assert_has(err.text, "the page cannot be written: No space left");
	fclose(f);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_leaves_out_what_no_row_has),
		cmocka_unit_test(fields_are_told_with_what_they_mean),
		cmocka_unit_test(a_table_of_names_alone_is_none),
		cmocka_unit_test(parts_are_percent_of_their_row),
		cmocka_unit_test(a_path_that_is_no_field_is_an_error),
		cmocka_unit_test(the_page_begins_with_the_answer),
		cmocka_unit_test(sections_without_content_are_left_out),
		cmocka_unit_test(every_drawing_finds_a_place),
		cmocka_unit_test(a_page_without_figures_says_why),
		cmocka_unit_test(an_empty_report_is_a_page),
		cmocka_unit_test(a_full_disk_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
