// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "time": what became of the time of each group: on a CPU by mode, waiting by cause,
 * and, of the vCPU threads alone (of all threads where a group has none), halted and asleep.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "plot/set.h"
#include "plot/stack.h"

#define FIRST_COLUMN 2 /* behind the name */

enum part {
	GUEST,
	HOST,
	POLL,
	VMM,
	IN_KVM_RUN,
	RUN,
	WAIT_GROUPS,
	WAIT_SELF,
	WAIT_HOST,
	WAIT_THROTTLED,
	WAIT_FORCED,
	WAIT_IDLE,
	WAIT_UNKNOWN,
	WAIT,
	HALTED,
	BLOCKED,
	UNKNOWN,
	PARTS
};

/* Blue on a CPU, red to yellow waiting, grey asleep; within each from dark to light. */
static const struct {
	const char *column, *name, *colour;
} parts[PARTS] = {
	[GUEST] = { "guest_s", "guest", "00456E" },
	[HOST] = { "host_s", "host kernel for it", "0072B2" },
	[POLL] = { "poll_s", "polling", "009E73" },
	[VMM] = { "vmm_s", "VMM", "56B4E9" },
	[IN_KVM_RUN] = { "in_kvm_run_s", "in KVM_RUN", "2A8BC4" },
	[RUN] = { "other_run_s", "on a CPU otherwise", "A6D8F5" },
	[WAIT_GROUPS] = { "wait_groups_s", "waits: other group", "8C3A00" },
	[WAIT_SELF] = { "wait_self_s", "waits: itself", "D55E00" },
	[WAIT_HOST] = { "wait_host_s", "waits: host", "E69F00" },
	[WAIT_THROTTLED] = { "wait_throttled_s", "waits: throttled", "CC79A7" },
	[WAIT_FORCED] = { "wait_forced_idle_s", "waits: forced idle", "7A3B5E" },
	[WAIT_IDLE] = { "wait_idle_s", "waits: CPU idle", "F0E442" },
	[WAIT_UNKNOWN] = { "wait_unknown_s", "waits: not known", "FAD7AC" },
	[WAIT] = { "wait_other_s", "waits", "F3B27A" },
	[HALTED] = { "halted_s", "halted", "B0B0B0" },
	[BLOCKED] = { "blocked_s", "asleep", "DEDEDE" },
	[UNKNOWN] = { "unknown_s", "unknown", "404040" },
};

/* Adds what is told; nothing told stays NaN. */
static void add(double *to, int64_t ns)
{
	const double s = fplot_seconds(ns);

	if (!isnan(s))
		*to = isnan(*to) ? s : *to + s;
}

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static double sum(const double *v, enum part from, enum part to)
{
	double ret = 0;

	for (enum part i = from; i < to; i++)
		ret += or_zero(v[i]);
	return ret;
}

static void add_waits(double *v, const struct fan_r_group *g)
{
	const struct fan_r_waited_for *w = &g->waited_for;
	const struct fan_r_amount *a = w->groups.items;

	for (size_t i = 0; i < w->groups.n; i++)
		add(&v[WAIT_GROUPS], a[i].ns);
	add(&v[WAIT_SELF], w->self_ns);
	add(&v[WAIT_HOST], w->host_ns);
	add(&v[WAIT_THROTTLED], w->throttled_or_contended_ns);
	add(&v[WAIT_FORCED], w->forced_idle_ns);
	add(&v[WAIT_IDLE], w->idle_ns);
	add(&v[WAIT_UNKNOWN], w->unknown_ns);
}

static bool has_vcpus(const struct fan_r_group *g)
{
	const struct fan_r_thread *t = g->threads.items;

	for (size_t i = 0; i < g->threads.n; i++)
		if (t[i].vcpu != FAN_NONE)
			return true;
	return false;
}

/* Other threads of a VM sleep all the time, which says nothing. */
static void add_sleep(double *v, const struct fan_r_group *g)
{
	const struct fan_r_thread *t = g->threads.items;
	const bool vcpus = has_vcpus(g);

	for (size_t i = 0; i < g->threads.n; i++) {
		if (vcpus && t[i].vcpu == FAN_NONE)
			continue;
		add(&v[HALTED], t[i].halted_ns);
		add(&v[BLOCKED], t[i].blocked_ns);
		add(&v[UNKNOWN], t[i].unknown_ns);
		if (t[i].unsplit_ns != FAN_NONE && t[i].unsplit_run_ns != FAN_NONE)
			add(&v[UNKNOWN], t[i].unsplit_ns - t[i].unsplit_run_ns);
	}
}

/* The rest of a sum that is told: what its parts leave of it. */
static double rest(int64_t ns, double known)
{
	const double all = fplot_seconds(ns);

	return isnan(all) ? NAN : fmax(0, all - known);
}

static void split(const struct fan_r_group *g, double v[PARTS])
{
	for (size_t i = 0; i < PARTS; i++)
		v[i] = NAN;
	add(&v[GUEST], g->guest_ns);
	add(&v[HOST], g->host_ns);
	add(&v[POLL], g->poll_ns);
	add(&v[VMM], g->vmm_ns);
	add(&v[IN_KVM_RUN], g->in_kvm_run_ns);
	v[RUN] = rest(g->run_ns, sum(v, GUEST, RUN));
	add_waits(v, g);
	v[WAIT] = rest(g->wait_ns, sum(v, WAIT_GROUPS, WAIT));
	add_sleep(v, g);
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_group *g = p->report->groups.items;
	double v[PARTS];

	for (size_t i = 0; i < p->report->groups.n; i++) {
		split(&g[i], v);
		if (sum(v, GUEST, PARTS) > 0)
			return 0;
	}
	return fcap_fail(err, EINVAL, "no group with any time was found in it");
}

static int put_data(const void *what, FILE *f)
{
	const struct fplot_page *p = what;
	const struct fan_report *r = p->report;
	const struct fan_r_group *g = r->groups.items;

	fputs("# name", f);
	for (size_t k = 0; k < PARTS; k++)
		fprintf(f, "\t%s", parts[k].column);
	fputc('\n', f);
	for (size_t i = 0; i < r->groups.n; i++) {
		double v[PARTS];

		split(&g[i], v);
		fplot_put_name(f, g[i].name);
		for (size_t k = 0; k < PARTS; k++)
			fplot_put_real(f, v[k], 6);
		fputc('\n', f);
	}
	return 0;
}

/* Parts too thin to be seen in any bar are in the table alone. */
static void lay_out(struct fplot_stack *s, const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	double longest = 0, most[PARTS] = { 0 };

	*s = (struct fplot_stack){ .table = "time.tsv",
				   .nbars = r->groups.n,
				   .longest = NAN,
				   .xlabel = "time of all threads (s)" };
	for (size_t i = 0; i < r->groups.n; i++) {
		double v[PARTS];

		split(&g[i], v);
		longest = fmax(longest, sum(v, GUEST, PARTS));
		for (size_t k = 0; k < PARTS; k++)
			most[k] = fmax(most[k], or_zero(v[k]));
	}
	for (size_t k = 0; k < PARTS; k++)
		if (most[k] > longest / 1000)
			fplot_stack_add(s, parts[k].name, parts[k].colour, FIRST_COLUMN + k);
}

static size_t longest_name(const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	size_t ret = 1;

	for (size_t i = 0; i < r->groups.n; i++)
		if (g[i].name && strlen(g[i].name) > ret)
			ret = strlen(g[i].name);
	return ret < FPLOT_NAME_MAX_CHARS ? ret : FPLOT_NAME_MAX_CHARS;
}

static void put_plot(const void *what, FILE *f)
{
	const struct fplot_page *p = what;
	const struct fan_report *r = p->report;
	const struct fan_r_group *g = r->groups.items;
	struct fplot_stack s;

	lay_out(&s, r);
	for (size_t i = 0; i < r->groups.n; i++)
		fplot_put_bar_name(f, i, r->groups.n, g[i].name);
	fplot_put_name_room(f, longest_name(r));
	fplot_put_stack(f, &s, p->width_in);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_time,
		.what = p,
		.put_data = put_data,
		.put_plot = put_plot,
	};
	struct fplot_stack s;

	lay_out(&s, p->report);
	c.height_in = fplot_stack_height(&s, p->width_in);
	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_time = {
	.name = "time",
	.title = "Time of each group: on a CPU by mode, waiting by cause, halted, asleep",
	.check = check,
	.draw = draw,
};
