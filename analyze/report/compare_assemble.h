/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the runs of two or more configurations to the tree of a comparison. */
#ifndef FAN_REPORT_COMPARE_ASSEMBLE_H
#define FAN_REPORT_COMPARE_ASSEMBLE_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/runs.h"
#include "fcap/err.h"

/* Strings are borrowed; NULL where the option was not given. */
struct fan_compare_options {
	double level;	      /* of the intervals, 0.5 .. 1 */
	double margin;	      /* points; percent for scores */
	const char *baseline; /* NULL: "off" if there is one, else the first configuration */
	const char *by;	      /* label that told the configurations */
	const char *paired;   /* label that told the blocks */
	const char *command;  /* as typed, for the record */
};

/*
 * Fills *ret, which the caller frees with fan_compare_free() also after a failure. runs move into
 * it and are left empty. One configuration is fine: its gaps are those between VMs. 0; -ENOMEM;
 * -EINVAL with a sentence: no such baseline, no runs, two runs of one configuration in a block.
 */
int fan_compare_assemble(struct fan_compare *ret, struct fan_runs *runs,
			 const struct fan_compare_options *options, struct fcap_err *err);

#endif
