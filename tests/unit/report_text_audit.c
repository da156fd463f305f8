// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_audit.c and text_isolation.c: isolation as a person reads it. */
#include "tests/unit/audit_tree.h"

static void the_page_begins_with_the_answer(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	/* 2 + 1 of 10 s; 2 + 1 + 0.5; of the core's 10 s: 0.5, 5, 1, 3.5 */
	assert_page(
		&r,
		"Core scheduling is not acting: no cookies set.\n"
		"  Two vCPUs were on one core for 10.00 s, of different VMs for 30.00 % of that;\n"
		"  above 1 % is objected to.\n"
		"  Transitions included it was 35.00 %; by chance it would be 60.0 %.\n"
		"- no kvm_entry event\n"
		"\n"
		"vCPUs on one core, in core time\n"
		"between   co-run  violation  number   longest  unresolved  transition      %\n"
		"vm       10.00 s    2.000 s     250  30.00 ms     1.000 s    500.0 ms  30.00\n"
		"  vm: vCPUs of different VMs\n"
		"  co-run: two siblings or more ran vCPUs, whoever's\n"
		"  violation: one CPU of two had switched, and after that the other one entered\n"
		"    its guest again\n"
		"  transition: up to that moment, or until the other CPU switched too\n"
		"  unresolved: the other CPU did neither for longer than 50.00 us\n"
		"  %: violation and unresolved, of co-run\n"
		"\n"
		"Who shared with whom, summed over pairs of CPUs\n"
		"one    other  violation  number   longest  unresolved  transition\n"
		"green  blue     2.000 s     250  30.00 ms     1.000 s    500.0 ms\n"
		"\n"
		"Violations by length: so long or longer, and shorter than the next\n"
		"20 ms\n"
		"  250\n"
		"\n"
		"The first 2 of 261, with the stamps of trace-cmd report; late CPU: the one that\n"
		"had not switched; *: unresolved\n"
		"   stamp    lasted     late CPU  thread  of    CPU  thread  of\n"
		"5.123457  30.00 ms            1     201  blue    0     101  green\n"
		"5.200000  100.0 us  *         1     201  blue    0     101  green\n"
		"Events around the first one:\n"
		"  trace-cmd report --cpu 0,1 'my trace.dat' |\n"
		"    grep -F -C 10 -m 1 ' 5.123457:'\n"
		"\n"
		"What each core did, in % of its time\n"
		"CPUs  idle  green  blue  mixed  forced idle\n"
		"0,1    5.0   50.0  10.0   35.0     42.00 ms\n"
		"  name of a group: its threads, beside kernel threads or idle CPUs\n"
		"  mixed: threads of two groups or more\n"
		"  forced idle: CPU time of its CPUs\n"
		"\n"
		"Forced idle: CPUs idled for the sake of a sibling while threads waited: up to\n"
		"42.00 ms of CPU time (not all cookies are known: some of it may be the latency\n"
		"of wake-ups)\n"
		"name     caused  suffered\n"
		"green  40.00 ms  2.000 ms\n"
		"blue   2.000 ms  40.00 ms\n"
		"  caused: its threads ran beside the idle CPU; suffered: its threads waited for\n"
		"    it\n"
		"  the trace does not tell the kernel's own counter\n"
		"\n"
		"trace     my trace.dat, kernel 6.12.1, clock mono\n"
		"period    0 s to 10.00 s\n"
		"cookies   none\n");
}

static void a_report_has_the_answer_and_forced_idle(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	r.isolation.forced_idle.upper_bound = false;
	assert_part(
		&r,
		"\n"
		"Isolation: core scheduling is not acting: no cookies set.\n"
		"  Two vCPUs were on one core for 10.00 s, of different VMs for 30.00 % of that;\n"
		"  above 1 % is objected to.\n"
		"  Transitions included it was 35.00 %; by chance it would be 60.0 %.\n"
		"\n"
		"Forced idle: CPUs idled for the sake of a sibling while threads waited: "
		"42.00 ms\n"
		"of CPU time\n"
		"name     caused  suffered\n"
		"green  40.00 ms  2.000 ms\n"
		"blue   2.000 ms  40.00 ms\n"
		"  caused: its threads ran beside the idle CPU; suffered: its threads waited "
		"for\n"
		"    it\n"
		"  the trace does not tell the kernel's own counter\n");
}

/* Nothing is measured: a report of two VMs with this answer. */
static void leave_open(struct fan_report *r, const char *word, const char *answer)
{
	fan_tree_init(r, &fan_report_table);
	add_vm(r, "green", 101);
	add_vm(r, "blue", 201);
	r->isolation.verdict.word = word;
	r->isolation.sentence = own(answer);
}

static void what_does_not_apply_is_told_beside_the_method(void **state)
{
	struct fan_report r;

	(void)state;
	leave_open(&r, "not_applicable", "not applicable: no SMT");
	assert_true(fan_isolation_is_aside(&r));
	assert_part(&r, "");
	leave_open(&r, "cannot_tell", "cannot tell: what is missing");
	assert_false(fan_isolation_is_aside(&r));
	assert_part(&r, "\nIsolation: cannot tell: what is missing.\n");
	/* without vCPUs nobody asks */
	leave_open(&r, "cannot_tell", "cannot tell: no vCPU thread is seen");
	((struct fan_r_group *)r.groups.items)[0].vcpus = 0;
	((struct fan_r_group *)r.groups.items)[1].vcpus = 0;
	assert_true(fan_isolation_is_aside(&r));
	assert_part(&r, "");
	/* a report that was read from JSON of an older version says nothing of it */
	fan_tree_init(&r, &fan_report_table);
	assert_false(fan_isolation_is_aside(&r));
	assert_part(&r, "");
}

static void a_page_without_numbers_has_no_tables(void **state)
{
	struct fan_report r;

	(void)state;
	leave_open(&r, "not_applicable", "not applicable: no SMT");
	assert_page(&r, "Not applicable: no SMT.\n"
			"\n"
			"trace     -, kernel -, clock -\n"
			"period    - to -\n"
			"cookies   -\n");
}

/* Siblings that never ran vCPUs together: zeros, and no percentage of nothing. */
static void nothing_shared_leaves_only_levels_and_cores(void **state)
{
	struct fan_report r;
	struct fan_r_mixing *m;

	(void)state;
	leave_open(&r, "isolated", "core scheduling is acting");
	r.isolation.tolerance_ns = 60 * MS;
	r.isolation.judged.co_run_ns = 0;
	m = add_level(&r, "vm");
	m->co_run_ns = m->violation_ns = m->transition_ns = m->unresolved_ns = 0;
	m->count = m->unresolved = m->longest_ns = 0;
	add_cores(&r);
	assert_page(
		&r,
		"Core scheduling is acting.\n"
		"  No two vCPUs were on one core at the same time.\n"
		"\n"
		"vCPUs on one core, in core time\n"
		"between  co-run  violation  number  longest  unresolved  transition  %\n"
		"vm          0 s        0 s       0      0 s         0 s         0 s  -\n"
		"  vm: vCPUs of different VMs\n"
		"  co-run: two siblings or more ran vCPUs, whoever's\n"
		"  violation: one CPU of two had switched, and after that the other one entered\n"
		"    its guest again\n"
		"  transition: up to that moment, or until the other CPU switched too\n"
		"  unresolved: the other CPU did neither for longer than 60.00 ms\n"
		"  %: violation and unresolved, of co-run\n"
		"\n"
		"What each core did, in % of its time\n"
		"CPUs  idle  green  blue  mixed  forced idle\n"
		"0,1    5.0   50.0  10.0   35.0     42.00 ms\n"
		"  name of a group: its threads, beside kernel threads or idle CPUs\n"
		"  mixed: threads of two groups or more\n"
		"  forced idle: CPU time of its CPUs\n"
		"\n"
		"trace     -, kernel -, clock -\n"
		"period    - to -\n"
		"cookies   -\n");
}

static void levels_that_are_judged_are_named(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	free(r.isolation.judged.level);
	r.isolation.judged.level = own("guest");
	assert_holds(&r,
		     "  Two vCPUs, both in their guests, were on one core for 10.00 s, of "
		     "different\n  VMs for 30.00 % of that;",
		     true);
	fill(&r);
	free(r.isolation.judged.level);
	r.isolation.judged.level = own("cookie");
	assert_holds(&r,
		     "  Two vCPUs with known cookies were on one core for 10.00 s, of "
		     "different\n  cookies for 30.00 % of that;",
		     true);
	fill(&r);
	assert_holds(&r, "while both were in their guests", false);
	fill(&r);
	fill_mixing(add_level(&r, "cookie"), "cookie", 10 * S);
	assert_holds(&r,
		     "\ncookie   10.00 s    2.000 s     250  30.00 ms     1.000 s    500.0 ms  "
		     "30.00\n",
		     true);
	fill(&r);
	fill_mixing(add_level(&r, "cookie"), "cookie", 10 * S);
	assert_holds(&r, "\n  cookie: vCPUs with different cookies\n", true);
}

/* Nothing is unresolved: no column of marks. */
static void only_violations_need_no_mark(void **state)
{
	struct fan_report r;
	struct fan_r_mixed *first;

	(void)state;
	fill(&r);
	first = r.isolation.first.items;
	free(first[1].kind);
	first[1].kind = own("violation");
	assert_holds(&r,
		     "late CPU: the one that\nhad not switched\n"
		     "   stamp    lasted  late CPU  thread  of    CPU  thread  of\n"
		     "5.123457  30.00 ms         1     201  blue    0     101  green\n",
		     true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_begins_with_the_answer),
		cmocka_unit_test(a_report_has_the_answer_and_forced_idle),
		cmocka_unit_test(what_does_not_apply_is_told_beside_the_method),
		cmocka_unit_test(a_page_without_numbers_has_no_tables),
		cmocka_unit_test(nothing_shared_leaves_only_levels_and_cores),
		cmocka_unit_test(levels_that_are_judged_are_named),
		cmocka_unit_test(only_violations_need_no_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
