// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/score_assemble.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/report/compare_assemble.h"
#include "analyze/report/score_runs.h"
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

static int add_files(struct fan_compare *ret, const struct fan_score_table *t)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < t->files.n; i++) {
		struct fan_c_file *to = fan_array_add(&ret->files, &fan_c_file_table);

		r = to ? fan_str_set(&to->name, t->files.items[i]) : -ENOMEM;
		if (r == 0 && i < t->checksums.n && *t->checksums.items[i])
			r = fan_str_set(&to->checksum, t->checksums.items[i]);
	}
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

static int assemble_runs(struct fan_compare *ret, const struct fan_score_table *t,
			 const struct fan_score_options *options, struct fcap_err *err)
{
	const struct fan_compare_options as = {
		.level = options->level,
		.margin = options->margin,
		.baseline = options->baseline,
		.command = options->command,
	};
	struct fan_runs runs;
	int r;

	if (options->nexpected || options->nweights)
		return fcap_fail(err, EINVAL, "%s is for windows; these files hold scores of runs",
				 options->nexpected ? "--expected" : "--weight");
	fan_runs_init(&runs);
	r = fan_score_runs(&runs, t);
	r = r < 0 ? fcap_fail(err, ENOMEM, "out of memory")
		  : fan_compare_assemble(ret, &runs, &as, err);
	fan_runs_free(&runs);
	return r;
}

static int assemble_others(struct fan_compare *ret, const struct fan_score_table *t,
			   const struct fan_score_options *options, struct fcap_err *err)
{
	if (add_head(ret, t, options) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	return t->kind == FAN_SCORES_SUMMARY ? fan_score_assemble_summary(ret, t, options, err)
					     : fan_score_assemble_windows(ret, t, options, err);
}

int fan_scores_assemble(struct fan_compare *ret, const struct fan_score_table *t,
			const struct fan_score_options *options, struct fcap_err *err)
{
	int r;

	fan_tree_init(ret, &fan_compare_table);
	r = t->kind == FAN_SCORES_RUNS ? assemble_runs(ret, t, options, err)
				       : assemble_others(ret, t, options, err);
	if (r == 0 && (add_files(ret, t) < 0 || note_unused(ret, t) < 0))
		r = fcap_fail(err, ENOMEM, "out of memory");
	return r;
}
