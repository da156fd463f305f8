/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The option --names: what kinds of time are called. For cmd_*.c only. */
#ifndef FAN_NAMES_H
#define FAN_NAMES_H

#include <argp.h>

#include "analyze/report/style.h"

/* Child parser: its input is an enum fan_names, FAN_NAMES_KERNEL at first. */
extern const struct argp fan_names_argp;

#endif
