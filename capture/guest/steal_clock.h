/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the hypervisor below offers a steal clock at all, as far as the CPU tells. */
#ifndef CAP_GUEST_STEAL_CLOCK_H
#define CAP_GUEST_STEAL_CLOCK_H

#include <stdint.h>

enum cap_steal_clock {
	CAP_STEAL_CLOCK_UNKNOWN, /* neither yes nor no can be known */
	CAP_STEAL_CLOCK_NONE,	 /* no hypervisor, or KVM without the clock */
	CAP_STEAL_CLOCK_OFFERED, /* whether the kernel reads it is another question */
};

/* Fills EAX, EBX, ECX, EDX of a leaf of the CPUID instruction. */
typedef void (*cap_cpuid_fn)(uint32_t leaf, uint32_t ret[4]);

/* By the leaves of x86 (Linux, Documentation/virt/kvm/x86/cpuid.rst). */
enum cap_steal_clock cap_steal_clock_by(cap_cpuid_fn cpuid);

/* Of this CPU; unknown on other architectures. */
enum cap_steal_clock cap_steal_clock(void);

#endif
