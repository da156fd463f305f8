/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long exits from the guest took, by account and reason. Memory grows with accounts and
 * reasons, not with exits.
 */
#ifndef FAN_MODEL_EXITS_H
#define FAN_MODEL_EXITS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/model/hist.h"
#include "analyze/trace/event.h"

/* The reason under which the exits of an account are summed that has more than 254 others. */
#define FAN_EXIT_OTHER UINT32_MAX

struct fan_exit_sum {
	enum fan_isa isa;
	uint32_t reason;
	uint64_t off_cpu_ns; /* of ns.sum: asleep or waiting */
	struct fan_hist ns;  /* from the exit to the next entry of the same thread */
};

/* One exit. */
struct fan_exit {
	int32_t account;
	enum fan_isa isa;
	uint32_t reason;
	uint64_t ns, off_cpu_ns; /* as above */
};

struct fan_exits;

struct fan_exits *fan_exits_new(void); /* NULL: no memory */
void fan_exits_free(struct fan_exits *e);

/* 0 or -ENOMEM. */
int fan_exits_add(struct fan_exits *e, const struct fan_exit *exit);

/* The sums of an account, in the order of their first exits; NULL and 0 if it has none. */
const struct fan_exit_sum *fan_exits_of(const struct fan_exits *e, size_t account, size_t *ret_n);

#endif
