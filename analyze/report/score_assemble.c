// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/score_assemble.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/report/score_summary.h"
#include "analyze/report/words.h"
#include "fcap/version.h"

/* What the tree says of how it was made; a comparison of runs says it itself. */
static int add_head(struct fan_compare *ret, const struct fan_score_table *t,
		    const struct fan_score_options *options)
{
	int32_t baseline;
	int r = fan_str_set(&ret->schema, "fcap-compare/1");

	ret->level = options->level;
	ret->margin = options->margin;
	if (r == 0)
		r = fan_str_set(&ret->tool.name, "fanalyze");
	if (r == 0)
		r = fan_str_set(&ret->tool.version, FCAP_VERSION);
	if (r == 0)
		r = fan_str_set(&ret->tool.command, options->command);
	if (r == 0 && t->configs.n > 1 &&
	    fan_score_baseline(t, options->baseline, &baseline, NULL) == 0)
		r = fan_str_set(&ret->baseline, fan_score_name(&t->configs, baseline));
	return r;
}

static int note_unused(struct fan_compare *ret, const struct fan_score_table *t)
{
	char *columns;
	int r;

	if (t->unused.n == 0)
		return 0;
	columns = fan_join(&t->unused, ", ");
	r = columns ? fan_strs_add(&ret->notes, "columns that were not used: %s", columns)
		    : -ENOMEM;
	free(columns);
	return r;
}

int fan_scores_assemble(struct fan_compare *ret, const struct fan_score_table *t,
			const struct fan_score_options *options, struct fcap_err *err)
{
	int r;

	fan_tree_init(ret, &fan_compare_table);
	r = add_head(ret, t, options);
	if (r < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	if (t->kind == FAN_SCORES_RUNS)
		return fcap_fail(err, EINVAL, "scores of runs are not compared yet");
	r = t->kind == FAN_SCORES_SUMMARY ? fan_score_assemble_summary(ret, t, options, err)
					  : fan_score_assemble_windows(ret, t, options, err);
	return r < 0 ? r : note_unused(ret, t);
}
