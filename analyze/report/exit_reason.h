/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reason of an exit is called in every output. */
#ifndef FAN_REPORT_EXIT_REASON_H
#define FAN_REPORT_EXIT_REASON_H

#include "analyze/model/exit_names.h"

struct fan_exit_number {
	char text[16];
};

/* The reason's name, or, where it has none, its number in *room: valid as long as that is. */
const char *fan_exit_reason(struct fan_exit_number *room, enum fan_isa isa, uint32_t reason);

#endif
