// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/colour.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_COLOR = 0x2200 };

static const struct argp_option options[] = {
	{ "color", OPT_COLOR, "WHEN", 0,
	  "Colour in the text: always, never, or auto (default): on a terminal, unless NO_COLOR is "
	  "set",
	  0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const words[] = {
		[FAN_COLOUR_AUTO] = "auto",
		[FAN_COLOUR_ALWAYS] = "always",
		[FAN_COLOUR_NEVER] = "never",
	};
	enum fan_colour *when = state->input;

	if (key != OPT_COLOR)
		return ARGP_ERR_UNKNOWN;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(arg, words[i]) == 0) {
			*when = (enum fan_colour)i;
			return 0;
		}
	argp_error(state, "--color %s: auto, always or never is needed", arg);
	return 0;
}

const struct argp fan_colour_argp = { options, parse, NULL, NULL, NULL, NULL, NULL };

struct fan_style fan_style_of_stdout(enum fan_colour when)
{
	/* the program's own locale stays "C": numbers have points, whoever reads them */
	const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	const struct fan_terminal terminal = {
		.is_terminal = isatty(STDOUT_FILENO),
		.no_color = getenv("NO_COLOR"),
		.term = getenv("TERM"),
		.charset = locale ? nl_langinfo_l(CODESET, locale) : NULL,
	};
	const struct fan_style ret = fan_style_choose(&terminal, when);

	if (locale)
		freelocale(locale);
	return ret;
}
