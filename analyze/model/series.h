/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Run, wait and due time per account in windows of equal length, exact to the nanosecond: the
 * windows of a row add up to its spans. The windows begin at 10 ms and grow by steps of 2 and 5
 * where the trace is long or has many processes, so that memory stays bounded.
 */
#ifndef FAN_MODEL_SERIES_H
#define FAN_MODEL_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fan_cell {
	uint64_t run_ns, wait_ns, due_ns;
};

struct fan_series;

struct fan_series *fan_series_new(void); /* NULL: no memory */
void fan_series_free(struct fan_series *s);

/* Window 0 begins here. To be called before the first add. */
void fan_series_start(struct fan_series *s, uint64_t start_ns);

/* Adds [t0, t1), t0 <= t1, to row's run or wait time. 0 or -ENOMEM; -EINVAL if t0 < start. */
int fan_series_add_run(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns);
int fan_series_add_wait(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns);

/* What was added to row's run time by the function above, in all. */
uint64_t fan_series_run_ns(const struct fan_series *s, size_t row);

/*
 * Adds wait time as above, but only where that is easy: nearly always it lies in the window of the
 * last add. False: nothing is added.
 */
bool fan_series_add_wait_here(struct fan_series *s, size_t row, uint64_t t0_ns, uint64_t t1_ns);

/* Adds ns to what was due to row in the window that t_ns is in. 0, -ENOMEM, -EINVAL as above. */
int fan_series_add_due(struct fan_series *s, size_t row, uint64_t t_ns, uint64_t ns);

/*
 * Adds amounts that are known of [t0, t1) as a whole, spread evenly over it, exact in sum; amounts
 * may be larger than t1 - t0. 0, -ENOMEM, -EINVAL as above, or if t0 = t1.
 */
int fan_series_spread(struct fan_series *s, size_t row, const struct fan_cell *amount,
		      uint64_t t0_ns, uint64_t t1_ns);

/* Width of the windows as they are now. */
uint64_t fan_series_width_ns(const struct fan_series *s);

/* Windows as wide as that, which others of the same trace have become. 0 or -ENOMEM. */
int fan_series_widen(struct fan_series *s, uint64_t width_ns);

/* By how much windows grow that have to: 10, 20, 100, 200, 1000 ms ... */
static inline unsigned int fan_series_factor(uint64_t width_ns)
{
	while (width_ns >= 10)
		width_ns /= 10;
	return width_ns == 1 ? 2 : 5;
}

/* Sum of n windows of a row from window w on; rows and windows that were never added are 0. */
struct fan_cell fan_series_sum(const struct fan_series *s, size_t row, uint64_t w, uint64_t n);

#endif
