/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that print a comparison share; see text_compare.h. */
#ifndef FAN_REPORT_TEXT_COMPARE_PARTS_H
#define FAN_REPORT_TEXT_COMPARE_PARTS_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/print.h"
#include "analyze/report/table.h"

/* What must be known to read rows of a table, by their labels; zero at first. */
struct fan_remarks {
	struct fan_strs labels, texts;
};

/* The remark on one row. Takes the label, to be freed; NULL: no memory, which p->r then tells. */
void fan_remarks_add(struct fan_remarks *remarks, char *label, const struct fan_est *est,
		     const struct fan_verdict_text *verdict, struct fan_print *p);

/* One line for all labels that share a remark, of which it names so many; empties the list. */
void fan_remarks_print(struct fan_remarks *remarks, size_t named, struct fan_print *p);

/*
 * Prints a grid in which a row with but its first cell is a title as wide as the line. A label that
 * the other columns leave no room for stands on a line of its own. Empties the grid.
 */
void fan_print_sections(struct fan_grid *g, struct fan_print *p);

/* Length of the folder that all runs have in common, with its slash. */
size_t fan_common_folder(const struct fan_array *runs);

/* How the runs of each configuration were isolated; nothing if nobody was asked (scores). */
void fan_print_compare_isolation(const struct fan_compare *c, struct fan_print *p);

/* What changed from the baseline to each other configuration, one table for each. */
void fan_print_compare_changes(const struct fan_compare *c, struct fan_print *p);

/* Configurations as they are: scores and shares, with what is to be known about them. */
void fan_print_compare_levels(const struct fan_compare *c, struct fan_print *p);

/* All gaps and changes by name. */
void fan_print_compare_gaps(const struct fan_compare *c, struct fan_print *p);

/* Every run: by VM with all its numbers, or the score (CPU time) alone, a line a VM. */
void fan_print_compare_runs(const struct fan_compare *c, struct fan_print *p);
void fan_print_compare_values(const struct fan_compare *c, struct fan_print *p);

#endif
