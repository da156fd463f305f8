// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble.h"
#include "analyze/report/assemble_counted.h"
#include "analyze/report/passes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/version.h"

static int assemble_source(struct fan_report *r, const struct fan_file *file,
			   const struct fan_model *m)
{
	const struct fan_facts *f = m->facts;
	int e;

	r->source.clock_skew_ns = (int64_t)fan_machine_counts(m->machine)->skew_ns;
	r->source.first_ns = (int64_t)m->first_ns;
	r->source.sample_ns = m->is_counted ? (int64_t)m->counts.resolution_ns : FAN_NONE;
	r->source.tells_cgroups = f->ncgroups > 0;
	r->source.cpus = f->ncpus ? (int64_t)f->ncpus : (int64_t)file->cpus;
	e = fan_str_set(&r->source.file, file->path);
	if (e == 0)
		e = fan_str_set(&r->source.basis, m->is_counted ? "counters" : "events");
	if (e == 0)
		e = fan_str_set(&r->source.kernel, file->kernel ? file->kernel : f->kernel);
	if (e == 0)
		e = fan_str_set(&r->source.clock, file->buffers[0].clock);
	if (e == 0)
		e = fan_str_set(&r->source.command, f->command);
	for (size_t i = 0; e == 0 && i < f->nlabels; i++)
		e = fan_pairs_add(&r->source.labels, f->labels[i].key, f->labels[i].value);
	return e;
}

static int add_core(struct fan_report *r, const struct fan_core *from)
{
	struct fan_ints *core = fan_cpu_lists_add(&r->host.cores);
	int e = core ? 0 : -ENOMEM;

	for (size_t i = 0; e == 0 && i < from->n; i++)
		e = fan_ints_add(core, from->cpus[i]);
	return e;
}

static int assemble_host(struct fan_report *r, const struct fan_model *m,
			 const struct fan_groups *g)
{
	size_t vcpus = 0;
	int e = 0;

	for (size_t i = 0; e == 0 && i < m->cores->n; i++)
		e = add_core(r, &m->cores->cores[i]);
	if (e == 0 && r->host.cores.n)
		e = fan_str_set(&r->host.smt, m->cores->has_smt ? "on" : "off");
	for (size_t i = 0; i < g->n; i++)
		vcpus += g->items[i].vcpus;
	if (g->kind == FAN_GROUP_VM && vcpus && r->source.cpus > 0)
		r->host.overcommit = (double)vcpus / (double)r->source.cpus;
	return e;
}

static int name_entities(char **ret, unsigned int entities)
{
	static const char *const words[] = {
		"cgroup cpu weight",   "autogroup",
		"nice of each thread", "nice of each thread, as the trace tells of no cgroups",
		"given with --weight",
	};
	char text[200];
	size_t at = 0;

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (entities & 1U << i)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s", at ? "; " : "",
					       words[i]);
	return at ? fan_str_set(ret, text) : 0;
}

static int assemble_period(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_overlap *o = a->overlap;
	const double all = (double)(a->m->end_ns - a->m->start_ns);
	const double used = (double)o->windows * (double)o->window_ns;
	int e;

	r->period.start_ns = (int64_t)(a->m->start_ns - a->m->first_ns);
	r->period.end_ns = (int64_t)(a->m->end_ns - a->m->first_ns);
	r->period.warmup_ns = (int64_t)a->options->overlap.warmup_ns;
	if (!fan_model_tells_run(a->m))
		return 0;
	r->period.overlap.from_ns = (int64_t)(o->from_ns - a->m->first_ns);
	r->period.overlap.to_ns = (int64_t)(o->to_ns - a->m->first_ns);
	r->period.overlap.cut_pct = all > 0 ? 100 * (1 - used / all) : NAN;
	r->period.window_ns = (int64_t)o->window_ns;
	r->period.windows = (int64_t)o->windows;
	e = fan_str_set(&r->period.expected_method, a->is_by_demand ? "demand" : "static");
	if (e == 0)
		e = name_entities(&r->period.entity_rule, a->entitled->entities);
	if (e == 0 && a->g->n && o->is_none)
		e = fan_strs_add(&r->flags, "no_overlap");
	else if (e == 0 && a->g->n && (double)(o->to_ns - o->from_ns) < all / 2)
		e = fan_strs_add(&r->flags, "short_overlap");
	if (e == 0 && a->g->n && !a->is_contended)
		e = fan_strs_add(&r->flags, "not_contended");
	if (e == 0 && a->entitled->entities & FAN_ENTITY_THREAD_ASSUMED)
		e = fan_strs_add(&r->flags, "weights_assumed");
	if (e == 0 && a->entitled->is_approximate)
		e = fan_strs_add(&r->flags, "entitlement_approximate");
	return e;
}

static int assemble_tool(struct fan_report *r, const struct fan_report_options *options)
{
	int e = fan_str_set(&r->schema, "fcap-report/1");

	if (e == 0)
		e = fan_str_set(&r->tool.name, "fanalyze");
	if (e == 0)
		e = fan_str_set(&r->tool.version, FCAP_VERSION);
	return e < 0 ? e : fan_str_set(&r->tool.command, options->command);
}

/* How the groups came about, where that is not what was asked for. */
static int add_group_notes(struct fan_strs *notes, const struct fan_assembly *a)
{
	const struct fan_groups *g = a->g;
	int e = 0;

	if (g->n && !g->is_requested && g->kind != a->options->groups.kind)
		e = fan_strs_add(notes, "no VM found (no kvm event, no thread named like a vCPU): "
					"groups are processes");
	if (e == 0 && g->n == 0 && g->kind == FAN_GROUP_CGROUP)
		e = fan_strs_add(notes,
				 "no thread is known to be in a cgroup below the root: record "
				 "with fcap, or choose another --group");
	if (e == 0 && g->passing)
		e = fan_strs_add(notes,
				 "left out, as they were there for less than a tenth of the time: "
				 "%s; --vm takes them in",
				 g->passing);
	if (e == 0 && g->kind == FAN_GROUP_VM && g->by_name)
		e = fan_strs_add(notes, "no kvm event: vCPU threads are known by their names only");
	return e;
}

static int assemble_quality(struct fan_report *r, const struct fan_file *file,
			    const struct fan_assembly *a)
{
	const char *instance = file->buffers[0].name;
	int e = fan_assemble_quality(r, a->m);

	if (e == 0 && *instance)
		e = fan_strs_add(
			&r->quality.notes,
			"the events are those of the instance %s: the main buffer is empty",
			instance);
	if (e == 0 && a->m->is_counted)
		e = fan_assemble_counted_quality(r, a);
	return e < 0 ? e : add_group_notes(&r->quality.notes, a);
}

static int assemble_all(struct fan_report *r, const struct fan_file *file,
			const struct fan_assembly *a)
{
	int e = assemble_tool(r, a->options);

	if (e == 0)
		e = assemble_source(r, file, a->m);
	if (e == 0)
		e = assemble_host(r, a->m, a->g);
	if (e == 0)
		e = assemble_period(r, a);
	if (e == 0)
		e = assemble_quality(r, file, a);
	if (e == 0)
		e = fan_assemble_host(r, a);
	if (e == 0)
		e = fan_assemble_groups(r, a);
	if (e == 0)
		e = fan_assemble_isolation(r, a);
	if (e == 0 && a->m->facts->is_scoped)
		e = fan_assemble_scope(r);
	if (e < 0 || !fan_model_tells_run(a->m))
		return e;
	e = fan_assemble_lag(r, a);
	if (e == 0)
		e = fan_assemble_fairness(r, a);
	if (e == 0 && a->m->has_switches)
		e = fan_assemble_scales(r, a);
	if (e == 0 && a->m->has_switches)
		e = fan_assemble_forced_idle(r, a);
	if (e == 0 && a->m->has_switches)
		e = fan_assemble_histograms(r, a);
	if (e == 0)
		e = fan_assemble_occupancy(r, a);
	if (e == 0)
		e = fan_assemble_work(r, a);
	return e < 0 ? e : fan_assemble_series(r, a);
}

static int list_members(struct fan_members *ret, const struct fan_model *m,
			const struct fan_groups *g)
{
	const size_t n = fan_threads_count(m->threads);
	size_t *next;

	ret->thread = calloc(n + 1, sizeof(*ret->thread));
	ret->first = calloc(g->n + 2, sizeof(*ret->first));
	if (!ret->thread || !ret->first)
		return -ENOMEM;
	/* counted one place further on, so that the sums are where each group begins */
	for (size_t i = 0; i < n; i++)
		if (fan_groups_of(g, m, i) >= 0)
			ret->first[fan_groups_of(g, m, i) + 2]++;
	next = ret->first + 1;
	for (size_t k = 1; k <= g->n; k++)
		next[k] += next[k - 1];
	for (size_t i = 0; i < n; i++)
		if (fan_groups_of(g, m, i) >= 0)
			ret->thread[next[fan_groups_of(g, m, i)]++] = i;
	return 0;
}

/* What the parts work from, made one after the other. */
struct workshop {
	struct fan_groups *groups;
	struct fan_members members;
	struct fan_overlap overlap;
	struct fan_matrix matrix;
	double *given;
	struct fan_entitlement entitled;
};

static int out_of_memory(struct fcap_err *err, int r)
{
	return r == -ENOMEM ? fcap_fail(err, ENOMEM, "out of memory") : r;
}

static int prepare(struct workshop *w, const struct fan_file *file, struct fan_model *m,
		   const struct fan_report_options *options, struct fcap_err *err)
{
	struct fan_entitlement entitled = { 0 };
	int r = fan_report_groups(&w->groups, m, options, err);

	if (r == 0)
		r = fan_report_weights(&w->given, w->groups, options, err);
	if (r == 0)
		r = out_of_memory(err, fan_entitle(m, w->groups, file->cpus, w->given, &entitled));
	w->entitled = entitled;
	if (r == 0)
		r = out_of_memory(err, list_members(&w->members, m, w->groups));
	if (r == 0)
		r = fan_overlap_find(&w->overlap, m, w->groups, &options->overlap, err);
	if (r == 0)
		r = out_of_memory(err, fan_matrix_fill(&w->matrix, m, w->groups, &w->overlap));
	return r;
}

int fan_report_assemble(struct fan_report *ret, const struct fan_file *file, struct fan_model *m,
			const struct fan_report_options *options, struct fcap_err *err)
{
	struct workshop w = { 0 };
	int r;

	fan_tree_init(ret, &fan_report_table);
	r = prepare(&w, file, m, options, err);
	if (r == 0) {
		const struct fan_assembly a = { m,
						w.groups,
						&w.members,
						&w.overlap,
						&w.matrix,
						&w.entitled,
						options,
						fan_is_by_demand(m, &w.matrix),
						fan_is_contended(m, &w.matrix, &w.entitled) };

		r = out_of_memory(err, assemble_all(ret, file, &a));
		if (r < 0 && r != -ENOMEM)
			fcap_fail(err, -r, "the statistics refuse these numbers: %s", strerror(-r));
	}
	fan_matrix_free(&w.matrix);
	free(w.members.thread);
	free(w.members.first);
	free(w.given);
	fan_entitlement_free(&w.entitled);
	fan_groups_free(w.groups);
	return r;
}
