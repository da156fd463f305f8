// SPDX-License-Identifier: GPL-3.0-or-later
/* From score tables to the tree of a comparison. */
#include <errno.h>

#include "analyze/report/score_assemble.h"
#include "analyze/stats/gsl.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/stats_test.h"

#define SAMPLE_2015 "samples/scores-2015.csv"
#define SAMPLE_2021 "samples/scores-2021.csv"

static const struct fan_score_given nine_tenths = { NULL, 0.9 };

/* A table and what it came to; r is the first error. */
struct fixture {
	char *dir;
	struct fan_score_table table;
	struct fan_score_options options;
	struct fan_compare c;
	struct fcap_err err;
	int r;
};

static void begin(struct fixture *x)
{
	*x = (struct fixture){ .dir = tempdir_new(), .options = { .level = 0.95, .margin = 3 } };
	fan_tree_init(&x->c, &fan_compare_table);
}

static void end(struct fixture *x)
{
	fan_compare_free(&x->c);
	fan_scores_free(&x->table);
	tempdir_remove(x->dir);
}

static void assemble(struct fixture *x, const char *path)
{
	x->r = fan_scores_read(&x->table, path, NULL, &x->err);
	if (x->r == 0)
		x->r = fan_scores_check(&x->table, &x->err);
	if (x->r == 0)
		x->r = fan_scores_assemble(&x->c, &x->table, &x->options, &x->err);
}

static void assemble_text(struct fixture *x, const char *text)
{
	char *path = tempdir_file(x->dir, "t.log");
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_not_equal(fputs(text, f), EOF);
	assert_int_equal(fclose(f), 0);
	assemble(x, path);
	free(path);
}

/* The sample of 2015, with 90 % expected. */
static void begin_2015(struct fixture *x)
{
	begin(x);
	x->options.expected = &nine_tenths;
	x->options.nexpected = 1;
	assemble(x, SAMPLE_2015);
	if (x->r < 0)
		fail_msg("%s", x->err.text);
}

static const struct fan_c_configuration *config_at(const struct fixture *x, size_t i)
{
	assert_true(i < x->c.configurations.n);
	return (const struct fan_c_configuration *)x->c.configurations.items + i;
}

static const struct fan_c_group *group_at(const struct fixture *x, size_t config, size_t i)
{
	const struct fan_c_configuration *c = config_at(x, config);

	assert_true(i < c->groups.n);
	return (const struct fan_c_group *)c->groups.items + i;
}

static const struct fan_c_gap *gap_at(const struct fixture *x, size_t i)
{
	assert_true(i < x->c.gaps.n);
	return (const struct fan_c_gap *)x->c.gaps.items + i;
}

/* One row of expected.tsv, PREFIX and name. */
static double row(const char *prefix, const char *name)
{
	char id[64];

	snprintf(id, sizeof(id), "%s.%s", prefix, name);
	return expected(id);
}

static void assert_est(const struct fan_est *e, const char *prefix, const char *kind)
{
	char id[64];

	snprintf(id, sizeof(id), "%s.%s", prefix, kind);
	assert_near(e->value, row(id, "est"), 1e-10);
	assert_near(e->se, row(id, "se"), 1e-10);
	assert_near(e->lo, row(id, "lo"), 1e-10);
	assert_near(e->hi, row(id, "hi"), 1e-10);
}

static bool has_reason(const struct fan_verdict_text *v, const char *word)
{
	for (size_t i = 0; i < v->reasons.n; i++)
		if (strstr(v->reasons.items[i], word))
			return true;
	return false;
}

static bool has_note(const struct fixture *x, const char *words)
{
	for (size_t i = 0; i < x->c.notes.n; i++)
		if (strstr(x->c.notes.items[i], words))
			return true;
	return false;
}

static void the_table_of_2015_gives_the_reference_shares(void **state)
{
	static const char *const id[] = { "seed_vm1", "seed_vm2" };
	struct fixture x;

	(void)state;
	begin_2015(&x);
	assert_int_equal(x.c.configurations.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct fan_c_group *g = group_at(&x, i, 0);

		assert_est(&g->share, id[i], "ros");
		assert_est(&g->share_window_mean, id[i], "pw");
		assert_near(g->deviation.value, row(id[i], "deviation_ros"), 1e-10);
		/* the interval moves with the value: 90 was due */
		assert_near(g->deviation.lo, row(id[i], "ros.lo") - 90, 1e-10);
		assert_near(g->deviation.hi, row(id[i], "ros.hi") - 90, 1e-10);
		assert_near(config_at(&x, i)->jain.value, row(id[i], "jain_weighted"), 1e-10);
	}
	end(&x);
}

static void the_table_of_2015_gives_the_reference_looks(void **state)
{
	static const char *const id[] = { "seed_vm1", "seed_vm2" };
	struct fixture x;

	(void)state;
	begin_2015(&x);
	assert_int_equal(x.c.windows.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct fan_c_windows *w = (const struct fan_c_windows *)x.c.windows.items + i;

		assert_int_equal(w->n, (int64_t)row(id[i], "share.n"));
		assert_near(w->r1, row(id[i], "ros.r1"), 1e-10);
		assert_near(w->ess, row(id[i], "ros.ess"), 1e-10);
		assert_int_equal(w->zero_windows, (int64_t)row(id[i], "zero_windows"));
		assert_int_equal(w->unequal_windows, (int64_t)row(id[i], "irregular"));
		assert_near(w->shift, row(id[i], "sn.stat"), 1e-10);
		assert_int_equal(w->shift_at, (int64_t)row(id[i], "sn.k"));
		assert_near(w->median, row(id[i], "share.median"), 1e-10);
		assert_int_equal(w->outliers_mild, (int64_t)row(id[i], "share.tukey_mild"));
		assert_near(w->mean_abs.value, row(id[i], "mad_dev"), 1e-10);
		assert_near(w->rms.value, row(id[i], "rms_dev"), 1e-10);
		assert_est(&w->independent, id[i], "naive_t");
		/* 5 and 6 batches: too few for MSER-5 */
		assert_int_equal(w->warmup_windows, FAN_NONE);
		assert_true(isnan(w->share_without_warmup));
	}
	end(&x);
}

static void the_table_of_2015_gives_the_reference_change(void **state)
{
	const struct fan_c_gap *gap;
	struct fixture x;

	(void)state;
	begin_2015(&x);
	assert_int_equal(x.c.gaps.n, 1);
	gap = gap_at(&x, 0);
	assert_string_equal(gap->name, "share_change_pp");
	assert_string_equal(gap->a, "on");
	assert_string_equal(gap->b, "off");
	assert_string_equal(gap->per, "VM2 over VM1");
	assert_est(&gap->est, "seed_diff", "ros");
	assert_est(&gap->second, "seed_diff", "pw");
	assert_near(gap->p, row("seed_diff", "ros.p"), 1e-10);
	end(&x);
}

static void the_verdicts_of_2015_name_their_doubts(void **state)
{
	const struct fan_verdict_text *off, *on, *change;
	struct fixture x;

	(void)state;
	begin_2015(&x);
	off = &group_at(&x, 0, 0)->verdict;
	on = &group_at(&x, 1, 0)->verdict;
	change = &gap_at(&x, 0)->verdict;
	assert_string_equal(off->word, "off");
	assert_string_equal(on->word, "unfair");
	assert_string_equal(change->word, "material");
	assert_true(off->indicative && on->indicative && change->indicative);
	assert_true(has_reason(off, "one run") && has_reason(on, "one run"));
	assert_true(has_reason(off, "fewer than 120 windows"));
	assert_true(has_reason(off, "effective sample size below 10"));
	assert_false(has_reason(on, "effective sample size below 10"));
	assert_true(has_reason(on, "windows of unequal work"));
	assert_true(has_reason(change, "in a VM of its own"));
	assert_true(has_note(&x, "half a point too low"));
	assert_true(has_note(&x, "would give -58.2 to -45.9 points"));
	end(&x);
}

static void without_an_expectation_there_is_no_verdict_on_a_share(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assemble(&x, SAMPLE_2015);
	assert_int_equal(x.r, 0);
	assert_null(group_at(&x, 0, 0)->verdict.word);
	assert_true(has_reason(&group_at(&x, 0, 0)->verdict, "due is not known"));
	assert_true(isnan(group_at(&x, 0, 0)->deviation.value));
	assert_true(isnan(config_at(&x, 0)->jain.value));
	/* the change needs none */
	assert_string_equal(gap_at(&x, 0)->verdict.word, "material");
	end(&x);
}

/* Work of a: 30, 32, 30, ...; of b: 16, 15, 16, ...; 20 windows. */
static void write_work(char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "window,vm,score\n");

	for (int i = 0; i < 20; i++)
		at += (size_t)snprintf(text + at, size - at, "%d,a,%d\n%d,b,%d\n", i,
				       30 + 2 * (i % 2), i, 16 - i % 2);
}

static void work_becomes_shares_of_all_vms(void **state)
{
	struct fixture x;
	char text[1024];

	(void)state;
	write_work(text, sizeof(text));
	begin(&x);
	assemble_text(&x, text);
	assert_int_equal(x.r, 0);
	/* a did 10 (30 + 32) = 620, b 10 (16 + 15) = 310: two thirds, and 100 % more */
	assert_near(group_at(&x, 0, 0)->total, 620, 0);
	assert_near(group_at(&x, 0, 0)->share.value, 200.0 / 3, 1e-12);
	assert_near(group_at(&x, 0, 1)->share.value, 100.0 / 3, 1e-12);
	assert_int_equal(x.c.gaps.n, 1);
	assert_string_equal(gap_at(&x, 0)->name, "between_vm");
	assert_string_equal(gap_at(&x, 0)->a, "a");
	assert_string_equal(gap_at(&x, 0)->of, "work");
	assert_near(gap_at(&x, 0)->est.value, 100, 1e-12);
	assert_string_equal(gap_at(&x, 0)->verdict.word, "material");
	end(&x);
}

static void weights_say_what_was_due_and_the_gap_is_over_that(void **state)
{
	static const struct fan_score_given weights[] = { { "a", 2048 }, { "b", 1024 } };
	struct fixture x;
	char text[1024];

	(void)state;
	write_work(text, sizeof(text));
	begin(&x);
	x.options.weights = weights;
	x.options.nweights = 2;
	assemble_text(&x, text);
	assert_int_equal(x.r, 0);
	/* 2048 of 3072 is two thirds, which a got: all even */
	assert_near(group_at(&x, 0, 0)->expected_pct, 200.0 / 3, 1e-12);
	assert_true(fabs(group_at(&x, 0, 0)->deviation.value) < 1e-12);
	assert_string_equal(gap_at(&x, 0)->of, "work over due");
	assert_true(fabs(gap_at(&x, 0)->est.value) < 1e-9);
	assert_near(config_at(&x, 0)->jain.value, 1, 1e-12);
	end(&x);
}

/* 25 windows of 1 in 10, then 75 around 5 in 10 that alternate: in means of 5 the cut is after the
 * fifth batch; the windows left are 38 of 6 and 37 of 4: 376 of 750 (window 26 is even). */
static void a_warm_up_is_told_with_the_share_without_it(void **state)
{
	char text[4096] = "window,vm,share_pct,total\n";
	const struct fan_c_windows *w;
	size_t at = strlen(text);
	struct fixture x;

	(void)state;
	for (int i = 1; i <= 100; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%d,a,%d,10\n", i,
				       i <= 25 ? 10
				       : i % 2 ? 40
					       : 60);
	begin(&x);
	assemble_text(&x, text);
	assert_int_equal(x.r, 0);
	w = x.c.windows.items;
	assert_int_equal(w->warmup_windows, 25);
	assert_near(w->share_without_warmup, 37600.0 / 750, 1e-12);
	/* all: 25 + 376 of 1000 */
	assert_near(group_at(&x, 0, 0)->share.value, 40.1, 1e-12);
	end(&x);
}

static void options_that_do_not_fit_are_refused(void **state)
{
	static const struct fan_score_given one[] = { { "a", 1 } }, stranger[] = { { "z", 0.5 } };
	struct fixture x;
	char text[1024];

	(void)state;
	write_work(text, sizeof(text));
	begin(&x);
	x.options.weights = one;
	x.options.nweights = 1;
	assemble_text(&x, text);
	assert_int_equal(x.r, -EINVAL);
	assert_string_equal(x.err.text, "--weight: b has none; give one for each VM");
	end(&x);

	begin(&x);
	x.options.expected = stranger;
	x.options.nexpected = 1;
	assemble_text(&x, text);
	assert_int_equal(x.r, -EINVAL);
	assert_string_equal(x.err.text, "--expected z=...: no VM has this name");
	end(&x);

	begin(&x);
	x.options.baseline = "none";
	assemble(&x, SAMPLE_2015);
	assert_int_equal(x.r, -EINVAL);
	assert_string_equal(x.err.text, "--baseline none: no configuration has this name");
	end(&x);

	begin(&x);
	x.options.expected = &nine_tenths;
	x.options.nexpected = 1;
	assemble_text(&x, "run,vm,score\n1,a,3\n");
	assert_int_equal(x.r, -EINVAL);
	assert_non_null(strstr(x.err.text, "--expected is for windows"));
	end(&x);
}

/* 20 lines of the later form: 10 % and 90 % due, 12 % and 88 % got, but for the last two. */
static void the_later_lines_are_judged_by_what_they_tell_was_due(void **state)
{
	struct fixture x;
	char text[2048];
	size_t at = 0;

	(void)state;
	for (int i = 0; i < 18; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       " 12.0 (  2.0)   88.0 ( -2.0)  1000\n");
	snprintf(text + at, sizeof(text) - at,
		 " 13.0 (  3.0)   87.0 ( -3.0)  1000\n 11.0 (  1.0)   89.0 ( -1.0)  1000\n");
	begin(&x);
	assemble_text(&x, text);
	assert_int_equal(x.r, 0);
	assert_string_equal(group_at(&x, 0, 0)->name, "t/group1");
	/* 18 x 12 + 13 + 11 = 240 of 20 x 100 */
	assert_near(group_at(&x, 0, 0)->share.value, 12, 1e-12);
	assert_near(group_at(&x, 0, 0)->expected_pct, 10, 1e-12);
	assert_near(group_at(&x, 0, 1)->deviation.value, -2, 1e-12);
	/* x = 1.2 and 88/90: J = (x + y)^2/(2 (x^2 + y^2)) */
	assert_near(config_at(&x, 0)->jain.value,
		    (1.2 + 88 / 90.0) * (1.2 + 88 / 90.0) /
			    (2 * (1.2 * 1.2 + (88 / 90.0) * (88 / 90.0))),
		    1e-12);
	assert_int_equal(x.c.gaps.n, 0);
	end(&x);
}

static void a_summary_has_no_interval_and_says_what_is_needed(void **state)
{
	struct fixture x;

	(void)state;
	begin(&x);
	assemble(&x, SAMPLE_2021);
	assert_int_equal(x.r, 0);
	assert_int_equal(x.c.gaps.n, 2);
	assert_string_equal(gap_at(&x, 0)->config, "off");
	assert_near(gap_at(&x, 0)->est.value, 2, 0);
	assert_near(gap_at(&x, 1)->est.value, 18, 0);
	for (size_t i = 0; i < 2; i++) {
		assert_true(isnan(gap_at(&x, i)->est.lo));
		assert_null(gap_at(&x, i)->verdict.word);
		assert_true(has_reason(&gap_at(&x, i)->verdict, "ci_none:summary_only"));
	}
	/* sd of the log gap sqrt(2) ln 1.03 = 0.0418; sqrt(2/pi) of it is 0.03335: 3.4 %;
	 * 1.96 of it 0.0819: 8.5 % */
	assert_near(gap_at(&x, 0)->noise_floor,
		    100 * expm1(0.797884560802865 * sqrt(2) * log(1.03)), 1e-9);
	assert_true(has_note(&x, "one above 8.5 %"));
	assert_true(has_note(&x, "off: 2 % can come from nothing"));
	assert_true(has_note(&x, "on: 18 % is more than such noise"));
	/* ln(1.18/1.02)/0.0418 = 3.48 sd: less than the 4 runs of 3 sd in the table of the
	 * planning */
	assert_true(has_note(&x, "takes 3 runs"));
	end(&x);
}

/* The runs of tests/data/stats, of which stats_gaps.c has the references. */
static void scores_of_runs_are_compared(void **state)
{
	FILE *data = open_data("runs_scores.csv");
	char text[4096] = "config,run,vm,score\n", line[128];
	size_t at = strlen(text);
	struct fixture x;

	(void)state;
	assert_non_null(fgets(line, sizeof(line), data));
	while (fgets(line, sizeof(line), data)) {
		char config[8];
		int run, a, b;

		assert_int_equal(sscanf(line, "%7[^,],%d,%d,%d", config, &run, &a, &b), 4);
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s,%d,vm1,%d\n%s,%d,vm2,%d\n",
				       config, run, a, config, run, b);
	}
	fclose(data);
	begin(&x);
	assemble_text(&x, text);
	if (x.r < 0)
		fail_msg("%s", x.err.text);
	assert_int_equal(config_at(&x, 0)->runs, 10);
	assert_int_equal(config_at(&x, 1)->runs, 8);
	assert_string_equal(gap_at(&x, 0)->name, "between_vm");
	assert_string_equal(gap_at(&x, 0)->config, "off");
	/* 0.8 % [-0.4, 2.1] off, 22.5 % [15.7, 29.8] on */
	assert_near(gap_at(&x, 0)->est.value, 0.8, 0.03);
	assert_near(gap_at(&x, 0)->est.hi, 2.1, 0.03);
	assert_near(gap_at(&x, 1)->est.value, 22.5, 0.003);
	assert_near(gap_at(&x, 1)->est.lo, 15.7, 0.003);
	end(&x);
}

static void the_order_of_the_runs_is_what_its_column_says(void **state)
{
	struct fixture x;
	const struct fan_run *run;

	(void)state;
	begin(&x);
	assemble_text(&x, "config,run,order,vm,score\noff,1,1,a,10\noff,1,1,b,10\n"
			  "on,1,2,a,9\non,1,2,b,9\n");
	assert_int_equal(x.r, 0);
	assert_int_equal(x.c.runs.n, 2);
	run = x.c.runs.items;
	assert_near(run[0].start, 1, 0);
	assert_near(run[1].start, 2, 0);
	end(&x);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_of_2015_gives_the_reference_shares),
		cmocka_unit_test(the_table_of_2015_gives_the_reference_looks),
		cmocka_unit_test(the_table_of_2015_gives_the_reference_change),
		cmocka_unit_test(the_verdicts_of_2015_name_their_doubts),
		cmocka_unit_test(without_an_expectation_there_is_no_verdict_on_a_share),
		cmocka_unit_test(work_becomes_shares_of_all_vms),
		cmocka_unit_test(weights_say_what_was_due_and_the_gap_is_over_that),
		cmocka_unit_test(a_warm_up_is_told_with_the_share_without_it),
		cmocka_unit_test(options_that_do_not_fit_are_refused),
		cmocka_unit_test(the_later_lines_are_judged_by_what_they_tell_was_due),
		cmocka_unit_test(a_summary_has_no_interval_and_says_what_is_needed),
		cmocka_unit_test(scores_of_runs_are_compared),
		cmocka_unit_test(the_order_of_the_runs_is_what_its_column_says),
	};

	fan_stats_init();
	return cmocka_run_group_tests_name("scores", tests, NULL, NULL);
}
