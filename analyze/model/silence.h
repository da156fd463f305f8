/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For how long all CPUs may be silent before something must have stood still. */
#ifndef FAN_MODEL_SILENCE_H
#define FAN_MODEL_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Silence of all CPUs that is longer is no rest: the recorder alone wakes up more often. */
#define FAN_SILENCE_NS 1000000000ULL

/*
 * The host of other people's files (sample_ns 0) may rest that long; a clock that goes on while it
 * is suspended tells. Never below FAN_SILENCE_NS.
 */
uint64_t fan_silence_limit(uint64_t sample_ns, bool clock_counts_suspend);

/* Does this trace clock go on while the host is suspended? NULL: no. */
bool fan_clock_counts_suspend(const char *clock);

#endif
