// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_esx.h"

#include <inttypes.h>
#include <math.h>

#include "analyze/report/table.h"
#include "analyze/report/text.h"
#include "analyze/report/words.h"

/* What a group and a thread have in common, so that their rows are made alike. */
struct times {
	int64_t run_ns, kernel_ns, poll_ns, asleep_ns, blocked_ns, halted_ns, wait_ns, limited_ns;
};

/* How the table is made. */
struct layout {
	int64_t of_ns; /* what the percentages are of; 0 if there is nothing */
	bool has_poll;
	bool tells_quotas;
};

static struct times times_of_group(const struct fan_r_group *g, bool tells_quotas)
{
	return (struct times){
		.run_ns = g->run_ns,
		.kernel_ns = g->host_ns,
		.poll_ns = g->poll_ns,
		.asleep_ns = g->asleep_ns,
		.blocked_ns = g->halted_ns == FAN_NONE ? FAN_NONE : g->blocked_ns,
		.halted_ns = g->halted_ns,
		.wait_ns = g->wait_ns,
		.limited_ns = tells_quotas ? g->waited_for.throttled_or_contended_ns : FAN_NONE,
	};
}

static struct times times_of_thread(const struct fan_r_thread *t)
{
	return (struct times){
		.run_ns = t->run_ns,
		.kernel_ns = t->host_ns,
		.poll_ns = t->poll_ns,
		.asleep_ns = t->asleep_ns,
		.blocked_ns = t->halted_ns == FAN_NONE ? FAN_NONE : t->blocked_ns,
		.halted_ns = t->halted_ns,
		.wait_ns = t->wait_ns,
		.limited_ns = FAN_NONE,
	};
}

static int64_t length_of(const struct fan_report *r)
{
	const int64_t silence_ns = r->host.silence_ns == FAN_NONE ? 0 : r->host.silence_ns;

	if (r->period.start_ns == FAN_NONE || r->period.end_ns == FAN_NONE)
		return 0;
	return r->period.end_ns - r->period.start_ns - silence_ns;
}

static struct fan_cell percent(int64_t ns, int64_t of_ns)
{
	const double pct = ns == FAN_NONE || of_ns <= 0 ? NAN : 100 * (double)ns / (double)of_ns;

	return fan_format_real(pct, 1, false);
}

static struct layout lay_out(const struct fan_report *r)
{
	const struct fan_r_group *g = r->groups.items;
	struct layout ret = { .of_ns = length_of(r), .tells_quotas = r->source.tells_cgroups };

	for (size_t i = 0; i < r->groups.n; i++)
		ret.has_poll |= g[i].poll_ns > 0;
	return ret;
}

static void add_times(struct fan_grid *grid, const struct times *t, const struct layout *l)
{
	fan_grid_cell(grid, "%s", percent(t->run_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->kernel_ns, l->of_ns).text);
	if (l->has_poll)
		fan_grid_cell(grid, "%s", percent(t->poll_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->asleep_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->blocked_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->halted_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->wait_ns, l->of_ns).text);
	fan_grid_cell(grid, "%s", percent(t->limited_ns, l->of_ns).text);
	fan_grid_cell(grid, "-");
}

/* Not each has a number: some architectures do not tell it. */
static bool is_vcpu(const struct fan_r_thread *t)
{
	return t->vcpu != FAN_NONE || t->steal.trace_ns != FAN_NONE;
}

/* The group, then its vCPUs. Returns how many vCPUs are left out, as there are too many. */
static size_t add_group(struct fan_grid *grid, const struct fan_r_group *g, const struct layout *l)
{
	const struct fan_r_thread *threads = g->threads.items;
	struct times t = times_of_group(g, l->tells_quotas);
	size_t vcpus = 0;

	fan_grid_cell(grid, "%s", fan_or_dash(g->name));
	fan_grid_cell(grid, "%zu", g->threads.n);
	add_times(grid, &t, l);
	for (size_t i = 0; i < g->threads.n; i++) {
		if (!is_vcpu(&threads[i]) || ++vcpus > FAN_TEXT_THREADS)
			continue;
		t = times_of_thread(&threads[i]);
		if (threads[i].vcpu == FAN_NONE)
			fan_grid_cell(grid, "  %s", fan_or_dash(threads[i].name));
		else
			fan_grid_cell(grid, "  vCPU %" PRId64, threads[i].vcpu);
		fan_grid_cell(grid, "%s", "");
		add_times(grid, &t, l);
	}
	return vcpus > FAN_TEXT_THREADS ? vcpus - FAN_TEXT_THREADS : 0;
}

static void add_head(struct fan_grid *grid, bool has_poll)
{
	static const char *const head[] = { "name",    "NWLD",	"%RUN", "%SYS",	  "%POLL", "%WAIT",
					    "%VMWAIT", "%IDLE", "%RDY", "%MLMTD", "%CSTP" };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		if (has_poll || head[i][1] != 'P')
			fan_grid_cell(grid, "%s", head[i]);
}

static void print_words(bool has_poll, struct fan_print *p)
{
	static const char *const words[] = {
		"NWLD: threads, all of which a VM's own row adds up, so that it goes beyond 100",
		"%RUN: on a CPU, in the guest or for it in the host's kernel or the VMM",
		"%SYS: of %RUN, in the host's kernel for the VM (ESX has it beside %RUN)",
		"%POLL (not of ESX): of %RUN, the guest had halted, the host's kernel waited for "
		"its wake-up",
		"%WAIT: asleep; of it %IDLE as the guest had halted, %VMWAIT otherwise",
		"%RDY: runnable without a CPU, with %MLMTD in it: contention is %RDY less %MLMTD",
		"%MLMTD: of %RDY, while a quota stopped its cgroup, for each thread that waited up "
		"to the kernel's counter; not told of single vCPUs",
		"%CSTP: no such thing in KVM, which stops no vCPU for another one's sake; what "
		"core scheduling keeps from running is in %RDY",
		"-: not told by this trace, or no such thing; so are %USED, %OVRLP and %SWPWT",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_poll || words[i][1] != 'P')
			fan_print_para(p, 4, "  %s", words[i]);
}

/* Time that is in none of the columns. */
static void print_unknown(const struct fan_r_group *g, int64_t of_ns, struct fan_print *p)
{
	if (g->unknown_ns > 0)
		fan_print_para(p, 4, "  %s: %s %% unknown (lost from view), in no column",
			       fan_or_dash(g->name), percent(g->unknown_ns, of_ns).text);
	if (g->unsplit_ns > 0 && g->unsplit_ns > g->unsplit_run_ns)
		fan_print_para(p, 4,
			       "  %s: %%RDY and %%WAIT are the least there was: some time off a "
			       "CPU is either, and the trace does not tell which",
			       fan_or_dash(g->name));
}

void fan_print_esx(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const struct layout l = lay_out(r);
	char columns[] = "lrrrrrrrrrr";
	struct fan_grid grid = { .columns = columns };
	size_t hidden = 0;

	columns[10 + l.has_poll] = '\0';
	fan_print_blank(p);
	fan_print_para(p, 0,
		       "Time under the names of esxtop, in %% of the period (%s); vCPUs below "
		       "their VM",
		       fan_format_ns(l.of_ns).text);
	add_head(&grid, l.has_poll);
	for (size_t i = 0; i < r->groups.n; i++)
		hidden += add_group(&grid, &g[i], &l);
	fan_grid_print(&grid, p);
	if (hidden)
		fan_print_para(p, 2, "and %zu more vCPUs, all of them in the JSON report", hidden);
	for (size_t i = 0; i < r->groups.n; i++)
		print_unknown(&g[i], l.of_ns, p);
	print_words(l.has_poll, p);
}
