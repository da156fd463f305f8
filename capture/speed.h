/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rates of the CPUs, as their driver tells them, and the governors that choose them. */
#ifndef CAP_SPEED_H
#define CAP_SPEED_H

#include <stddef.h>
#include <stdint.h>

#include "capture/emit.h"

struct cap_speed {
	struct cap_speed_cpu *cpu;
	size_t n, next;
};

/* Finds the CPUs again that have a clock rate. sysfd: /sys. 0, or -ENOMEM. */
int cap_speed_find(struct cap_speed *s, int sysfd);

/*
 * A "freq" line for each CPU whose rate is off by more than 5 % from the one told last. Looks at
 * the next 8 CPUs, and stops after 1 ms: some drivers take 10 ms for one. 0, or the sink's error.
 */
int cap_speed_sample(struct cap_speed *s, struct cap_sink to);

/* The governors in use, each once, with commas; the empty text where there are none. */
void cap_speed_governors(int sysfd, char *ret, size_t size);

void cap_speed_clear(struct cap_speed *s);

#endif
