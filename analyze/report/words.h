/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tokens of the result tree mean, in words; and the report's answer in sentences. */
#ifndef FAN_REPORT_WORDS_H
#define FAN_REPORT_WORDS_H

#include "analyze/report/print.h"
#include "analyze/report/tree.h"

/* A clause for a flag of a report or group; the token itself if there is none. */
const char *fan_flag_words(const char *flag);

/* The i-th flag that has a clause; NULL for the first i beyond them, which must not be exceeded. */
const char *fan_flag_name(size_t i);

/* The string, or "-" for what does not exist. */
static inline const char *fan_or_dash(const char *s)
{
	return s ? s : "-";
}

/* "VMs" if all groups are, else "groups". */
const char *fan_group_noun(const struct fan_array *groups);

/* Is it known of any group how long it ran? Not where nobody was seen to be switched. */
bool fan_tells_run(const struct fan_array *groups);

/* Has any group (struct fan_r_group) a vCPU? */
bool fan_has_vcpus(const struct fan_array *groups);

/* What fan_r_steal.closure means; the token itself if there is no clause. */
const char *fan_closure_words(const char *closure);

/*
 * The flags in the words of fan_reason_text(), joined with ", ", to be freed; "" without flags;
 * NULL: no memory.
 */
char *fan_est_words(uint32_t flags);

/* The strings joined with this separator, to be freed; NULL: no memory. */
char *fan_join(const struct fan_strs *strs, const char *separator);

/* Whether the report is fair, in a few sentences, or why nobody can say. */
void fan_print_answer(const struct fan_report *r, struct fan_print *p);

#endif
