// SPDX-License-Identifier: GPL-3.0-or-later
/* A trace whose stamps are ticks of unknown length: counts are told, and no length of time. */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "analyze/analysis.h"
#include "analyze/report/json.h"
#include "analyze/report/text.h"
#include "tests/lib/kinds.h"
#include "tests/unit/paper.h"

static const struct tb_task a1 = { 101, "CPU 0/KVM", 0 }, b1 = { 201, "CPU 0/KVM", 0 };

/* Two VMs take turns on CPU 0, and tell why they leave their guests. */
static struct tb *two_vms(const struct tb_kind *kind, const char *clock)
{
	struct tb *tb = tb_new_kind(kind, 2);

	tb_set_clock(tb, clock);
	tb_fork(tb, tb_at(0, MODELLED_BASE), (struct tb_task){ 100, "vm1", 0 }, a1);
	tb_fork(tb, tb_at(0, MODELLED_BASE + 1), (struct tb_task){ 200, "vm2", 0 }, b1);
	for (uint64_t ms = 1; ms < 50; ms++) {
		const struct tb_task prev = ms == 1 ? tb_idle : ms % 2 ? b1 : a1;
		const struct tb_task next = ms % 2 ? a1 : b1;

		tb_switch(tb, at_ms(0, ms), prev, TB_R, next);
		tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + ms * MODELLED_MS + 1000, next.tid), 0);
		tb_kvm_exit(tb, tb_by(0, MODELLED_BASE + ms * MODELLED_MS + 9000, next.tid), 0, 12);
	}
	return tb;
}

static int analyse_for(struct tb *tb, struct fan_report *r, uint64_t from_ns, bool needs_time,
		       struct fcap_err *err)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fan_analysis a;
	int e;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	fan_analysis_init(&a, "fanalyze report x");
	a.model.from_ns = from_ns;
	a.needs_time = needs_time;
	e = fan_analyse(r, path, &a, err);
	fan_analysis_free(&a);
	free(path);
	tempdir_remove(dir);
	return e;
}

static int analyse(struct tb *tb, struct fan_report *r, uint64_t from_ns, struct fcap_err *err)
{
	return analyse_for(tb, r, from_ns, false, err);
}

static char *text_of(const struct fan_report *r,
		     int (*write)(const struct fan_report *r, FILE *f, struct fcap_err *err))
{
	struct paper p;

	assert_int_equal(write(r, paper(&p), NULL), 0);
	return read_paper(&p);
}

static int write_json(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	return fan_tree_json(r, &fan_report_table, f, err);
}

static void what_is_counted_is_told_and_what_takes_time_is_null(void **state)
{
	static const char *const clocks[] = { "x86-tsc", "ppc-tb", "counter", "uptime" };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		struct fcap_err err = { 0 };
		struct fan_report r;
		const struct fan_r_group *g;

		if (analyse(two_vms(*state, clocks[i]), &r, 0, &err) < 0)
			fail_msg("%s", err.text);
		assert_string_equal(r.source.clock, clocks[i]);
		assert_int_equal(r.quality.events, 2 + 3 * 49);
		assert_string_equal(r.quality.verdict, "cannot_tell");
		/* the reason names the clock */
		assert_int_equal(r.quality.notes.n, 1);
		assert_non_null(strstr(r.quality.notes.items[0], clocks[i]));
		assert_string_equal(r.flags.items[r.flags.n - 1], "no_time");
		assert_int_equal(r.groups.n, 2);
		g = r.groups.items;
		for (size_t k = 0; k < 2; k++) {
			assert_int_equal(g[k].vcpus, 1);
			assert_true(isnan(g[k].share.value) && isnan(g[k].expected_pct));
			assert_int_equal(g[k].run_ns, FAN_NONE);
			assert_int_equal(g[k].wait_ns, FAN_NONE);
			assert_int_equal(g[k].guest_ns, FAN_NONE);
			assert_null(g[k].verdict.word);
		}
		assert_int_equal(r.period.end_ns, FAN_NONE);
		assert_false(r.isolation.applicable);
		assert_string_equal(r.isolation.verdict.word, "cannot_tell");
		fan_report_free(&r);
	}
}

/* No number with a unit of time is anywhere in the page. */
static void no_page_holds_a_time(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_report r;
	char *text;

	if (analyse(two_vms(*state, "x86-tsc"), &r, 0, &err) < 0)
		fail_msg("%s", err.text);
	text = text_of(&r, fan_report_text);
	assert_non_null(strstr(text, "the stamps of the trace are no time"));
	assert_non_null(strstr(text, "no factor that turns its ticks"));
	for (const char *p = text; *p; p++)
		if (p > text && p[-1] >= '0' && p[-1] <= '9' &&
		    (strncmp(p, " ms", 3) == 0 || strncmp(p, " us", 3) == 0 ||
		     strncmp(p, " s ", 3) == 0 || strncmp(p, " ns", 3) == 0))
			fail_msg("a time in:\n%s", text);
	free(text);
	/* what the page of an audit begins with */
	assert_string_equal(r.isolation.sentence,
			    "cannot tell: the stamps of the trace are no time");
	text = text_of(&r, write_json);
	assert_null(strstr(text, "nan"));
	free(text);
	fan_report_free(&r);
}

static void a_part_of_it_cannot_be_asked_for(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_report r;

	assert_int_equal(analyse(two_vms(*state, "x86-tsc"), &r, 1000, &err), -EINVAL);
	assert_non_null(strstr(err.text, "--from"));
	fan_report_free(&r);
}

/* A series of what has no length. */
static void who_needs_time_is_refused_it(void **state)
{
	struct fcap_err err = { 0 };
	struct fan_report r;

	assert_int_equal(analyse_for(two_vms(*state, "x86-tsc"), &r, 0, true, &err), -EINVAL);
	assert_non_null(strstr(err.text, "x86-tsc"));
	fan_report_free(&r);
	if (analyse_for(two_vms(*state, "mono"), &r, 0, true, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_not_equal(r.groups.n, 0);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ALL_KINDS(what_is_counted_is_told_and_what_takes_time_is_null),
		IN_ALL_KINDS(no_page_holds_a_time),
		IN_ALL_KINDS(a_part_of_it_cannot_be_asked_for),
		IN_ALL_KINDS(who_needs_time_is_refused_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
