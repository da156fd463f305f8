// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables of isolation and forced idle; see tables.c. */
#include "analyze/report/field.h"
#include "analyze/report/tree.h"

static const struct fan_field mixing_fields[] = {
	FIELD(fan_r_mixing, level, NULL, "What must not share a core: vm, guest or cookie."),
	FIELD(fan_r_mixing, co_run_ns, "ns",
	      "Core time in which two siblings or more ran vCPU threads, whoever's."),
	FIELD(fan_r_mixing, violation_ns, "ns",
	      "Of it: after one sibling had switched, the other one entered its guest again."),
	FIELD(fan_r_mixing, transition_ns, "ns",
	      "Of it: until the other one left, or entered its guest again."),
	FIELD(fan_r_mixing, unresolved_ns, "ns", "Of it: neither, for longer than the tolerance."),
	FIELD(fan_r_mixing, possible_ns, "ns",
	      "A sibling ran a vCPU thread, and of another one it is not known what it ran."),
	FIELD(fan_r_mixing, violation_pct, "percent", "violation_ns of co_run_ns."),
	FIELD(fan_r_mixing, judged_pct, "percent",
	      "violation_ns and unresolved_ns of co_run_ns: what the verdict is about."),
	FIELD(fan_r_mixing, count, NULL, "Number of violations."),
	FIELD(fan_r_mixing, unresolved, NULL, "Number of pairings that are unresolved."),
	FIELD(fan_r_mixing, pairings, NULL,
	      "Times that two CPUs of a core came to run what must not share it."),
	FIELD(fan_r_mixing, longest_ns, "ns", "The longest violation."),
};
const struct fan_table fan_mixing_table = TABLE(fan_r_mixing, mixing_fields, "levels");

static const struct fan_field mixed_pair_fields[] = {
	FIELD(fan_r_mixed_pair, a, NULL, "One of the two groups."),
	FIELD(fan_r_mixed_pair, b, NULL,
	      "The other one; the same where cookies tell vCPUs of one group apart."),
	FIELD(fan_r_mixed_pair, total_ns, "ns", "Violations, summed over pairs of CPUs."),
	FIELD(fan_r_mixed_pair, transition_ns, "ns", "Time of transitions."),
	FIELD(fan_r_mixed_pair, unresolved_ns, "ns", "Time that is unresolved."),
	FIELD(fan_r_mixed_pair, count, NULL, "Number of violations."),
	FIELD(fan_r_mixed_pair, unresolved, NULL, "Number of pairings that are unresolved."),
	FIELD(fan_r_mixed_pair, longest_ns, "ns", "The longest violation."),
};
const struct fan_table fan_mixed_pair_table = TABLE(fan_r_mixed_pair, mixed_pair_fields, "pairs");

static const struct fan_field mixed_fields[] = {
	FIELD(fan_r_mixed, ts_ns, "ns", "Its begin, from the start of the trace."),
	FIELD(fan_r_mixed, ns, "ns", "How long it lasted."),
	FIELD(fan_r_mixed, cpu_a, NULL, "The CPU that was late."),
	FIELD(fan_r_mixed, cpu_b, NULL, "Its sibling, which had switched."),
	FIELD(fan_r_mixed, tid_a, NULL, "The thread on cpu_a."),
	FIELD(fan_r_mixed, tid_b, NULL, "The thread on cpu_b."),
	FIELD(fan_r_mixed, kind, NULL, "violation or unresolved."),
};
const struct fan_table fan_mixed_table = TABLE(fan_r_mixed, mixed_fields, "first");

static const struct fan_field bucket_fields[] = {
	FIELD(fan_r_bucket, from_ns, "ns", "Violations of this length or longer."),
	FIELD(fan_r_bucket, to_ns, "ns", "And shorter than this."),
	FIELD(fan_r_bucket, count, NULL, "Their number."),
};
const struct fan_table fan_bucket_table = TABLE(fan_r_bucket, bucket_fields, "histogram");

static const struct fan_field core_fields[] = {
	FIELD(fan_r_core, cpus, NULL, "CPU numbers of the core."),
	FIELD(fan_r_core, idle_ns, "ns", "All its CPUs were idle."),
	FIELD(fan_r_core, kernel_ns, "ns", "They ran kernel threads, or were idle."),
	NESTED(fan_r_core, vms, FAN_F_NAMED, &fan_amount_table,
	       "They ran threads of one group, kernel threads or were idle, by group."),
	FIELD(fan_r_core, mixed_ns, "ns", "They ran threads of different groups."),
	FIELD(fan_r_core, beside_ns, "ns",
	      "They ran threads of one group, and user threads of none."),
	FIELD(fan_r_core, other_ns, "ns", "They ran user threads of no group."),
	FIELD(fan_r_core, unknown_ns, "ns", "What some of them ran is not known."),
	FIELD(fan_r_core, forced_idle_ns, "ns",
	      "CPU time that was idle for the sake of core scheduling."),
};
const struct fan_table fan_core_table = TABLE(fan_r_core, core_fields, "cores");

static const struct fan_field forced_fields[] = {
	FIELD(fan_r_forced_group, name, NULL, "Name of the group."),
	FIELD(fan_r_forced_group, caused_ns, "ns",
	      "CPU time idle since this group's threads ran beside it; siblings share equally."),
	FIELD(fan_r_forced_group, suffered_ns, "ns",
	      "CPU time idle while threads of this group waited for that CPU."),
	FIELD(fan_r_forced_group, counter_ns, "ns",
	      "caused_ns as the kernel counted it, from the first to the last sample of each "
	      "thread; null: it did not, a part of the trace is analysed, or groups are of cgroups "
	      "and threads moved (it counts by thread)."),
};
const struct fan_table fan_forced_table = TABLE(fan_r_forced_group, forced_fields, "groups");

static const struct fan_field forced_idle_fields[] = {
	FIELD(fan_r_forced_idle, total_ns, "ns",
	      "CPU time that core scheduling kept idle, whatever the groups are; null, as are the "
	      "others: no topology is known, no core has more than one CPU, or the trace does not "
	      "tell who waits (no wake-ups, or a scope)."),
	FIELD(fan_r_forced_idle, caused_ns, "ns",
	      "Of it: caused by the groups, whose parts add up to it. The rest: by threads of "
	      "none, and less than 1 ns a group that rounding leaves."),
	FIELD(fan_r_forced_idle, suffered_ns, "ns",
	      "Of it: while threads of a group waited, of whichever: not more than the groups' "
	      "sum."),
	FIELD(fan_r_forced_idle, upper_bound, NULL,
	      "Some may be something else: cookies were not known some of the time (wake-up "
	      "latency), or cgroups that waited were throttled."),
	NESTED(fan_r_forced_idle, groups, FAN_F_NAMED, &fan_forced_table, "The same by group."),
	FIELD(fan_r_forced_idle, counter, NULL,
	      "Whether the kernel's own counter agrees, for each group between its first and last "
	      "sample, to 10 ms or 10 percent of the larger: agrees, differs, not counting (zeros "
	      "with schedstats off, or beside more than 10 ms in the trace), not told, moved "
	      "(threads did from group to group, and it is counted by thread)."),
};
static const struct fan_table forced_idle_table = TABLE(fan_r_forced_idle, forced_idle_fields,
							"forced_idle");

/* of the level that is judged, without a nesting of its own */
#define JUDGED(member, unit, text) FIELD_AS(fan_r_isolation, judged.member, #member, unit, text)

static const struct fan_field isolation_fields[] = {
	FIELD(fan_r_isolation, applicable, NULL, "Whether there is anything to be kept apart."),
	FIELD(fan_r_isolation, reason, NULL, "Why there is not, or nothing can be said."),
	JUDGED(level, NULL, "What must not share a core in the verdict: vm, guest or cookie."),
	JUDGED(co_run_ns, "ns",
	       "Core time in which two siblings or more ran vCPU threads, whoever's."),
	JUDGED(violation_ns, "ns",
	       "Of it: after one sibling had switched, the other one entered its guest again."),
	JUDGED(transition_ns, "ns", "Until the late sibling left, or entered again."),
	JUDGED(unresolved_ns, "ns",
	       "Neither left nor entered again, for longer than the tolerance."),
	JUDGED(possible_ns, "ns",
	       "A sibling ran a vCPU thread, and of another one it is not known what it ran."),
	JUDGED(violation_pct, "percent", "violation_ns of co_run_ns."),
	JUDGED(judged_pct, "percent",
	       "violation_ns and unresolved_ns of co_run_ns: what the verdict is about."),
	JUDGED(count, NULL, "Number of violations."),
	JUDGED(unresolved, NULL, "Number of pairings that are unresolved."),
	JUDGED(pairings, NULL, "Times that two CPUs of a core came to run what must not share it."),
	JUDGED(longest_ns, "ns", "The longest violation."),
	FIELD(fan_r_isolation, expected_pct, "percent",
	      "Of co_run_ns, were vCPUs put on siblings at random: 1 minus the sum of squares of "
	      "the groups' parts of vCPU time (2p(1-p) for two)."),
	FIELD(fan_r_isolation, expected_apart_pct, "percent",
	      "The same, as no vCPU can be on two CPUs at once."),
	FIELD(fan_r_isolation, tolerance_ns, "ns", "Longest transition that is taken for one."),
	FIELD(fan_r_isolation, max_violation_pct, "percent",
	      "More than this of co_run_ns is objected to."),
	NESTED(fan_r_isolation, pairs, FAN_F_ARRAY, &fan_mixed_pair_table,
	       "By pair of groups, the most violation first."),
	NESTED(fan_r_isolation, first, FAN_F_ARRAY, &fan_mixed_table,
	       "The first ten violations and unresolved pairings."),
	NESTED(fan_r_isolation, histogram, FAN_F_ARRAY, &fan_bucket_table, "Violations by length."),
	NESTED(fan_r_isolation, levels, FAN_F_ARRAY, &fan_mixing_table,
	       "All levels: VMs, time in guests only, cookies."),
	NESTED(fan_r_isolation, cores, FAN_F_ARRAY, &fan_core_table, "What each core did."),
	FIELD(fan_r_isolation, idle_beside_ns, "ns",
	      "Time in which a whole core was idle while groups shared another."),
	NESTED(fan_r_isolation, forced_idle, FAN_F_STRUCT, &forced_idle_table,
	       "CPU time that core scheduling kept idle."),
	FIELD(fan_r_isolation, cookies, NULL,
	      "Cookies of the vCPUs: apart, shared, partly, none, not told, not readable."),
	FIELD(fan_r_isolation, sentence, NULL, "The answer in one sentence."),
	FIELD(fan_r_isolation, verdict, NULL,
	      "isolated, shared, untested, cannot_tell or not_applicable."),
	FIELD(fan_r_isolation, notes, NULL, "What has to be known about it."),
};
const struct fan_table fan_isolation_table = TABLE(fan_r_isolation, isolation_fields, "isolation");
