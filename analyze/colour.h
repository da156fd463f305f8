/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --color, and what standard output can show. For cmd_*.c only. */
#ifndef FAN_COLOUR_H
#define FAN_COLOUR_H

#include <argp.h>

#include "analyze/report/style.h"

/* Child parser: its input is an enum fan_colour, FAN_COLOUR_AUTO at first. */
extern const struct argp fan_colour_argp;

/* By the option, the terminal, the environment and the locale: see fan_style_choose(). */
struct fan_style fan_style_of_stdout(enum fan_colour when);

#endif
