// SPDX-License-Identifier: GPL-3.0-or-later
/* /proc/stat -> lines. */
#include "capture/guest/steal_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/cpu_times.h"

#define SECOND_NS 1000000000U

/* No kernel counts so far that this would overflow; what is broken shall stay conspicuous. */
static uint64_t to_ns(uint64_t ticks, uint64_t tick_ns)
{
	uint64_t ns;

	return __builtin_mul_overflow(ticks, tick_ns, &ns) ? UINT64_MAX : ns;
}

static int tell(const struct cap_cpu_times *cpu, const struct cap_steal_facts *facts,
		cap_steal_line_fn fn, void *ctx)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "fcap-guest cpu=%u steal=%" PRIu64 " resolution_ns=%" PRIu64 "%s%s t=%" PRIu64
		 ".%09" PRIu64,
		 cpu->cpu, to_ns(cpu->ticks[CAP_CPU_STEAL], facts->tick_ns), facts->tick_ns,
		 facts->no_steal_acc ? " no_steal_acc=1" : "",
		 facts->uncounted ? " uncounted=1" : "", facts->now_ns / SECOND_NS,
		 facts->now_ns % SECOND_NS);
	return fn(ctx, line);
}

int cap_steal_lines(const char *stat, const struct cap_steal_facts *facts, cap_steal_line_fn fn,
		    void *ctx)
{
	int told = -EINVAL;

	for (const char *p = stat; p; p = cap_cpu_times_next(p)) {
		struct cap_cpu_times cpu;
		const int r = cap_cpu_times_parse(p, &cpu);

		if (r < 0)
			return r;
		if (r > 0)
			continue;
		if (cpu.columns <= CAP_CPU_STEAL)
			return -ENODATA;
		told = tell(&cpu, facts, fn, ctx);
		if (told < 0)
			return told;
	}
	return told;
}

bool cap_steal_is_zero(const char *stat)
{
	struct cap_cpu_times cpu;

	for (const char *p = stat; p; p = cap_cpu_times_next(p))
		if (cap_cpu_times_parse(p, &cpu) == 0 &&
		    (cpu.columns <= CAP_CPU_STEAL || cpu.ticks[CAP_CPU_STEAL]))
			return false;
	return true;
}

/* The kernel takes '-' and '_' in names of parameters for the same. */
static bool is_named(const char *word, size_t len, const char *name)
{
	if (len != strlen(name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (word[i] != name[i] && !(word[i] == '_' && name[i] == '-'))
			return false;
	return true;
}

bool cap_steal_is_unaccounted(const char *cmdline)
{
	for (const char *p = cmdline + strspn(cmdline, " \n"); *p; p += strspn(p, " \n")) {
		const size_t len = strcspn(p, " \n");

		if (len == 2 && strncmp(p, "--", 2) == 0)
			return false; /* what follows is for init */
		if (is_named(p, strcspn(p, "= \n"), "no-steal-acc"))
			return true;
		p += len;
	}
	return false;
}
