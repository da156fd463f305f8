// SPDX-License-Identifier: GPL-3.0-or-later
/* The field tables of a group and of what lies in it; see tables.c. */
#include "analyze/report/field.h"
#include "analyze/report/tree.h"

static const struct fan_field bounds_fields[] = {
	FIELD(fan_r_bounds, lo, "percent",
	      "Share if all unknown time belonged to the other groups."),
	FIELD(fan_r_bounds, hi, "percent", "Share if all unknown time belonged to this group."),
};
static const struct fan_table bounds_table = TABLE(fan_r_bounds, bounds_fields, "share_bounds");

static const struct fan_field steal_fields[] = {
	FIELD(fan_r_steal, trace_ns, "ns",
	      "Waits of the vCPU threads in the trace (of all threads of a process)."),
	FIELD(fan_r_steal, counter_ns, "ns",
	      "Rise of the kernel's run_delay of the same threads, first to last sample."),
	FIELD(fan_r_steal, compared_trace_ns, "ns",
	      "Waits that ended in a comparable interval, by the trace."),
	FIELD(fan_r_steal, compared_counter_ns, "ns",
	      "Rise of run_delay in the comparable intervals."),
	FIELD(fan_r_steal, residual_pct, "percent",
	      "Compared trace minus counter, as a part of the counter; null below 10 ms."),
	FIELD(fan_r_steal, intervals, NULL, "Intervals between two samples of the counter."),
	FIELD(fan_r_steal, comparable_intervals, NULL,
	      "Intervals without a gap in which trace and counter saw equally many arrivals."),
	FIELD(fan_r_steal, arrivals, NULL,
	      "Times a vCPU thread got onto a CPU in the comparable intervals."),
	FIELD(fan_r_steal, excluded_intervals, NULL,
	      "Intervals left out because a counter stepped back or jumped."),
	FIELD(fan_r_steal, backwards_intervals, NULL, "Of those: a counter stepped back."),
	FIELD(fan_r_steal, jumped_intervals, NULL,
	      "Of those: a counter rose by more than the time that passed."),
	FIELD(fan_r_steal, closure, NULL,
	      "Whether trace and counter agree: closed, open, too_few or none."),
	FIELD(fan_r_steal, guest_ns, "ns", "Steal time as counted inside the guest."),
	FIELD(fan_r_steal, guest_resolution_ns, "ns", "Steps in which the guest's counter counts."),
	FIELD(fan_r_steal, guest_intervals, NULL,
	      "Intervals between two readings of the guest's counter, over its vCPUs."),
	FIELD(fan_r_steal, guest_excluded_intervals, NULL,
	      "Of them left out because it stepped back or jumped; guest_ns is of the others, and "
	      "null without any."),
	FIELD(fan_r_steal, guest_backwards_intervals, NULL, "Of the excluded: it stepped back."),
	FIELD(fan_r_steal, guest_jumped_intervals, NULL,
	      "Of the excluded: it rose by more than the time that passed."),
};
static const struct fan_table steal_table = TABLE(fan_r_steal, steal_fields, "steal");

static const struct fan_field quantiles_fields[] = {
	FIELD_AS(fan_r_quantiles, p50_ns, "p50", "ns", "Median, within 3 %."),
	FIELD_AS(fan_r_quantiles, p95_ns, "p95", "ns", "95th percentile, within 3 %."),
	FIELD_AS(fan_r_quantiles, p99_ns, "p99", "ns", "99th percentile, within 3 %."),
	FIELD_AS(fan_r_quantiles, max_ns, "max", "ns", "The longest."),
};
static const struct fan_table quantiles_table = TABLE(fan_r_quantiles, quantiles_fields, "wait");

static const struct fan_field histogram_fields[] = {
	FIELD(fan_r_histogram, upto_ns, "ns",
	      "The longest that a wait of each class can be, ascending; the last is the longest "
	      "wait. Classes are 1/16 as wide as their waits at most; empty ones are left out."),
	FIELD(fan_r_histogram, count, NULL, "How many waits are in each of these classes."),
};
static const struct fan_table histogram_table = TABLE(fan_r_histogram, histogram_fields, "waits");

static const struct fan_field vcpu_waits_fields[] = {
	FIELD(fan_r_vcpu_waits, tid, NULL, "Thread number on the host."),
	FIELD(fan_r_vcpu_waits, vcpu, NULL, "Number of the virtual CPU."),
	NESTED(fan_r_vcpu_waits, waits, FAN_F_STRUCT, &histogram_table, "Lengths of its waits."),
};
const struct fan_table fan_vcpu_waits_table = TABLE(fan_r_vcpu_waits, vcpu_waits_fields, "vcpus");

static const struct fan_field group_waits_fields[] = {
	FIELD(fan_r_group_waits, name, NULL, "Name of the group."),
	NESTED(fan_r_group_waits, wait, FAN_F_STRUCT, &quantiles_table,
	       "Of all waits of its vCPU threads; of all its threads where it has no vCPU."),
	NESTED(fan_r_group_waits, waits, FAN_F_STRUCT, &histogram_table,
	       "Lengths of the same waits."),
	NESTED(fan_r_group_waits, vcpus, FAN_F_ARRAY, &fan_vcpu_waits_table,
	       "Those of each vCPU thread that waited."),
};
const struct fan_table fan_waits_table = TABLE(fan_r_group_waits, group_waits_fields, "histograms");

static const struct fan_field starved_fields[] = {
	FIELD(fan_r_starved, max_ns, "ns", "Longest time runnable without a CPU."),
	FIELD(fan_r_starved, at_ns, "ns", "When it began, from the start of the trace."),
	FIELD(fan_r_starved, tid, NULL, "Number of the thread."),
};
static const struct fan_table starved_table = TABLE(fan_r_starved, starved_fields, "starved");

static const struct fan_field thread_fields[] = {
	FIELD(fan_r_thread, tid, NULL, "Thread number on the host."),
	FIELD(fan_r_thread, name, NULL, "Last name of the thread in the trace."),
	FIELD(fan_r_thread, vcpu, NULL, "Number of the virtual CPU; null for any other thread."),
	FIELD(fan_r_thread, run_ns, "ns", "Time on a CPU."),
	FIELD(fan_r_thread, guest_ns, "ns", "Of the run time of vCPU threads: in the guest."),
	FIELD(fan_r_thread, host_ns, "ns", "Of it: in the host's kernel on behalf of the VM."),
	FIELD(fan_r_thread, poll_ns, "ns", "Of it: polling for the end of a halt."),
	FIELD(fan_r_thread, vmm_ns, "ns", "Of it: in user space, in the VMM."),
	FIELD(fan_r_thread, in_kvm_run_ns, "ns",
	      "Of it: in KVM_RUN, where the trace shows its bracket but not the guest's."),
	FIELD(fan_r_thread, wait_ns, "ns", "Time runnable but not on a CPU."),
	FIELD(fan_r_thread, halted_ns, "ns", "Time asleep because the guest had halted."),
	FIELD(fan_r_thread, blocked_ns, "ns", "Time asleep or blocked otherwise."),
	FIELD(fan_r_thread, asleep_ns, "ns", "Time asleep: halted_ns and blocked_ns."),
	FIELD(fan_r_thread, unsplit_ns, "ns",
	      "Time that could not be split: waiting or sleeping, or polling or kernel or VMM."),
	FIELD(fan_r_thread, unsplit_run_ns, "ns", "Of unsplit_ns: time on a CPU."),
	FIELD(fan_r_thread, unknown_ns, "ns",
	      "Time in which the state is not known, because of losses or gaps."),
	FIELD(fan_r_thread, inferred_ns, "ns",
	      "Of run and wait: where the begin is not told by an event but inferred."),
	FIELD(fan_r_thread, arrivals, NULL, "Times the thread got onto a CPU."),
	FIELD(fan_r_thread, migrations, NULL, "Times it got onto another CPU than the last one."),
	FIELD(fan_r_thread, cookie, NULL,
	      "Core-scheduling cookie, last sample; 0 is untagged, null not told."),
	NESTED(fan_r_thread, wait, FAN_F_STRUCT, &quantiles_table, "Lengths of its waits."),
	NESTED(fan_r_thread, starved, FAN_F_STRUCT, &starved_table, "Its longest wait."),
	NESTED(fan_r_thread, steal, FAN_F_STRUCT, &steal_table,
	       "Waits of a vCPU thread beside the kernel's own counter; null for any other."),
};
const struct fan_table fan_thread_table = TABLE(fan_r_thread, thread_fields, "threads");

static const struct fan_field amount_fields[] = {
	FIELD(fan_r_amount, name, NULL, "Whose time it is."),
	FIELD(fan_r_amount, ns, "ns", "How much time."),
};
const struct fan_table fan_amount_table = TABLE(fan_r_amount, amount_fields, "amounts");

static const struct fan_field comm_fields[] = {
	FIELD_AS(fan_r_amount, name, "comm", NULL, "Name of the threads."),
	FIELD(fan_r_amount, ns, "ns", "How long they held the CPU."),
};
const struct fan_table fan_comm_table = TABLE(fan_r_amount, comm_fields, "host");

static const struct fan_field waited_for_fields[] = {
	NESTED(fan_r_waited_for, groups, FAN_F_NAMED, &fan_amount_table,
	       "Time in which another group held the CPU, by group."),
	FIELD(fan_r_waited_for, self_ns, "ns", "Other threads of the same group held it."),
	NESTED(fan_r_waited_for, host, FAN_F_ARRAY, &fan_comm_table,
	       "The five names of host threads that held it longest."),
	FIELD(fan_r_waited_for, host_ns, "ns", "Any thread of no group held it."),
	FIELD(fan_r_waited_for, throttled_or_contended_ns, "ns",
	      "Waits in intervals in which the group's cgroup was throttled, up to the counter."),
	FIELD(fan_r_waited_for, forced_idle_ns, "ns",
	      "The CPU had to idle because of core scheduling."),
	FIELD(fan_r_waited_for, idle_ns, "ns",
	      "The CPU was idle otherwise: latency of wake-ups and migrations."),
	FIELD(fan_r_waited_for, unknown_ns, "ns", "It is not known what the CPU did."),
};
static const struct fan_table waited_for_table = TABLE(fan_r_waited_for, waited_for_fields,
						       "waited_for");

static const struct fan_field exit_fields[] = {
	FIELD(fan_r_exit, reason, NULL, "Reason of the exit; its number where it has no name."),
	FIELD(fan_r_exit, count, NULL, "Number of exits that an entry followed."),
	FIELD(fan_r_exit, total_ns, "ns", "Time from exit to the next entry."),
	FIELD(fan_r_exit, off_cpu_ns, "ns", "Of that, not on a CPU: asleep or waiting."),
	FIELD(fan_r_exit, p50_ns, "ns", "Median of the time from exit to entry, within 3 %."),
	FIELD(fan_r_exit, p99_ns, "ns", "99th percentile of it, within 3 %."),
	FIELD(fan_r_exit, max_ns, "ns", "The longest."),
};
const struct fan_table fan_exit_table = TABLE(fan_r_exit, exit_fields, "exits");

static const struct fan_field lag_fields[] = {
	FIELD_AS(fan_r_lag, final_ns, "final", "ns", "CPU time due minus got, at the end."),
	FIELD_AS(fan_r_lag, max_ns, "max", "ns", "The largest by size in between."),
	FIELD_AS(fan_r_lag, max_at_ns, "max_at", "ns", "When that was."),
};
static const struct fan_table lag_table = TABLE(fan_r_lag, lag_fields, "lag_ns");

static const struct fan_field scale_fields[] = {
	FIELD(fan_r_scale, window_ns, "ns", "Length of the windows."),
	FIELD(fan_r_scale, windows, NULL, "Windows in which the group was due CPU time."),
	FIELD(fan_r_scale, rms_pp, "points", "Root mean square of share minus due."),
	FIELD(fan_r_scale, zero_windows, NULL, "Of those windows, without any CPU time."),
	FIELD(fan_r_scale, vcpu_jain, NULL,
	      "Mean of Jain's index over the VM's vCPUs, of run / (run + wait)."),
	FIELD(fan_r_scale, vcpu_zero_windows, NULL, "Times a vCPU waited all through a window."),
};
const struct fan_table fan_scale_table = TABLE(fan_r_scale, scale_fields, "by_window");

static const struct fan_field group_fields[] = {
	FIELD(fan_r_group, name, NULL, "Name of the group, stable from run to run."),
	FIELD(fan_r_group, kind, NULL, "What makes the group: vm, cgroup, process or comm."),
	FIELD(fan_r_group, tgid, NULL, "Process number; null if not one process."),
	FIELD(fan_r_group, cgroup, NULL,
	      "Path of the lowest cgroup that holds all vCPU threads of the VM, as last told (the "
	      "machine's, of what libvirt makes in it); of a process its main thread's. A thread "
	      "of which no line tells counts with its main thread; null: no line tells of any."),
	FIELD(fan_r_group, weight, NULL, "CPU weight in the scale of the competing entity."),
	FIELD(fan_r_group, cap_cpus, "CPUs",
	      "Most CPUs that vCPUs, cpuset and quota allow; null for plain processes."),
	FIELD(fan_r_group, capped_by, NULL, "Which caps bind: vcpus, cpuset, quota; null: none."),
	FIELD(fan_r_group, vcpus, NULL, "Number of vCPU threads."),
	FIELD(fan_r_group, run_ns, "ns", "Time on a CPU, all threads of the group, whole period."),
	FIELD(fan_r_group, vcpu_run_ns, "ns", "Of that, the vCPU threads alone."),
	FIELD(fan_r_group, guest_ns, "ns", "Of the run time of vCPU threads: in the guest."),
	FIELD(fan_r_group, host_ns, "ns", "Of it: in the host's kernel on behalf of the VM."),
	FIELD(fan_r_group, poll_ns, "ns", "Of it: polling for the end of a halt."),
	FIELD(fan_r_group, vmm_ns, "ns", "Of it: in user space, in the VMM."),
	FIELD(fan_r_group, in_kvm_run_ns, "ns",
	      "Of it: in KVM_RUN, where the trace shows its bracket but not the guest's."),
	FIELD(fan_r_group, wait_ns, "ns",
	      "Time runnable but not on a CPU, summed over the threads."),
	FIELD(fan_r_group, halted_ns, "ns",
	      "Time that vCPU threads slept because the guest had halted."),
	FIELD(fan_r_group, blocked_ns, "ns",
	      "Time asleep or blocked otherwise, summed over the threads."),
	FIELD(fan_r_group, asleep_ns, "ns", "Time asleep: halted_ns and blocked_ns."),
	FIELD(fan_r_group, unsplit_ns, "ns",
	      "Time that could not be split: waiting or sleeping, or polling or kernel or VMM."),
	FIELD(fan_r_group, unsplit_run_ns, "ns", "Of unsplit_ns: time on a CPU."),
	FIELD(fan_r_group, unknown_ns, "ns",
	      "Thread time in which the state is not known, because of losses or gaps."),
	FIELD(fan_r_group, inferred_ns, "ns",
	      "Of run and wait: where the begin is not told by an event but inferred."),
	FIELD(fan_r_group, window_run_ns, "ns", "Of run_ns: in the windows that the share is of."),
	FIELD(fan_r_group, share, "percent",
	      "CPU time of the group over that of all groups (ratio of sums over windows)."),
	FIELD(fan_r_group, expected_pct, "percent",
	      "Share that weights and caps entitle the group to (water-filling)."),
	NESTED(fan_r_group, share_bounds, FAN_F_STRUCT, &bounds_table,
	       "Where the share lies with all unknown time for and against the group."),
	FIELD(fan_r_group, deviation, "points", "Share minus expected share."),
	NESTED(fan_r_group, lag_ns, FAN_F_STRUCT, &lag_table,
	       "CPU time due minus CPU time got; above 0 the group is owed time."),
	FIELD(fan_r_group, verdict, NULL,
	      "Whether the deviation is within the margin: fair, unfair, off or inconclusive."),
	NESTED(fan_r_group, steal, FAN_F_STRUCT, &steal_table,
	       "Waits of the vCPU threads beside the kernel's own counter."),
	NESTED(fan_r_group, waited_for, FAN_F_STRUCT, &waited_for_table,
	       "What held the CPU while the group's threads waited; adds up to wait_ns."),
	NESTED(fan_r_group, starved, FAN_F_STRUCT, &starved_table,
	       "The longest wait of a thread of the group."),
	NESTED(fan_r_group, by_window, FAN_F_ARRAY, &fan_scale_table,
	       "Fairness to the group in windows of 1 ms to 10 s."),
	NESTED(fan_r_group, threads, FAN_F_ARRAY, &fan_thread_table, "Threads of the group."),
	NESTED(fan_r_group, exits, FAN_F_ARRAY, &fan_exit_table,
	       "Exits from the guest by reason, most time first."),
	FIELD(fan_r_group, flags, NULL, "Reservations about this group."),
};
const struct fan_table fan_group_table = TABLE(fan_r_group, group_fields, "groups");
