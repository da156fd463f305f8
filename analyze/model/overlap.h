/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time in which every group was there, and its whole windows: from the last group's first
 * run to the first group's last run; of a VM the runs of its vCPUs count, not those of a VMM
 * that starts up or winds down.
 */
#ifndef FAN_MODEL_OVERLAP_H
#define FAN_MODEL_OVERLAP_H

#include "analyze/model/groups.h"
#include "analyze/model/model.h"

struct fan_overlap {
	bool is_none;		 /* the groups never all ran at the same time */
	uint64_t from_ns, to_ns; /* absolute; the whole period if there is none */
	uint64_t window_ns;
	uint64_t first;	     /* window of the series at which the first of ours begins */
	uint64_t per_window; /* windows of the series that make one of ours */
	uint64_t windows;
};

struct fan_overlap_options {
	bool all;	    /* the whole period, whoever runs */
	uint64_t window_ns; /* 0: by the rule below */
	uint64_t warmup_ns; /* cut from the beginning of that time */
};

/*
 * Where there is no such time the whole period is taken, and is_none set.
 * The window is the largest of 10, 20, 50, 100, 200, 500 ms and 1 s that gives at least 300
 * whole windows in the overlap, else the smallest that the series has; then doubled until
 * windows x groups <= 200000. 0; -ENOMEM; -EINVAL with a sentence: this width or warm-up is
 * not possible here.
 */
int fan_overlap_find(struct fan_overlap *ret, const struct fan_model *m, const struct fan_groups *g,
		     const struct fan_overlap_options *options, struct fcap_err *err);

/* Run and wait time that was booked to an account in window w of the overlap. */
struct fan_cell fan_overlap_cell(const struct fan_overlap *o, const struct fan_model *m,
				 int32_t account, uint64_t w);

/* CPU time in all windows of the overlap that no thread could be given. */
uint64_t fan_overlap_unknown_ns(const struct fan_overlap *o, const struct fan_model *m);

#endif
