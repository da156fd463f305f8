// SPDX-License-Identifier: GPL-3.0-or-later
/* Comparison to text: a page, and what stands behind it. */
#include "analyze/report/text_compare.h"

#include <errno.h>
#include <string.h>

#include "analyze/report/text_compare_answer.h"
#include "analyze/report/text_compare_parts.h"
#include "analyze/report/words.h"

#define COMMAND_SHOWN 300 /* of what was typed; hundreds of files are in the table of runs */

static void print_notes(const struct fan_compare *c, struct fan_print *p)
{
	if (c->notes.n == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 0, "Notes");
	for (size_t i = 0; i < c->notes.n; i++)
		fan_print_para(p, 4, "  - %s", c->notes.items[i]);
}

static void print_method(const struct fan_compare *c, struct fan_print *p)
{
	const char *command = fan_or_dash(c->tool.command);

	fan_print_blank(p);
	fan_print_para(p, 0, "How it was computed");
	fan_print_para(p, 11,
		       "  level    %g %%; the run is the unit: intervals are of Student's t over "
		       "%s, on logs where percent are shown",
		       100 * c->level, c->paired ? "blocks (paired)" : "runs (two sides: Welch)");
	fan_print_para(p, 11,
		       "  adjusted all gaps of one name are a family: intervals and verdicts by "
		       "Bonferroni, p by Holm");
	fan_print_para(p, 11, "  margin   %g %% of scores and CPU time, %g points of shares",
		       c->margin, c->margin);
	fan_print_para(
		p, 11,
		"  runs     more runs, where the verdict is inconclusive: still to be made of "
		"each "
		"configuration to see a gap of the margin with 80 %% power; n: runs of both "
		"sides, or windows where "
		"each side is one run");
	if (c->by)
		fan_print_para(p, 11, "  label    configurations by %s", c->by);
	if (c->paired)
		fan_print_para(p, 11, "  blocks   by %s", c->paired);
	if (c->tool.name)
		fan_print_para(p, 11, "  by       %s %s: %.*s%s", c->tool.name,
			       fan_or_dash(c->tool.version), COMMAND_SHOWN, command,
			       strlen(command) > COMMAND_SHOWN ? " ..." : "");
}

/* What the page says of its own method; the rest is print_method()'s. */
static void print_short_method(const struct fan_compare *c, struct fan_print *p)
{
	fan_print_blank(p);
	fan_print_para(
		p, 2,
		"Method: %g %% intervals of Student's t over %s, those of a block above and "
		"its verdicts adjusted for each other (Bonferroni); margin %g %%, %g points; "
		"* indicative. All tables, p values and runs: --all. Every number: --json, "
		"--csv, --tex.",
		100 * c->level, c->paired ? "blocks (paired)" : "runs (Welch)", c->margin,
		c->margin);
}

static void print_page(const struct fan_compare *c, struct fan_print *p)
{
	fan_print_compare_answer(c, p);
	fan_print_compare_isolation(c, p);
	fan_print_compare_changes(c, p);
}

static void print_short(const struct fan_compare *c, struct fan_print *p)
{
	/* nothing has changed: what there is takes its place */
	if (c->configurations.n == 1) {
		fan_print_compare_levels(c, p);
		fan_print_compare_gaps(c, p);
	}
	fan_print_compare_values(c, p);
	print_notes(c, p);
	print_short_method(c, p);
}

static void print_all(const struct fan_compare *c, struct fan_print *p)
{
	fan_print_compare_levels(c, p);
	fan_print_compare_gaps(c, p);
	fan_print_compare_runs(c, p);
	print_notes(c, p);
	print_method(c, p);
}

int fan_compare_text_styled(const struct fan_compare *c, bool all, struct fan_style style, FILE *f,
			    struct fcap_err *err)
{
	struct fan_print p = { .f = f, .style = style };

	errno = 0;
	print_page(c, &p);
	if (all)
		print_all(c, &p);
	else
		print_short(c, &p);
	return fan_print_finish(&p, err);
}

int fan_compare_text(const struct fan_compare *c, FILE *f, struct fcap_err *err)
{
	return fan_compare_text_styled(c, false, (struct fan_style){ 0 }, f, err);
}
