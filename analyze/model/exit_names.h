/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the reasons of VM exits are called, as the kernel's kvm_exit and perf kvm stat print
 * them, and which of them mean that the guest had nothing to do.
 */
#ifndef FAN_MODEL_EXIT_NAMES_H
#define FAN_MODEL_EXIT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/event.h"

struct fan_exit_code {
	uint32_t reason;
	const char *name;
};

/*
 * The name of a reason, as struct fan_event has it; static. NULL: not known; the number is to be
 * printed. LoongArch's are perf's and wrong for MIPS, whose kvm_exit looks the same.
 */
const char *fan_exit_name(enum fan_isa isa, uint32_t reason);

/*
 * The guest's CPU halted or waited: HLT and MWAIT of x86, WFI and WFE of arm64 (one reason for
 * both), the wait state of s390. Untold where the reason does not tell: WFI of riscv is one of the
 * virtual instructions, H_CEDE of powerpc one of the system calls, IDLE of LoongArch one of the
 * privileged instructions. HLT of an SEV-ES guest is one of the vmgexits, which are none here.
 */
enum fan_halting { FAN_NOT_HALTING, FAN_HALTING, FAN_HALTING_UNTOLD };

enum fan_halting fan_exit_halting(enum fan_isa isa, uint32_t reason);

/* All n that are known of an architecture, static, ascending by reason. */
const struct fan_exit_code *fan_exit_codes(enum fan_isa isa, size_t *n);

#endif
