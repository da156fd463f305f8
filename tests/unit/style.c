// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/style.c, and how table.c and print.c put marks: colour, and where there is none.
 */
#include "tests/unit/report_sample.h"
#include "tests/unit/paper.h"

#include <stdio.h>

#include "analyze/report/print.h"
#include "analyze/report/style.h"
#include "analyze/report/table.h"
#include "analyze/report/text.h"

static bool colour(bool is_terminal, const char *no_color, const char *term, enum fan_colour when)
{
	const struct fan_terminal t = { is_terminal, no_color, term, "UTF-8" };

	return fan_style_choose(&t, when).colour;
}

static void colour_by_itself_is_for_terminals_that_can(void **state)
{
	(void)state;
	assert_true(colour(true, NULL, "xterm", FAN_COLOUR_AUTO));
	assert_false(colour(false, NULL, "xterm", FAN_COLOUR_AUTO));
	assert_false(colour(true, NULL, "dumb", FAN_COLOUR_AUTO));
	assert_false(colour(true, NULL, "", FAN_COLOUR_AUTO));
	assert_false(colour(true, NULL, NULL, FAN_COLOUR_AUTO));
}

static void no_color_says_no_unless_it_is_empty(void **state)
{
	(void)state;
	assert_false(colour(true, "1", "xterm", FAN_COLOUR_AUTO));
	assert_false(colour(true, "0", "xterm", FAN_COLOUR_AUTO));
	assert_true(colour(true, "", "xterm", FAN_COLOUR_AUTO));
}

static void what_is_asked_for_goes_before(void **state)
{
	(void)state;
	assert_true(colour(false, "1", "dumb", FAN_COLOUR_ALWAYS));
	assert_false(colour(true, NULL, "xterm", FAN_COLOUR_NEVER));
}

static bool utf8(const char *charset)
{
	const struct fan_terminal t = { false, NULL, NULL, charset };

	return fan_style_choose(&t, FAN_COLOUR_AUTO).utf8;
}

static void utf8_is_by_the_locale(void **state)
{
	(void)state;
	assert_true(utf8("UTF-8"));
	assert_true(utf8("utf8"));
	assert_false(utf8("ANSI_X3.4-1968"));
	assert_false(utf8("ISO-8859-1"));
	assert_false(utf8(NULL));
}

static void bands_are_of_the_size_in_points(void **state)
{
	(void)state;
	assert_int_equal(fan_mark_of_points(0), FAN_MARK_GREEN);
	assert_int_equal(fan_mark_of_points(-1.5), FAN_MARK_GREEN);
	assert_int_equal(fan_mark_of_points(1.51), 0);
	assert_int_equal(fan_mark_of_points(-3), 0);
	assert_int_equal(fan_mark_of_points(3.01), FAN_MARK_YELLOW);
	assert_int_equal(fan_mark_of_points(-10), FAN_MARK_YELLOW);
	assert_int_equal(fan_mark_of_points(10.1), FAN_MARK_RED);
	assert_int_equal(fan_mark_of_points(-99), FAN_MARK_RED);
	assert_int_equal(fan_mark_of_points(NAN), 0);
}

static void verdicts_are_bold_and_good_or_bad_ones_coloured(void **state)
{
	(void)state;
	assert_string_equal(fan_mark_begin(fan_mark_of_word("fair")), "\033[1;32m");
	assert_string_equal(fan_mark_begin(fan_mark_of_word("off")), "\033[1;33m");
	assert_string_equal(fan_mark_begin(fan_mark_of_word("unfair")), "\033[1;31m");
	assert_string_equal(fan_mark_begin(fan_mark_of_word("shared")), "\033[1;31m");
	/* a gain may be material as well as a loss */
	assert_string_equal(fan_mark_begin(fan_mark_of_word("material")), "\033[1m");
	assert_string_equal(fan_mark_begin(fan_mark_of_word("inconclusive")), "\033[1m");
	assert_string_equal(fan_mark_begin(fan_mark_of_word(NULL)), "");
	assert_string_equal(fan_mark_begin(FAN_MARKS), "");
}

/* A grid with a marked number and word in its second row; nothing marked in the third. */
static char *grid_text(bool has_colour)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page), .style.colour = has_colour };
	struct fan_grid g = { .columns = "lrl" };
	static const char *const cells[] = { "name", "n",  "word", "a",	  "12345",
					     "off",  "bb", "1",	   "fair" };

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		fan_grid_cell(&g, "%s", cells[i]);
		if (i == 4 || i == 5)
			fan_grid_mark(&g, i == 4 ? FAN_MARK_RED : FAN_MARK_BOLD);
	}
	fan_grid_print(&g, &p);
	assert_int_equal(p.r, 0);
	return read_paper(&page);
}

static void marks_do_not_move_columns(void **state)
{
	char *plain = grid_text(false), *coloured = grid_text(true);

	(void)state;
	assert_string_equal(plain, "name      n  word\n"
				   "a     12345  off\n"
				   "bb        1  fair\n");
	assert_string_equal(coloured, "name      n  word\n"
				      "a     \033[31m12345\033[0m  \033[1moff\033[0m\n"
				      "bb        1  fair\n");
	free(plain);
	free(coloured);
}

static char *para(bool has_colour, const char *strong, const char *text)
{
	struct paper page;
	struct fan_print p = { .f = paper(&page), .style.colour = has_colour };

	fan_print_strong(&p, strong, FAN_MARK_BOLD);
	fan_print_para(&p, 2, "%s", text);
	/* it is of one paragraph */
	fan_print_para(&p, 2, "%s", strong ? strong : "");
	assert_int_equal(p.r, 0);
	return read_paper(&page);
}

static void assert_para(bool has_colour, const char *strong, const char *text, const char *want)
{
	char *got = para(has_colour, strong, text);

	assert_string_equal(got, want);
	free(got);
}

static void the_last_strong_words_are_marked(void **state)
{
	(void)state;
	assert_para(true, "fair", "fair is fair (so)", "fair is \033[1mfair\033[0m (so)\nfair\n");
	assert_para(true, "fair", "fair", "\033[1mfair\033[0m\nfair\n");
	assert_para(true, "off", "nothing", "nothing\noff\n");
	assert_para(true, NULL, "nothing", "nothing\n");
	assert_para(false, "fair", "it is fair", "it is fair\nfair\n");
}

/* 78 letters and then two words, of which the first ends on the line: 78 + 1 + 1 columns. */
static void strong_words_may_be_broken(void **state)
{
#define LETTERS "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
	(void)state;
	assert_para(true, "y z", LETTERS " y z.",
		    LETTERS " \033[1my\033[0m\n  \033[1mz\033[0m.\ny z\n");
	assert_para(true, "z.", LETTERS " y z.", LETTERS " y\n  \033[1mz.\033[0m\nz.\n");
	assert_para(true, "abc", LETTERS " y z.",
		    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\033[1mabc\033[0m"
		    "defghijklmnopqrstuvwxyz y\n  z.\nabc\n");
}

static char *report(const struct fan_report *r, struct fan_style style)
{
	struct paper p;

	assert_int_equal(fan_report_text_styled(r, style, paper(&p), NULL), 0);
	return read_paper(&p);
}

/* Drops escape sequences in place. */
static void strip(char *text)
{
	char *to = text;

	for (char *s = text; *s; s++)
		if (*s == '\033')
			s = strchr(s, 'm');
		else
			*to++ = *s;
	*to = '\0';
}

static void a_report_in_colour_is_the_plain_one_but_for_that(void **state)
{
	const struct fan_style plain = { 0 }, style = { .colour = true };
	struct fan_report r;
	char *one, *other;

	(void)state;
	sample_make(&r);
	one = report(&r, plain);
	other = report(&r, style);
	assert_null(strchr(one, '\033'));
	/* 0.81 points: green; the verdict: bold */
	assert_non_null(strstr(other, "  \033[32m+0.81\033[0m  0.48  \033[1;32mfair *\033[0m\n"));
	strip(other);
	assert_string_equal(one, other);
	free(one);
	free(other);
	fan_report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_by_itself_is_for_terminals_that_can),
		cmocka_unit_test(no_color_says_no_unless_it_is_empty),
		cmocka_unit_test(what_is_asked_for_goes_before),
		cmocka_unit_test(utf8_is_by_the_locale),
		cmocka_unit_test(bands_are_of_the_size_in_points),
		cmocka_unit_test(verdicts_are_bold_and_good_or_bad_ones_coloured),
		cmocka_unit_test(marks_do_not_move_columns),
		cmocka_unit_test(the_last_strong_words_are_marked),
		cmocka_unit_test(strong_words_may_be_broken),
		cmocka_unit_test(a_report_in_colour_is_the_plain_one_but_for_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
