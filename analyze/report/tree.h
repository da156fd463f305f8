/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result tree of one report: plain structs, each described by one const field table that
 * drives every writer. Nothing here computes. NaN, NULL and FAN_NONE mean "does not exist".
 * Strings and arrays belong to the tree; fan_report_free() releases them all.
 */
#ifndef FAN_REPORT_TREE_H
#define FAN_REPORT_TREE_H

#include "analyze/report/tree_types.h"

struct fan_r_tool {
	char *name, *version, *command;
};

struct fan_r_source {
	char *file;
	char *checksum;			/* "xxh128:" and 32 digits in hex, of the whole file */
	char *basis;			/* "events", "counters": what run and wait come from */
	int64_t sample_ns;		/* counters: the time between two samples; else FAN_NONE */
	char *kernel, *clock, *command; /* NULL if the file has none */
	int64_t clock_skew_ns; /* that much a CPU's clock is known to be behind another's */
	int64_t first_ns;      /* stamp of the first record: all times are since then */
	int64_t cpus;
	bool tells_cgroups;	 /* without, nobody knows of weights and quotas */
	struct fan_array labels; /* struct fan_pair */
};

struct fan_r_host {
	char *smt;		/* "on", "off"; NULL: not in the file */
	struct fan_array cores; /* struct fan_ints: siblings of each core; n == 0: unknown */
	double overcommit;	/* vCPUs of all VM groups per host CPU */
	double steal_pct;	/* stolen from this host, of its CPU time; NaN: unknown */
	/* of its counters; FAN_NONE: not told */
	int64_t steal_intervals, steal_backwards_intervals, steal_jumped_intervals;
	char *cpu_model;
	char *governor; /* of the clock rates; several with commas */
	/* as the kernel words them; NULL: not told */
	char *smt_control, *l1tf, *mds;
	char *boot;		/* options of the kernel that bear on scheduling; NULL: none told */
	char *fair_class;	/* "eevdf", "cfs" */
	int64_t halt_poll_ns;	/* at most that long KVM waits by polling; FAN_NONE: not told */
	double freq_varied_pct; /* of its highest clock rate, of the CPU that varied most */
	char *scheduler;	/* name of the sched_ext scheduler; NULL: none, or not told */
	int64_t idle_while_waiting_ns; /* CPU time that idled while a thread of a group waited */
	int64_t realtime_ns;	       /* CPU time of real-time and deadline threads */
	int64_t recorder_ns;	       /* CPU time of the recorder */
	int64_t silence_ns;	       /* no CPU told anything: taken out of everything */
	struct fan_strs notes;	       /* what of all this matters, with its size */
};

struct fan_r_overlap {
	int64_t from_ns, to_ns;
	double cut_pct;
};

struct fan_r_period {
	int64_t start_ns, end_ns; /* relative to the trace's start */
	struct fan_r_overlap overlap;
	int64_t window_ns, windows;
	int64_t warmup_ns; /* cut from the beginning as the user said; 0 */
	char *expected_method, *entity_rule;
};

/* One kind of disagreement between events, and what is done about it. */
struct fan_r_conflict {
	char *name;
	int64_t count;
	char *policy;
};

struct fan_r_quality {
	int64_t events, lost, gaps; /* lost: FAN_NONE when lost without a count */
	int64_t conflicts;	    /* disagreements other than gaps */
	struct fan_array policies;  /* struct fan_r_conflict, all kinds, also those at 0 */
	int64_t unknown_ns;	    /* CPU time that no thread could be given */
	double unknown_pct;
	int64_t cut_ns, cut_cpu;      /* FAN_NONE: no CPU's data end before their time */
	struct fan_ints missing_cpus; /* of which nothing is left */
	struct fan_strs cut;	      /* what is missing of the file, in words */
	char *verdict;		      /* "ok", "degraded", "cannot_tell" */
	struct fan_strs notes;
};

struct fan_r_bounds {
	double lo, hi;
};

struct fan_r_steal {
	int64_t trace_ns, counter_ns;			/* of the vCPU threads, all the time */
	int64_t compared_trace_ns, compared_counter_ns; /* in the comparable intervals */
	double residual_pct;
	int64_t intervals, comparable_intervals, arrivals;
	int64_t excluded_intervals; /* a counter stepped back or jumped */
	int64_t backwards_intervals, jumped_intervals;
	char *closure;	  /* "closed", "open", "too_few", "none" */
	int64_t guest_ns; /* as told from inside the guest; FAN_NONE: not told */
	int64_t guest_resolution_ns;
	int64_t guest_intervals, guest_excluded_intervals; /* FAN_NONE: not told */
	int64_t guest_backwards_intervals, guest_jumped_intervals;
};

struct fan_r_quantiles {
	int64_t p50_ns, p95_ns, p99_ns, max_ns;
};

/* Time by name: of a group, of a comm. */
struct fan_r_amount {
	char *name;
	int64_t ns;
};

/* What held the CPU while the group's threads waited for it; the parts add up to wait_ns. */
struct fan_r_waited_for {
	struct fan_array groups;	   /* struct fan_r_amount: the other groups */
	int64_t self_ns;		   /* threads of the group itself */
	struct fan_array host;		   /* struct fan_r_amount by comm: the five largest */
	int64_t host_ns;		   /* all other threads, those five included */
	int64_t throttled_or_contended_ns; /* in intervals in which its cgroup was throttled */
	int64_t forced_idle_ns;		   /* idle for the sake of core scheduling; without cookies
					    * an upper bound: group flag upper_bound */
	int64_t idle_ns;		   /* idle otherwise: wake-up and migration latency */
	int64_t unknown_ns;
};

struct fan_r_exit {
	char *reason; /* name, or number where there is none */
	int64_t count;
	int64_t total_ns;   /* from exit to entry */
	int64_t off_cpu_ns; /* of that, asleep or waiting */
	int64_t p50_ns, p99_ns, max_ns;
};

/* Entitlement minus CPU time, in ns of CPU: above 0 the group is owed time. */
struct fan_r_lag {
	int64_t final_ns, max_ns, max_at_ns; /* max: the largest by size, with its sign */
};

/* Fairness in windows of one length. */
struct fan_r_scale {
	int64_t window_ns, windows; /* windows in which the group was due something */
	double rms_pp;		    /* of share minus due, in points */
	int64_t zero_windows;	    /* it was due something and got nothing */
	double vcpu_jain;	    /* mean over windows, of the VM's vCPUs by run / (run + wait) */
	int64_t vcpu_zero_windows;  /* a vCPU waited all through the window */
};

struct fan_r_starved {
	int64_t max_ns, at_ns; /* the longest time runnable without a CPU, and its begin */
	int64_t tid;
};

struct fan_r_thread {
	int64_t tid;
	char *name;
	int64_t vcpu; /* FAN_NONE: not a vCPU */
	int64_t run_ns;
	/* parts of run_ns, as far as kvm events tell: see fan_r_group */
	int64_t guest_ns, host_ns, poll_ns, vmm_ns, in_kvm_run_ns;
	int64_t wait_ns;
	int64_t halted_ns;	/* asleep as its guest halted; not in blocked_ns */
	int64_t blocked_ns;	/* asleep otherwise */
	int64_t asleep_ns;	/* both */
	int64_t unsplit_ns;	/* parts that the events cannot tell apart, on a CPU and off */
	int64_t unsplit_run_ns; /* of that, on a CPU */
	int64_t unknown_ns;
	int64_t inferred_ns; /* of run and wait, where an end is inferred */
	int64_t arrivals, migrations;
	int64_t cookie; /* of core scheduling; FAN_NONE: not told */
	struct fan_r_quantiles wait;
	struct fan_r_starved starved;
	struct fan_r_steal steal; /* of vCPUs */
};

struct fan_r_group {
	char *name, *kind;
	int64_t tgid; /* FAN_NONE: unknown */
	char *cgroup;
	double weight;	 /* NaN: unknown */
	double cap_cpus; /* NaN: none binds */
	char *capped_by; /* which caps bind: "vcpus", "cpuset", "quota"; NULL: none */
	int64_t vcpus;
	int64_t run_ns, vcpu_run_ns;
	/* of the vCPU threads' run time: in the guest, in the kernel for it, polling for the end
	 * of a halt, in the VMM; or where only the bracket of KVM_RUN is seen, in that */
	int64_t guest_ns, host_ns, poll_ns, vmm_ns, in_kvm_run_ns;
	int64_t wait_ns, halted_ns, blocked_ns;
	int64_t asleep_ns; /* halted or blocked */
	int64_t unsplit_ns, unsplit_run_ns, unknown_ns, inferred_ns;
	int64_t window_run_ns; /* of run_ns: in the windows of the share */
	struct fan_est share;
	double expected_pct;
	struct fan_r_bounds share_bounds;
	struct fan_est deviation;
	struct fan_r_lag lag_ns;
	struct fan_verdict_text verdict;
	struct fan_r_steal steal;
	struct fan_r_waited_for waited_for;
	struct fan_r_starved starved;
	struct fan_array by_window; /* struct fan_r_scale */
	struct fan_array threads;   /* struct fan_r_thread */
	struct fan_array exits;	    /* struct fan_r_exit, most time first */
	struct fan_strs flags;
};

struct fan_r_pair {
	char *a, *b;	      /* the two groups that are furthest apart, the better off first */
	struct fan_est ratio; /* of attained to expected, a over b */
};

/* All groups in windows of one length. */
struct fan_r_fair_scale {
	int64_t window_ns, windows; /* those in which two groups or more were due something */
	double jain;		    /* mean over the windows */
	double fair_pct;	    /* windows whose index is 0.95 or more */
	double rms_pp;		    /* of share minus due, over groups and windows */
	int64_t zero_windows;	    /* group windows without service although it was due */
};

#define FAN_HORIZON_WINDOWS 20 /* of fewer windows nobody can say that 95 % are fair */

struct fan_r_fairness {
	struct fan_est jain; /* index over attained / expected, from the sums of the windows */
	struct fan_r_pair worst_pair;
	int64_t starvation_max_ns;
	int64_t horizon_ns;	    /* smallest window of which 95 % are fair; FAN_NONE: none is */
	struct fan_array by_window; /* struct fan_r_fair_scale */
};

/* Who shared cores, at one level: see isolation.h. Times are core time over all cores. */
struct fan_r_mixing {
	char *level; /* "vm", "guest", "cookie" */
	int64_t co_run_ns, violation_ns, transition_ns, unresolved_ns, possible_ns;
	double violation_pct; /* violation_ns of co_run_ns */
	double judged_pct;    /* violation_ns and unresolved_ns of it: what the verdict is about */
	int64_t count;	      /* violations */
	int64_t unresolved, pairings;
	int64_t longest_ns;
};

struct fan_r_mixed_pair {
	char *a, *b;	  /* groups; the same twice: vCPUs of one with different cookies */
	int64_t total_ns; /* violations; of pairs of CPUs, as all of this */
	int64_t transition_ns, unresolved_ns;
	int64_t count, unresolved, longest_ns;
};

/* A violation, or a pairing that is unresolved. */
struct fan_r_mixed {
	int64_t ts_ns, ns; /* from the start of the trace */
	int64_t cpu_a, cpu_b, tid_a, tid_b;
	char *kind; /* "violation", "unresolved" */
};

/* Violations of this length: from_ns or longer, and shorter than to_ns. */
struct fan_r_bucket {
	int64_t from_ns, to_ns, count;
};

/* What a core did; all but the last add up to its wall time. */
struct fan_r_core {
	struct fan_ints cpus;
	int64_t idle_ns, kernel_ns;
	struct fan_array vms; /* struct fan_r_amount: threads of this group alone */
	int64_t mixed_ns, beside_ns, other_ns, unknown_ns;
	int64_t forced_idle_ns; /* CPU time */
};

struct fan_r_forced_group {
	char *name;
	int64_t caused_ns, suffered_ns; /* CPU time */
	int64_t counter_ns;		/* caused, as the kernel counted; FAN_NONE: it did not */
};

struct fan_r_forced_idle {
	int64_t total_ns;  /* CPU time */
	int64_t caused_ns; /* by the groups; the rest by threads of none */
	int64_t suffered_ns;
	bool upper_bound; /* cookies were not known, or cgroups throttled, some of the time */
	struct fan_array groups; /* struct fan_r_forced_group */
	char *counter;		 /* what the kernel's own counter says: "agrees", "differs", "not
				  * counting", "not told" */
};

struct fan_r_isolation {
	bool applicable;
	char *reason;		    /* why not; NULL: it is */
	struct fan_r_mixing judged; /* at the level that the verdict is about */
	double expected_pct; /* of co_run_ns, were vCPUs put on siblings at random: 1 - sum p^2 */
	double expected_apart_pct; /* the same, as no vCPU is on two CPUs at once */
	int64_t tolerance_ns;
	double max_violation_pct;
	struct fan_array pairs;	    /* struct fan_r_mixed_pair, the most time first */
	struct fan_array first;	    /* struct fan_r_mixed */
	struct fan_array histogram; /* struct fan_r_bucket */
	struct fan_array levels;    /* struct fan_r_mixing: all three */
	struct fan_array cores;	    /* struct fan_r_core */
	int64_t idle_beside_ns;	    /* wall time: a whole core idle while VMs shared another */
	struct fan_r_forced_idle forced_idle;
	char *cookies;	/* "apart", "shared", "partly", "none", "not told", "not readable" */
	char *sentence; /* the answer, without its figures */
	struct fan_verdict_text verdict; /* "isolated", "shared", "untested", "cannot_tell",
					  * "not_applicable"; margin is max_violation_pct */
	struct fan_strs notes;
};

/*
 * What a CPU did, bin by bin, in ns. A list without numbers is 0 everywhere; what is missing of a
 * bin's length nobody knows: unknown_ns.
 */
struct fan_r_lane {
	int64_t cpu, core; /* its place among the cores; FAN_NONE: of none that has siblings */
	struct fan_array groups; /* struct fan_r_bins */
	struct fan_ints other_ns, idle_ns, forced_idle_ns, unknown_ns;
};

struct fan_r_bins {
	char *name;
	struct fan_ints ns;
};

struct fan_r_shared_core {
	struct fan_ints cpus, violation_ns, unresolved_ns; /* core time */
};

struct fan_r_occupancy {
	int64_t bin_ns;		/* FAN_NONE: nobody asked, or nobody knows */
	struct fan_ints t_ns;	/* begin of each bin; the last one ends with the period */
	struct fan_array cpus;	/* struct fan_r_lane: siblings one after the other */
	struct fan_array cores; /* struct fan_r_shared_core */
	int64_t left_out;	/* CPUs: those that the groups used least */
	char *level;		/* of violations: "vm", "cookie"; NULL: there is nothing to tell */
};

/* Work that a VM or group reported itself, inside the overlap. */
struct fan_r_work {
	char *vm, *unit;
	double total;		   /* units */
	double share_pct;	   /* of all work in that unit */
	double cpu_share_pct;	   /* of CPU time of the groups that reported that unit */
	struct fan_est rate;	   /* units per second */
	struct fan_est efficiency; /* units per CPU second */
	struct fan_strs flags;	   /* stamped_on_arrival, ... */
};

struct fan_r_score {
	char *vm;
	double value; /* a rating: never summed */
};

/* One group's windows in the overlap, in time order. */
struct fan_r_curve {
	char *name;
	struct fan_reals share;	   /* percent; NaN where nobody ran */
	struct fan_reals expected; /* percent */
	struct fan_ints lag_ns;	   /* at the end of the window, since the first one's begin */
	struct fan_ints run_ns, wait_ns;
	/*
	 * Of the vCPU threads, see fan_r_group; but for vcpu_run_ns they add up to wall time. Empty
	 * where the trace cannot tell, and without vCPUs. What is found out later is taken back in
	 * the window in which it is found out: single ones may be negative.
	 */
	struct fan_ints vcpu_run_ns, guest_ns, host_ns, poll_ns, vmm_ns, in_kvm_run_ns;
	struct fan_ints vcpu_wait_ns, halted_ns, blocked_ns, unsplit_ns, unknown_ns;
};

struct fan_r_series {
	int64_t window_ns;
	struct fan_ints t_ns;	 /* begin of each window */
	struct fan_array groups; /* struct fan_r_curve */
};

/*
 * How often a wait was how long: count[i] of them at most upto_ns[i], and longer than the one
 * before. Ascending, without those of 0; the last is the longest wait.
 */
struct fan_r_histogram {
	struct fan_ints upto_ns, count;
};

struct fan_r_vcpu_waits {
	int64_t tid, vcpu;
	struct fan_r_histogram waits;
};

/* The waits of a group: of its vCPU threads where it has vCPUs, else of all its threads. */
struct fan_r_group_waits {
	char *name;
	struct fan_r_quantiles wait; /* FAN_NONE: none waited */
	struct fan_r_histogram waits;
	struct fan_array vcpus; /* struct fan_r_vcpu_waits: those that waited */
};

struct fan_report {
	char *schema; /* "fcap-report/1" */
	struct fan_r_tool tool;
	struct fan_r_source source;
	struct fan_r_host host;
	struct fan_r_period period;
	struct fan_r_quality quality;
	struct fan_array groups; /* struct fan_r_group, largest share first */
	struct fan_r_fairness fairness;
	struct fan_r_isolation isolation;
	struct fan_r_occupancy occupancy;
	struct fan_array work;	 /* struct fan_r_work */
	struct fan_array scores; /* struct fan_r_score */
	struct fan_r_series series;
	struct fan_array histograms; /* struct fan_r_group_waits, in the order of groups */
	struct fan_strs flags;	     /* of the whole report: not_contended, short_overlap, ... */
};

extern const struct fan_table fan_report_table;
extern const struct fan_table fan_tool_table;	    /* struct fan_r_tool */
extern const struct fan_table fan_group_table;	    /* struct fan_r_group */
extern const struct fan_table fan_thread_table;	    /* struct fan_r_thread */
extern const struct fan_table fan_work_table;	    /* struct fan_r_work */
extern const struct fan_table fan_score_table;	    /* struct fan_r_score */
extern const struct fan_table fan_curve_table;	    /* struct fan_r_curve */
extern const struct fan_table fan_waits_table;	    /* struct fan_r_group_waits */
extern const struct fan_table fan_vcpu_waits_table; /* struct fan_r_vcpu_waits */
extern const struct fan_table fan_conflict_table;   /* struct fan_r_conflict */
extern const struct fan_table fan_amount_table;	    /* struct fan_r_amount */
extern const struct fan_table fan_comm_table;	    /* struct fan_r_amount, named by comm */
extern const struct fan_table fan_exit_table;	    /* struct fan_r_exit */
extern const struct fan_table fan_scale_table;	    /* struct fan_r_scale */
extern const struct fan_table fan_fair_scale_table; /* struct fan_r_fair_scale */
extern const struct fan_table fan_occupancy_table;  /* struct fan_r_occupancy */
extern const struct fan_table fan_lane_table;	    /* struct fan_r_lane */
extern const struct fan_table fan_bins_table;	    /* struct fan_r_bins */
extern const struct fan_table fan_shared_table;	    /* struct fan_r_shared_core */
extern const struct fan_table fan_isolation_table;  /* struct fan_r_isolation */
extern const struct fan_table fan_mixing_table;	    /* struct fan_r_mixing */
extern const struct fan_table fan_mixed_pair_table; /* struct fan_r_mixed_pair */
extern const struct fan_table fan_mixed_table;	    /* struct fan_r_mixed */
extern const struct fan_table fan_bucket_table;	    /* struct fan_r_bucket */
extern const struct fan_table fan_core_table;	    /* struct fan_r_core */
extern const struct fan_table fan_forced_table;	    /* struct fan_r_forced_group */

/*
 * Frees what the tree owns, not r itself. A report that only ever was fan_tree_init()'s or
 * all zeros is fine.
 */
void fan_report_free(struct fan_report *r);

#endif
