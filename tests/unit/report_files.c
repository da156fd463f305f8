// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/report_files.c: reports and audits as CSV and LaTeX. */
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

#include <errno.h>
#include <stdio.h>

#include "analyze/report/report_files.h"

typedef int writer(const struct fan_report *r, FILE *f, struct fcap_err *err);

static char *text_of(writer *write, const struct fan_report *r)
{
	struct paper p;

	assert_int_equal(write(r, paper(&p), NULL), 0);
	return read_paper(&p);
}

/* The cell of a line (from 0) and column, of a table without quotes; to be freed. */
static char *cell(const char *csv, size_t line, size_t column)
{
	const char *end;

	for (; line > 0; line--)
		csv = strchr(csv, '\n') + 1;
	for (; column > 0; column--) {
		csv += strcspn(csv, ",\n");
		assert_true(*csv == ',');
		csv++;
	}
	end = csv + strcspn(csv, ",\n");
	return strndup(csv, (size_t)(end - csv));
}

static size_t columns(const char *csv, size_t line)
{
	size_t ret = 1;

	for (; line > 0; line--)
		csv = strchr(csv, '\n') + 1;
	for (; *csv != '\n'; csv++)
		ret += *csv == ',';
	return ret;
}

/* What stands in the column of this name. */
static void assert_cell(const char *csv, size_t line, const char *name, const char *want)
{
	for (size_t i = 0; i < columns(csv, 0); i++) {
		char *head = cell(csv, 0, i);
		const bool is_it = strcmp(head, name) == 0;

		free(head);
		if (is_it) {
			char *got = cell(csv, line, i);

			assert_string_equal(got, want);
			free(got);
			return;
		}
	}
	fail_msg("no column %s", name);
}

static void a_report_as_csv_has_a_row_for_each_group(void **state)
{
	struct fan_report r;
	char *csv;

	(void)state;
	sample_make(&r);
	csv = text_of(fan_report_csv, &r);
	assert_true(strchr(csv, '"') == NULL);
	assert_int_equal(columns(csv, 0), columns(csv, 1));
	assert_int_equal(columns(csv, 0), columns(csv, 2));
	assert_cell(csv, 1, "name", "vm2");
	assert_cell(csv, 1, "weight", "9000");
	assert_cell(csv, 1, "run_ns", "108000000000");
	assert_cell(csv, 1, "share.value", "90.812299999999993");
	assert_cell(csv, 1, "share.unit", "percent");
	assert_cell(csv, 1, "deviation.unit", "points");
	assert_cell(csv, 1, "deviation.m", "2");
	assert_cell(csv, 1, "verdict.word", "fair");
	assert_cell(csv, 1, "verdict.reasons", "one run");
	/* names tell units, once */
	assert_cell(csv, 1, "share_bounds.lo_pct", "90.810000000000002");
	assert_cell(csv, 1, "expected_pct", "90");
	assert_cell(csv, 1, "steal.counter_ns", "812000000");
	assert_cell(csv, 2, "lag_ns.final", "");
	/* what does not exist is empty */
	assert_cell(csv, 2, "name", "vm1");
	assert_cell(csv, 2, "tgid", "");
	assert_cell(csv, 2, "share.lo", "");
	assert_cell(csv, 2, "verdict.word", "");
	free(csv);
	fan_report_free(&r);
}

static void every_row_tells_where_it_is_from(void **state)
{
	struct fan_report r;
	char *csv;

	(void)state;
	sample_make(&r);
	csv = text_of(fan_report_csv, &r);
	for (size_t line = 1; line <= 2; line++) {
		assert_cell(csv, line, "source.file", "t.dat");
		assert_cell(csv, line, "source.kernel", "6.12.1");
		assert_cell(csv, line, "source.labels", "core_sched=on; rig=desk");
		assert_cell(csv, line, "tool.command", "fanalyze report t.dat");
		assert_cell(csv, line, "quality.verdict", "ok");
	}
	free(csv);
	fan_report_free(&r);
}

static void a_report_for_latex_is_the_table_of_the_text(void **state)
{
	struct fan_report r;
	char *tex;

	(void)state;
	sample_make(&r);
	tex = text_of(fan_report_tex, &r);
	assert_string_equal(
		tex, "% by fanalyze 0.1: fanalyze report t.dat\n"
		     "% trace t.dat, kernel 6.12.1, clock mono\n"
		     "% label core_sched=on\n"
		     "% label rig=desk\n"
		     "% host 4 CPUs, SMT on, CPU -\n"
		     "% quality ok\n"
		     "% 285 windows of 100.0 ms from 1.000 s to 29.50 s\n"
		     "% +/-: half of the 95 % interval, method pw-ewc, for 2 comparisons; margin 3 "
		     "points; * is indicative\n"
		     "% needs \\usepackage{booktabs}\n"
		     "% Shares of CPU time, in percent; off by: share minus due, in points\n"
		     "\\begin{tabular}{lrrrrrrl}\n"
		     "\\toprule\n"
		     "name & vCPUs & weight & share \\% & due \\% & off by & +/- & verdict \\\\\n"
		     "\\midrule\n"
		     "vm2 & 1 & 9000 & 90.81 & 90.00 & +0.81 & 0.48 & fair * \\\\\n"
		     "vm1 & - & - & 9.2 & 10.0 & $-$0.8 & - & - \\\\\n"
		     "\\bottomrule\n"
		     "\\end{tabular}\n");
	free(tex);
	fan_report_free(&r);
}

/* vm: 2 s of 8 s; guest: not known. */
static void add_levels(struct fan_report *r)
{
	struct fan_r_mixing *m = fan_array_add(&r->isolation.levels, &fan_mixing_table);
	struct fan_r_mixed_pair *pair = fan_array_add(&r->isolation.pairs, &fan_mixed_pair_table);

	assert_non_null(m);
	assert_non_null(pair);
	m->level = own("vm");
	m->co_run_ns = 8 * S;
	m->violation_ns = 2 * S;
	m->transition_ns = m->unresolved_ns = 0;
	m->judged_pct = 25;
	m->count = 12;
	m->longest_ns = 1500;
	m = fan_array_add(&r->isolation.levels, &fan_mixing_table);
	assert_non_null(m);
	m->level = own("guest");
	pair->a = own("vm1");
	pair->b = own("vm2");
	pair->total_ns = 2 * S;
	pair->count = 12;
	pair->longest_ns = 1500;
	pair->transition_ns = pair->unresolved_ns = 0;
	r->isolation.judged.co_run_ns = 8 * S;
	r->isolation.sentence = own("they shared cores");
}

static void an_audit_has_its_levels_and_pairs(void **state)
{
	struct fan_report r;
	char *csv, *tex;

	(void)state;
	sample_make(&r);
	add_levels(&r);
	csv = text_of(fan_audit_csv, &r);
	assert_cell(csv, 1, "level", "vm");
	assert_cell(csv, 1, "violation_ns", "2000000000");
	assert_cell(csv, 1, "judged_pct", "25");
	assert_cell(csv, 2, "level", "guest");
	assert_cell(csv, 2, "violation_ns", "");
	tex = text_of(fan_audit_tex, &r);
	assert_non_null(strstr(tex, "% they shared cores\n"));
	assert_non_null(strstr(tex, "\nvm & 8.000 s & 2.000 s & 12 & 1.500 us & 0 s & 0 s & 25.00 "
				    "\\\\\n\\bottomrule"));
	assert_non_null(strstr(tex, "\nvm1 & vm2 & 2.000 s & 12 & 1.500 us & 0 s & 0 s \\\\\n"));
	free(csv);
	free(tex);
	fan_report_free(&r);
}

static void an_audit_that_cannot_tell_has_no_table(void **state)
{
	struct fan_report r;
	char *csv, *tex;

	(void)state;
	sample_make(&r);
	r.isolation.sentence = own("cannot tell");
	tex = text_of(fan_audit_tex, &r);
	csv = text_of(fan_audit_csv, &r);
	assert_non_null(strstr(tex, "% cannot tell\n"));
	assert_null(strstr(tex, "tabular"));
	assert_string_equal(strchr(csv, '\n'), "\n");
	free(csv);
	free(tex);
	fan_report_free(&r);
}

static void a_report_without_groups_is_a_head_alone(void **state)
{
	struct fan_report r;
	char *csv, *tex;

	(void)state;
	fan_tree_init(&r, &fan_report_table);
	csv = text_of(fan_report_csv, &r);
	tex = text_of(fan_report_tex, &r);
	assert_string_equal(strchr(csv, '\n'), "\n");
	assert_non_null(strstr(tex, "\\midrule\n\\bottomrule"));
	free(csv);
	free(tex);
}

static void writers_tell_that_the_disk_is_full(void **state)
{
	writer *const all[] = { fan_report_csv, fan_report_tex, fan_audit_csv, fan_audit_tex };
	struct fan_report r;

	(void)state;
	sample_make(&r);
	add_levels(&r);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct fcap_err err = { 0 };
		FILE *f = fopen("/dev/full", "w");

		assert_non_null(f);
		assert_int_equal(all[i](&r, f, &err), -ENOSPC);
		fclose(f);
	}
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_as_csv_has_a_row_for_each_group),
		cmocka_unit_test(every_row_tells_where_it_is_from),
		cmocka_unit_test(a_report_for_latex_is_the_table_of_the_text),
		cmocka_unit_test(an_audit_has_its_levels_and_pairs),
		cmocka_unit_test(an_audit_that_cannot_tell_has_no_table),
		cmocka_unit_test(a_report_without_groups_is_a_head_alone),
		cmocka_unit_test(writers_tell_that_the_disk_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
