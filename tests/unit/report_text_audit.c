// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/text_audit.c and text_isolation.c: isolation as a person reads it. */
#include "analyze/report/text_audit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/report/text_isolation.h"

#define US 1000LL
#define MS 1000000LL
#define S  1000000000LL

static char *own(const char *s)
{
	char *ret = strdup(s);

	assert_non_null(ret);
	return ret;
}

static void add_vm(struct fan_report *r, const char *name, int64_t tid)
{
	struct fan_r_group *g = fan_array_add(&r->groups, &fan_group_table);
	struct fan_r_thread *t;

	assert_non_null(g);
	g->name = own(name);
	g->kind = own("vm");
	g->vcpus = 1;
	t = fan_array_add(&g->threads, &fan_thread_table);
	assert_non_null(t);
	t->tid = tid;
}

static void fill_mixing(struct fan_r_mixing *m, const char *level, int64_t co_run_ns)
{
	if (!m->level)
		m->level = own(level);
	m->co_run_ns = co_run_ns;
	m->violation_ns = 2 * S;
	m->transition_ns = 500 * MS;
	m->unresolved_ns = 1 * S;
	m->possible_ns = 0;
	m->violation_pct = 100.0 * (2 * S) / (double)co_run_ns;
	m->judged_pct = 100.0 * (3 * S) / (double)co_run_ns;
	m->count = 250;
	m->unresolved = 11;
	m->pairings = 300;
	m->longest_ns = 30 * MS;
}

static struct fan_r_mixing *add_level(struct fan_report *r, const char *level)
{
	struct fan_r_mixing *m = fan_array_add(&r->isolation.levels, &fan_mixing_table);

	assert_non_null(m);
	m->level = own(level);
	return m;
}

static void add_first(struct fan_report *r, int64_t ts_ns, int64_t ns, const char *kind)
{
	struct fan_r_mixed *m = fan_array_add(&r->isolation.first, &fan_mixed_table);

	assert_non_null(m);
	*m = (struct fan_r_mixed){ ts_ns, ns, 1, 0, 201, 101, own(kind) };
}

static void add_cores(struct fan_report *r)
{
	struct fan_r_core *c = fan_array_add(&r->isolation.cores, &fan_core_table);
	struct fan_r_amount *a;

	assert_non_null(c);
	assert_int_equal(fan_ints_add(&c->cpus, 0), 0);
	assert_int_equal(fan_ints_add(&c->cpus, 1), 0);
	c->idle_ns = 500 * MS;
	c->kernel_ns = c->beside_ns = c->other_ns = c->unknown_ns = 0;
	c->mixed_ns = 3500 * MS;
	c->forced_idle_ns = 42 * MS;
	for (int i = 0; i < 2; i++) {
		a = fan_array_add(&c->vms, &fan_amount_table);
		assert_non_null(a);
		a->name = own(i ? "blue" : "green");
		a->ns = i ? 1 * S : 5 * S;
	}
}

static void add_forced(struct fan_report *r)
{
	struct fan_r_forced_idle *f = &r->isolation.forced_idle;

	f->total_ns = f->caused_ns = f->suffered_ns = 42 * MS;
	f->upper_bound = true;
	for (int i = 0; i < 2; i++) {
		struct fan_r_forced_group *g = fan_array_add(&f->groups, &fan_forced_table);

		assert_non_null(g);
		g->name = own(i ? "blue" : "green");
		g->caused_ns = i ? 2 * MS : 40 * MS;
		g->suffered_ns = i ? 40 * MS : 2 * MS;
	}
	f->counter = own("not told");
}

/* Two VMs on one core of which nothing is known but this; 10 s of co-run. */
static void fill(struct fan_report *r)
{
	struct fan_r_isolation *iso = &r->isolation;
	struct fan_r_mixed_pair *pair;
	struct fan_r_bucket *b;

	fan_tree_init(r, &fan_report_table);
	r->source.file = own("my trace.dat");
	r->source.kernel = own("6.12.1");
	r->source.clock = own("mono");
	r->source.first_ns = 5 * S;
	r->period.start_ns = 0;
	r->period.end_ns = 10 * S;
	add_vm(r, "green", 101);
	add_vm(r, "blue", 201);
	iso->sentence = own("core scheduling is not acting: no cookies set");
	iso->verdict.word = "shared";
	iso->applicable = true;
	iso->tolerance_ns = 50 * US;
	iso->max_violation_pct = 1;
	iso->expected_pct = 48;
	iso->expected_apart_pct = 60;
	iso->cookies = own("none");
	fill_mixing(&iso->judged, "vm", 10 * S);
	fill_mixing(add_level(r, "vm"), "vm", 10 * S);
	add_level(r, "guest");
	pair = fan_array_add(&iso->pairs, &fan_mixed_pair_table);
	assert_non_null(pair);
	*pair = (struct fan_r_mixed_pair){ own("green"), own("blue"), 2 * S, 500 * MS,
					   1 * S,	 250,	      11,    30 * MS };
	b = fan_array_add(&iso->histogram, &fan_bucket_table);
	assert_non_null(b);
	*b = (struct fan_r_bucket){ 20 * MS, 50 * MS, 250 };
	/* 5.123456500 s is rounded up, as trace-cmd does it */
	add_first(r, 123456500, 30 * MS, "violation");
	add_first(r, 200 * MS, 100 * US, "unresolved");
	add_cores(r);
	add_forced(r);
	assert_int_equal(fan_strs_add(&iso->notes, "no kvm_entry event"), 0);
}

/* What print() prints of r, to be freed; r is freed. */
static char *printed(struct fan_report *r, void (*print)(const struct fan_report *r, FILE *f))
{
	char *ret = NULL;
	size_t size;
	FILE *f = open_memstream(&ret, &size);

	assert_non_null(f);
	print(r, f);
	assert_int_equal(fclose(f), 0);
	fan_report_free(r);
	return ret;
}

static void print_page(const struct fan_report *r, FILE *f)
{
	struct fcap_err err = { 0 };

	assert_int_equal(fan_audit_text(r, f, &err), 0);
}

static void print_part(const struct fan_report *r, FILE *f)
{
	struct fan_print p = { .f = f };

	fan_print_isolation(r, &p);
	assert_int_equal(p.r, 0);
}

static void assert_page(struct fan_report *r, const char *want)
{
	char *got = printed(r, print_page);

	assert_string_equal(got, want);
	free(got);
}

static void assert_part(struct fan_report *r, const char *want)
{
	char *got = printed(r, print_part);

	assert_string_equal(got, want);
	free(got);
}

/* The page has this, or has it not. */
static void assert_holds(struct fan_report *r, const char *part, bool want)
{
	char *got = printed(r, print_page);

	if ((strstr(got, part) != NULL) != want)
		fail_msg("\"%s\" is %s in:\n%s", part, want ? "not" : "still", got);
	free(got);
}

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

/* Of 40 cores 32 are shown; of groups with long names those that fit. */
static void what_does_not_fit_is_counted(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	for (int i = 1; i < 40; i++)
		add_cores(&r);
	assert_holds(&r, "\n  8 more cores: see the JSON report\n", true);
	fill(&r);
	for (int i = 1; i < 25; i++) {
		struct fan_r_mixed_pair *pair = fan_array_add(&r.isolation.pairs,
							      &fan_mixed_pair_table);

		assert_non_null(pair);
		pair->a = own("green");
	}
	assert_holds(&r, "\n  5 more pairs: see the JSON report\n", true);
}

static void groups_without_a_column_are_summed(void **state)
{
	struct fan_report r;
	struct fan_r_core *c;

	(void)state;
	fill(&r);
	c = r.isolation.cores.items;
	for (int i = 0; i < 2; i++) {
		struct fan_r_amount *a = c->vms.items;
		struct fan_r_group *g = r.groups.items;

		free(a[i].name);
		free(g[i].name);
		a[i].name = own(i ? "a-name-of-twenty-nine-letters"
				  : "another-name-of-thirty-letters");
		g[i].name = own(a[i].name);
	}
	assert_holds(&r,
		     "CPUs  idle  another-name-of-thirty-letters  others  mixed  forced idle\n"
		     "0,1    5.0                            50.0    10.0   35.0     42.00 ms\n",
		     true);
}

/* 10 steps a row. */
static void many_lengths_take_a_second_row(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	for (int64_t i = 1; i <= 10; i++) {
		struct fan_r_bucket *b = fan_array_add(&r.isolation.histogram, &fan_bucket_table);

		assert_non_null(b);
		*b = (struct fan_r_bucket){ i * S, (i + 1) * S, i };
	}
	assert_holds(&r,
		     "\n20 ms  1 s  2 s  3 s  4 s  5 s  6 s  7 s  8 s  9 s\n"
		     "  250    1    2    3    4    5    6    7    8    9\n"
		     "10 s\n"
		     "  10\n",
		     true);
}

static void a_file_name_is_quoted_for_the_shell(void **state)
{
	struct fan_report r;

	(void)state;
	fill(&r);
	free(r.source.file);
	r.source.file = own("it's $HOME");
	assert_holds(&r, "\n  trace-cmd report --cpu 0,1 'it'\\''s $HOME' |\n", true);
	fill(&r);
	free(r.source.file);
	r.source.file = own("/a/plain-name.dat");
	assert_holds(&r, "\n  trace-cmd report --cpu 0,1 /a/plain-name.dat |\n", true);
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
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(groups_without_a_column_are_summed),
		cmocka_unit_test(many_lengths_take_a_second_row),
		cmocka_unit_test(a_file_name_is_quoted_for_the_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
