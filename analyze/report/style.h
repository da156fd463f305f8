/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where text may have colour and characters beyond ASCII, and what gets which colour. */
#ifndef FAN_REPORT_STYLE_H
#define FAN_REPORT_STYLE_H

#include <stdbool.h>

/* What kinds of time are called: as the kernel does, or in a table more as in esxtop. */
enum fan_names { FAN_NAMES_KERNEL, FAN_NAMES_ESX };

/* Zero: plain ASCII. */
struct fan_style {
	bool colour;
	bool utf8;
	enum fan_names names; /* see text_esx.h */
};

enum fan_colour { FAN_COLOUR_AUTO, FAN_COLOUR_ALWAYS, FAN_COLOUR_NEVER };

/* What is known of where the text goes; strings may be NULL. */
struct fan_terminal {
	bool is_terminal;
	const char *no_color; /* the environment's NO_COLOR: see https://no-color.org */
	const char *term;     /* and TERM */
	const char *charset;  /* of the locale, as nl_langinfo(CODESET) has it */
};

/*
 * Colour by itself only on a terminal that is told and not "dumb", and not where NO_COLOR says
 * anything; otherwise as asked for. UTF-8 wherever the locale has it, also in files.
 */
struct fan_style fan_style_choose(const struct fan_terminal *t, enum fan_colour when);

/* How a piece of text looks: one colour or none, and bold or not. */
enum {
	FAN_MARK_GREEN = 1,
	FAN_MARK_YELLOW = 2,
	FAN_MARK_RED = 3,
	FAN_MARK_BOLD = 4,
};
#define FAN_MARKS 8 /* of all kinds, none included */

/* By its size in points: green up to 1.5, none up to 3, yellow up to 10, red above; NaN: none. */
unsigned int fan_mark_of_points(double deviation);

/* Bold, and green or red where the word of a verdict is good or bad by itself; NULL: none. */
unsigned int fan_mark_of_word(const char *word);

/* The escape sequence before text of this mark; "" for 0. What ends it is the same for all. */
const char *fan_mark_begin(unsigned int mark);
#define FAN_MARK_END "\033[0m"

#endif
