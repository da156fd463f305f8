// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/condition.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/path.h"
#include "fcap/num.h"

/* By enum fan_relation: what begins like another one comes first. */
static const char *const signs[] = { "<=", ">=", "==", "!=", "<", ">" };

#define RELATIONS (sizeof(signs) / sizeof(signs[0]))

int fan_condition_parse(struct fan_condition *ret, const char *text, const struct fan_table *table,
			struct fcap_err *err)
{
	const char *blanks = " \t", *path = text + strspn(text, blanks);
	const size_t len = fan_path_length(path);
	const char *s = path + len + strspn(path + len, blanks);
	struct fan_condition c = { 0 };
	double unused;
	size_t k = 0;
	int r;

	while (k < RELATIONS && strncmp(s, signs[k], strlen(signs[k])) != 0)
		k++;
	if (len == 0 || k == RELATIONS)
		return fcap_fail(err, EINVAL,
				 "PATH OP NUMBER is needed, with one of < <= > >= == != between");
	s += strlen(signs[k]);
	s += strspn(s, blanks);
	if (fcap_parse_real(s, &c.limit) < 0)
		return fcap_fail(err, EINVAL, "a number is needed after %s", signs[k]);
	c.path = strndup(path, len);
	c.relation = (enum fan_relation)k;
	r = c.path ? fan_path_value(c.path, table, NULL, &unused, err)
		   : fcap_fail(err, ENOMEM, "out of memory");
	if (r < 0) {
		fan_condition_free(&c);
		return r;
	}
	*ret = c;
	return 0;
}

void fan_condition_free(struct fan_condition *c)
{
	free(c->path);
	c->path = NULL;
}

int fan_condition_holds(const struct fan_condition *c, const struct fan_table *table,
			const void *item, double *value, struct fcap_err *err)
{
	const int r = fan_path_value(c->path, table, item, value, err);

	if (r < 0)
		return r;
	if (isnan(*value))
		return fcap_fail(err, ENODATA, "%s does not exist in this result", c->path);
	switch (c->relation) {
	case FAN_AT_MOST:
		return *value <= c->limit;
	case FAN_AT_LEAST:
		return *value >= c->limit;
	case FAN_EQUAL:
		return *value == c->limit;
	case FAN_UNEQUAL:
		return *value != c->limit;
	case FAN_BELOW:
		return *value < c->limit;
	case FAN_ABOVE:
		return *value > c->limit;
	}
	return 0;
}
