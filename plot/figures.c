// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/figures.h"

#include <errno.h>
#include <string.h>

#include "plot/set.h"

static const struct fplot_figure *const figures[] = {
	&fplot_share, &fplot_lag,      &fplot_fairness, &fplot_time, &fplot_waited,
	&fplot_cores, &fplot_timeline, &fplot_waits,	&fplot_gaps, &fplot_runs,
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

const struct fplot_figure *fplot_figure_at(size_t i)
{
	return i < FIGURES ? figures[i] : NULL;
}

int fplot_figures_parse(const char *list, unsigned int *ret)
{
	unsigned int bits = 0;

	for (;;) {
		const size_t len = strcspn(list, ",");
		size_t i = 0;

		while (i < FIGURES && (strlen(figures[i]->name) != len ||
				       strncmp(figures[i]->name, list, len) != 0))
			i++;
		if (i == FIGURES)
			return -EINVAL;
		bits |= 1U << i;
		if (!list[len])
			break;
		list += len + 1;
	}
	*ret = bits;
	return 0;
}

int fplot_figure_check(const struct fplot_figure *figure, const struct fplot_page *p,
		       struct fcap_err *err)
{
	if (figure->is_of_compare && !p->compare)
		return fcap_fail(err, EINVAL,
				 "it is drawn from a comparison: fanalyze compare --json");
	if (!figure->is_of_compare && !p->report)
		return fcap_fail(err, EINVAL, "it is drawn from a trace or a report of one run");
	return figure->check(p, err);
}
