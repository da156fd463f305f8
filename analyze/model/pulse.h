/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The millisecond beat of a pass: at each tick, counted from the begin of the analysed time, what
 * became due goes into the series, and both what was due and what ran to the fairness scales;
 * and where a window of the series ends, so does one of the vCPUs' time.
 */
#ifndef FAN_MODEL_PULSE_H
#define FAN_MODEL_PULSE_H

#include <stdint.h>

#include "analyze/model/demand.h"
#include "analyze/model/machine.h"
#include "analyze/model/parties.h"
#include "analyze/model/scales.h"
#include "analyze/model/series.h"
#include "analyze/model/span.h"
#include "analyze/model/threads.h"
#include "analyze/model/vcpu_windows.h"

#define FAN_TICK_NS 1000000ULL

/* Sums of a party: booked, and what runs at the moment, which is booked only when it ends. */
struct fan_beat {
	uint64_t got_ns, open_ns, due_ns;
};

/* What of an account is in the sums of its party. */
struct fan_told {
	uint64_t run_ns, due_ns;
	size_t vcpu; /* the first of its vCPUs, see struct fan_vcpu_lists */
};

/*
 * The vCPUs, by number from 1 on, of each account, as lists that end with 0: only those of active
 * accounts can have got anything. They hold until it becomes known that somebody belongs elsewhere.
 */
struct fan_vcpu_lists {
	size_t *next; /* by vCPU */
	size_t n, room;
	size_t others; /* the first of those whose account has no party */
	uint64_t reviews, regrouped;
	unsigned int epoch;
};

struct fan_pulse {
	uint64_t next_ns; /* of the next tick; UINT64_MAX: not begun */
	struct fan_demand *demand;
	struct fan_parties *parties;
	struct fan_scales *scales;
	struct fan_vcpu_windows *vcpu_windows;
	/* --- for pulse.c --- */
	struct fan_watch watch;
	const struct fan_machine *machine;
	struct fan_threads *threads;
	struct fan_series *series;
	uint64_t start, last, to;
	struct fan_beat *parties_now; /* by party */
	size_t room;
	struct fan_told *told; /* by account */
	size_t ntold;
	struct fan_vcpu_lists vcpus;
	uint64_t patience; /* ticks that may still be taken one by one in long gaps */
};

struct fan_pulse_setup {
	const struct fan_model *m;
	struct fan_machine *machine;
	struct fan_threads *threads;
	struct fan_series *series;
	struct fan_allocator allocator;
	const struct fan_party_map *map; /* NULL: VMs as they show */
};

/* All of setup is borrowed; the machine is watched from now on. NULL: no memory. */
struct fan_pulse *fan_pulse_new(const struct fan_pulse_setup *setup);
void fan_pulse_free(struct fan_pulse *p);

/* The analysed time is from from_ns to to_ns: before the first event. */
void fan_pulse_begin(struct fan_pulse *p, uint64_t from_ns, uint64_t to_ns);

/* Takes all ticks up to now_ns, the time of the next event. 0 or negative errno. */
int fan_pulse_beat(struct fan_pulse *p, uint64_t now_ns);

/* The trace ends: takes what is left since the last tick. 0 or negative errno. */
int fan_pulse_end(struct fan_pulse *p, uint64_t end_ns);

/* The machine has finished as well: nothing is open any more. 0 or negative errno. */
int fan_pulse_close(struct fan_pulse *p, uint64_t end_ns);

#endif
