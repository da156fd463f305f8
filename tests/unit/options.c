// SPDX-License-Identifier: GPL-3.0-or-later
/* Options that there are not, and which ones were meant. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "fcap/options.h"

static const struct argp_option inner_options[] = {
	{ "window", 'w', "TIME", 0, "length", 0 },
	{ NULL, 0, NULL, 0, "A heading:", 0 },
	{ "warmup", 301, "TIME", 0, "left out", 0 },
	{ 0 },
};
static const struct argp inner = { .options = inner_options };
static const struct argp_child children[] = { { &inner, 0, NULL, 0 }, { 0 } };
static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "file", 0 },
	{ "verbose", 'v', NULL, 0, "more", 0 },
	{ "progress", 'p', "WHEN", OPTION_ARG_OPTIONAL, "when", 0 },
	{ 0 },
};
static const struct argp argp = { .options = options, .children = children };

static const char *unknown(enum fcap_words words, const char **nearest, int argc, ...)
{
	char *argv[16] = { (char[]){ "program" } };
	va_list list;

	va_start(list, argc);
	for (int i = 1; i <= argc; i++)
		argv[i] = va_arg(list, char *);
	va_end(list);
	*nearest = NULL;
	return fcap_option_unknown(&argp, argc + 1, argv, words, nearest);
}

/* By hand: the least number of single steps from one word to the other. */
static void letters_that_differ_are_counted(void **state)
{
	(void)state;
	assert_int_equal(fcap_distance("", ""), 0);
	assert_int_equal(fcap_distance("abc", ""), 3);
	assert_int_equal(fcap_distance("", "ab"), 2);
	assert_int_equal(fcap_distance("warmup", "warmup"), 0);
	assert_int_equal(fcap_distance("warmp", "warmup"), 1);	 /* one missing */
	assert_int_equal(fcap_distance("warmupp", "warmup"), 1); /* one too many */
	assert_int_equal(fcap_distance("wardup", "warmup"), 1);	 /* one wrong */
	assert_int_equal(fcap_distance("wramup", "warmup"), 1);	 /* two swapped */
	assert_int_equal(fcap_distance("kitten", "sitting"), 3); /* k/s, e/i, +g */
	assert_int_equal(fcap_distance("ca", "abc"), 3); /* swapped once is not touched again */
	assert_int_equal(fcap_distance("0123456789012345678901234567890123456789012345678901234567"
				       "890123",
				       "a"),
			 SIZE_MAX);
}

/* Of these three names the guess for a word. */
static const char *guess(const char *word, const char *a, const char *b, const char *c)
{
	struct fcap_near near = fcap_near_to(word, strlen(word));

	assert_null(fcap_near_guess(&near));
	fcap_near_try(&near, a);
	fcap_near_try(&near, b);
	fcap_near_try(&near, c);
	return fcap_near_guess(&near);
}

static void the_nearest_word_is_the_guess(void **state)
{
	struct fcap_near near = fcap_near_to("kitten on the mat", 6);

	(void)state;
	assert_string_equal(guess("reprt", "audit", "report", "info"), "report");
	assert_string_equal(guess("wramup", "window", "warmup", "level"), "warmup");
	assert_string_equal(guess("warmup", "warmup", "warmer", "window"), "warmup");
	assert_null(guess("xyz", "audit", "report", "info"));
	/* of four letters one may be wrong, not two; of nine three */
	assert_string_equal(guess("plto", "plot", "info", "audit"), "plot");
	assert_null(guess("pict", "plot", "info", "audit"));
	assert_string_equal(guess("tollernce", "level", "tolerance", "to"), "tolerance");
	/* the nearest is told too where it is too far for a guess: kitten, sitting differ in 3 */
	fcap_near_try(&near, "sitting");
	fcap_near_try(&near, "");
	assert_string_equal(near.best, "sitting");
	assert_int_equal(near.distance, 3);
}

static void a_wrong_option_is_found_with_the_one_that_was_meant(void **state)
{
	const char *nearest;

	(void)state;
	assert_string_equal(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "--warmp", "1s"), "--warmp");
	assert_string_equal(nearest, "warmup");
	assert_string_equal(unknown(FCAP_WORDS_ANYWHERE, &nearest, 1, "--ouput=x"), "--ouput=x");
	assert_string_equal(nearest, "output");
	assert_string_equal(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "file", "--hlp"), "--hlp");
	assert_string_equal(nearest, "help");
	assert_string_equal(unknown(FCAP_WORDS_ANYWHERE, &nearest, 1, "--zzz"), "--zzz");
	assert_null(nearest);
}

static void what_argp_takes_is_not_unknown(void **state)
{
	const char *nearest;

	(void)state;
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "--window", "--strange"));
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 1, "--window=--strange"));
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "-o", "--strange"));
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "-vo", "--strange"));
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 1, "--win=1s")); /* a beginning */
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "--", "--strange"));
	assert_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 1, "-"));
	/* the letter's argument is in the same word, an optional one never in the next */
	assert_non_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "-ofile", "--strange"));
	assert_non_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "-p", "--strange"));
	assert_non_null(unknown(FCAP_WORDS_ANYWHERE, &nearest, 2, "--progress", "--strange"));
}

static void the_options_of_a_command_are_its_own(void **state)
{
	const char *nearest;

	(void)state;
	assert_null(unknown(FCAP_WORDS_LAST, &nearest, 3, "-v", "ls", "--strange"));
	assert_non_null(unknown(FCAP_WORDS_LAST, &nearest, 3, "--strange", "ls", "-l"));
	assert_non_null(unknown(FCAP_WORDS_IN_ORDER, &nearest, 2, "file", "--strange"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_that_differ_are_counted),
		cmocka_unit_test(the_nearest_word_is_the_guess),
		cmocka_unit_test(a_wrong_option_is_found_with_the_one_that_was_meant),
		cmocka_unit_test(what_argp_takes_is_not_unknown),
		cmocka_unit_test(the_options_of_a_command_are_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
