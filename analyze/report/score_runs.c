// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/score_runs.h"

#include <errno.h>

int fan_score_runs(struct fan_runs *ret, const struct fan_score_table *t)
{
	struct fan_run *run = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < t->n; i++) {
		const struct fan_score_row *row = &t->rows[i];
		const char *config = fan_score_name(&t->configs, row->config);
		struct fan_run_group *group;

		if (i == 0 || row->config != row[-1].config || row->run != row[-1].run)
			run = fan_runs_add(ret, *config ? config : FAN_SCORE_NO_CONFIG,
					   fan_score_name(&t->runs, row->run));
		group = run ? fan_run_group(run, fan_score_name(&t->vms, row->vm)) : NULL;
		if (!group)
			return -ENOMEM;
		run->start = row->window;
		group->score = row->value;
		r = fan_str_set(&group->unit, "score");
	}
	return r;
}
