// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/exit_reason.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "analyze/model/exits.h"

/* As the makers of the CPU number them: Intel, RISC-V and LoongArch count, the others code. */
static bool is_decimal(enum fan_isa isa, uint32_t reason)
{
	return isa == FAN_ISA_VMX || isa == FAN_ISA_LOONGARCH ||
	       (isa == FAN_ISA_RISCV && reason <= INT32_MAX);
}

const char *fan_exit_reason(struct fan_exit_number *room, enum fan_isa isa, uint32_t reason)
{
	const char *name = fan_exit_name(isa, reason);

	if (isa == FAN_ISA_NONE)
		return reason == FAN_EXIT_OTHER ? "other" : "not told";
	if (name)
		return name;
	snprintf(room->text, sizeof(room->text),
		 is_decimal(isa, reason) ? "%" PRIu32 : "0x%" PRIx32, reason);
	return room->text;
}
