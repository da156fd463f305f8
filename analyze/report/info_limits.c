// SPDX-License-Identifier: GPL-3.0-or-later
/* What a file cannot answer, by what it holds; and how to record one that can. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/info.h"

#define FCAP	  "fcap record"
#define SCHED_KVM FCAP ", or trace-cmd record -e sched -e kvm"

static int add(struct fan_info *info, const char *question, const char *reason, const char *remedy)
{
	struct fan_i_limit *limit = fan_array_add(&info->limits, &fan_i_limit_table);

	if (!limit)
		return -ENOMEM;
	if (fan_str_set(&limit->question, question) < 0 || fan_str_set(&limit->reason, reason) < 0)
		return -ENOMEM;
	return fan_str_set(&limit->remedy, remedy);
}

/* Only the main buffer counts: no other is analysed. */
static bool has_event(const struct fan_info *info, const char *name)
{
	const struct fan_i_event *event = info->events.items;

	for (size_t i = 0; i < info->events.n; i++)
		if (event[i].in_main > 0 && strcmp(event[i].name, name) == 0)
			return true;
	return false;
}

static bool has_system(const struct fan_info *info, const char *system)
{
	const struct fan_i_event *event = info->events.items;

	for (size_t i = 0; i < info->events.n; i++)
		if (event[i].in_main > 0 && strncmp(event[i].name, system, strlen(system)) == 0)
			return true;
	return false;
}

static bool has_marker(const struct fan_info *info, const char *kind)
{
	const struct fan_i_marker *marker = info->markers.items;

	for (size_t i = 0; i < info->markers.n; i++)
		if (strcmp(marker[i].kind, kind) == 0)
			return true;
	return false;
}

static bool has_string(const struct fan_strs *strs, const char *s)
{
	for (size_t i = 0; i < strs->n; i++)
		if (strcmp(strs->items[i], s) == 0)
			return true;
	return false;
}

static bool has_prefix(const struct fan_strs *strs, const char *prefix)
{
	for (size_t i = 0; i < strs->n; i++)
		if (strncmp(strs->items[i], prefix, strlen(prefix)) == 0)
			return true;
	return false;
}

/* Each architecture has its own pair of entry and exit; either half alone is not enough. */
static bool has_guest_time(const struct fan_info *info)
{
	static const char *const pairs[][2] = {
		{ "kvm:kvm_entry", "kvm:kvm_exit" },
		{ "kvm:kvm_enter", "kvm:kvm_exit" },
		{ "kvm:kvm_s390_sie_enter", "kvm:kvm_s390_sie_exit" },
		{ "kvm_hv:kvm_guest_enter", "kvm_hv:kvm_guest_exit" },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (has_event(info, pairs[i][0]) && has_event(info, pairs[i][1]))
			return true;
	return false;
}

static int by_events(struct fan_info *info)
{
	const bool has_kvm = has_system(info, "kvm:") || has_system(info, "kvm_hv:");
	/* fcap enables every event whose format it keeps; other recorders keep more */
	const bool by_fcap = has_marker(info, "begin");
	const bool was_recorded = by_fcap && has_prefix(&info->silent, "kvm:");
	const bool has_vcpus = has_marker(info, "vcpu") || has_string(&info->options, "GUEST");
	int r = 0;

	if (!has_event(info, "sched:sched_switch") && !has_kvm && has_marker(info, "steal"))
		r = add(info, "who waited for whom, single waits, lag, isolation",
			"no events, only counters: shares and steal are told from those",
			FCAP " --events all");
	else if (!has_event(info, "sched:sched_switch"))
		r = add(info, "shares, waits, steal", "no sched_switch events", SCHED_KVM);
	if (r == 0 && !has_event(info, "sched:sched_wakeup"))
		r = add(info, "how long a thread waited after it slept", "no sched_wakeup events",
			SCHED_KVM);
	if (r == 0 && !has_kvm && !has_vcpus)
		r = add(info, "which threads are vCPUs, but for those with the name of one",
			was_recorded ? "kvm events were recorded, and none happened: no VM ran"
				     : "no kvm events, vcpu lines or GUEST option",
			was_recorded ? NULL : SCHED_KVM);
	if (r < 0 || has_guest_time(info))
		return r;
	if (by_fcap && has_string(&info->silent, "kvm:kvm_entry"))
		return add(info, "time inside the guests",
			   "kvm_entry was recorded and never happened: no guest ran, or this "
			   "host's KVM does not tell",
			   NULL);
	return add(info, "time inside the guests", "no pairs of kvm_entry and kvm_exit",
		   SCHED_KVM ", with the kvm module loaded");
}

static int by_markers(struct fan_info *info)
{
	static const struct {
		const char *kind, *question, *reason, *remedy;
	} wanted[] = {
		{ "steal", "whether the waits agree with the kernel's own counter",
		  "no steal lines", FCAP },
		{ "cpu", "isolation of VMs on sibling CPUs, SMT", "no cpu lines (topology)", FCAP },
		{ "cg", "what cgroup weights, quotas and cpusets entitle a group to", "no cg lines",
		  FCAP },
		{ "task", "processes, cgroups and nice values of threads", "no task lines", FCAP },
		{ "host", "what was stolen from this host itself", "no host lines", FCAP },
		{ "work", "work done, and work per CPU second", "no work lines",
		  FCAP ", with a workload that writes fcap-work lines to $FCAP_FD" },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!has_marker(info, wanted[i].kind))
			r = add(info, wanted[i].question, wanted[i].reason, wanted[i].remedy);
	if (r == 0 && has_marker(info, "begin") && !has_marker(info, "end"))
		r = add(info, "what came after the last event",
			"no end line: the recording was cut short",
			FCAP ", and let it end by itself");
	return r;
}

static int by_clock(struct fan_info *info, const char *clock_fault)
{
	static const char remedy[] = FCAP ", or trace-cmd record -C mono";
	char reason[sizeof(((struct fcap_err *)0)->text)];

	if (clock_fault) {
		/* the sentence goes on with a remedy of its own */
		snprintf(reason, sizeof(reason), "%.*s", (int)strcspn(clock_fault, ";"),
			 clock_fault);
		return add(info, "anything that is a time", reason, remedy);
	}
	if (!info->clock)
		return add(info, "whether its stamps are ns of one clock for all CPUs",
			   "the file does not name its clock", remedy);
	if (strcmp(info->clock, "local") == 0 || strcmp(info->clock, "perf") == 0)
		return add(info, "the exact order of events on different CPUs",
			   "its clock runs apart on each CPU", remedy);
	return 0;
}

static int by_loss(struct fan_info *info)
{
	static const char remedy[] = "larger buffers (trace-cmd record -b KB), fewer events, or "
				     "fcap record, which sizes its buffers by free memory";
	const struct fan_i_buffer *buffer = info->buffers.items;
	const struct fan_i_cpu *cpu = buffer->cpus.items;
	int64_t marks = 0;
	char reason[64];

	for (size_t i = 0; i < buffer->cpus.n; i++)
		marks += cpu[i].loss_marks;
	if (marks == 0 && info->losses.n == 0)
		return 0;
	snprintf(reason, sizeof(reason), "events were lost, at %" PRId64 " marked places", marks);
	return add(info, "what happened where events are missing", reason, remedy);
}

static int by_buffers(struct fan_info *info)
{
	const struct fan_i_buffer *buffer = info->buffers.items;
	int r = 0;

	for (size_t i = 1; r == 0 && i < info->buffers.n; i++)
		if (buffer[i].records > 0 && strcmp(buffer[i].name, "fcap") != 0)
			r = add(info, "what the events of further buffers tell",
				"only the main buffer is analysed", "trace-cmd record without -B");
	return r;
}

int fan_info_find_limits(struct fan_info *info, const char *clock_fault)
{
	int r = by_events(info);

	if (r == 0)
		r = by_markers(info);
	if (r == 0)
		r = by_clock(info, clock_fault);
	if (r == 0)
		r = by_loss(info);
	return r < 0 ? r : by_buffers(info);
}
