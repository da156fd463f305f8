/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fairness in whole windows of 1 ms to 10 s, counted from the begin of the analysed time, as
 * sums: nothing of a window is kept. A party *takes part* in a window if at least 1 % of the
 * window was due to it. What is compared is x = CPU time got / CPU time due.
 */
#ifndef FAN_MODEL_SCALES_H
#define FAN_MODEL_SCALES_H

#include <stddef.h>
#include <stdint.h>

#define FAN_SCALES    13
#define FAN_SCALE_ONE (1U << 16) /* an index of 1; a share of 1 */

/* Length of the windows in ticks of 1 ms. */
extern const unsigned int fan_scale_ticks[FAN_SCALES];

/* Windows of one length, of one party, or of all. */
struct fan_scale {
	uint64_t windows; /* party: it took part. All: two or more did, and one of them ran */
	uint64_t zero;	  /* it took part and did not run. All: their sum */
	uint64_t fair;	  /* all: of windows, those whose Jain index is 0.95 or more */
	uint64_t jain;	  /* all: sum over windows of the index, in 1/FAN_SCALE_ONE */
	uint64_t squares; /* sum of the squares of share minus due share, in 1/FAN_SCALE_ONE */
	uint64_t squared; /* so many */
	/* party: the same of its vCPUs, x = run / (run + wait), two of them or more */
	uint64_t vcpu_windows, vcpu_jain;
	uint64_t vcpu_zero; /* a vCPU waited all through a window */
};

/* Sums since the party or thread began to count, as of a tick. */
struct fan_pace {
	uint64_t got_ns, due_ns;
};

struct fan_scales;

struct fan_scales *fan_scales_new(void); /* NULL: no memory */
void fan_scales_free(struct fan_scales *s);

/*
 * The sums of a party, or of a vCPU thread (due: that it waited) and its party, at this tick. Who
 * is not told got nothing and was due nothing since, and is of the same party. 0 or -ENOMEM.
 */
int fan_scales_party(struct fan_scales *s, size_t party, struct fan_pace now);
int fan_scales_vcpu(struct fan_scales *s, size_t vcpu, int32_t party, struct fan_pace now);

/* So many ticks have passed since the last call: what was told since is of the first. */
void fan_scales_tick(struct fan_scales *s, uint64_t ticks);

/* Sums of a party; zeros for one that was never told. scale is below FAN_SCALES. */
struct fan_scale fan_scales_of(const struct fan_scales *s, size_t party, size_t scale);
struct fan_scale fan_scales_all(const struct fan_scales *s, size_t scale);

#endif
