/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line on the terminal of the standard error. */
#ifndef CAP_CMD_PROGRESS_H
#define CAP_CMD_PROGRESS_H

#include <stdbool.h>

/* True: the standard error is a terminal that can rewrite a line. */
bool cap_cmd_progress_has_place(void);

/*
 * Rewrites the line, cut to the width of the terminal; "" erases it. Does nothing while we are in
 * the background, or while the terminal takes nothing.
 */
void cap_cmd_progress_show(const char *text);

#endif
