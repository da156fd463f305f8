// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figure "cores": what each core did of its wall time, the time shared by groups marked, and
 * under each bar the part of its CPU time that was idle by force.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/set.h"
#include "plot/stack.h"

enum { IDLE, KERNEL, OTHER, BESIDE, MIXED, UNKNOWN, CLASSES };

static const struct {
	const char *column, *name, *colour;
	size_t offset;
} classes[CLASSES] = {
	[IDLE] = { "idle_pct", "idle", "E4E4E4", offsetof(struct fan_r_core, idle_ns) },
	[KERNEL] = { "kernel_pct", "kernel", "B8B8B8", offsetof(struct fan_r_core, kernel_ns) },
	[OTHER] = { "other_pct", "host programs", "8A8A8A", offsetof(struct fan_r_core, other_ns) },
	[BESIDE] = { "beside_pct", "group beside host", "CC79A7",
		     offsetof(struct fan_r_core, beside_ns) },
	[MIXED] = { "mixed_pct", "groups shared it", "D00000",
		    offsetof(struct fan_r_core, mixed_ns) },
	[UNKNOWN] = { "unknown_pct", "unknown", "303030", offsetof(struct fan_r_core, unknown_ns) },
};

#define SHOWN_PCT 0.05 /* what is less on every core cannot be seen and is in the table alone */

/* The table: CPUs, forced idle, the classes, then the groups that ran alone. */
enum { FORCED_COLUMN = 2, CLASS_COLUMN = 3, GROUP_COLUMN = CLASS_COLUMN + CLASSES };

static double class_ns(const struct fan_r_core *c, size_t i)
{
	int64_t ns;

	memcpy(&ns, (const char *)c + classes[i].offset, sizeof(ns));
	return ns == FAN_NONE ? 0 : (double)ns;
}

static double group_ns(const struct fan_r_core *c, const char *name)
{
	const struct fan_r_amount *a = c->vms.items;

	for (size_t i = 0; i < c->vms.n; i++)
		if (a[i].name && name && strcmp(a[i].name, name) == 0)
			return (double)a[i].ns;
	return 0;
}

static double wall_ns(const struct fan_r_core *c)
{
	const struct fan_r_amount *a = c->vms.items;
	double ret = 0;

	for (size_t i = 0; i < c->vms.n; i++)
		ret += (double)a[i].ns;
	for (size_t i = 0; i < CLASSES; i++)
		ret += class_ns(c, i);
	return ret;
}

static int check(const struct fplot_page *p, struct fcap_err *err)
{
	const struct fan_r_isolation *iso = &p->report->isolation;
	const struct fan_r_core *c = iso->cores.items;

	for (size_t i = 0; i < iso->cores.n; i++)
		if (wall_ns(&c[i]) > 0)
			return 0;
	return fcap_fail(err, EINVAL, "what its cores did is not known%s%s",
			 iso->reason ? ": " : "; name them with --siblings",
			 iso->reason ? iso->reason : "");
}

static void put_cpus(FILE *f, const struct fan_ints *cpus)
{
	for (size_t i = 0; i < cpus->n; i++)
		fprintf(f, "%s%" PRId64, i ? "," : "", cpus->items[i]);
}

/* Of the CPU time of all CPUs of the core. */
static double forced_pct(const struct fan_r_core *c)
{
	const double cpu_ns = wall_ns(c) * (double)c->cpus.n;

	return c->forced_idle_ns == FAN_NONE || !(cpu_ns > 0)
		       ? NAN
		       : 100 * (double)c->forced_idle_ns / cpu_ns;
}

static int put_data(const void *what, FILE *f)
{
	const struct fplot_page *p = what;
	const struct fan_report *r = p->report;
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_core *c = r->isolation.cores.items;

	fputs("# cpus\tforced_idle_pct_of_cpu_time", f);
	for (size_t k = 0; k < CLASSES; k++)
		fprintf(f, "\t%s", classes[k].column);
	for (size_t k = 0; k < r->groups.n; k++) {
		fputs("\talone_pct:", f);
		fplot_put_name(f, g[k].name);
	}
	fputc('\n', f);
	for (size_t i = 0; i < r->isolation.cores.n; i++) {
		const double pct = 100 / wall_ns(&c[i]);

		put_cpus(f, &c[i].cpus);
		fplot_put_real(f, forced_pct(&c[i]), 4);
		for (size_t k = 0; k < CLASSES; k++)
			fplot_put_real(f, pct * class_ns(&c[i], k), 4);
		for (size_t k = 0; k < r->groups.n; k++)
			fplot_put_real(f, pct * group_ns(&c[i], g[k].name), 4);
		fputc('\n', f);
	}
	return 0;
}

static double most_of_class(const struct fan_r_isolation *iso, size_t k)
{
	const struct fan_r_core *c = iso->cores.items;
	double ret = 0;

	for (size_t i = 0; i < iso->cores.n; i++)
		ret = fmax(ret, class_ns(&c[i], k) / wall_ns(&c[i]));
	return ret;
}

static double most_forced(const struct fan_r_isolation *iso)
{
	const struct fan_r_core *c = iso->cores.items;
	double ret = 0;

	for (size_t i = 0; i < iso->cores.n; i++)
		ret = fmax(ret, forced_pct(&c[i]));
	return ret;
}

#define FORCED_BAR                                                      \
	"\t\t'cores.tsv' using (0):($0):(0):2:($0+0.36):($0+0.48) \\\n" \
	"\t\t\twith boxxyerror fs solid 1 noborder fc rgb 0x000000 "    \
	"title say('forced idle (CPU time)')\n"

/* Groups first, then what is shared, then what is no group's. */
static void lay_out(struct fplot_stack *s, const struct fan_report *r)
{
	static const int order[CLASSES] = { MIXED, BESIDE, OTHER, KERNEL, UNKNOWN, IDLE };
	const struct fan_r_group *g = r->groups.items;
	const struct fan_r_core *c = r->isolation.cores.items;

	*s = (struct fplot_stack){ .table = "cores.tsv",
				   .nbars = r->isolation.cores.n,
				   .longest = 100,
				   .xlabel = "wall time of the core (%)" };
	for (size_t k = 0; k < r->groups.n; k++) {
		double most = 0;

		for (size_t i = 0; i < r->isolation.cores.n; i++)
			most = fmax(most, group_ns(&c[i], g[k].name));
		if (most > 0)
			fplot_stack_add(s, g[k].name, fplot_fill(s->nparts), GROUP_COLUMN + k);
	}
	for (size_t k = 0; k < CLASSES; k++)
		if (100 * most_of_class(&r->isolation, (size_t)order[k]) > SHOWN_PCT)
			fplot_stack_add(s, classes[order[k]].name, classes[order[k]].colour,
					CLASS_COLUMN + (size_t)order[k]);
	if (most_forced(&r->isolation) > SHOWN_PCT)
		s->also = FORCED_BAR;
}

static void put_plot(const void *what, FILE *f)
{
	const struct fplot_page *p = what;
	const struct fan_r_isolation *iso = &p->report->isolation;
	const struct fan_r_core *c = iso->cores.items;
	struct fplot_stack s;

	lay_out(&s, p->report);
	for (size_t i = 0; i < iso->cores.n; i++) {
		fprintf(f, "%s", i ? ", \\\n\t\t'" : "\tset ytics ('");
		put_cpus(f, &c[i].cpus);
		fprintf(f, "' %zu", i);
	}
	fputs(") scale 0\n\tset ylabel say('CPUs') offset 0.6*side,0\n", f);
	fplot_put_stack(f, &s, p->width_in);
}

static int draw(const struct fplot_page *p, const char *dir, struct fcap_err *err)
{
	struct fplot_content c = {
		.page = p,
		.figure = &fplot_cores,
		.what = p,
		.put_data = put_data,
		.put_plot = put_plot,
	};
	struct fplot_stack s;

	lay_out(&s, p->report);
	c.height_in = fplot_stack_height(&s, p->width_in);
	return fplot_write_content(&c, dir, err);
}

const struct fplot_figure fplot_cores = {
	.name = "cores",
	.title = "What each core did: groups alone, groups that shared it, forced idle",
	.check = check,
	.draw = draw,
};
