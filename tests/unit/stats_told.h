/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of tests/data/stats/degenerate.tsv: their numbers, and the status that must be told. */
#ifndef STATS_TOLD_H
#define STATS_TOLD_H

#include "tests/unit/stats_test.h"

#include "analyze/stats/est.h"

/* Of the amount of data, which every case has. */
#define ALWAYS (FAN_EST_ONE_RUN | FAN_EST_FEW_RUNS | FAN_EST_APPROXIMATE)

/* What a case was told. */
struct told {
	uint32_t flags;
	const char *other; /* a status that is no flag of an estimate, or NULL */
};

/* The number behind "name=" in a row. */
static inline double number(const char *row, const char *name)
{
	char key[32];
	const char *p;

	snprintf(key, sizeof(key), "%s=", name);
	for (p = strstr(row, key); p; p = strstr(p + 1, key))
		if (p[-1] == '\t' || p[-1] == ' ')
			return strtod(p + strlen(key), NULL);
	fail_msg("no %s in %s", name, row);
	return NAN;
}

static inline void assert_number(const char *row, const char *name, double got)
{
	assert_near(got, number(row, name), 1e-10);
}

/* The flag that a token of the status means; what a writer adds to it (a name, a count) may follow.
 */
static inline uint32_t flag_of(const char *token)
{
	for (unsigned int i = 0; i < FAN_EST_FLAGS; i++) {
		const char *name = fan_est_flag_name(1U << i);
		const size_t len = strlen(name);

		if (strncmp(token, name, len) == 0 && strchr("=:_", token[len]))
			return 1U << i;
	}
	return 0;
}

/* Holds what a case was told against the fourth column of its row. */
static inline void assert_status(const char *name, char *status, struct told told)
{
	char *save = NULL;

	for (char *token = strtok_r(status, ";", &save); token;
	     token = strtok_r(NULL, ";", &save)) {
		const char *text = strncmp(token, "warn:", 5) == 0 ? token + 5 : token;
		const uint32_t flag = flag_of(text);

		if (strcmp(text, "ok") == 0)
			continue;
		if (told.other && strcmp(text, told.other) == 0)
			told.other = NULL;
		else if (flag & told.flags)
			told.flags &= ~flag;
		else
			fail_msg("%s: not told %s", name, text);
	}
	told.flags &= ~(uint32_t)ALWAYS;
	if (told.flags || told.other)
		fail_msg("%s: also told 0x%x %s", name, told.flags, told.other ? told.other : "");
}

#endif
