/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the vCPU threads of each party did with their time, window by window: at the end of every
 * window the sums of each thread, with what goes on at the moment, are held against those of the
 * window before. So nothing is booked for it, and what is found out only later (a gap, a sleep
 * that turns out to be a halt or a wait) goes to the window in which it is found out: parts of a
 * window may be negative, but those of any windows in a row add up to what is known at their end.
 *
 * What a thread did before it shows to be a vCPU is spread evenly over its life. Threads known
 * by their names count until the first event or line tells of a vCPU; then as if never named.
 */
#ifndef FAN_MODEL_VCPU_WINDOWS_H
#define FAN_MODEL_VCPU_WINDOWS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/model/parties.h"
#include "analyze/model/series.h"
#include "analyze/model/threads.h"
#include "analyze/model/vcpu.h"

/* Time on a CPU is told by mode, see enum fan_vcpu_mode; then come these. */
enum {
	FAN_SUM_WAIT = FAN_MODES,
	FAN_SUM_STALE, /* a wait, or a sleep where the trace does not tell them apart */
	FAN_SUM_BLOCKED,
	FAN_SUM_UNKNOWN,
	FAN_SUM_HALTED, /* of FAN_SUM_BLOCKED */
	FAN_SUMS
};

/* All but FAN_SUM_HALTED add up to the length of the time, times threads alive in it. */
struct fan_vcpu_sums {
	int64_t ns[FAN_SUMS];
};

struct fan_vcpu_windows;

/* All are borrowed; the series may be widened. NULL: no memory. */
struct fan_vcpu_windows *fan_vcpu_windows_new(const struct fan_threads *threads,
					      const struct fan_parties *parties,
					      struct fan_series *series);
void fan_vcpu_windows_free(struct fan_vcpu_windows *w);

/* Window 0 begins here, as that of the series does, and what is booked too. Before any take. */
void fan_vcpu_windows_begin(struct fan_vcpu_windows *w, uint64_t from_ns);

/*
 * Ends all windows up to now_ns; nothing has happened since the first of these ends. Nothing
 * before the begin. 0 or -ENOMEM.
 */
int fan_vcpu_windows_take(struct fan_vcpu_windows *w, uint64_t now_ns);

/* All is booked up to end_ns: ends the last window, whole or not. 0 or -ENOMEM. */
int fan_vcpu_windows_end(struct fan_vcpu_windows *w, uint64_t end_ns);

/* Rows so far, numbered from 0; each is of one party. */
size_t fan_vcpu_windows_rows(const struct fan_vcpu_windows *w);

/* An account of the party of a row; -1: nothing was ever booked to it. */
int32_t fan_vcpu_windows_account(const struct fan_vcpu_windows *w, size_t row);

/* Sum of n windows of a row from window first on, as wide as those of the series; after the end. */
struct fan_vcpu_sums fan_vcpu_windows_sum(const struct fan_vcpu_windows *w, size_t row,
					  uint64_t first, uint64_t n);

#endif
