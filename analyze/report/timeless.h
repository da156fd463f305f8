/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of a trace whose stamps are no time, as those of the clock x86-tsc without a factor:
 * what it counts is told, lengths and shares of time do not exist.
 */
#ifndef FAN_REPORT_TIMELESS_H
#define FAN_REPORT_TIMELESS_H

#include "analyze/report/assemble.h"

/*
 * Reads the file and fills *ret, which the caller frees with fan_report_free() also after a
 * failure. reason: why its stamps are no time. 0 or negative errno with a sentence.
 */
int fan_report_timeless(struct fan_report *ret, const struct fan_file *file,
			const struct fan_model_options *model,
			const struct fan_report_options *options, const char *reason,
			struct fcap_err *err);

#endif
