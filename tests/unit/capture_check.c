// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/check: the list, the answer, and the outcome of a machine as it should be. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/check_parts.h"
#include "tests/unit/checked.h"

static void a_machine_as_it_should_be_is_ok_in_everything(void **state)
{
	struct machine *m = *state;
	char answer[256];

	check_machine(m);
	for (size_t i = 0; i < m->n; i++) {
		if (m->check[i].state != CAP_CHECK_OK)
			print_error("%s: %s\n", m->check[i].name, m->check[i].cause);
		assert_int_equal(m->check[i].state, CAP_CHECK_OK);
		assert_string_equal(m->check[i].fix, "");
	}
	assert_true(m->n >= 20);
	assert_true(cap_check_can_record(m->check, m->n));
	cap_check_answer(m->check, m->n, answer, sizeof(answer));
	assert_string_equal(answer, "this machine can record, and nothing will be missing");
}

static void no_two_checks_have_one_name(void **state)
{
	struct machine *m = *state;

	check_machine(m);
	for (size_t i = 0; i < m->n; i++)
		assert_ptr_equal(check_named(m, m->check[i].name), &m->check[i]);
}

static void what_suffers_is_said_once_in_the_order_of_the_checks(void **state)
{
	const struct cap_check check[] = {
		{ .name = "a", .state = CAP_CHECK_DEGRADED, .loss = "this" },
		{ .name = "b", .state = CAP_CHECK_OK, .loss = "nothing" },
		{ .name = "c", .state = CAP_CHECK_DEGRADED, .loss = "that" },
		{ .name = "d", .state = CAP_CHECK_DEGRADED, .loss = "this" },
		{ .name = "e", .state = CAP_CHECK_DEGRADED },
		{ .name = "f", .state = CAP_CHECK_DEGRADED, .loss = "the rest" },
	};
	const char *loss[CAP_CHECK_MAX];
	char answer[256];

	(void)state;
	assert_int_equal(cap_check_losses(check, 6, loss), 3);
	assert_string_equal(loss[0], "this");
	assert_string_equal(loss[1], "that");
	assert_string_equal(loss[2], "the rest");
	assert_true(cap_check_can_record(check, 6));
	cap_check_answer(check, 6, answer, sizeof(answer));
	assert_string_equal(answer, "this machine can record; missing or weaker will be: this, "
				    "that and the rest");
	cap_check_answer(check, 4, answer, sizeof(answer));
	assert_string_equal(answer,
			    "this machine can record; missing or weaker will be: this and that");
}

static void a_need_that_only_follows_is_not_named_in_the_answer(void **state)
{
	const struct cap_check check[] = {
		{ .name = "root", .state = CAP_CHECK_MISSING },
		{ .name = "tracefs", .state = CAP_CHECK_MISSING, .follows = true },
		{ .name = "smt", .state = CAP_CHECK_DEGRADED, .loss = "this" },
		{ .name = "disk", .state = CAP_CHECK_MISSING },
	};
	char answer[256];

	(void)state;
	assert_false(cap_check_can_record(check, 4));
	cap_check_answer(check, 4, answer, sizeof(answer));
	assert_string_equal(answer,
			    "this machine cannot record; what stands in the way: root and disk");
}

static void an_answer_longer_than_its_room_is_cut(void **state)
{
	const struct cap_check check = { .name = "root", .state = CAP_CHECK_MISSING };
	char answer[8];

	(void)state;
	cap_check_answer(&check, 1, answer, sizeof(answer));
	assert_string_equal(answer, "this ma");
}

static void a_text_cannot_steer_the_terminal(void **state)
{
	struct cap_check c = { 0 };

	(void)state;
	cap_check_ok(&c, "vm\033[2J\n%s", "x\x7f");
	assert_string_equal(c.cause, "vm?[2J?x?");
}

static void words_are_found_whole(void **state)
{
	(void)state;
	assert_true(cap_check_has_word("[local] mono_raw mono\n", "mono"));
	assert_true(cap_check_has_word("x [mono] y", "mono"));
	assert_false(cap_check_has_word("[local] mono_raw", "mono"));
	assert_false(cap_check_has_word("", "mono"));
}

static void versions_compare_by_number(void **state)
{
	struct cap_check_ctx x = { .release = "5.14.0-1-amd64" };

	(void)state;
	assert_true(cap_check_is_since(&x, 5, 14));
	assert_true(cap_check_is_since(&x, 5, 4));
	assert_false(cap_check_is_since(&x, 5, 15));
	assert_false(cap_check_is_since(&x, 6, 0));
	x.release[0] = '\0';
	assert_false(cap_check_is_since(&x, 0, 0));
}

static void root_is_told_commands_without_sudo(void **state)
{
	struct machine *m = *state;

	/* the user's version is in the tests of each check */
	put_file(m->root, "sys/devices/system/cpu/smt/active", "0\n");
	put_file(m->root, "sys/devices/system/cpu/smt/control", "off\n");
	assert_check(m, "smt", CAP_CHECK_DEGRADED,
		     "off: no core is shared, so that there is nothing to isolate",
		     "echo on | tee /sys/devices/system/cpu/smt/control");
}

/* Without /proc nothing can be told, and nothing crashes. */
static void an_empty_machine_cannot_record(void **state)
{
	struct machine *m = *state;
	const int whole = m->root;
	char answer[256];

	put_file(whole, "empty/none", "");
	m->root = openat(whole, "empty", O_RDONLY | O_DIRECTORY);
	m->core = -EINVAL;
	check_machine(m);
	close(m->root);
	m->root = whole;
	assert_false(cap_check_can_record(m->check, m->n));
	assert_string_equal(check_named(m, "root")->cause, "/proc cannot be read");
	cap_check_answer(m->check, m->n, answer, sizeof(answer));
	assert_string_equal(answer,
			    "this machine cannot record; what stands in the way: root and tracefs");
}

#define with_machine(f) cmocka_unit_test_setup_teardown(f, make_machine, remove_machine)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_machine(a_machine_as_it_should_be_is_ok_in_everything),
		with_machine(no_two_checks_have_one_name),
		cmocka_unit_test(what_suffers_is_said_once_in_the_order_of_the_checks),
		cmocka_unit_test(a_need_that_only_follows_is_not_named_in_the_answer),
		cmocka_unit_test(an_answer_longer_than_its_room_is_cut),
		cmocka_unit_test(a_text_cannot_steer_the_terminal),
		cmocka_unit_test(words_are_found_whole),
		cmocka_unit_test(versions_compare_by_number),
		with_machine(root_is_told_commands_without_sudo),
		with_machine(an_empty_machine_cannot_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
