/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a comparison, as text and LaTeX print them. Rounds; computes nothing. */
#ifndef FAN_REPORT_COMPARE_GRIDS_H
#define FAN_REPORT_COMPARE_GRIDS_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/table.h"

/* "+21.6 %", "-0.5"; "-" for none. */
struct fan_cell fan_change_value(const struct fan_est *est);

/* "[14.7, 28.8]", of the adjusted interval where there is one; "-" for none. */
struct fan_cell fan_change_interval(const struct fan_est *est);

/* "off: vm1 over vm2", "vm1", "total", "nosmt: vm1": what tells it from others of its name. */
char *fan_gap_label(const struct fan_compare *c, const struct fan_c_gap *g);

/* What a name of gaps asks, in words; the name itself if it is not known. */
const char *fan_gap_title(const char *name);

/* The same where the runs are windows of scores: their shares are of work, not of CPU time. */
const char *fan_gap_title_of_windows(const char *name);

/* Which tables hold anything at all. */
bool fan_has_scores(const struct fan_compare *c);
bool fan_has_times(const struct fan_compare *c);
bool fan_has_isolation(const struct fan_compare *c);

/* Each fills an empty grid, its columns included; r of the grid tells of errors. */
void fan_grid_scores(const struct fan_compare *c, struct fan_grid *g);
void fan_grid_shares(const struct fan_compare *c, struct fan_grid *g);
void fan_grid_isolation(const struct fan_compare *c, struct fan_grid *g);
/* All gaps from i on that have its name; returns the index behind them. */
size_t fan_grid_gaps(const struct fan_compare *c, size_t i, struct fan_grid *g);

#endif
