// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_compare*: the page that a comparison is printed on. */
#include "tests/unit/compare_test.h"
#include "tests/unit/paper.h"

#include "analyze/report/text_compare.h"

#define PAGE_LINES 62

static char *page_of(const struct fan_compare *c)
{
	struct paper p;

	assert_int_equal(fan_compare_text(c, paper(&p), NULL), 0);
	return read_paper(&p);
}

static void assert_line(const char *text, const char *line)
{
	const size_t len = strlen(line);

	for (const char *at = strstr(text, line); at; at = strstr(at + 1, line))
		if ((at == text || at[-1] == '\n') && at[len] == '\n')
			return;
	fail_msg("no line \"%s\" in\n%s", line, text);
}

/* Lines, none of which may be wider than a terminal. */
static size_t count_lines(const char *text)
{
	size_t ret = 0;

	for (const char *at = text; *at; ret++) {
		const size_t len = strcspn(at, "\n");

		if (len > 80)
			fail_msg("%zu columns: %.*s", len, (int)len, at);
		at += len + (at[len] == '\n');
	}
	return ret;
}

/* All that a run can tell of a VM. */
static void fill_vm(struct fan_run *run, const char *vm, double size)
{
	struct fan_run_group *g = vm_of(run, vm);

	g->score = 1000 * size;
	assert_int_equal(fan_str_set(&g->unit, "score"), 0);
	g->cpus = size;
	g->share.value = 30 + size;
	g->expected_pct = 100.0 / 3;
	g->deviation.value = g->share.value - g->expected_pct;
	g->forced_idle_pct = size;
}

static void fill_run(struct fan_runs *runs, const char *config, int i, const char *const *vms,
		     size_t nvms)
{
	static const double noise[] = { 0.1, -0.2, 0.3, -0.1, 0.2, -0.3 };
	struct fan_run *run;
	char name[32];

	snprintf(name, sizeof(name), "%s-%d.json", config, i + 1);
	run = run_named(runs, config, name);
	run->start = 2 * i;
	run->forced_idle_pct = 5 + noise[i];
	run->isolation.judged_pct = 0.3 + noise[i] / 2;
	assert_int_equal(fan_str_set(&run->isolation.verdict, "isolated"), 0);
	for (size_t v = 0; v < nvms; v++)
		fill_vm(run, vms[v], 2 + 0.1 * (double)v + noise[(i + (int)v) % 6] / 10);
}

static void compare_six(struct fan_compare *c, const char *const *vms, size_t nvms)
{
	struct fan_runs runs;

	fan_runs_init(&runs);
	for (int i = 0; i < 6; i++) {
		fill_run(&runs, "off", i, vms, nvms);
		fill_run(&runs, "on", i, vms, nvms);
	}
	compare(c, &runs, &plain);
}

static void three_vms_and_two_configurations_fit_a_page(void **state)
{
	static const char *const vms[] = { "vm1", "vm2", "vm3" };
	struct fan_compare c;
	char *text;
	size_t lines;

	(void)state;
	compare_six(&c, vms, 3);
	text = page_of(&c);
	lines = count_lines(text);
	if (lines > PAGE_LINES)
		fail_msg("%zu lines:\n%s", lines, text);
	assert_non_null(strstr(text, "\nThroughput: score\n"));
	assert_non_null(strstr(text, "\nCPU time: CPU seconds a second\n"));
	assert_non_null(strstr(text, "\nEfficiency: throughput by CPU time\n"));
	assert_non_null(strstr(text, "\nFairness: share minus due, in points\n"));
	assert_non_null(strstr(text, "\nGap between VMs: score\n"));
	assert_non_null(strstr(text, "\nForced idle: "));
	assert_non_null(strstr(text, "\n  off: isolated in all runs; 0.30 % ["));
	free(text);
	fan_compare_free(&c);
}

/* Names that leave no room get a line of their own. */
static void long_names_stay_within_the_line(void **state)
{
	static const char *const vms[] = { "a-virtual-machine-of-the-first-customer",
					   "a-virtual-machine-of-the-second-customer" };
	struct fan_compare c;
	char *text;

	(void)state;
	compare_six(&c, vms, 2);
	text = page_of(&c);
	assert_true(count_lines(text) > 30);
	assert_line(text, "  a-virtual-machine-of-the-first-customer");
	free(text);
	fan_compare_free(&c);
}

/* Of nine VMs, v1 to v9, the score of v(k) grows by k %, all else being equal. */
static void of_many_vms_those_that_changed_most_are_shown(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	char name[8], *text;

	(void)state;
	fan_runs_init(&runs);
	for (int v = 1; v <= 9; v++) {
		snprintf(name, sizeof(name), "v%d", v);
		PUT(&runs, "off", name, 100, 100.5, 99.5);
		PUT(&runs, "on", name, 100 + v, 100.5 + v, 99.5 + v);
	}
	compare(&c, &runs, &plain);
	text = page_of(&c);
	count_lines(text);
	assert_null(strstr(text, "\n  v3 "));
	assert_non_null(strstr(text, "\n  v4 "));
	assert_non_null(strstr(text, "\n  v9 "));
	/* 900 and 945 in all */
	assert_non_null(strstr(text, "\n  total"));
	assert_line(text, "  and 3 that changed less");
	/* 36 pairs of which three are shown */
	assert_line(text, "  and 33 that changed less");
	assert_non_null(strstr(text, "too many VMs for this page; --all has"));
	free(text);
	fan_compare_free(&c);
}

/* 10 -> 12 and 20 -> 18: both sides, and what became of them: +20 and -10 %. */
static void a_row_has_both_sides_and_the_change(void **state)
{
	struct fan_compare c;
	struct fan_runs runs;
	char *text;

	(void)state;
	fan_runs_init(&runs);
	PUT(&runs, "off", "a", 10);
	PUT(&runs, "on", "a", 12);
	PUT(&runs, "off", "b", 20);
	PUT(&runs, "on", "b", 18);
	compare(&c, &runs, &plain);
	text = page_of(&c);
	assert_line(text, "                off       on   change  interval  verdict");
	assert_line(text, "  a           10.00    12.00  +20.0 %         -  -");
	assert_line(text, "  b           20.00    18.00  -10.0 %         -  -");
	assert_line(text, "  total       30.00    30.00    0.0 %         -  -");
	/* 10/20 and 12/18, and 4/3 of it */
	assert_line(text, "  a over b  -50.0 %  -33.3 %  +33.3 %         -  -");
	assert_line(text, "  on a: 12.00");
	free(text);
	fan_compare_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_vms_and_two_configurations_fit_a_page),
		cmocka_unit_test(long_names_stay_within_the_line),
		cmocka_unit_test(of_many_vms_those_that_changed_most_are_shown),
		cmocka_unit_test(a_row_has_both_sides_and_the_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
