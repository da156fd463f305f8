// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/compare_assemble.h"

#include <errno.h>
#include <string.h>

#include "analyze/report/compare_parts.h"
#include "fcap/version.h"

static int add_frame(struct fan_compare *c, const struct fan_compare_options *options)
{
	int e = fan_str_set(&c->schema, "fcap-compare/1");

	if (e == 0)
		e = fan_str_set(&c->tool.name, "fanalyze");
	if (e == 0)
		e = fan_str_set(&c->tool.version, FCAP_VERSION);
	if (e == 0)
		e = fan_str_set(&c->tool.command, options->command);
	if (e == 0)
		e = fan_str_set(&c->by, options->by);
	c->level = options->level;
	c->margin = options->margin;
	return e < 0 ? e : fan_str_set(&c->paired, options->paired);
}

static int fill(struct fan_comparison *c)
{
	int e = fan_str_set(&c->tree->baseline, c->configs[0]);

	if (e == 0)
		e = fan_compare_groups(c);
	if (e == 0)
		e = fan_compare_whole(c);
	if (e == 0)
		e = fan_compare_gaps(c);
	if (e == 0)
		e = fan_compare_judge(c);
	return e < 0 ? e : fan_compare_notes(c);
}

int fan_compare_assemble(struct fan_compare *ret, struct fan_runs *runs,
			 const struct fan_compare_options *options, struct fcap_err *err)
{
	struct fan_comparison c = { 0 };
	struct fcap_err own = { 0 };
	int e;

	fan_tree_init(ret, &fan_compare_table);
	ret->runs = runs->items;
	fan_runs_init(runs);
	e = add_frame(ret, options);
	if (e == 0)
		e = fan_comparison_make(&c, ret, options, &own);
	if (e == 0)
		e = fill(&c);
	fan_comparison_free(&c);
	if (e < 0 && own.code)
		return fcap_fail(err, own.code, "%s", own.text);
	if (e == -ENOMEM)
		return fcap_fail(err, ENOMEM, "out of memory");
	if (e < 0)
		return fcap_fail(err, -e, "the statistics refuse these numbers: %s", strerror(-e));
	return 0;
}
