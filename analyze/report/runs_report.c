// SPDX-License-Identifier: GPL-3.0-or-later
/* From a report to the run that it tells of. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "analyze/report/runs.h"
#include "fcap/num.h"

#define NS_PER_S 1e9

static double seconds(int64_t ns)
{
	return ns == FAN_NONE ? NAN : (double)ns / NS_PER_S;
}

/* Of the windows: shares are of them alone. */
static double length_of(const struct fan_r_period *p)
{
	return p->windows == FAN_NONE || p->windows == 0
		       ? NAN
		       : (double)p->windows * seconds(p->window_ns);
}

/*
 * What a share that came through JSON has lost would tell it apart from one that did not: the
 * effective sample size. Its effect stays in the flags.
 */
static struct fan_est within_run(const struct fan_est *est)
{
	struct fan_est ret = *est;

	ret.ess = NAN;
	ret.runs = 0;
	return ret;
}

static double mean_of(const struct fan_reals *list)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (isnan(list->items[i]))
			continue;
		sum += list->items[i];
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static double window_mean(const struct fan_r_series *series, const char *name)
{
	const struct fan_r_curve *c = series->groups.items;

	for (size_t i = 0; i < series->groups.n; i++)
		if (c[i].name && strcmp(c[i].name, name) == 0)
			return mean_of(&c[i].share);
	return NAN;
}

/* Of the time in which its threads wanted a CPU. Who knows of no siblings knows of none idle. */
static double forced_idle(const struct fan_report *r, const struct fan_r_group *g)
{
	const bool is_known = r->host.cores.n > 0 ||
			      (r->host.smt && strcmp(r->host.smt, "off") == 0);
	const double wanted = seconds(g->run_ns) + seconds(g->wait_ns);

	return is_known && wanted > 0 ? 100 * seconds(g->waited_for.forced_idle_ns) / wanted : NAN;
}

/* In the windows of its share; reports that do not tell that have the whole period. */
static double cpus_of(const struct fan_report *r, const struct fan_r_group *g)
{
	const double whole = seconds(r->period.end_ns) - seconds(r->period.start_ns);
	const double length = length_of(&r->period);

	if (g->window_run_ns != FAN_NONE && length > 0)
		return seconds(g->window_run_ns) / length;
	return whole > 0 ? seconds(g->run_ns) / whole : NAN;
}

/* A rating goes before work, which goes by the first unit that the report has. */
static int add_score(struct fan_run_group *to, const struct fan_report *r)
{
	const struct fan_r_score *score = r->scores.items;
	const struct fan_r_work *work = r->work.items;

	for (size_t i = 0; i < r->work.n && isnan(to->score); i++) {
		if (!work[i].vm || strcmp(work[i].vm, to->name) != 0)
			continue;
		to->score = work[i].rate.value;
		to->work = work[i].total;
		if (fan_str_set(&to->unit, work[i].unit ? work[i].unit : "units") < 0)
			return -ENOMEM;
	}
	for (size_t i = 0; i < r->scores.n; i++) {
		if (!score[i].vm || strcmp(score[i].vm, to->name) != 0)
			continue;
		to->score = score[i].value;
		to->work = NAN;
		return fan_str_set(&to->unit, "score");
	}
	return 0;
}

/* Nobody can say what the VMs got of the CPU; what they told themselves stays. */
static bool is_lost(const struct fan_report *r)
{
	return r->quality.verdict && strcmp(r->quality.verdict, "cannot_tell") == 0;
}

static void add_times(struct fan_run_group *to, const struct fan_report *r,
		      const struct fan_r_group *g)
{
	to->cpus = cpus_of(r, g);
	to->share = within_run(&g->share);
	to->share_window_mean_pct = window_mean(&r->series, g->name);
	to->expected_pct = g->expected_pct;
	to->deviation = within_run(&g->deviation);
	to->forced_idle_pct = forced_idle(r, g);
}

static int add_group(struct fan_run *run, const struct fan_report *r, const struct fan_r_group *g,
		     struct fcap_err *err)
{
	const size_t before = run->groups.n;
	struct fan_run_group *to;

	if (!g->name)
		return fcap_fail(err, EINVAL, "a group of this report has no name");
	to = fan_run_group(run, g->name);
	if (!to)
		return fcap_fail(err, ENOMEM, "out of memory");
	if (run->groups.n == before)
		return fcap_fail(err, EINVAL, "two groups of this report are named \"%s\"",
				 g->name);
	if (!is_lost(r))
		add_times(to, r, g);
	return add_score(to, r) < 0 ? fcap_fail(err, ENOMEM, "out of memory") : 0;
}

/* Each token once. */
static int add_doubt(struct fan_run *run, const char *token)
{
	for (size_t i = 0; i < run->doubts.n; i++)
		if (strcmp(run->doubts.items[i], token) == 0)
			return 0;
	return fan_strs_add(&run->doubts, "%s", token);
}

static int add_doubts(struct fan_run *run, const struct fan_report *r)
{
	const char *quality = r->quality.verdict ? r->quality.verdict : "";
	const struct fan_r_group *g = r->groups.items;
	int e = 0;

	if (strcmp(quality, "degraded") == 0 || is_lost(r))
		e = add_doubt(run, quality);
	for (size_t i = 0; e == 0 && i < r->flags.n; i++)
		e = add_doubt(run, r->flags.items[i]);
	for (size_t i = 0; i < r->groups.n; i++)
		for (size_t k = 0; e == 0 && k < g[i].flags.n; k++)
			e = add_doubt(run, g[i].flags.items[k]);
	return e;
}

static bool is_judged(const char *word)
{
	return strcmp(word, "isolated") == 0 || strcmp(word, "shared") == 0;
}

/* Of a run in which nothing could be judged there is no percentage, least of all a 0. */
static int add_isolation(struct fan_run_isolation *to, const struct fan_r_isolation *from)
{
	const struct fan_verdict_text *v = &from->verdict;
	const char *reason = from->reason   ? from->reason
			     : v->reasons.n ? v->reasons.items[0]
					    : NULL;

	if (!v->word)
		return 0;
	if (is_judged(v->word)) {
		to->judged_pct = from->judged.judged_pct;
		to->co_run_ns = from->judged.co_run_ns;
		reason = NULL;
	}
	if (fan_str_set(&to->verdict, v->word) < 0)
		return -ENOMEM;
	return fan_str_set(&to->reason, reason);
}

/* Of the CPU time that there was, less the time in which the host stood still. */
static double forced_idle_of_host(const struct fan_report *r)
{
	const double silence = r->host.silence_ns == FAN_NONE ? 0 : seconds(r->host.silence_ns);
	const double whole = (double)r->source.cpus *
			     (seconds(r->period.end_ns) - seconds(r->period.start_ns) - silence);

	return r->source.cpus != FAN_NONE && whole > 0
		       ? 100 * seconds(r->isolation.forced_idle.total_ns) / whole
		       : NAN;
}

static int add_settings(struct fan_run_settings *to, const struct fan_report *r)
{
	to->window_ns = r->period.window_ns;
	to->warmup_ns = r->period.warmup_ns;
	to->tolerance_ns = r->isolation.tolerance_ns;
	to->max_violation_pct = r->isolation.max_violation_pct;
	if (fan_str_set(&to->expected_method, r->period.expected_method) < 0)
		return -ENOMEM;
	return fan_str_set(&to->level, r->isolation.judged.level);
}

static int add_source(struct fan_run_source *to, const struct fan_report *r)
{
	const struct {
		char **to;
		const char *from;
	} each[] = {
		{ &to->checksum, r->source.checksum },	 { &to->kernel, r->source.kernel },
		{ &to->cpu_model, r->host.cpu_model },	 { &to->smt, r->host.smt },
		{ &to->fair_class, r->host.fair_class }, { &to->scheduler, r->host.scheduler },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(each) / sizeof(each[0]); i++)
		e = fan_str_set(each[i].to, each[i].from);
	return e;
}

/* What is of no single group. */
static int add_whole(struct fan_run *run, const struct fan_report *r)
{
	int e = add_settings(&run->settings, r);

	if (e == 0)
		e = add_source(&run->source, r);
	if (e == 0)
		e = add_isolation(&run->isolation, &r->isolation);
	if (is_lost(r))
		return e;
	run->jain = within_run(&r->fairness.jain);
	run->forced_idle_pct = forced_idle_of_host(r);
	if (e == 0 && r->isolation.forced_idle.upper_bound)
		e = add_doubt(run, "upper_bound");
	return e;
}

/* Labels, and when it was. */
static int add_frame(struct fan_run *run, const struct fan_report *r)
{
	const struct fan_pair *pair = r->source.labels.items;
	const char *order;
	int e = 0;

	for (size_t i = 0; e == 0 && i < r->source.labels.n; i++)
		e = fan_pairs_add(&run->labels, pair[i].key, pair[i].value ? pair[i].value : "");
	run->length_s = length_of(&r->period);
	order = fan_run_label(run, "order");
	if (order && fcap_parse_real(order, &run->start) < 0)
		run->start = NAN;
	if (e == 0)
		e = add_whole(run, r);
	return e < 0 ? e : add_doubts(run, r);
}

int fan_runs_add_report(struct fan_runs *runs, const char *config, const struct fan_report *r,
			const char *name, struct fcap_err *err)
{
	const struct fan_r_group *g = r->groups.items;
	struct fan_run *run;
	int e = 0;

	if (r->groups.n == 0)
		return fcap_fail(err, EINVAL, "it has no group of threads to compare");
	run = fan_runs_add(runs, config, name ? name : r->source.file);
	if (!run || add_frame(run, r) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (size_t i = 0; e == 0 && i < r->groups.n; i++)
		e = add_group(run, r, &g[i], err);
	return e;
}
