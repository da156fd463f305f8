// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/style.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Bounds of the bands, in points of share. */
#define NEAR 1.5
#define SOME 3.0
#define FAR  10.0

static bool wants_colour(const struct fan_terminal *t)
{
	return t->is_terminal && (!t->no_color || !*t->no_color) && t->term && *t->term &&
	       strcmp(t->term, "dumb") != 0;
}

struct fan_style fan_style_choose(const struct fan_terminal *t, enum fan_colour when)
{
	const char *charset = t->charset ? t->charset : "";

	return (struct fan_style){
		.colour = when == FAN_COLOUR_ALWAYS || (when == FAN_COLOUR_AUTO && wants_colour(t)),
		.utf8 = strcasecmp(charset, "UTF-8") == 0 || strcasecmp(charset, "UTF8") == 0,
	};
}

unsigned int fan_mark_of_points(double deviation)
{
	const double size = fabs(deviation);

	if (isnan(size))
		return 0;
	return size <= NEAR   ? FAN_MARK_GREEN
	       : size <= SOME ? 0
	       : size <= FAR  ? FAN_MARK_YELLOW
			      : FAN_MARK_RED;
}

unsigned int fan_mark_of_word(const char *word)
{
	static const struct {
		const char *word;
		unsigned int colour;
	} list[] = {
		{ "fair", FAN_MARK_GREEN },	{ "equivalent", FAN_MARK_GREEN },
		{ "isolated", FAN_MARK_GREEN }, { "off", FAN_MARK_YELLOW },
		{ "unfair", FAN_MARK_RED },	{ "shared", FAN_MARK_RED },
	};

	if (!word)
		return 0;
	/* of a material change its sign tells whether it is welcome, and what changed */
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(list[i].word, word) == 0)
			return list[i].colour | FAN_MARK_BOLD;
	return FAN_MARK_BOLD;
}

const char *fan_mark_begin(unsigned int mark)
{
	static const char *const list[FAN_MARKS] = {
		"",	   "\033[32m",	 "\033[33m",   "\033[31m",
		"\033[1m", "\033[1;32m", "\033[1;33m", "\033[1;31m",
	};

	return mark < FAN_MARKS ? list[mark] : "";
}
