/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel said when the recording ended: names of threads, and counts of each CPU. Kept in
 * the part "tail" until the file is made; one that was killed earlier has none.
 */
#ifndef CAP_TAIL_H
#define CAP_TAIL_H

#include <stddef.h>
#include <stdint.h>

#define CAP_TAIL_PART "tail"

struct cap_tail {
	const char *saved;  /* saved_cmdlines; NULL: unknown */
	const char **stats; /* by CPU: per_cpu/cpuN/stats; NULL: unknown */
	uint32_t ncpu;
	char *text; /* the above point into it */
};

/* The part as it is stored, for the caller to free; NULLs are left out. 0 or -ENOMEM. */
int cap_tail_print(char **ret, size_t *ret_len, const char *saved, char *const *stats,
		   uint32_t ncpu);

/*
 * From such a text, which it takes over, also when it fails; text NULL: nothing is known.
 * 0; -EINVAL: damaged; -ENOMEM.
 */
int cap_tail_parse(struct cap_tail *ret, char *text, size_t len, uint32_t ncpu);

void cap_tail_clear(struct cap_tail *t);

#endif
