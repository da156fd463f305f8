// SPDX-License-Identifier: GPL-3.0-or-later
/* What must be known to read the rows of a comparison's tables. */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/words.h"

/* Of one row, "" if nothing, to be freed; NULL: no memory. */
static char *remark_of(const struct fan_est *est, const struct fan_verdict_text *v)
{
	char *flags = fan_est_words(est->flags), *reasons = fan_join(&v->reasons, ", ");
	const char *head = v->indicative ? "* indicative" : v->word ? "" : "no verdict";
	char *ret = NULL;
	int r = -1;

	/* the reasons of a verdict repeat the flags */
	if (flags && reasons)
		r = asprintf(&ret, "%s%s%s", head, *head && (*reasons || *flags) ? ": " : "",
			     *reasons ? reasons : flags);
	free(flags);
	free(reasons);
	return r < 0 ? NULL : ret;
}

void fan_remarks_add(struct fan_remarks *remarks, char *label, const struct fan_est *est,
		     const struct fan_verdict_text *verdict, struct fan_print *p)
{
	char *text = remark_of(est, verdict);

	if (!label || !text || fan_strs_add(&remarks->labels, "%s", label) < 0 ||
	    fan_strs_add(&remarks->texts, "%s", text) < 0)
		p->r = p->r < 0 ? p->r : -ENOMEM;
	free(label);
	free(text);
}

/* All that share the i-th remark. */
static void print_one(const struct fan_remarks *remarks, size_t i, size_t named,
		      struct fan_print *p)
{
	const char *text = remarks->texts.items[i];
	struct fan_strs who = { 0 };
	char more[40] = "", *joined;
	size_t n = 0;

	for (size_t k = i; k < remarks->texts.n; k++) {
		if (strcmp(remarks->texts.items[k], text) != 0)
			continue;
		if (n++ < named && fan_strs_add(&who, "%s", remarks->labels.items[k]) < 0)
			p->r = -ENOMEM;
	}
	if (n > named)
		snprintf(more, sizeof(more), " and %zu more", n - named);
	joined = fan_join(&who, ", ");
	if (!joined)
		p->r = -ENOMEM;
	if (n > 1 && n == remarks->texts.n)
		fan_print_para(p, 2, "all: %s", text);
	else
		fan_print_para(p, 2, "%s%s: %s", joined, more, text);
	fan_strs_free(&who);
	free(joined);
}

void fan_remarks_print(struct fan_remarks *remarks, size_t named, struct fan_print *p)
{
	for (size_t i = 0; p->r == 0 && i < remarks->texts.n; i++) {
		size_t first = 0;

		while (strcmp(remarks->texts.items[first], remarks->texts.items[i]) != 0)
			first++;
		if (first == i && *remarks->texts.items[i])
			print_one(remarks, i, named, p);
	}
	fan_strs_free(&remarks->labels);
	fan_strs_free(&remarks->texts);
}
