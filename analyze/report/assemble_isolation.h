/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the assembly that tell who shared a core with whom. See assemble.h. */
#ifndef FAN_REPORT_ASSEMBLE_ISOLATION_H
#define FAN_REPORT_ASSEMBLE_ISOLATION_H

#include "analyze/report/assemble.h"

/* Of the vCPUs of all groups, as told last. */
enum fan_cookies {
	FAN_COOKIES_NOT_TOLD,
	FAN_COOKIES_NOT_READABLE, /* the kernel's random generator was not ready */
	FAN_COOKIES_ABSENT,	  /* the kernel is without core scheduling */
	FAN_COOKIES_NONE,	  /* all 0 */
	FAN_COOKIES_PARTLY,	  /* some 0 */
	FAN_COOKIES_SHARED,	  /* two groups have the same one */
	FAN_COOKIES_APART,	  /* each has one, and no two groups the same */
	FAN_COOKIES_KINDS
};

/* What the verdict goes by, beside the numbers of the tree. */
struct fan_isolation_evidence {
	enum fan_level between;
	enum fan_cookies cookies;
	bool are_vms;	  /* groups are VMs, not what somebody else has in mind */
	const char *noun; /* "VMs" or "groups" */
	bool has_switches;
	bool knows_cores;  /* which CPUs are siblings, of some CPU */
	bool has_smt;	   /* some core has two CPUs or more */
	bool lacks_cpus;   /* some are missing from a file that is cut off */
	bool is_told;	   /* the trace tells of this level */
	size_t vms, vcpus; /* groups with vCPU threads; those threads */
	bool have_met;	   /* two groups used one core, be it one after the other */
	bool has_forced_idle;
	uint64_t used_ns; /* core time in which threads of groups ran, on cores with siblings */
	int64_t skew_ns;  /* of clocks of CPUs */
};

/* "vm", "guest", "cookie" */
const char *fan_level_word(enum fan_level level);

/* 0 or -ENOMEM. */
int fan_cookies_of(enum fan_cookies *ret, const struct fan_assembly *a);

/* The word for them. 0 or -ENOMEM. */
int fan_name_cookies(char **ret, enum fan_cookies cookies);

/*
 * Fills verdict, sentence, reason and applicable from the evidence and iso's numbers of the level
 * that is judged. 0 or -ENOMEM.
 */
int fan_judge_isolation(struct fan_r_isolation *iso, const struct fan_isolation_evidence *e);

/*
 * Cookies keep them apart, and what is left is rare: at most a tenth of the pairings (of fewer than
 * ten: one), and within the limit as a share of all time in which groups ran. Then the share of
 * co-run, of which there may be next to nothing but the moments of changing over, is no measure.
 */
bool fan_isolation_is_moments(const struct fan_r_isolation *iso,
			      const struct fan_isolation_evidence *e);

/* What has to be known about the numbers and the verdict that are there. 0 or -ENOMEM. */
int fan_assemble_isolation_notes(struct fan_report *r, const struct fan_assembly *a,
				 const struct fan_isolation_evidence *e);

#endif
