// SPDX-License-Identifier: GPL-3.0-or-later
/* What /proc says of the machine in words: its command line, its processor, its scheduler. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/machine.h"

/* Those that end in a dot: all options of that module. */
static const char *const bears_on_scheduling[] = {
	"amd_pstate",
	"cgroup_disable",
	"cgroup_no_v1",
	"clocksource",
	"cpufreq.default_governor",
	"idle",
	"intel_idle.max_cstate",
	"intel_pstate",
	"isolcpus",
	"kvm-amd.",
	"kvm-intel.",
	"kvm.",
	"kvm_amd.",
	"kvm_intel.",
	"l1tf",
	"maxcpus",
	"mds",
	"mitigations",
	"mmio_stale_data",
	"no-steal-acc",
	"noautogroup",
	"nohlt",
	"nohz",
	"nohz_full",
	"nosmt",
	"nr_cpus",
	"numa_balancing",
	"preempt",
	"processor.max_cstate",
	"rcu_nocbs",
	"schedstats",
	"skew_tick",
	"systemd.unified_cgroup_hierarchy",
	"threadirqs",
	"tsx",
	"tsx_async_abort",
};

static bool matters(const char *option, size_t len)
{
	const char *value = memchr(option, '=', len);
	const size_t name = value ? (size_t)(value - option) : len;

	for (size_t i = 0; i < sizeof(bears_on_scheduling) / sizeof(bears_on_scheduling[0]); i++) {
		const char *known = bears_on_scheduling[i];
		const size_t n = strlen(known);
		const bool is_module = known[n - 1] == '.';

		if (strncmp(option, known, n) == 0 && (is_module ? len > n : name == n))
			return true;
	}
	return false;
}

/* Up to a blank outside quotes. */
static size_t option_length(const char *text)
{
	bool is_quoted = false;
	size_t n = 0;

	for (; text[n] && (is_quoted || !isspace((unsigned char)text[n])); n++)
		is_quoted ^= text[n] == '"';
	return n;
}

void cap_machine_boot_options(const char *cmdline, char *ret, size_t size)
{
	size_t have = 0;

	ret[0] = '\0';
	for (const char *p = cmdline; *p;) {
		size_t n;

		/* whatever ends an option; some boot loaders leave tabs and line ends */
		if (isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		n = option_length(p);
		if (n == 2 && strncmp(p, "--", 2) == 0) /* what follows is for init */
			return;
		if (n && matters(p, n) && have + n + 2 <= size)
			have += (size_t)snprintf(ret + have, size - have, "%s%.*s", have ? " " : "",
						 (int)n, p);
		p += n;
	}
}

/* The value of "KEY<blanks>: VALUE" at the beginning of a line; its length, or 0. */
static size_t find_value(const char *text, const char *key, const char **ret)
{
	const size_t len = strlen(key);

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *colon = p + len;

		if (strncmp(p, key, len) != 0)
			continue;
		colon += strspn(colon, " \t");
		if (*colon != ':')
			continue;
		*ret = colon + 1 + strspn(colon + 1, " \t");
		return strcspn(*ret, "\n");
	}
	return 0;
}

bool cap_machine_cpu_model(const char *cpuinfo, char *ret, size_t size)
{
	/* x86 and others; LoongArch; POWER; RISC-V; s390 */
	static const char *const key[] = { "model name", "Model Name", "cpu", "uarch",
					   "processor 0" };
	const char *value, *part;
	size_t n;

	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++) {
		n = find_value(cpuinfo, key[i], &value);
		if (n) {
			snprintf(ret, size, "%.*s", (int)n, value);
			return true;
		}
	}
	/* Arm has numbers only */
	n = find_value(cpuinfo, "CPU implementer", &value);
	if (!n || !find_value(cpuinfo, "CPU part", &part))
		return false;
	snprintf(ret, size, "Arm implementer %.*s part %.*s", (int)n, value,
		 (int)strcspn(part, "\n"), part);
	return true;
}

const char *cap_machine_fair_class(const char *features, const char *release)
{
	unsigned int major = 0, minor = 0;

	/* the lag of a thread is EEVDF's */
	if (features && *features)
		return strstr(features, "PLACE_LAG") ? "eevdf" : "cfs";
	if (sscanf(release, "%u.%u", &major, &minor) != 2)
		return NULL;
	return major > 6 || (major == 6 && minor >= 6) ? "eevdf" : "cfs";
}
