/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of groups, as text and LaTeX print it. Rounds; computes nothing. */
#ifndef FAN_REPORT_GROUP_GRID_H
#define FAN_REPORT_GROUP_GRID_H

#include "analyze/report/table.h"
#include "analyze/report/tree.h"

/* Fills an empty grid, its columns included; r of the grid tells of errors. */
void fan_grid_groups(const struct fan_report *r, struct fan_grid *g);

#endif
