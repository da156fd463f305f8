// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text.c, words.c, table.c, print.c: what a person reads. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "analyze/report/print.h"
#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/words.h"
#include "tests/unit/report_sample.h"
#include "tests/unit/text_of.h"

static void assert_text_has(const struct fan_report *r, const char *part)
{
	char *text = text_of(r);

	if (!strstr(text, part))
		print_message("missing: %s\nin:\n%s", part, text);
	assert_non_null(strstr(text, part));
	free(text);
}

static void assert_text_begins(const struct fan_report *r, const char *part)
{
	char *text = text_of(r);

	text[strlen(text) < strlen(part) ? strlen(text) : strlen(part)] = '\0';
	assert_string_equal(text, part);
	free(text);
}

static struct fan_r_group *group_of(struct fan_report *r, size_t i)
{
	assert_true(i < r->groups.n);
	return (struct fan_r_group *)r->groups.items + i;
}

static const char sample_text[] =
	"vm1 got 9.2 % of the VMs' CPU time where 10.0 % was due: no verdict (fewer than\n"
	"20 windows).\n"
	"Of the 2 VMs: 1 without a verdict, 1 fair.\n"
	"\n"
	"Groups: share of all groups' CPU time; off by: share minus due, in points\n"
	"name  vCPUs  weight  share %  due %  off by   +/-  verdict\n"
	"vm2       1    9000    90.81  90.00   +0.81  0.48  fair *\n"
	"vm1       -       -      9.2   10.0    -0.8     -  -\n"
	"vm2: * indicative: one run\n"
	"vm1: no interval, so no verdict: fewer than 20 windows\n"
	"vm2: share from 90.81 to 90.82 % with all unknown time against and for it\n"
	"\n"
	"Time: run on a CPU, wait for one, blocked (asleep), unknown (lost from view);\n"
	"summed over threads\n"
	"name      run  by vCPUs      wait   blocked  unknown\n"
	"vm2   108.0 s   27.00 s  812.3 ms  1.500 us   999 ns\n"
	"vm1         -         -         -         -        -\n"
	"\n"
	"Steal: how long vCPU threads waited; compared: that part of it for which the\n"
	"kernel's counter can be compared\n"
	"name    waited  compared   counter  residual %   intervals  closure\n"
	"vm2   812.3 ms  800.3 ms  800.0 ms      +0.043  298 of 300  closed\n"
	"vm1          -         -         -           -           -  none\n"
	"closed: the waits in the trace add up to the kernel's own counter\n"
	"none: the trace holds no samples of the counter; record it with fcap\n"
	"\n"
	"Threads of vm2 (arrivals: times it got onto a CPU)\n"
	"tid  name                   vCPU      run      wait  blocked  unknown  arrivals\n"
	"901  CPU 0/KVM                 0  27.00 s  812.3 ms      0 s        -      4242\n"
	"902  w\\xFF\\x1B[31m\\xC3\\xA9     -  27.00 s  812.3 ms      0 s        -      4242\n"
	"\n"
	"Threads of vm1 (arrivals: times it got onto a CPU)\n"
	"tid  name       vCPU      run      wait  blocked  arrivals\n"
	"801  CPU 0/KVM     0  27.00 s  812.3 ms      0 s      4242\n"
	"\n"
	"Quality: ok\n"
	"  1234567 events, lost: 0, gaps: 2, conflicts: 0\n"
	"  CPU time that no thread could be given: 1.500 ms (0.100 %)\n"
	"  - no kvm events\n"
	"\n"
	"How it was computed\n"
	"  times    over the whole period, 0 s to 30.00 s\n"
	"  shares   over 285 windows of 100.0 ms between 1.000 s and 29.50 s, while all\n"
	"           groups ran; 5.0 % of the period is cut off\n"
	"  due      static weights: nearest cgroup with a weight\n"
	"  +/-      half of the 95 % interval within this run: pw-ewc, n = 285, df = 8\n"
	"           adjusted, like the verdict, for 2 comparisons\n"
	"  margin   3 points\n"
	"  trace    t.dat\n"
	"  label    core_sched=on\n"
	"  label    rig=desk\n"
	"  host     4 CPUs on 2 cores, SMT on, 0.50 vCPUs a CPU\n"
	"  kernel   6.12.1, clock mono\n"
	"  by       fanalyze 0.1: fanalyze report t.dat\n";

static void the_sample_reads_as_written_down_here(void **state)
{
	struct fan_report r;
	char *text;

	(void)state;
	sample_make(&r);
	text = text_of(&r);
	assert_string_equal(text, sample_text);
	free(text);
	fan_report_free(&r);
}

/* Gives vm1 the same standing as vm2: interval, word and margin, 0.8123 points short. */
static void judge_vm1(struct fan_report *r, const char *word)
{
	struct fan_r_group *g = group_of(r, 1);

	g->share = (struct fan_est){ 9.1877,	0.18,	  8.7677, 9.6077, NAN, NAN, 1, 0.95,
				     "percent", "pw-ewc", 285,	  8,	  0,   120, 0 };
	g->deviation = group_of(r, 0)->deviation;
	g->deviation.value = -0.8123;
	g->deviation.lo_adj = -1.2923;
	g->deviation.hi_adj = -0.3323;
	fan_strs_free(&g->verdict.reasons);
	assert_int_equal(fan_strs_add(&g->verdict.reasons, "one run"), 0);
	g->verdict.word = word;
	g->verdict.indicative = true;
	g->verdict.margin = 3;
}

static void the_answer_names_the_group_that_is_short_of_its_due(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	judge_vm1(&r, "fair");
	assert_text_begins(&r, "vm1 got 9.19 % of the VMs' CPU time where 10.00 % was due: fair "
			       "within 3 points\n(indicative).\n\nGroups");
	assert_text_has(&r, "\nall: * indicative: one run\n");
	fan_report_free(&r);
}

static void the_weightiest_verdict_comes_first_and_all_are_counted(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	judge_vm1(&r, "inconclusive");
	assert_text_begins(&r, "vm1 got 9.19 % of the VMs' CPU time where 10.00 % was due: "
			       "inconclusive at a\nmargin of 3 points (indicative).\n"
			       "Of the 2 VMs: 1 inconclusive, 1 fair.\n");
	group_of(&r, 0)->verdict.word = "unfair";
	group_of(&r, 0)->verdict.indicative = false;
	fan_strs_free(&group_of(&r, 0)->verdict.reasons);
	assert_text_begins(&r,
			   "vm2 got 90.81 % of the VMs' CPU time where 90.00 % was due: unfair "
			   "by more than\n3 points.\nOf the 2 VMs: 1 unfair, 1 inconclusive.\n");
	free(group_of(&r, 0)->kind);
	group_of(&r, 0)->kind = own("cgroup");
	assert_text_begins(&r, "vm2 got 90.81 % of the groups' CPU time");
	fan_report_free(&r);
}

static void share_bounds_are_told_only_where_they_differ_in_print(void **state)
{
	struct fan_report r;
	char *text;

	(void)state;
	sample_make(&r);
	assert_text_has(&r, "vm2: share from 90.81 to 90.82 %");
	group_of(&r, 0)->share_bounds.hi = 90.814;
	text = text_of(&r);
	assert_null(strstr(text, "share from"));
	free(text);
	fan_report_free(&r);
}

static void without_an_answer_the_text_says_why(void **state)
{
	struct fan_report r, none;

	(void)state;
	sample_make(&r);
	free(r.quality.verdict);
	r.quality.verdict = own("cannot_tell");
	assert_text_begins(&r, "No answer: too much of the trace is lost or unknown");
	fan_report_free(&r);

	fan_tree_init(&r, &fan_report_table);
	sample_vm1(&r);
	assert_text_begins(&r, "No answer: vm1 is the only group, so nothing was shared.\n");
	fan_report_free(&r);

	fan_tree_init(&none, &fan_report_table);
	assert_text_begins(&none, "No answer: the trace shows no group of threads to judge.\n\n"
				  "Quality: -\n");
}

static void flags_are_told_in_words_and_unknown_ones_as_they_are(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	judge_vm1(&r, "fair");
	free(r.quality.verdict);
	r.quality.verdict = own("degraded");
	assert_int_equal(fan_strs_add(&r.flags, "short_overlap"), 0);
	assert_int_equal(fan_strs_add(&r.flags, "new_flag"), 0);
	assert_int_equal(fan_strs_add(&group_of(&r, 1)->flags, "vm_identity_unknown"), 0);
	assert_text_has(&r, ".\nThe trace is degraded (see Quality below).\n"
			    "- all groups ran together for less than half of the time\n"
			    "- new_flag\n");
	assert_text_has(&r, "\nvm1: * indicative: one run; the trace does not say which vCPUs are "
			    "one VM\n");
	fan_report_free(&r);
}

static void what_does_not_exist_is_a_dash_and_an_uncounted_loss_is_said(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	r.quality.lost = FAN_NONE;
	group_of(&r, 1)->expected_pct = NAN;
	group_of(&r, 1)->share.value = NAN;
	assert_text_begins(
		&r, "vm1 got an unknown part of the VMs' CPU time; what was due is not known: ");
	assert_text_has(&r, "1234567 events, lost: an unknown number, gaps: 2");
	fan_report_free(&r);
}

static void of_plain_processes_no_vcpus_are_told(void **state)
{
	struct fan_report r;

	(void)state;
	sample_make(&r);
	for (size_t i = 0; i < r.groups.n; i++)
		group_of(&r, i)->vcpus = 0;
	assert_text_has(&r, "name  weight  share %");
	assert_text_has(&r, "tid  name                       run  ");
	fan_report_free(&r);
}

static void long_lists_are_cut_and_what_is_cut_is_counted(void **state)
{
	struct fan_report r;
	char *text, *at;
	size_t rows = 0;

	(void)state;
	sample_make(&r);
	for (int64_t tid = 1000; tid < 1030; tid++)
		sample_thread(group_of(&r, 1), tid, "worker", FAN_NONE);
	((struct fan_r_thread *)group_of(&r, 1)->threads.items)->unsplit_ns = 5;
	text = text_of(&r);
	for (at = text; (at = strstr(at, "worker")); at++)
		rows++;
	/* vm1 has its vCPU and 30 workers: 20 rows, of which the first is the vCPU */
	assert_int_equal(rows, 19);
	assert_non_null(strstr(text, "\nand 11 more threads, all of them in the JSON report\n"));
	assert_non_null(strstr(text, "unsplit time of single threads is in the JSON report\n"));
	free(text);
	for (size_t i = 0; i < 19; i++)
		sample_vm1(&r);
	assert_text_has(&r, "\nThe threads of 1 more groups are in the JSON report.\n");
	fan_report_free(&r);
}

static void make_wide(struct fan_report *r)
{
	struct fan_r_group *g = group_of(r, 0);
	struct fan_r_thread *t = g->threads.items;

	judge_vm1(r, "inconclusive");
	free(g->name);
	g->name = own("eightcol");
	g->vcpus = 512;
	g->weight = 262144;
	g->cap_cpus = 511.5;
	/* half-widths of 0.012 and 0.014: three decimals */
	g->share.lo = g->share.value - 0.012;
	g->share.hi = g->share.value + 0.012;
	g->deviation.lo_adj = g->deviation.value - 0.014;
	g->deviation.hi_adj = g->deviation.value + 0.014;
	g->verdict.word = "inconclusive";
	g->run_ns = g->vcpu_run_ns = g->wait_ns = g->blocked_ns = g->unsplit_ns = g->unknown_ns =
		123456 * S;
	g->steal.trace_ns = g->steal.counter_ns = 123456 * S;
	g->steal.compared_trace_ns = g->steal.compared_counter_ns = 123456 * S;
	g->steal.residual_pct = -99.999;
	g->steal.intervals = g->steal.comparable_intervals = 86400;
	g->steal.arrivals = 99999999;
	free(g->steal.closure);
	g->steal.closure = own("too_few");
	t->tid = 4194304;
	free(t->name);
	t->name = own("fifteen-letters");
	free(t[1].name);
	t[1].name = own("x");
	t->run_ns = t->wait_ns = t->blocked_ns = t->unknown_ns = 123456 * S;
	t->arrivals = 99999999;
	for (int i = 0; i < 9; i++)
		assert_int_equal(fan_strs_add(&g->verdict.reasons, "reason number %d", i), 0);
	assert_int_equal(fan_strs_add(&r->flags, "not_contended"), 0);
	assert_int_equal(
		fan_strs_add(&r->quality.notes, "%s",
			     "this note has many words and goes on and on, so that it has to be "
			     "broken before it comes to its end, which is here"),
		0);
}

static void lines_are_80_columns_at_most_and_end_without_blanks(void **state)
{
	struct fan_report r;
	char *text;
	size_t lines = 0;

	(void)state;
	sample_make(&r);
	make_wide(&r);
	text = text_of(&r);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
		if (end - line > 80)
			print_message("too long: %.*s\n", (int)(end - line), line);
		assert_true(end - line <= 80);
		assert_true(end == line || end[-1] != ' ');
	}
	assert_true(lines > 50);
	assert_non_null(strstr(text, "0.014  inconclusive *\n"));
	assert_non_null(strstr(text, "\n    before it comes to its end, which is here\n"));
	free(text);
	fan_report_free(&r);
}

static void no_byte_of_a_name_reaches_the_terminal_unescaped(void **state)
{
	struct fan_report r;
	char *text, *all = malloc(256);

	(void)state;
	assert_non_null(all);
	for (int c = 1; c < 256; c++)
		all[c - 1] = (char)c;
	all[255] = '\0';
	sample_make(&r);
	free(group_of(&r, 0)->name);
	group_of(&r, 0)->name = all;
	free(r.source.file);
	r.source.file = own(all);
	assert_int_equal(fan_strs_add(&r.quality.notes, "%s", all), 0);
	text = text_of(&r);
	for (const char *s = text; *s; s++)
		assert_true(*s == '\n' || (*s >= ' ' && *s <= '~'));
	assert_non_null(strstr(text, "\\x1B"));
	free(text);
	fan_report_free(&r);
}

static void times_have_four_digits_and_the_unit_that_fits(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} want[] = {
		{ FAN_NONE, "-" },
		{ 0, "0 s" },
		{ 999, "999 ns" },
		{ 1000, "1.000 us" },
		{ 999949, "999.9 us" },
		{ 999950, "1.000 ms" },
		{ 9999400, "9.999 ms" },
		{ 9999600, "10.00 ms" },
		{ 99996000, "100.0 ms" },
		{ 12345678901, "12.35 s" },
		{ 999960000000, "1000 s" },
		{ -1500000000, "-1.500 s" },
		{ INT64_MAX, "9223372037 s" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_string_equal(fan_format_ns(want[i].ns).text, want[i].text);
}

static void numbers_are_rounded_by_their_half_width(void **state)
{
	static const struct {
		double value, lo, hi;
		int decimals;
		const char *half;
	} want[] = {
		{ 50, 38, 62, 0, "12" },	   { 50, 40.51, 59.49, 1, "9.5" },
		{ 50, 40.4, 59.6, 0, "10" },	   { 50, 49.58, 50.42, 2, "0.42" },
		{ 50, 49.96, 50.04, 3, "0.040" },  { 50, 49.9999, 50.0001, 3, "<0.001" },
		{ 0.3, 0, 0.9, 2, "-0.30/+0.60" }, { 50, NAN, NAN, 1, "-" },
		{ NAN, NAN, NAN, 1, "-" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct fan_interval in = { want[i].lo, want[i].hi };

		assert_int_equal(fan_interval_decimals(want[i].value, in), want[i].decimals);
		assert_string_equal(fan_format_half(want[i].value, in).text, want[i].half);
	}
	assert_string_equal(fan_format_real(-0.04, 1, true).text, "0.0");
	assert_string_equal(fan_format_real(-0.06, 1, true).text, "-0.1");
	assert_string_equal(fan_format_real(0.06, 1, true).text, "+0.1");
	assert_string_equal(fan_format_real(NAN, 1, true).text, "-");
}

static void the_adjusted_interval_wins_where_there_is_one(void **state)
{
	struct fan_est est;

	(void)state;
	fan_est_init(&est, "points", 0.95, 2);
	est.lo = 1;
	est.hi = 4;
	assert_true(fan_interval_shown(&est).lo == 1 && fan_interval_shown(&est).hi == 4);
	est.lo_adj = 0;
	est.hi_adj = 5;
	assert_true(fan_interval_shown(&est).lo == 0 && fan_interval_shown(&est).hi == 5);
}

/* The words are a table by bit number; a new flag must not shift them. */
static void est_flags_have_their_own_words(void **state)
{
	char *words = fan_est_words(FAN_EST_ONE_RUN | FAN_EST_ZERO_TOTAL_WINDOWS |
				    FAN_EST_CI_NONE_CONSTANT);

	(void)state;
	assert_non_null(words);
	assert_string_equal(words, "zero variance, one run, windows without any work");
	free(words);
	words = fan_est_words(0);
	assert_non_null(words);
	assert_string_equal(words, "");
	free(words);
}

static void a_full_disk_is_an_error_with_a_sentence(void **state)
{
	struct fan_report r;
	struct fcap_err err = { 0 };
	FILE *f = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(f);
	sample_make(&r);
	assert_int_equal(fan_report_text(&r, f, &err), -ENOSPC);
	assert_int_equal(err.code, ENOSPC);
	assert_non_null(strstr(err.text, "cannot be written"));
	fclose(f);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sample_reads_as_written_down_here),
		cmocka_unit_test(the_answer_names_the_group_that_is_short_of_its_due),
		cmocka_unit_test(the_weightiest_verdict_comes_first_and_all_are_counted),
		cmocka_unit_test(share_bounds_are_told_only_where_they_differ_in_print),
		cmocka_unit_test(without_an_answer_the_text_says_why),
		cmocka_unit_test(flags_are_told_in_words_and_unknown_ones_as_they_are),
		cmocka_unit_test(what_does_not_exist_is_a_dash_and_an_uncounted_loss_is_said),
		cmocka_unit_test(of_plain_processes_no_vcpus_are_told),
		cmocka_unit_test(long_lists_are_cut_and_what_is_cut_is_counted),
		cmocka_unit_test(lines_are_80_columns_at_most_and_end_without_blanks),
		cmocka_unit_test(no_byte_of_a_name_reaches_the_terminal_unescaped),
		cmocka_unit_test(times_have_four_digits_and_the_unit_that_fits),
		cmocka_unit_test(numbers_are_rounded_by_their_half_width),
		cmocka_unit_test(the_adjusted_interval_wins_where_there_is_one),
		cmocka_unit_test(est_flags_have_their_own_words),
		cmocka_unit_test(a_full_disk_is_an_error_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
