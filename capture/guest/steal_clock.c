// SPDX-License-Identifier: GPL-3.0-or-later
/* CPUID leaves of hypervisors. */
#include "capture/guest/steal_clock.h"

#include <stddef.h>
#include <string.h>

#define HYPERVISOR_BIT 31U /* of ECX of leaf 1 */
/* a hypervisor that poses as several has its leaves at multiples of 0x100 */
#define LEAVES_FIRST 0x40000000U
#define LEAVES_LAST  0x40010000U
#define LEAVES_STEP  0x100U
#define STEAL_BIT    5U /* KVM_FEATURE_STEAL_TIME, of EAX of the leaf after KVM's first */

enum cap_steal_clock cap_steal_clock_by(cap_cpuid_fn cpuid)
{
	static const char kvm[12] = "KVMKVMKVM\0\0"; /* and the NUL of the literal */
	uint32_t r[4];

	cpuid(1, r);
	if (!(r[2] >> HYPERVISOR_BIT & 1))
		return CAP_STEAL_CLOCK_NONE;
	for (uint32_t leaf = LEAVES_FIRST; leaf < LEAVES_LAST; leaf += LEAVES_STEP) {
		cpuid(leaf, r);
		if (memcmp(&r[1], kvm, sizeof(kvm)) != 0)
			continue;
		cpuid(leaf + 1, r);
		return r[0] >> STEAL_BIT & 1 ? CAP_STEAL_CLOCK_OFFERED : CAP_STEAL_CLOCK_NONE;
	}
	return CAP_STEAL_CLOCK_UNKNOWN;
}

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

static void ask_cpu(uint32_t leaf, uint32_t ret[4])
{
	__cpuid(leaf, ret[0], ret[1], ret[2], ret[3]);
}

enum cap_steal_clock cap_steal_clock(void)
{
	return cap_steal_clock_by(ask_cpu);
}
#else
enum cap_steal_clock cap_steal_clock(void)
{
	return CAP_STEAL_CLOCK_UNKNOWN;
}
#endif
