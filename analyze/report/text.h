/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result tree as text for a person at a terminal of 80 columns. */
#ifndef FAN_REPORT_TEXT_H
#define FAN_REPORT_TEXT_H

#include <stdio.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

#define FAN_TEXT_THREADS 20 /* shown of each group; the rest is counted */
#define FAN_TEXT_GROUPS	 20 /* whose threads are shown at all; the rest is counted */

/*
 * Writes the answer, then the tables behind it, and flushes f, which stays the caller's.
 * Computes nothing: rounds (two significant digits of the half-width), and
 * shows what does not exist as "-". Lines are at most 80 columns unless a name makes one longer;
 * bytes of names that are not printable ASCII become \xHH. 0; -ENOMEM; or the error of the
 * write, with a sentence in err.
 */
int fan_report_text(const struct fan_report *r, FILE *f, struct fcap_err *err);

/* What kinds of time are called: as above, or in a table more as in esxtop (text_esx.h). */
enum fan_names { FAN_NAMES_KERNEL, FAN_NAMES_ESX };

int fan_report_text_named(const struct fan_report *r, enum fan_names names, FILE *f,
			  struct fcap_err *err);

#endif
