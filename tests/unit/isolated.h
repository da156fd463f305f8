/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of isolation: from a trace to who shared cores. Two VMs, "one" of vCPUs a and a2,
 * "two" of b and b2, and a third of c. Times are in us after the begin of the trace.
 */
#ifndef TESTS_UNIT_ISOLATED_H
#define TESTS_UNIT_ISOLATED_H

#include "analyze/report/passes.h"
#include "fcap/cpulist.h"
#include "tests/unit/modelled.h"

#define US 1000ULL

__attribute__((unused)) static const struct tb_task a = { 101, "one/0", 0 },
						    a2 = { 102, "one/1", 0 };
__attribute__((unused)) static const struct tb_task b = { 201, "two/0", 0 },
						    b2 = { 202, "two/1", 0 };
__attribute__((unused)) static const struct tb_task c = { 301, "three/0", 0 };

/* At this time, on the time of idle or of a thread. */
static inline struct tb_at on(int cpu, uint64_t us)
{
	return tb_at(cpu, MODELLED_BASE + us * US);
}

static inline struct tb_at by(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * US, cur.tid);
}

/* siblings: as of --siblings, ";" between cores; NULL: what the trace tells. */
static inline struct fan_model *isolation_of_file(struct fan_file *file, const char *siblings,
						  struct fan_model_options options)
{
	const struct fan_report_options report = { .level = 0.95, .margin = 3 };
	struct fcap_cpuset sets[8];
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	char text[100], *save = NULL;

	options.siblings = sets;
	snprintf(text, sizeof(text), "%s", siblings ? siblings : "");
	for (char *p = strtok_r(text, ";", &save); p; p = strtok_r(NULL, ";", &save))
		assert_int_equal(fcap_cpulist_parse(p, &sets[options.nsiblings++]), 0);
	if (fan_report_read(&m, file, &options, &report, &err) < 0)
		fail_msg("%s", err.text);
	assert_non_null(m->isolation);
	fan_file_close(file);
	return m;
}

static inline struct fan_model *isolation_with(struct tb *tb, const char *siblings,
					       struct fan_model_options options)
{
	return isolation_of_file(file_of(tb), siblings, options);
}

/* With the default tolerance. */
static inline struct fan_model *isolation_of(struct tb *tb, const char *siblings)
{
	return isolation_with(tb, siblings, (struct fan_model_options){ 0 });
}

#endif
