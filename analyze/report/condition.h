/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions on a number of a result tree: "groups[vm1].deviation.value > 3". */
#ifndef FAN_REPORT_CONDITION_H
#define FAN_REPORT_CONDITION_H

#include "analyze/report/tree.h"
#include "fcap/err.h"

enum fan_relation { FAN_AT_MOST, FAN_AT_LEAST, FAN_EQUAL, FAN_UNEQUAL, FAN_BELOW, FAN_ABOVE };

struct fan_condition {
	char *path; /* owned */
	enum fan_relation relation;
	double limit;
};

/*
 * From PATH OP NUMBER with OP one of < <= > >= == !=, blanks around it or not, on a struct of this
 * table. 0, then fan_condition_free() it; -EINVAL: not of this form, or no path to a number, with a
 * sentence; -ENOMEM.
 */
int fan_condition_parse(struct fan_condition *ret, const char *text, const struct fan_table *table,
			struct fcap_err *err);

void fan_condition_free(struct fan_condition *c);

/*
 * 1: it holds of *item, a struct of that table; 0: it does not; -ENODATA: what it is about does not
 * exist in this result; otherwise as fan_path_value(). *value is the number, NaN without one.
 */
int fan_condition_holds(const struct fan_condition *c, const struct fan_table *table,
			const void *item, double *value, struct fcap_err *err);

#endif
