/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of fcap-guest, made of the texts of /proc/stat and /proc/cmdline:
 *
 * fcap-guest cpu=0 steal=120000000 resolution_ns=10000000 t=12.345678901
 *
 * The counter is handed on as it stands, whatever it did since the last line; judging it is the
 * reader's affair. t, the end of a whole line, is the guest's own CLOCK_MONOTONIC in seconds.
 */
#ifndef CAP_GUEST_STEAL_LINES_H
#define CAP_GUEST_STEAL_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct cap_steal_facts {
	uint64_t tick_ns; /* unit of the counters in /proc/stat, and so their resolution */
	uint64_t now_ns;
	bool no_steal_acc; /* the guest's scheduler leaves steal out of account */
	bool uncounted;	   /* the counters are 0 because nobody counts */
};

/* Takes one line, without a newline, borrowed for the call. 0, or negative errno. */
typedef int (*cap_steal_line_fn)(void *ctx, const char *line);

/*
 * One line for each CPU of a /proc/stat. 0; -ENODATA: its CPUs have no steal column;
 * -EINVAL: no CPU in it, or one that is not to be understood; or what fn returned.
 */
int cap_steal_lines(const char *stat, const struct cap_steal_facts *facts, cap_steal_line_fn fn,
		    void *ctx);

/* True if its CPUs have a steal column, and no CPU counted any steal so far. */
bool cap_steal_is_zero(const char *stat);

/* True if the kernel was booted with no-steal-acc. */
bool cap_steal_is_unaccounted(const char *cmdline);

#endif
