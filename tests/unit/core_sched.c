// SPDX-License-Identifier: GPL-3.0-or-later
/* include/fcap/core_sched.h: what the kernel's answers mean, and the calls on this machine. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "fcap/core_sched.h"

static void a_refusal_tells_what_and_why(void **state)
{
	struct fcap_err err = { 0 };

	(void)state;
	assert_int_equal(fcap_core_refuse(&err, -ESRCH, "thread 7"), -ESRCH);
	assert_int_equal(err.code, ESRCH);
	assert_string_equal(err.text, "thread 7: no such process or thread");
	assert_int_equal(fcap_core_refuse(&err, EAGAIN, "thread 7"), -EAGAIN);
	assert_string_equal(err.text, "thread 7: Resource temporarily unavailable");
}

static void each_errno_of_the_kernel_has_its_reason(void **state)
{
	static const struct {
		int code;
		const char *names;
	} cases[] = {
		{ EINVAL, "CONFIG_SCHED_CORE" },
		{ ENODEV, "no SMT is active" },
		{ EPERM, "ptrace" },
		{ ESRCH, "no such process" },
		{ ENOMEM, "memory" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_non_null(strstr(fcap_core_reason(cases[i].code), cases[i].names));
		assert_ptr_equal(fcap_core_reason(-cases[i].code), fcap_core_reason(cases[i].code));
	}
}

static void zero_before_the_random_generator_is_ready_is_no_answer(void **state)
{
	(void)state;
	assert_int_equal(fcap_core_state_of(0, true), FCAP_CORE_READABLE);
	assert_int_equal(fcap_core_state_of(0, false), FCAP_CORE_NOT_READY);
	assert_int_equal(fcap_core_state_of(-EINVAL, true), FCAP_CORE_ABSENT);
	assert_int_equal(fcap_core_state_of(EINVAL, false), FCAP_CORE_ABSENT);
	assert_int_equal(fcap_core_state_of(-ENODEV, true), FCAP_CORE_NO_SMT);
	assert_int_equal(fcap_core_state_of(-EPERM, true), FCAP_CORE_UNKNOWN);
}

static void states_are_told_by_words_and_unknown_by_none(void **state)
{
	(void)state;
	assert_string_equal(fcap_core_state_word(FCAP_CORE_READABLE), "readable");
	assert_string_equal(fcap_core_state_word(FCAP_CORE_ABSENT), "absent");
	assert_string_equal(fcap_core_state_word(FCAP_CORE_NO_SMT), "no_smt");
	assert_string_equal(fcap_core_state_word(FCAP_CORE_NOT_READY), "not_ready");
	assert_null(fcap_core_state_word(FCAP_CORE_UNKNOWN));
	for (int s = 0; s < FCAP_CORE_STATES; s++)
		assert_int_equal(fcap_core_state_named(fcap_core_state_word(s)), s);
	assert_int_equal(fcap_core_state_named("on"), FCAP_CORE_UNKNOWN);
	assert_int_equal(fcap_core_state_named(""), FCAP_CORE_UNKNOWN);
}

/* Whatever this kernel is: the four calls agree on whether it can. */
static void the_calls_agree_on_this_kernel(void **state)
{
	uint64_t cookie = 0;
	const int r = fcap_core_get(0, &cookie);

	(void)state;
	assert_int_equal(fcap_core_create(0, FCAP_CORE_THREAD), r);
	assert_int_equal(fcap_core_share_from(0), r);
	assert_int_equal(fcap_core_share_to(0, FCAP_CORE_PROCESS), r);
	if (r < 0) {
		assert_int_not_equal(fcap_core_state_of(r, true), FCAP_CORE_READABLE);
		return;
	}
	assert_int_equal(fcap_core_get(0, &cookie), 0);
	assert_int_equal(cookie != 0, fcap_random_is_ready());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_refusal_tells_what_and_why),
		cmocka_unit_test(each_errno_of_the_kernel_has_its_reason),
		cmocka_unit_test(zero_before_the_random_generator_is_ready_is_no_answer),
		cmocka_unit_test(states_are_told_by_words_and_unknown_by_none),
		cmocka_unit_test(the_calls_agree_on_this_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
