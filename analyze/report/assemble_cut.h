/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of a file that is cut off or damaged. */
#ifndef FAN_REPORT_ASSEMBLE_CUT_H
#define FAN_REPORT_ASSEMBLE_CUT_H

#include "analyze/model/model.h"
#include "analyze/report/tree.h"

/* Adds sentences on what is missing of the part that was to be analysed; none if it is whole. 0 or
 * -ENOMEM. first_ns: the start of the trace. */
int fan_cut_sentences(struct fan_strs *ret, const struct fan_cut *cut, uint64_t first_ns);

/* The CPUs of which nothing is left. 0 or -ENOMEM. */
int fan_cut_missing(struct fan_ints *ret, const struct fan_cut *cut);

/* Fills what quality has of it. 0 or -ENOMEM. */
int fan_assemble_cut(struct fan_r_quality *q, const struct fan_model *m);

#endif
