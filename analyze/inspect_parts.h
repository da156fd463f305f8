/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of fan_inspect() share. Not for others. */
#ifndef FAN_INSPECT_PARTS_H
#define FAN_INSPECT_PARTS_H

#include "analyze/report/info.h"
#include "analyze/trace/event.h"
#include "analyze/trace/file.h"

/* All that is known before the first record is read. 0, or -ENOMEM. */
int fan_inspect_frame(struct fan_info *info, const struct fan_file *file);

/* One line of text out of a print record, fcap's or not. 0, or -ENOMEM. */
int fan_inspect_marker(struct fan_info *info, const struct fan_text *line);

#endif
