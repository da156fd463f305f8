// SPDX-License-Identifier: GPL-3.0-or-later
/* The names of exits, by hand from the kernel's headers, and which are halts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/model/exit_names.h"

#define IRQ 0x80000000 /* riscv: an interrupt */

static void assert_name(enum fan_isa isa, uint32_t reason, const char *name)
{
	const char *got = fan_exit_name(isa, reason);

	if (!got)
		fail_msg("%u/%#x has no name, not %s", isa, reason, name);
	else
		assert_string_equal(got, name);
}

static void x86_exits_are_called_as_perf_does(void **state)
{
	(void)state;
	assert_name(FAN_ISA_VMX, 0, "EXCEPTION_NMI");
	assert_name(FAN_ISA_VMX, 1, "EXTERNAL_INTERRUPT");
	assert_name(FAN_ISA_VMX, 12, "HLT");
	assert_name(FAN_ISA_VMX, 18, "VMCALL");
	assert_name(FAN_ISA_VMX, 30, "IO_INSTRUCTION");
	assert_name(FAN_ISA_VMX, 32, "MSR_WRITE");
	assert_name(FAN_ISA_VMX, 36, "MWAIT_INSTRUCTION");
	assert_name(FAN_ISA_VMX, 40, "PAUSE_INSTRUCTION");
	assert_name(FAN_ISA_VMX, 48, "EPT_VIOLATION");
	assert_name(FAN_ISA_VMX, 52, "PREEMPTION_TIMER");
	assert_name(FAN_ISA_VMX, 77, "TDCALL");
	assert_name(FAN_ISA_SVM, 0x4e, "PF excp"); /* 0x40 + vector 14 */
	assert_name(FAN_ISA_SVM, 0x60, "interrupt");
	assert_name(FAN_ISA_SVM, 0x64, "vintr");
	assert_name(FAN_ISA_SVM, 0x72, "cpuid");
	assert_name(FAN_ISA_SVM, 0x77, "pause");
	assert_name(FAN_ISA_SVM, 0x78, "hlt");
	assert_name(FAN_ISA_SVM, 0x7b, "io");
	assert_name(FAN_ISA_SVM, 0x7c, "msr");
	assert_name(FAN_ISA_SVM, 0x8b, "mwait");
	assert_name(FAN_ISA_SVM, 0xa6, "idle-halt");
	assert_name(FAN_ISA_SVM, 0x400, "npf");
	assert_name(FAN_ISA_SVM, 0x403, "vmgexit");
	assert_name(FAN_ISA_SVM, UINT32_MAX, "invalid_guest_state"); /* -1 */
}

static void arm64_exits_are_classes_or_what_else_ended_the_run(void **state)
{
	(void)state;
	assert_name(FAN_ISA_ARM64, 0x01, "WFx");
	assert_name(FAN_ISA_ARM64, 0x07, "FP_ASIMD");
	assert_name(FAN_ISA_ARM64, 0x16, "HVC64");
	assert_name(FAN_ISA_ARM64, 0x17, "SMC64");
	assert_name(FAN_ISA_ARM64, 0x18, "SYS64");
	assert_name(FAN_ISA_ARM64, 0x19, "SVE");
	assert_name(FAN_ISA_ARM64, 0x20, "IABT_LOW");
	assert_name(FAN_ISA_ARM64, 0x24, "DABT_LOW");
	assert_name(FAN_ISA_ARM64, 0x3c, "BRK64");
	assert_name(FAN_ISA_ARM64, 0x100, "IRQ");
	assert_name(FAN_ISA_ARM64, 0x101, "SERROR");
	assert_name(FAN_ISA_ARM64, 0x103, "IL");
	assert_name(FAN_ISA_ARM64, 0xbadcb11, "HYP_GONE"); /* 0xbadca11 + 0x100 */
}

static void riscv_exits_are_exceptions_or_interrupts(void **state)
{
	(void)state;
	assert_name(FAN_ISA_RISCV, 2, "EXC_INST_ILLEGAL");
	assert_name(FAN_ISA_RISCV, 10, "EXC_SUPERVISOR_SYSCALL");
	assert_name(FAN_ISA_RISCV, 20, "EXC_INST_GUEST_PAGE_FAULT");
	assert_name(FAN_ISA_RISCV, 21, "EXC_LOAD_GUEST_PAGE_FAULT");
	assert_name(FAN_ISA_RISCV, 22, "EXC_VIRTUAL_INST_FAULT");
	assert_name(FAN_ISA_RISCV, 23, "EXC_STORE_GUEST_PAGE_FAULT");
	assert_name(FAN_ISA_RISCV, IRQ + 1, "IRQ_S_SOFT");
	assert_name(FAN_ISA_RISCV, IRQ + 5, "IRQ_S_TIMER");
	assert_name(FAN_ISA_RISCV, IRQ + 9, "IRQ_S_EXT");
}

static void exits_of_s390_powerpc_and_loongarch_have_names(void **state)
{
	(void)state;
	assert_name(FAN_ISA_S390, 0x00, "Host interruption");
	assert_name(FAN_ISA_S390, 0x04, "Instruction");
	assert_name(FAN_ISA_S390, 0x08, "Program interruption");
	assert_name(FAN_ISA_S390, 0x14, "External interruption");
	assert_name(FAN_ISA_S390, 0x1c, "Wait state");
	assert_name(FAN_ISA_S390, 0x28, "Stop request");
	assert_name(FAN_ISA_S390, 0x68, "PV instruction");
	assert_name(FAN_ISA_POWERPC, 0x500, "EXTERNAL");
	assert_name(FAN_ISA_POWERPC, 0x980, "HV_DECREMENTER");
	assert_name(FAN_ISA_POWERPC, 0xc00, "SYSCALL");
	assert_name(FAN_ISA_POWERPC, 0xe00, "H_DATA_STORAGE");
	assert_name(FAN_ISA_LOONGARCH, 0, "Interrupt");
	assert_name(FAN_ISA_LOONGARCH, 22, "Privilege Error");
	assert_name(FAN_ISA_LOONGARCH, 23, "Hypercall");
}

static void numbers_that_nobody_uses_have_no_name(void **state)
{
	(void)state;
	assert_null(fan_exit_name(FAN_ISA_NONE, 0));
	assert_null(fan_exit_name(FAN_ISA_VMX, 35));
	assert_null(fan_exit_name(FAN_ISA_VMX, 0x78));
	assert_null(fan_exit_name(FAN_ISA_SVM, 0x42));
	assert_null(fan_exit_name(FAN_ISA_SVM, 0xffff));
	assert_null(fan_exit_name(FAN_ISA_ARM64, 0x02));
	assert_null(fan_exit_name(FAN_ISA_ARM64, 0x102)); /* a trap is its class */
	assert_null(fan_exit_name(FAN_ISA_RISCV, IRQ));
	assert_null(fan_exit_name(FAN_ISA_RISCV, 11));
	assert_null(fan_exit_name(FAN_ISA_S390, 0x05));
	assert_null(fan_exit_name(FAN_ISA_POWERPC, 0xc01));
	assert_null(fan_exit_name(FAN_ISA_LOONGARCH, 64));
}

static void every_reason_and_every_name_is_there_once(void **state)
{
	size_t n;

	(void)state;
	for (enum fan_isa isa = FAN_ISA_VMX; isa <= FAN_ISA_LOONGARCH; isa++) {
		const struct fan_exit_code *codes = fan_exit_codes(isa, &n);

		assert_true(n > 0);
		for (size_t i = 0; i < n; i++) {
			assert_true(i == 0 || codes[i].reason > codes[i - 1].reason);
			assert_name(isa, codes[i].reason, codes[i].name);
			for (size_t k = 0; k < i; k++)
				assert_string_not_equal(codes[i].name, codes[k].name);
		}
	}
	fan_exit_codes(FAN_ISA_NONE, &n);
	assert_int_equal(n, 0);
}

static size_t halts_among(enum fan_isa isa, uint32_t reason)
{
	return fan_exit_halting(isa, reason) == FAN_HALTING;
}

static void halts_are_these_and_no_others(void **state)
{
	static const struct {
		enum fan_isa isa;
		uint32_t reason;
	} halts[] = {
		{ FAN_ISA_VMX, 12 },	{ FAN_ISA_VMX, 36 },	 { FAN_ISA_SVM, 0x78 },
		{ FAN_ISA_SVM, 0x8b },	{ FAN_ISA_SVM, 0x8c },	 { FAN_ISA_SVM, 0xa6 },
		{ FAN_ISA_S390, 0x1c }, { FAN_ISA_ARM64, 0x01 },
	};
	const size_t n = sizeof(halts) / sizeof(halts[0]);
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(fan_exit_halting(halts[i].isa, halts[i].reason), FAN_HALTING);
		assert_non_null(fan_exit_name(halts[i].isa, halts[i].reason));
	}
	for (enum fan_isa isa = FAN_ISA_NONE; isa <= FAN_ISA_LOONGARCH; isa++)
		for (uint32_t reason = 0; reason < 0x1000; reason++)
			found += halts_among(isa, reason) + halts_among(isa, IRQ + reason);
	assert_int_equal(found, n);
}

/* Those that name their halts say of every other reason that it is none. */
static void where_halts_have_a_name_all_else_is_none_and_elsewhere_untold(void **state)
{
	(void)state;
	assert_int_equal(fan_exit_halting(FAN_ISA_VMX, 1), FAN_NOT_HALTING);
	assert_int_equal(fan_exit_halting(FAN_ISA_SVM, 0x60), FAN_NOT_HALTING);
	assert_int_equal(fan_exit_halting(FAN_ISA_ARM64, 0x24), FAN_NOT_HALTING);
	assert_int_equal(fan_exit_halting(FAN_ISA_S390, 0x04), FAN_NOT_HALTING);
	assert_int_equal(fan_exit_halting(FAN_ISA_NONE, 12), FAN_HALTING_UNTOLD);
	assert_int_equal(fan_exit_halting(FAN_ISA_RISCV, 22), FAN_HALTING_UNTOLD);
	assert_int_equal(fan_exit_halting(FAN_ISA_POWERPC, 0xc00), FAN_HALTING_UNTOLD);
	assert_int_equal(fan_exit_halting(FAN_ISA_LOONGARCH, 22), FAN_HALTING_UNTOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_exits_are_called_as_perf_does),
		cmocka_unit_test(arm64_exits_are_classes_or_what_else_ended_the_run),
		cmocka_unit_test(riscv_exits_are_exceptions_or_interrupts),
		cmocka_unit_test(exits_of_s390_powerpc_and_loongarch_have_names),
		cmocka_unit_test(numbers_that_nobody_uses_have_no_name),
		cmocka_unit_test(every_reason_and_every_name_is_there_once),
		cmocka_unit_test(halts_are_these_and_no_others),
		cmocka_unit_test(where_halts_have_a_name_all_else_is_none_and_elsewhere_untold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
