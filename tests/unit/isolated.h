/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the tests of isolation: from a trace to who shared cores. Two VMs, "one" of vCPUs a and a2,
 * "two" of b and b2, and a third of c. Times are in us after the begin of the trace.
 */
#ifndef TESTS_UNIT_ISOLATED_H
#define TESTS_UNIT_ISOLATED_H

#include <stdio.h>
#include <string.h>

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

/* Times in us. */
struct mixing {
	uint64_t co_run, violation, transition, unresolved, possible;
	uint64_t pairings, reentered, unresolveds; /* numbers */
};

static inline void assert_level(const struct fan_model *m, enum fan_level level, struct mixing want)
{
	const struct fan_mixing *got = fan_isolation_level(m->isolation, level);

	assert_int_equal(got->co_run_ns, want.co_run * US);
	assert_int_equal(got->violation_ns, want.violation * US);
	assert_int_equal(got->transition_ns, want.transition * US);
	assert_int_equal(got->unresolved_ns, want.unresolved * US);
	assert_int_equal(got->possible_ns, want.possible * US);
	assert_int_equal(got->pairings, want.pairings);
	assert_int_equal(got->reentered, want.reentered);
	assert_int_equal(got->unresolved, want.unresolveds);
}

/* What a core did, in us by class; and the parties' parts of it. */
static inline void assert_core(const struct fan_model *m, size_t core,
			       const uint64_t want[FAN_CORE_CLASSES])
{
	const struct fan_core_time *got = fan_isolation_core(m->isolation, core);
	uint64_t sum = 0, parties = 0;

	for (size_t i = 0; i < FAN_CORE_CLASSES; i++) {
		assert_int_equal(got->ns[i], want[i] * US);
		sum += got->ns[i];
	}
	for (size_t i = 0; i < got->nparties; i++)
		parties += got->party_ns[i];
	assert_int_equal(sum, m->end_ns - m->start_ns);
	assert_int_equal(parties, got->ns[FAN_CORE_VM]);
}

static inline int32_t tid_of(const struct fan_model *m, int32_t thread)
{
	return fan_threads_at(m->threads, (size_t)thread)->tid;
}

/* Who are vCPUs of what. */
static inline void tell_vcpus(struct tb *tb)
{
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=102 tgid=100 id=1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=201 tgid=200 id=0");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=202 tgid=200 id=1");
	tb_marker(tb, MODELLED_BASE, "fcap: vcpu tid=301 tgid=300 id=0");
}

static inline void tell_cookie(struct tb *tb, struct tb_task task, unsigned int cookie)
{
	tb_marker(tb, MODELLED_BASE, "fcap: task tid=%d cookie=0x%x", task.tid, cookie);
}

static inline void run(struct tb *tb, int cpu, uint64_t us, struct tb_task prev,
		       struct tb_task next)
{
	tb_switch(tb, on(cpu, us), prev, TB_R, next);
}

static inline void enter(struct tb *tb, int cpu, uint64_t us, struct tb_task task)
{
	tb_kvm_entry(tb, by(cpu, us, task), 0);
}

static inline void leave(struct tb *tb, int cpu, uint64_t us, struct tb_task task)
{
	tb_kvm_exit(tb, by(cpu, us, task), 0, 1);
}

#endif
