// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables of who had each CPU over time; see tables.c. */
#include "analyze/report/field.h"
#include "analyze/report/tree.h"

static const struct fan_field bins_fields[] = {
	FIELD(fan_r_bins, name, NULL, "Name of the group."),
	FIELD(fan_r_bins, ns, "ns", "What its threads ran there in each bin."),
};
const struct fan_table fan_bins_table = TABLE(fan_r_bins, bins_fields, "groups");

static const struct fan_field lane_fields[] = {
	FIELD(fan_r_lane, cpu, NULL, "Number of the CPU."),
	FIELD(fan_r_lane, core, NULL,
	      "Place of its core in the list of cores, from 0; null: it has no siblings, or they "
	      "are "
	      "not known."),
	NESTED(fan_r_lane, groups, FAN_F_NAMED, &fan_bins_table,
	       "Time of each group that ever ran there, bin by bin. With the four below it adds up "
	       "to the length of the bin; an empty list is 0 in all bins."),
	FIELD(fan_r_lane, other_ns, "ns", "Time of threads of no group."),
	FIELD(fan_r_lane, idle_ns, "ns", "Time that the CPU was idle, and not by force."),
	FIELD(fan_r_lane, forced_idle_ns, "ns",
	      "Time that it was idle for the sake of core scheduling; an upper bound where that of "
	      "isolation is one."),
	FIELD(fan_r_lane, unknown_ns, "ns", "Time in which it is not known what it did."),
};
const struct fan_table fan_lane_table = TABLE(fan_r_lane, lane_fields, "cpus");

static const struct fan_field shared_fields[] = {
	FIELD(fan_r_shared_core, cpus, NULL, "CPU numbers of the core."),
	FIELD(fan_r_shared_core, violation_ns, "ns",
	      "Core time of violations in each bin; an empty list is 0 in all."),
	FIELD(fan_r_shared_core, unresolved_ns, "ns", "The same of what is unresolved."),
};
const struct fan_table fan_shared_table = TABLE(fan_r_shared_core, shared_fields, "cores");

static const struct fan_field occupancy_fields[] = {
	FIELD(fan_r_occupancy, bin_ns, "ns",
	      "Length of a bin; null where occupancy is not known, or was not asked for."),
	FIELD(fan_r_occupancy, t_ns, "ns",
	      "Begin of each bin, from the start of the trace; the last one ends with the period."),
	NESTED(fan_r_occupancy, cpus, FAN_F_ARRAY, &fan_lane_table,
	       "What each CPU did, siblings one after the other."),
	NESTED(fan_r_occupancy, cores, FAN_F_ARRAY, &fan_shared_table,
	       "Cores with siblings of which a CPU is told: when they were shared by what must not "
	       "share them."),
	FIELD(fan_r_occupancy, left_out, NULL,
	      "CPUs that are not told, as there are many: of the cores that the groups used "
	      "least."),
	FIELD(fan_r_occupancy, level, NULL,
	      "What must not share a core: vm or cookie (guest: vm is told); null: that cannot be "
	      "told or happen."),
};
const struct fan_table fan_occupancy_table = TABLE(fan_r_occupancy, occupancy_fields, "occupancy");
