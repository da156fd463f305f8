/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are the stamps of a file time at all? */
#ifndef FAN_TRACE_CLOCK_H
#define FAN_TRACE_CLOCK_H

#include "analyze/trace/file.h"

/* 0; -EINVAL: the clock counts something that the file does not let us turn into ns. */
int fan_clock_check(const struct fan_file *file, struct fcap_err *err);

#endif
