/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that print scores share; see score_text.h. */
#ifndef FAN_REPORT_SCORE_TEXT_PARTS_H
#define FAN_REPORT_SCORE_TEXT_PARTS_H

#include "analyze/report/compare_tree.h"
#include "analyze/report/print.h"

#define FAN_SCORE_ANSWERS 6 /* series, and gaps, that the text names one by one */

struct fan_score_ends {
	char text[80];
};

/* Of a share: two decimals tell as much as the input, which has rarely more. */
int fan_score_decimals(const struct fan_est *e);

/* "81.10 to 89.53" for a column; "-" without an interval. Ends of a share that are outside of
 * 0 .. 100 are cut, for print alone. */
struct fan_score_ends fan_score_span(const struct fan_est *e, int decimals, bool signs);

/* The same for a sentence, with the blank before it: " [81.10, 89.53]"; "" without. */
struct fan_score_ends fan_score_brackets(const struct fan_est *e, int decimals, bool signs);

/* The name of a configuration where there are several; NULL: there is but one. */
const char *fan_score_label(const struct fan_compare *c, const struct fan_c_configuration *config);

/* Whether the share is one that was measured inside the only VM of the configuration: of the
 * work of all VMs one VM alone has 100 %. */
bool fan_score_is_inside(const struct fan_c_configuration *config);

/* The sentences on windows, and on a summary. */
void fan_score_windows_answer(const struct fan_compare *c, struct fan_print *p);
void fan_score_summary_answer(const struct fan_compare *c, struct fan_print *p);

#endif
