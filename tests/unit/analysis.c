// SPDX-License-Identifier: GPL-3.0-or-later
/* From a file to a report: which files are refused, in which words. */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <string.h>

#include "analyze/analysis.h"
#include "tests/lib/kinds.h"

static const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };

/* Writes tb, frees it, and reports on it up to to_ns (0: all). The error's code. */
static int analyse(struct tb *tb, uint64_t to_ns, struct fcap_err *err)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fan_analysis a;
	struct fan_report report;
	int r;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	fan_analysis_init(&a, "fanalyze report");
	a.model.to_ns = to_ns;
	r = fan_analyse(&report, path, &a, err);
	fan_report_free(&report);
	fan_analysis_free(&a);
	free(path);
	tempdir_remove(dir);
	return r;
}

static struct tb *without_switches(const struct tb_kind *kind)
{
	struct tb *tb = tb_new_kind(kind, 1);

	tb_kvm_entry(tb, tb_by(0, MODELLED_BASE, 101), 0);
	tb_wakeup(tb, at_ms(0, 10), vm1, 0);
	tb_wakeup(tb, at_ms(0, 20), vm1, 0);
	return tb;
}

static void assert_no_switches(struct tb *tb)
{
	struct fcap_err err = { 0 };

	assert_int_equal(analyse(tb, 0, &err), -EINVAL);
	if (!strstr(err.text, "no sched_switch events") || !strstr(err.text, "-e sched -e kvm"))
		fail_msg("\"%s\"", err.text);
}

/* trace-cmd writes the formats of all events, of those too that it did not record. */
static void a_trace_without_a_switch_is_refused_whether_it_has_the_format_or_not(void **state)
{
	struct tb *tb = without_switches(*state);

	assert_no_switches(tb);
	tb = without_switches(*state);
	tb_without_event(tb, "sched_switch");
	assert_no_switches(tb);
}

static void one_switch_is_enough_even_behind_the_analysed_part(void **state)
{
	struct fcap_err err = { 0 };
	struct tb *tb = without_switches(*state);

	tb_switch(tb, at_ms(0, 30), vm1, TB_S, tb_idle);
	if (analyse(tb, 0, &err) < 0)
		fail_msg("%s", err.text);
	tb = without_switches(*state);
	tb_switch(tb, at_ms(0, 30), vm1, TB_S, tb_idle);
	if (analyse(tb, 25 * MODELLED_MS, &err) < 0)
		fail_msg("%s", err.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ALL_KINDS(a_trace_without_a_switch_is_refused_whether_it_has_the_format_or_not),
		IN_ALL_KINDS(one_switch_is_enough_even_behind_the_analysed_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
