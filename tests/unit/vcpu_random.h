/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the laws of vCPU time: a machine, and any events for it. FCAP_TEST_SEED=N repeats a run. */
#ifndef TESTS_UNIT_VCPU_RANDOM_H
#define TESTS_UNIT_VCPU_RANDOM_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/model/machine.h"
#include "tests/lib/seeded.h"

enum { CPUS = 3, TIDS = 5, EVENTS = 300, HLT = 12, IO = 30 };

struct run {
	uint64_t seed, random;
	unsigned int sequence;
	struct fan_threads *threads;
	struct fan_machine *machine;
	uint64_t now;
	uint64_t step;	/* events are less than that apart, ns */
	uint64_t exits; /* events */
};

static inline void law(const struct run *r, bool holds, const char *what)
{
	if (!holds)
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", sequence %u: %s", r->seed, r->sequence, what);
}

static inline uint64_t draw(struct run *r, uint64_t below)
{
	return seeded_next(&r->random) % below;
}

static inline int take_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	(void)ctx;
	(void)span;
	(void)th;
	return 0;
}

static inline void begin(struct run *r, uint64_t seed, unsigned int sequence)
{
	*r = (struct run){ .seed = seed, .sequence = sequence };
	r->random = seed + sequence * 0x632be59bd9b4e019ULL;
	r->step = 2000;
	/* no event is so late that it would be before 0 */
	r->now = 1000000 + draw(r, 1000000000);
	r->threads = fan_threads_new();
	assert_non_null(r->threads);
	assert_int_equal(fan_machine_new(&r->machine, r->threads, take_span, r), 0);
}

static inline void release(struct run *r)
{
	fan_machine_free(r->machine);
	fan_threads_free(r->threads);
}

static inline void feed(struct run *r, const struct fan_event *ev)
{
	assert_int_equal(fan_machine_feed(r->machine, ev), 0);
}

static inline void any_vcpu_event(struct run *r, struct fan_event *ev)
{
	static const uint32_t reasons[] = { HLT, IO, 1, 0x78, 0x7fffffff };

	ev->vcpu.id = (int32_t)draw(r, 3) - 1;
	ev->vcpu.what = (enum fan_vcpu_what)draw(r, FAN_VCPU_WHATS);
	ev->vcpu.isa = (enum fan_isa)draw(r, FAN_ISA_LOONGARCH + 1);
	ev->vcpu.reason = draw(r, 8) ? reasons[draw(r, 5)] : (uint32_t)draw(r, UINT32_MAX);
	ev->vcpu.ns = draw(r, 4) ? draw(r, 5 * r->step / 2) : draw(r, UINT64_MAX);
	ev->vcpu.has_blocked = draw(r, 2);
	r->exits += ev->vcpu.what == FAN_VCPU_EXIT;
}

/* Happens at r->now, or a little late. */
static inline void any_event(struct run *r)
{
	static const enum fan_event_kind kinds[] = { FAN_EV_SWITCH, FAN_EV_WAKEUP, FAN_EV_WAKING,
						     FAN_EV_FORK, FAN_EV_FREE };
	struct fan_event ev = { .cpu = (int32_t)draw(r, CPUS), .kind = FAN_EV_VCPU };

	ev.ts_ns = draw(r, 20) ? r->now : r->now - draw(r, r->step / 2);
	ev.missed = draw(r, 50) ? 0 : -1;
	ev.cur_tid = (int32_t)draw(r, TIDS);
	if (draw(r, 2))
		ev.kind = kinds[draw(r, sizeof(kinds) / sizeof(kinds[0]))];
	if (ev.kind == FAN_EV_SWITCH) {
		ev.sw.prev_tid = ev.cur_tid;
		ev.sw.next_tid = (int32_t)draw(r, TIDS);
		ev.sw.prev_runnable = draw(r, 2);
		ev.sw.prev_comm = ev.sw.next_comm = (struct fan_comm){ "x" };
	} else if (ev.kind == FAN_EV_VCPU) {
		any_vcpu_event(r, &ev);
	} else if (ev.kind == FAN_EV_FORK) {
		ev.fork.parent = 1;
		ev.fork.child = 1 + (int32_t)draw(r, TIDS);
		ev.fork.comm = (struct fan_comm){ "x" };
	} else if (ev.kind == FAN_EV_FREE) {
		ev.exit.tid = 1 + (int32_t)draw(r, TIDS);
	} else {
		ev.wakeup.tid = 1 + (int32_t)draw(r, TIDS);
		ev.wakeup.comm = (struct fan_comm){ "x" };
	}
	feed(r, &ev);
}

#endif
