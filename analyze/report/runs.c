// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs of a comparison: their list, and their labels. */
#include "analyze/report/runs.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyze/report/field.h"

static const struct fan_field run_group_fields[] = {
	FIELD(fan_run_group, name, NULL, "Name of the VM or group."),
	FIELD(fan_run_group, score, NULL, "Its score, or its work per second."),
	FIELD(fan_run_group, unit, NULL, "score, or the unit of the work; null: none was told."),
	FIELD(fan_run_group, work, NULL, "Work done; null where none was told."),
	FIELD(fan_run_group, cpus, "CPUs", "CPU seconds a second of the overlap."),
	FIELD(fan_run_group, share, "percent", "Share, with its interval within this run."),
	FIELD(fan_run_group, share_window_mean_pct, "percent", "Unweighted mean over windows."),
	FIELD(fan_run_group, expected_pct, "percent", "Share that was due."),
	FIELD(fan_run_group, deviation, "points", "Share minus due, likewise."),
	FIELD(fan_run_group, forced_idle_pct, "percent",
	      "Waiting beside a CPU that core scheduling kept idle, of the time that its threads "
	      "ran or waited."),
};
const struct fan_table fan_run_group_table = TABLE(fan_run_group, run_group_fields, "groups");

static const struct fan_field isolation_fields[] = {
	FIELD(fan_run_isolation, verdict, NULL,
	      "isolated, shared, untested, cannot_tell or not_applicable; null: not told."),
	FIELD(fan_run_isolation, reason, NULL, "Why there is nothing to judge, or nobody can."),
	FIELD(fan_run_isolation, judged_pct, "percent",
	      "Violations and what is unresolved, of co_run_ns; null unless isolated or shared."),
	FIELD(fan_run_isolation, co_run_ns, "ns",
	      "Core time in which two siblings or more ran vCPU threads; likewise."),
};
static const struct fan_table isolation_table = TABLE(fan_run_isolation, isolation_fields,
						      "isolation");

static const struct fan_field settings_fields[] = {
	FIELD(fan_run_settings, window_ns, "ns", "Length of the windows of its shares."),
	FIELD(fan_run_settings, warmup_ns, "ns", "Left out at the beginning."),
	FIELD(fan_run_settings, expected_method, NULL, "How it was found what was due."),
	FIELD(fan_run_settings, level, NULL, "What was not to share a core: vm, guest or cookie."),
	FIELD(fan_run_settings, tolerance_ns, "ns", "Longest transition that was taken for one."),
	FIELD(fan_run_settings, max_violation_pct, "percent",
	      "More than this of co_run_ns was objected to."),
};
static const struct fan_table settings_table = TABLE(fan_run_settings, settings_fields, "settings");

static const struct fan_field source_fields[] = {
	FIELD(fan_run_source, checksum, NULL, "Of the trace: xxh128: and XXH128 of the file."),
	FIELD(fan_run_source, kernel, NULL, "Kernel release that was traced."),
	FIELD(fan_run_source, cpu_model, NULL, "The processor's name."),
	FIELD(fan_run_source, smt, NULL, "Whether cores have more than one CPU: on or off."),
	FIELD(fan_run_source, fair_class, NULL, "How weights are followed: eevdf or cfs."),
	FIELD(fan_run_source, scheduler, NULL, "The sched_ext scheduler in charge."),
};
static const struct fan_table source_table = TABLE(fan_run_source, source_fields, "source");

static const struct fan_field run_fields[] = {
	FIELD(fan_run, config, NULL, "Configuration that the run was made in."),
	FIELD(fan_run, name, NULL, "File of the run, or its name in a table."),
	FIELD(fan_run, block, NULL, "Runs of one block belong together."),
	FIELD(fan_run, start, NULL, "Place in the order of the runs; null: not known."),
	FIELD(fan_run, length_s, "s", "Length of the time that was compared."),
	FIELD(fan_run, jain, NULL,
	      "Jain's index of its groups, with its interval within this run."),
	FIELD(fan_run, forced_idle_pct, "percent",
	      "CPU time that core scheduling kept idle, of that of all CPUs; null: not told."),
	NESTED(fan_run, isolation, FAN_F_STRUCT, &isolation_table,
	       "Whether VMs shared cores, as its report judged it."),
	NESTED(fan_run, settings, FAN_F_STRUCT, &settings_table,
	       "What its report was made with that its numbers depend on."),
	NESTED(fan_run, source, FAN_F_STRUCT, &source_table,
	       "What was analysed, and what it was recorded on."),
	NESTED(fan_run, labels, FAN_F_MAP, NULL, "Labels of the recording."),
	NESTED(fan_run, groups, FAN_F_ARRAY, &fan_run_group_table, "What each VM came to."),
	FIELD(fan_run, doubts, NULL,
	      "Flags of its report and groups; degraded or cannot_tell by its quality."),
};
const struct fan_table fan_run_table = TABLE(fan_run, run_fields, "runs");

static const struct fan_field runs_fields[] = {
	NESTED(fan_runs, items, FAN_F_ARRAY, &fan_run_table, "The runs."),
};
const struct fan_table fan_runs_table = TABLE(fan_runs, runs_fields, "runs");

void fan_runs_init(struct fan_runs *runs)
{
	fan_tree_init(runs, &fan_runs_table);
}

void fan_runs_free(struct fan_runs *runs)
{
	fan_tree_free(runs, &fan_runs_table);
}

struct fan_run *fan_runs_add(struct fan_runs *runs, const char *config, const char *name)
{
	struct fan_run *run = fan_array_add(&runs->items, &fan_run_table);

	if (!run || fan_str_set(&run->config, config) < 0 || fan_str_set(&run->name, name) < 0)
		return NULL;
	return run;
}

struct fan_run_group *fan_run_group(struct fan_run *run, const char *name)
{
	struct fan_run_group *g = run->groups.items;

	for (size_t i = 0; i < run->groups.n; i++)
		if (strcmp(g[i].name, name) == 0)
			return &g[i];
	g = fan_array_add(&run->groups, &fan_run_group_table);
	if (!g)
		return NULL;
	fan_est_init(&g->share, "percent", NAN, 1);
	fan_est_init(&g->deviation, "points", NAN, 1);
	return fan_str_set(&g->name, name) < 0 ? NULL : g;
}

const char *fan_run_label(const struct fan_run *run, const char *key)
{
	const struct fan_pair *pair = run->labels.items;
	const char *ret = NULL;

	/* the last of equal keys counts */
	for (size_t i = 0; i < run->labels.n; i++)
		if (strcmp(pair[i].key, key) == 0)
			ret = pair[i].value;
	return ret;
}

/* The label of a run that must have it; NULL with a sentence in err. */
static const char *needed_label(const struct fan_run *run, const char *label, struct fcap_err *err)
{
	const char *value = fan_run_label(run, label);

	if (!value)
		fcap_fail(err, EINVAL,
			  "%s has no label \"%s\"; record it with fcap record --label %s=VALUE",
			  run->name ? run->name : "a run", label, label);
	return value;
}

int fan_runs_configure(struct fan_runs *runs, const char *label, struct fcap_err *err)
{
	struct fan_run *run = runs->items.items;

	for (size_t i = 0; i < runs->items.n; i++) {
		const char *value = needed_label(&run[i], label, err);

		if (!value)
			return -EINVAL;
		if (fan_str_set(&run[i].config, value) < 0)
			return fcap_fail(err, ENOMEM, "out of memory");
	}
	return 0;
}

int fan_runs_block(struct fan_runs *runs, const char *label, struct fcap_err *err)
{
	struct fan_run *run = runs->items.items;

	for (size_t i = 0; i < runs->items.n; i++) {
		const char *value = needed_label(&run[i], label, err);

		if (!value)
			return -EINVAL;
		if (fan_str_set(&run[i].block, value) < 0)
			return fcap_fail(err, ENOMEM, "out of memory");
	}
	return 0;
}
