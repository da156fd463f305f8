// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables of fcap-compare/1. */
#include "analyze/report/compare_tree.h"
#include "analyze/report/field.h"

static const struct fan_field spread_fields[] = {
	FIELD(fan_c_spread, total, "points^2", "Variance of the shares of the runs."),
	FIELD(fan_c_spread, within, "points^2", "Mean square of their standard errors."),
	FIELD(fan_c_spread, between, "points^2", "The rest, which longer runs do not reduce."),
	FIELD(fan_c_spread, between_part, NULL, "That part of the variance, 0 to 1."),
};
static const struct fan_table spread_table = TABLE(fan_c_spread, spread_fields, "spread");

static const struct fan_field group_fields[] = {
	FIELD(fan_c_group, name, NULL, "Name of the VM or group."),
	FIELD(fan_c_group, n, NULL, "Runs that have it."),
	FIELD(fan_c_group, total, NULL, "Work done in all runs; null where none was told."),
	FIELD(fan_c_group, unit, NULL, "score, or the unit of the work; null: none was told."),
	FIELD(fan_c_group, mean, NULL, "Mean over runs of the score, or of the work per second."),
	FIELD(fan_c_group, cpus, "CPUs", "Mean over runs of CPU seconds a second."),
	FIELD(fan_c_group, efficiency, NULL,
	      "Mean over runs of the score, or the work, a CPU second."),
	FIELD(fan_c_group, share, "percent", "Mean over runs of the share."),
	FIELD(fan_c_group, share_window_mean, "percent",
	      "Mean over runs of the unweighted mean of window shares."),
	FIELD(fan_c_group, expected_pct, "percent", "Mean over runs of the share that was due."),
	FIELD(fan_c_group, deviation, "points", "Mean over runs of share minus due."),
	FIELD(fan_c_group, forced_idle, "percent",
	      "Mean over runs of waiting beside a CPU that core scheduling kept idle, of the time "
	      "that it wanted."),
	NESTED(fan_c_group, spread, FAN_F_STRUCT, &spread_table,
	       "Variance of the share between and within runs."),
	FIELD(fan_c_group, verdict, NULL,
	      "Whether the deviation is within the margin: fair, unfair, off or inconclusive."),
};
const struct fan_table fan_c_group_table = TABLE(fan_c_group, group_fields, "groups");

static const struct fan_field total_fields[] = {
	FIELD(fan_c_total, unit, NULL,
	      "score, or the unit of the work; null: not one unit, or none was told."),
	FIELD(fan_c_total, mean, NULL,
	      "Mean over runs of the sum of scores, or of work per second."),
	FIELD(fan_c_total, cpus, "CPUs", "Mean over runs of CPU seconds a second."),
	FIELD(fan_c_total, efficiency, NULL, "Mean over runs of that sum a CPU second."),
	FIELD(fan_c_total, forced_idle, "percent",
	      "Mean over runs of the CPU time that core scheduling kept idle, of that of all "
	      "CPUs."),
};
static const struct fan_table total_table = TABLE(fan_c_total, total_fields, "total");

static const struct fan_field isolation_fields[] = {
	FIELD(fan_c_isolation, isolated, NULL, "Runs in which VMs were kept apart."),
	FIELD(fan_c_isolation, shared, NULL, "Runs in which they shared cores."),
	FIELD(fan_c_isolation, untested, NULL, "Runs that did not put it to the test."),
	FIELD(fan_c_isolation, cannot_tell, NULL, "Runs whose traces cannot tell."),
	FIELD(fan_c_isolation, not_applicable, NULL, "Runs with nothing to keep apart."),
	FIELD(fan_c_isolation, not_told, NULL, "Runs whose reports say nothing of it."),
	FIELD(fan_c_isolation, word, NULL,
	      "What all its runs were judged as; disagree: not the same; null: none tells."),
	FIELD(fan_c_isolation, reason, NULL,
	      "Why nothing was judged, where all such runs have one reason."),
	FIELD(fan_c_isolation, level, NULL, "What was not to share a core; null: not one."),
	FIELD(fan_c_isolation, judged_pct, "percent",
	      "Mean over the runs isolated or shared of what the verdict is about, of co-run "
	      "time."),
	FIELD(fan_c_isolation, worst_pct, "percent", "The same of the worst run."),
	FIELD(fan_c_isolation, worst, NULL, "Its name."),
};
static const struct fan_table isolation_table = TABLE(fan_c_isolation, isolation_fields,
						      "isolation");

static const struct fan_field configuration_fields[] = {
	FIELD(fan_c_configuration, label, NULL, "Name of the configuration."),
	FIELD(fan_c_configuration, runs, NULL, "Number of its runs."),
	NESTED(fan_c_configuration, total, FAN_F_STRUCT, &total_table, "All its VMs together."),
	NESTED(fan_c_configuration, isolation, FAN_F_STRUCT, &isolation_table,
	       "Whether VMs shared cores in its runs."),
	FIELD(fan_c_configuration, jain, NULL,
	      "Jain's index of the VMs' share divided by due share, over runs."),
	FIELD(fan_c_configuration, largest_gap, NULL,
	      "The largest of more than two VMs' gaps, by size, from simultaneous intervals."),
	NESTED(fan_c_configuration, groups, FAN_F_ARRAY, &fan_c_group_table, "The VMs, by name."),
};
const struct fan_table fan_c_configuration_table = TABLE(fan_c_configuration, configuration_fields,
							 "configurations");

static const struct fan_field gap_fields[] = {
	FIELD(fan_c_gap, name, NULL, "What changed, or differs."),
	FIELD(fan_c_gap, a, NULL, "It is a over b: VMs of between_vm, else configurations."),
	FIELD(fan_c_gap, b, NULL, "See a."),
	FIELD(fan_c_gap, config, NULL, "Configuration of between_vm; else null."),
	FIELD(fan_c_gap, per, NULL,
	      "VM, \"total\", or \"A over B\" for the change of a gap; null of between_vm."),
	FIELD(fan_c_gap, of, NULL,
	      "What was measured: a score, work per second in a unit, or cpu_time."),
	FIELD(fan_c_gap, est, NULL, "The gap, with its interval."),
	FIELD(fan_c_gap, p, NULL, "Two-sided p of no gap, by the t of the interval."),
	FIELD(fan_c_gap, p_adj, NULL,
	      "The same over the family of all gaps of this name: by Holm up to 20, else by "
	      "Benjamini and Hochberg."),
	FIELD(fan_c_gap, verdict, NULL,
	      "Against the margin: material, equivalent, different or inconclusive."),
	FIELD(fan_c_gap, runs_needed, NULL,
	      "Runs of each configuration, in all, that would see a gap of the margin with 80 % "
	      "power; 1001: more than 1000."),
	FIELD(fan_c_gap, runs_more, NULL,
	      "Of these, how many are still to be made; 1001 likewise."),
	FIELD(fan_c_gap, p_rank, NULL, "p of the exact rank test of independent runs."),
	FIELD(fan_c_gap, p_min, NULL, "The smallest p that it can give with so few runs."),
	FIELD(fan_c_gap, second, NULL,
	      "By another method: ratio of means (Fieller), or shift (Hodges-Lehmann)."),
	FIELD(fan_c_gap, noise_floor, "percent",
	      "What an unsigned gap shows on average where there is none."),
	FIELD(fan_c_gap, correlation, NULL, "Of the logs of a and b over the runs."),
};
const struct fan_table fan_c_gap_table = TABLE(fan_c_gap, gap_fields, "gaps");

static const struct fan_field file_fields[] = {
	FIELD(fan_c_file, name, NULL, "Name of the file."),
	FIELD(fan_c_file, checksum, NULL,
	      "xxh128: and XXH128 of the whole file, as xxh128sum prints it; null: not read."),
};
const struct fan_table fan_c_file_table = TABLE(fan_c_file, file_fields, "files");

static const struct fan_field compare_fields[] = {
	FIELD(fan_compare, schema, NULL, "Name and version of this format."),
	NESTED(fan_compare, tool, FAN_F_STRUCT, &fan_tool_table, "What wrote it."),
	FIELD(fan_compare, level, NULL, "Level of the intervals."),
	FIELD(fan_compare, margin, NULL, "Margin: points of shares, percent of scores."),
	FIELD(fan_compare, by, NULL, "Label that told the configurations; null: named by hand."),
	FIELD(fan_compare, paired, NULL, "Label that told the blocks; null: independent runs."),
	FIELD(fan_compare, baseline, NULL, "Configuration that the others are set against."),
	NESTED(fan_compare, configurations, FAN_F_ARRAY, &fan_c_configuration_table,
	       "The configurations, the baseline first."),
	NESTED(fan_compare, gaps, FAN_F_ARRAY, &fan_c_gap_table, "Gaps and changes."),
	NESTED(fan_compare, runs, FAN_F_ARRAY, &fan_run_table, "The values of every run."),
	NESTED(fan_compare, windows, FAN_F_ARRAY, &fan_c_windows_table,
	       "Of score tables of windows: what each series looks like."),
	NESTED(fan_compare, files, FAN_F_ARRAY, &fan_c_file_table,
	       "Tables of scores that the numbers come from."),
	FIELD(fan_compare, notes, NULL, "What has to be known to read this."),
};
const struct fan_table fan_compare_table = TABLE(fan_compare, compare_fields, "compare");

void fan_compare_free(struct fan_compare *c)
{
	fan_tree_free(c, &fan_compare_table);
}
