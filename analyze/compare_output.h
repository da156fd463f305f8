/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A comparison, of runs or of scores, in all forms that its command was asked for. */
#ifndef FAN_COMPARE_OUTPUT_H
#define FAN_COMPARE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/output.h"
#include "analyze/report/compare_tree.h"
#include "analyze/report/style.h"
#include "fcap/err.h"

/* A comparison with how its text is to look. */
struct fan_compare_page {
	struct fan_compare compare; /* first: the other forms are of this */
	bool is_all;
	struct fan_style style;
	int (*text)(const struct fan_compare *c, bool is_all, struct fan_style style, FILE *f,
		    struct fcap_err *err);
};

/* Complains, and returns the exit status. */
int fan_compare_output(const struct fan_compare_page *page, const struct fan_outputs *to);

#endif
