/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of a list of names the one that is most like what was typed. */
#ifndef FAN_REPORT_NEAR_H
#define FAN_REPORT_NEAR_H

#include <stddef.h>

#define FAN_NEAR_LONGEST 63 /* bytes of a name that are looked at */

/* best is borrowed, NULL before the first try; of equally near ones the first. */
struct fan_near {
	const char *typed;
	size_t len, distance;
	const char *best;
};

/* len bytes of typed, which stays the caller's, and has to outlive the search. */
struct fan_near fan_near_to(const char *typed, size_t len);

/* One name more: distance is the number of bytes to add, drop or change (Levenshtein 1966). */
void fan_near_try(struct fan_near *near, const char *name);

#endif
