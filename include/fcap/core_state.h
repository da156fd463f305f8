/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a kernel can tell of core scheduling, and the words that stand for it in a "begin" line. */
#ifndef FCAP_CORE_STATE_H
#define FCAP_CORE_STATE_H

#include <stddef.h>
#include <string.h>

enum fcap_core_state {
	FCAP_CORE_UNKNOWN,   /* not told, or asking failed in another way than those below */
	FCAP_CORE_READABLE,  /* threads can have cookies, and these can be read */
	FCAP_CORE_ABSENT,    /* the kernel is older than 5.14 or lacks CONFIG_SCHED_CORE */
	FCAP_CORE_NO_SMT,    /* no core has two CPUs online: nothing to schedule by core */
	FCAP_CORE_NOT_READY, /* there can be cookies, but each reads as 0 for now */
	FCAP_CORE_STATES
};

/* The word for a state; NULL for FCAP_CORE_UNKNOWN, which is told by leaving the key out. */
static inline const char *fcap_core_state_word(enum fcap_core_state state)
{
	static const char *const words[FCAP_CORE_STATES] = { NULL, "readable", "absent", "no_smt",
							     "not_ready" };

	return words[state];
}

/* The state that a word stands for; FCAP_CORE_UNKNOWN for NULL and for other words. */
static inline enum fcap_core_state fcap_core_state_named(const char *word)
{
	for (int s = FCAP_CORE_READABLE; word && s < FCAP_CORE_STATES; s++)
		if (strcmp(word, fcap_core_state_word((enum fcap_core_state)s)) == 0)
			return (enum fcap_core_state)s;
	return FCAP_CORE_UNKNOWN;
}

#endif
