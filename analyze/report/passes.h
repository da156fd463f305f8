/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a file to the model that a report needs. What a group is due depends on who else wants to
 * run at the same moment, so the groups have to be known while the trace is read: VMs are, others
 * only after a first pass.
 */
#ifndef FAN_REPORT_PASSES_H
#define FAN_REPORT_PASSES_H

#include "analyze/report/assemble.h"

/*
 * Reads the file once, or a second time where the groups of the report are others than those
 * that showed in time. model NULL: all of it. 0; negative errno with a sentence.
 */
int fan_report_read(struct fan_model **ret, const struct fan_file *file,
		    const struct fan_model_options *model, const struct fan_report_options *options,
		    struct fcap_err *err);

/* The groups of the report: processes where VMs were asked for and none is found. As above. */
int fan_report_groups(struct fan_groups **ret, struct fan_model *m,
		      const struct fan_report_options *options, struct fcap_err *err);

/* The given weight of each group, NaN: none; to be freed. As above: no group has such a name. */
int fan_report_weights(double **ret, const struct fan_groups *g,
		       const struct fan_report_options *options, struct fcap_err *err);

#endif
