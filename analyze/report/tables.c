// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The field tables of the result tree: every writer's key order, units and one-sentence docs.
 * A field that is not listed here does not exist for any writer, nor for fan_tree_free().
 */
#include "analyze/report/field.h"
#include "analyze/report/tree.h"

static const struct fan_field tool_fields[] = {
	FIELD(fan_r_tool, name, NULL, "Program that wrote the report."),
	FIELD(fan_r_tool, version, NULL, "Version of that program."),
	FIELD(fan_r_tool, command, NULL, "Command line of the analysis."),
};
const struct fan_table fan_tool_table = TABLE(fan_r_tool, tool_fields, "tool");

static const struct fan_field source_fields[] = {
	FIELD(fan_r_source, file, NULL, "Path of the analysed trace."),
	FIELD(fan_r_source, checksum, NULL,
	      "xxh128: and XXH128 of the whole file, as xxh128sum prints it; null: not read."),
	FIELD(fan_r_source, basis, NULL,
	      "What run and wait come from: events, or counters where the file has no events."),
	FIELD(fan_r_source, sample_ns, "ns",
	      "Time between two samples of the counters they come from; null with events."),
	FIELD(fan_r_source, kernel, NULL, "Kernel release that was traced."),
	FIELD(fan_r_source, clock, NULL, "Trace clock of the recording."),
	FIELD(fan_r_source, command, NULL, "Command that was recorded."),
	FIELD(fan_r_source, clock_skew_ns, "ns",
	      "By how much the clock of a CPU is seen to be behind that of another."),
	FIELD(fan_r_source, first_ns, "ns",
	      "Stamp of the first record on the clock of the trace: times are since then."),
	FIELD(fan_r_source, cpus, NULL, "CPUs of the traced host."),
	FIELD(fan_r_source, tells_cgroups, NULL,
	      "Whether the trace tells of cgroups, and so of their quotas."),
	NESTED(fan_r_source, labels, FAN_F_MAP, NULL,
	       "Labels of the recording, such as core_sched=on."),
};
static const struct fan_table source_table = TABLE(fan_r_source, source_fields, "source");

static const struct fan_field host_fields[] = {
	FIELD(fan_r_host, smt, NULL, "Whether cores have more than one CPU: on or off."),
	NESTED(fan_r_host, cores, FAN_F_CPUS, NULL,
	       "CPU numbers of each core; empty if the topology is unknown."),
	FIELD(fan_r_host, overcommit, NULL,
	      "vCPUs of all groups of kind vm for each CPU of the host."),
	FIELD(fan_r_host, steal_pct, "percent",
	      "Time stolen from the host itself, of all its CPU time; null if it cannot be told."),
	FIELD(fan_r_host, steal_intervals, NULL,
	      "Intervals between two readings of the host's own counters, over its CPUs; null: "
	      "no reading."),
	FIELD(fan_r_host, steal_backwards_intervals, NULL,
	      "Of them left out because a counter stepped back."),
	FIELD(fan_r_host, steal_jumped_intervals, NULL,
	      "Of them with a rise by more than the time that passed; that is in steal_pct, unless "
	      "it makes the sums inconsistent, and steal_pct null."),
	FIELD(fan_r_host, cpu_model, NULL, "The processor's name."),
	FIELD(fan_r_host, governor, NULL, "What chooses the clock rates; several with commas."),
	FIELD(fan_r_host, smt_control, NULL,
	      "Whether SMT is on, as the kernel words it: on, off, forceoff, notsupported."),
	FIELD(fan_r_host, l1tf, NULL, "What the kernel says of L1 Terminal Fault."),
	FIELD(fan_r_host, mds, NULL, "What the kernel says of Microarchitectural Data Sampling."),
	FIELD(fan_r_host, boot, NULL,
	      "Options the kernel was booted with that bear on scheduling; null if none are "
	      "known."),
	FIELD(fan_r_host, fair_class, NULL, "How weights are followed: eevdf or cfs."),
	FIELD(fan_r_host, halt_poll_ns, "ns",
	      "How long KVM polls at most before a halted vCPU sleeps."),
	FIELD(fan_r_host, freq_varied_pct, "percent",
	      "By how much of its highest the clock rate of a CPU varied, at the most."),
	FIELD(fan_r_host, scheduler, NULL,
	      "The sched_ext scheduler in charge; null if none is known."),
	FIELD(fan_r_host, idle_while_waiting_ns, "ns",
	      "Capacity lost: time of idle CPUs while as many threads of the groups waited."),
	FIELD(fan_r_host, realtime_ns, "ns", "CPU time of real-time and deadline threads."),
	FIELD(fan_r_host, recorder_ns, "ns", "CPU time of the recorder itself."),
	FIELD(fan_r_host, silence_ns, "ns",
	      "Time in which no CPU told anything although one was running: in no share."),
	FIELD(fan_r_host, notes, NULL, "What the host did to all groups alike, with its size."),
};
static const struct fan_table host_table = TABLE(fan_r_host, host_fields, "host");

static const struct fan_field overlap_fields[] = {
	FIELD(fan_r_overlap, from_ns, "ns",
	      "Begin of the time in which all groups ran, from the start of the trace."),
	FIELD(fan_r_overlap, to_ns, "ns",
	      "End of the time in which all groups ran, from the start of the trace."),
	FIELD(fan_r_overlap, cut_pct, "percent",
	      "Part of the period that shares and deviations leave out."),
};
static const struct fan_table overlap_table = TABLE(fan_r_overlap, overlap_fields, "overlap");

static const struct fan_field period_fields[] = {
	FIELD(fan_r_period, start_ns, "ns",
	      "Begin of the analysed period, from the start of the trace."),
	FIELD(fan_r_period, end_ns, "ns",
	      "End of the analysed period, from the start of the trace."),
	NESTED(fan_r_period, overlap, FAN_F_STRUCT, &overlap_table,
	       "Time that shares, deviations and their intervals are computed over."),
	FIELD(fan_r_period, window_ns, "ns", "Length of one window."),
	FIELD(fan_r_period, windows, NULL, "Number of whole windows used."),
	FIELD(fan_r_period, warmup_ns, "ns", "Cut from the beginning, as the user declared."),
	FIELD(fan_r_period, expected_method, NULL,
	      "How expected shares were found: static or demand."),
	FIELD(fan_r_period, entity_rule, NULL,
	      "What competes for the CPU: the rule that gave each group its weight."),
};
static const struct fan_table period_table = TABLE(fan_r_period, period_fields, "period");

static const struct fan_field conflict_fields[] = {
	FIELD(fan_r_conflict, name, NULL, "The disagreement between events."),
	FIELD(fan_r_conflict, count, NULL, "How often it was met."),
	FIELD(fan_r_conflict, policy, NULL, "What is done about it."),
};
const struct fan_table fan_conflict_table = TABLE(fan_r_conflict, conflict_fields, "policies");

static const struct fan_field quality_fields[] = {
	FIELD(fan_r_quality, events, NULL, "Records in the main buffer of the trace."),
	FIELD(fan_r_quality, lost, NULL,
	      "Events that the recorder lost; null if some were lost without a count."),
	FIELD(fan_r_quality, gaps, NULL,
	      "Switches whose previous thread is not the one that was switched in last."),
	FIELD(fan_r_quality, conflicts, NULL,
	      "Events that contradict the state of the model, gaps apart."),
	NESTED(fan_r_quality, policies, FAN_F_ARRAY, &fan_conflict_table,
	       "Each kind of contradiction, its count and what is done about it."),
	FIELD(fan_r_quality, unknown_ns, "ns", "CPU time that could be given to no thread."),
	FIELD(fan_r_quality, unknown_pct, "percent",
	      "That time as a part of all CPU time of the period."),
	FIELD(fan_r_quality, cut_ns, "ns",
	      "Where the data of a CPU end before their time (see --truncated), and with them the "
	      "analysis, from the start of the trace; null if they do not."),
	FIELD(fan_r_quality, cut_cpu, NULL, "The CPU whose data end there."),
	FIELD(fan_r_quality, missing_cpus, NULL, "CPUs of whose data nothing is left."),
	FIELD(fan_r_quality, cut, NULL, "What is missing of the file, in words."),
	FIELD(fan_r_quality, verdict, NULL,
	      "Whether the trace can carry the results: ok, degraded or cannot_tell."),
	FIELD(fan_r_quality, notes, NULL, "What was found wrong or missing."),
};
static const struct fan_table quality_table = TABLE(fan_r_quality, quality_fields, "quality");

static const struct fan_field pair_fields[] = {
	FIELD(fan_r_pair, a, NULL, "The group that got most, measured by what it was due."),
	FIELD(fan_r_pair, b, NULL, "The group that got least."),
	FIELD(fan_r_pair, ratio, NULL, "Attained over expected share, a's divided by b's."),
};
static const struct fan_table pair_table = TABLE(fan_r_pair, pair_fields, "worst_pair");

static const struct fan_field fair_scale_fields[] = {
	FIELD(fan_r_fair_scale, window_ns, "ns", "Length of the windows."),
	FIELD(fan_r_fair_scale, windows, NULL,
	      "Windows in which two groups or more were due CPU time."),
	FIELD(fan_r_fair_scale, jain, NULL,
	      "Mean over the windows of Jain's index of attained over due."),
	FIELD(fan_r_fair_scale, fair_pct, "percent", "Windows whose index is 0.95 or more."),
	FIELD(fan_r_fair_scale, rms_pp, "points",
	      "Root mean square of share minus due, over groups and windows."),
	FIELD(fan_r_fair_scale, zero_windows, NULL,
	      "Times a group was due CPU time in a window and got none."),
};
const struct fan_table fan_fair_scale_table = TABLE(fan_r_fair_scale, fair_scale_fields,
						    "by_window");

static const struct fan_field fairness_fields[] = {
	FIELD(fan_r_fairness, jain, NULL,
	      "Jain's index over attained divided by expected share, 1/n to 1."),
	NESTED(fan_r_fairness, worst_pair, FAN_F_STRUCT, &pair_table,
	       "The two groups that are furthest apart: the index is blind near 1."),
	FIELD(fan_r_fairness, starvation_max_ns, "ns",
	      "Longest time that a thread of a group was runnable without a CPU."),
	FIELD(fan_r_fairness, horizon_ns, "ns",
	      "Smallest window of which 95 % are fair (index of 0.95 or more), of those that "
	      "occur 20 times; null: none."),
	NESTED(fan_r_fairness, by_window, FAN_F_ARRAY, &fan_fair_scale_table,
	       "Fairness in windows of 1 ms to 10 s."),
};
static const struct fan_table fairness_table = TABLE(fan_r_fairness, fairness_fields, "fairness");

static const struct fan_field work_fields[] = {
	FIELD(fan_r_work, vm, NULL, "Who reported the work."),
	FIELD(fan_r_work, unit, NULL, "Unit of the work."),
	FIELD(fan_r_work, total, NULL, "Work done while all groups ran, in that unit."),
	FIELD(fan_r_work, share_pct, "percent", "Of all work reported in that unit."),
	FIELD(fan_r_work, cpu_share_pct, "percent",
	      "CPU time over that of all groups that reported this unit."),
	FIELD(fan_r_work, rate, NULL, "Work per second."),
	FIELD(fan_r_work, efficiency, NULL, "Work per second of CPU time."),
	FIELD(fan_r_work, flags, NULL, "Reservations about these reports."),
};
const struct fan_table fan_work_table = TABLE(fan_r_work, work_fields, "work");

static const struct fan_field score_fields[] = {
	FIELD(fan_r_score, vm, NULL, "Who reported the score."),
	FIELD(fan_r_score, value, NULL, "The rating, as reported."),
};
const struct fan_table fan_score_table = TABLE(fan_r_score, score_fields, "scores");

static const struct fan_field curve_fields[] = {
	FIELD(fan_r_curve, name, NULL, "Name of the group."),
	FIELD(fan_r_curve, share, "percent", "Share in each window; null where nobody ran."),
	FIELD(fan_r_curve, expected, "percent", "Expected share in each window."),
	FIELD(fan_r_curve, lag_ns, "ns",
	      "CPU time due minus CPU time got, from the first window's begin to each window's "
	      "end."),
	FIELD(fan_r_curve, run_ns, "ns", "CPU time of the group in each window."),
	FIELD(fan_r_curve, wait_ns, "ns", "Time that threads of the group waited in each window."),
	FIELD(fan_r_curve, vcpu_run_ns, "ns",
	      "Time of the vCPU threads on a CPU in each window. Here and below, what is corrected "
	      "later is corrected in the window of that time: even below 0."),
	FIELD(fan_r_curve, guest_ns, "ns", "Of vcpu_run_ns: in the guest."),
	FIELD(fan_r_curve, host_ns, "ns", "Of it: in the host's kernel on behalf of the VM."),
	FIELD(fan_r_curve, poll_ns, "ns", "Of it: polling for the end of a halt."),
	FIELD(fan_r_curve, vmm_ns, "ns", "Of it: in user space, in the VMM."),
	FIELD(fan_r_curve, in_kvm_run_ns, "ns",
	      "Of it: in KVM_RUN, where the trace shows its bracket but not the guest's."),
	FIELD(fan_r_curve, vcpu_wait_ns, "ns",
	      "Time that the vCPU threads were runnable but not on a CPU."),
	FIELD(fan_r_curve, halted_ns, "ns",
	      "Time that the vCPU threads slept because the guest had halted."),
	FIELD(fan_r_curve, blocked_ns, "ns", "Time that they slept or were blocked otherwise."),
	FIELD(fan_r_curve, unsplit_ns, "ns",
	      "Time of theirs that could not be split: waiting or sleeping, or polling or kernel "
	      "or VMM."),
	FIELD(fan_r_curve, unknown_ns, "ns",
	      "Time in which their state is not known, because of losses or gaps."),
};
const struct fan_table fan_curve_table = TABLE(fan_r_curve, curve_fields, "curve");

static const struct fan_field series_fields[] = {
	FIELD(fan_r_series, window_ns, "ns", "Length of one window."),
	FIELD(fan_r_series, t_ns, "ns", "Begin of each window, from the start of the trace."),
	NESTED(fan_r_series, groups, FAN_F_NAMED, &fan_curve_table,
	       "The windows of each group, by its name."),
};
static const struct fan_table series_table = TABLE(fan_r_series, series_fields, "series");

static const struct fan_field report_fields[] = {
	FIELD(fan_report, schema, NULL, "Name and version of this format."),
	NESTED(fan_report, tool, FAN_F_STRUCT, &fan_tool_table, "What wrote the report."),
	NESTED(fan_report, source, FAN_F_STRUCT, &source_table, "What was analysed."),
	NESTED(fan_report, host, FAN_F_STRUCT, &host_table, "The traced host."),
	NESTED(fan_report, period, FAN_F_STRUCT, &period_table, "The time that was analysed."),
	NESTED(fan_report, quality, FAN_F_STRUCT, &quality_table,
	       "How much of the trace is measured, lost or unknown."),
	NESTED(fan_report, groups, FAN_F_ARRAY, &fan_group_table,
	       "The groups that competed, largest share first."),
	NESTED(fan_report, fairness, FAN_F_STRUCT, &fairness_table,
	       "How even the groups' parts are, measured by what they were due."),
	NESTED(fan_report, isolation, FAN_F_STRUCT, &fan_isolation_table,
	       "Whether vCPUs of different VMs ran on one core at the same time."),
	NESTED(fan_report, occupancy, FAN_F_STRUCT, &fan_occupancy_table,
	       "Who had each CPU over time."),
	NESTED(fan_report, work, FAN_F_ARRAY, &fan_work_table, "Work that the groups reported."),
	NESTED(fan_report, scores, FAN_F_ARRAY, &fan_score_table, "Ratings that were reported."),
	NESTED(fan_report, series, FAN_F_STRUCT, &series_table, "Shares over time."),
	NESTED(fan_report, histograms, FAN_F_NAMED, &fan_waits_table,
	       "How often the waits for a CPU were how long, by the name of the group."),
	FIELD(fan_report, flags, NULL, "Reservations about the whole report."),
};
const struct fan_table fan_report_table = TABLE(fan_report, report_fields, "report");
