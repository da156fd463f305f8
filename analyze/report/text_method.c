// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_method.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/text_isolation.h"
#include "analyze/report/text_machine.h"
#include "analyze/report/words.h"

static void print_period(const struct fan_r_period *period, struct fan_print *p)
{
	fan_print_para(p, 11, "  times    over the whole period, %s to %s",
		       fan_format_ns(period->start_ns).text, fan_format_ns(period->end_ns).text);
	if (period->windows == FAN_NONE)
		return;
	fan_print_para(p, 11,
		       "  shares   over %s windows of %s between %s and %s, while all groups "
		       "ran; %s %% of the period is cut off",
		       fan_format_i64(period->windows).text, fan_format_ns(period->window_ns).text,
		       fan_format_ns(period->overlap.from_ns).text,
		       fan_format_ns(period->overlap.to_ns).text,
		       fan_format_real(period->overlap.cut_pct, 1, false).text);
	if (period->expected_method && strcmp(period->expected_method, "demand") == 0)
		fan_print_para(p, 11,
			       "  due      at each moment by weights and caps, among the threads "
			       "that want to run; weights: %s",
			       fan_or_dash(period->entity_rule));
	else
		fan_print_para(p, 11, "  due      %s weights: %s",
			       fan_or_dash(period->expected_method),
			       fan_or_dash(period->entity_rule));
}

/* The method of the first group that has an interval. */
static void print_method(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	size_t i = 0;

	while (i < groups->n && !g[i].share.method)
		i++;
	if (i == groups->n) {
		fan_print_para(p, 11, "  +/-      no group has an interval");
		return;
	}
	fan_print_para(p, 11,
		       "  +/-      half of the %g %% interval within this run: %s, n = "
		       "%" PRIu64 ", df = %.3g",
		       100 * g[i].share.level, g[i].share.method, g[i].share.n, g[i].share.df);
	if (g[i].deviation.m > 1)
		fan_print_para(p, 11, "           adjusted, like the verdict, for %u comparisons",
			       g[i].deviation.m);
}

/* The margin is one for all groups; caps are each group's own. */
static void print_limits(const struct fan_array *groups, struct fan_print *p)
{
	const struct fan_r_group *g = groups->items;
	struct fan_strs caps = { 0 };
	char *joined;
	size_t i = 0;

	while (i < groups->n && isnan(g[i].verdict.margin))
		i++;
	if (i < groups->n)
		fan_print_para(p, 11, "  margin   %g points", g[i].verdict.margin);
	for (i = 0; i < groups->n && isnan(g[i].cap_cpus); i++)
		;
	if (i == groups->n)
		return;
	for (i = 0; i < groups->n; i++)
		if (fan_strs_add(&caps, "%s %.10g", fan_or_dash(g[i].name), g[i].cap_cpus) < 0)
			p->r = -ENOMEM;
	joined = fan_join(&caps, ", ");
	if (joined)
		fan_print_para(p, 11, "  caps     CPUs that each can use at most: %s", joined);
	else
		p->r = -ENOMEM;
	free(joined);
	fan_strs_free(&caps);
}

static void print_labels(const struct fan_array *labels, struct fan_print *p)
{
	const struct fan_pair *pair = labels->items;

	for (size_t i = 0; i < labels->n; i++)
		fan_print_para(p, 11, "  label    %s=%s", pair[i].key, pair[i].value);
}

static void print_source(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_source *source = &r->source;
	const bool has_cores = r->host.cores.n > 0;
	const bool has_vcpus = !isnan(r->host.overcommit);
	const bool has_steal = !isnan(r->host.steal_pct);

	fan_print_para(p, 11, "  trace    %s", fan_or_dash(source->file));
	if (source->checksum)
		fan_print_para(p, 11, "  checksum %s", source->checksum);
	if (source->command)
		fan_print_para(p, 11, "  of       %s", source->command);
	print_labels(&source->labels, p);
	fan_print_para(p, 11, "  host     %s CPUs%s%s%s, SMT %s%s%s%s%s%s%s",
		       fan_format_i64(source->cpus).text, has_cores ? " on " : "",
		       has_cores ? fan_format_i64((int64_t)r->host.cores.n).text : "",
		       has_cores ? " cores" : "", r->host.smt ? r->host.smt : "not known",
		       has_vcpus ? ", " : "",
		       has_vcpus ? fan_format_real(r->host.overcommit, 2, false).text : "",
		       has_vcpus ? " vCPUs a CPU" : "", has_steal ? ", steal " : "",
		       has_steal ? fan_format_real(r->host.steal_pct, 2, false).text : "",
		       has_steal ? " %" : "");
	fan_print_para(p, 11, "  kernel   %s, clock %s", fan_or_dash(source->kernel),
		       fan_or_dash(source->clock));
	fan_print_machine(&r->host, p);
	if (r->tool.name)
		fan_print_para(p, 11, "  by       %s %s: %s", r->tool.name,
			       fan_or_dash(r->tool.version), fan_or_dash(r->tool.command));
}

void fan_print_method(const struct fan_report *r, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(p, 0, "How it was computed");
	print_period(&r->period, p);
	if (r->period.windows != FAN_NONE)
		print_method(&r->groups, p);
	print_limits(&r->groups, p);
	if (fan_isolation_is_aside(r))
		fan_print_para(p, 11, "  cores    isolation: %s", r->isolation.sentence);
	print_source(r, p);
}
