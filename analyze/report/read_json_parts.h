/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that read JSON share; see read_json.h. */
#ifndef FAN_REPORT_READ_JSON_PARTS_H
#define FAN_REPORT_READ_JSON_PARTS_H

#include <jansson.h>

#include "analyze/report/tree.h"
#include "fcap/err.h"

/* Where a value is: a chain on the stack, from the innermost step outwards. */
struct fan_place {
	const struct fan_place *up;
	const char *key; /* NULL: index counts */
	size_t index;
	struct fcap_err *err;
};

struct fan_place fan_step_key(const struct fan_place *up, const char *key);
struct fan_place fan_step_index(const struct fan_place *up, size_t index);

/* -EINVAL with "at groups[0].name: TEXT". */
int fan_refuse(const struct fan_place *at, const char *text);
int fan_read_no_memory(const struct fan_place *at);

/* The member of this key; NULL if it is null or not there. */
const json_t *fan_read_member(const json_t *v, const char *key);

/* v is neither NULL nor null. 0, or a negative errno with its sentence. */
int fan_read_str(char **ret, const json_t *v, const struct fan_place *at);
int fan_read_i64(int64_t *ret, const json_t *v, const struct fan_place *at);
int fan_read_real(double *ret, const json_t *v, const struct fan_place *at);
int fan_read_bool(bool *ret, const json_t *v, const struct fan_place *at);
int fan_read_strs(struct fan_strs *ret, const json_t *v, const struct fan_place *at);
int fan_read_est(struct fan_est *ret, const json_t *v, const struct fan_place *at);
int fan_read_verdict(struct fan_verdict_text *ret, const json_t *v, const struct fan_place *at);

#endif
