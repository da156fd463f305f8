// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/exit_names.h"

#include <stdbool.h>

/* Intel SDM volume 3, appendix C; the kernel's uapi/asm/vmx.h. */
static const struct fan_exit_code vmx[] = {
	{ 0, "EXCEPTION_NMI" },
	{ 1, "EXTERNAL_INTERRUPT" },
	{ 2, "TRIPLE_FAULT" },
	{ 3, "INIT_SIGNAL" },
	{ 4, "SIPI_SIGNAL" },
	{ 7, "INTERRUPT_WINDOW" },
	{ 8, "NMI_WINDOW" },
	{ 9, "TASK_SWITCH" },
	{ 10, "CPUID" },
	{ 12, "HLT" },
	{ 13, "INVD" },
	{ 14, "INVLPG" },
	{ 15, "RDPMC" },
	{ 16, "RDTSC" },
	{ 18, "VMCALL" },
	{ 19, "VMCLEAR" },
	{ 20, "VMLAUNCH" },
	{ 21, "VMPTRLD" },
	{ 22, "VMPTRST" },
	{ 23, "VMREAD" },
	{ 24, "VMRESUME" },
	{ 25, "VMWRITE" },
	{ 26, "VMOFF" },
	{ 27, "VMON" },
	{ 28, "CR_ACCESS" },
	{ 29, "DR_ACCESS" },
	{ 30, "IO_INSTRUCTION" },
	{ 31, "MSR_READ" },
	{ 32, "MSR_WRITE" },
	{ 33, "INVALID_STATE" },
	{ 34, "MSR_LOAD_FAIL" },
	{ 36, "MWAIT_INSTRUCTION" },
	{ 37, "MONITOR_TRAP_FLAG" },
	{ 39, "MONITOR_INSTRUCTION" },
	{ 40, "PAUSE_INSTRUCTION" },
	{ 41, "MCE_DURING_VMENTRY" },
	{ 43, "TPR_BELOW_THRESHOLD" },
	{ 44, "APIC_ACCESS" },
	{ 45, "EOI_INDUCED" },
	{ 46, "GDTR_IDTR" },
	{ 47, "LDTR_TR" },
	{ 48, "EPT_VIOLATION" },
	{ 49, "EPT_MISCONFIG" },
	{ 50, "INVEPT" },
	{ 51, "RDTSCP" },
	{ 52, "PREEMPTION_TIMER" },
	{ 53, "INVVPID" },
	{ 54, "WBINVD" },
	{ 55, "XSETBV" },
	{ 56, "APIC_WRITE" },
	{ 57, "RDRAND" },
	{ 58, "INVPCID" },
	{ 59, "VMFUNC" },
	{ 60, "ENCLS" },
	{ 61, "RDSEED" },
	{ 62, "PML_FULL" },
	{ 63, "XSAVES" },
	{ 64, "XRSTORS" },
	{ 67, "UMWAIT" },
	{ 68, "TPAUSE" },
	{ 74, "BUS_LOCK" },
	{ 75, "NOTIFY" },
	{ 76, "SEAMCALL" },
	{ 77, "TDCALL" },
	{ 84, "MSR_READ_IMM" },
	{ 85, "MSR_WRITE_IMM" },
};

/*
 * AMD APM volume 2, appendix C; the kernel's uapi/asm/svm.h, which prints no names for 0x8c and
 * 0x8e. Its codes from 0x80000001 on are what a vmgexit is about, not reasons of exits.
 */
static const struct fan_exit_code svm[] = {
	{ 0x00, "read_cr0" },
	{ 0x02, "read_cr2" },
	{ 0x03, "read_cr3" },
	{ 0x04, "read_cr4" },
	{ 0x08, "read_cr8" },
	{ 0x10, "write_cr0" },
	{ 0x12, "write_cr2" },
	{ 0x13, "write_cr3" },
	{ 0x14, "write_cr4" },
	{ 0x18, "write_cr8" },
	{ 0x20, "read_dr0" },
	{ 0x21, "read_dr1" },
	{ 0x22, "read_dr2" },
	{ 0x23, "read_dr3" },
	{ 0x24, "read_dr4" },
	{ 0x25, "read_dr5" },
	{ 0x26, "read_dr6" },
	{ 0x27, "read_dr7" },
	{ 0x30, "write_dr0" },
	{ 0x31, "write_dr1" },
	{ 0x32, "write_dr2" },
	{ 0x33, "write_dr3" },
	{ 0x34, "write_dr4" },
	{ 0x35, "write_dr5" },
	{ 0x36, "write_dr6" },
	{ 0x37, "write_dr7" },
	{ 0x40, "DE excp" },
	{ 0x41, "DB excp" },
	{ 0x43, "BP excp" },
	{ 0x44, "OF excp" },
	{ 0x45, "BR excp" },
	{ 0x46, "UD excp" },
	{ 0x47, "NM excp" },
	{ 0x48, "DF excp" },
	{ 0x4a, "TS excp" },
	{ 0x4b, "NP excp" },
	{ 0x4c, "SS excp" },
	{ 0x4d, "GP excp" },
	{ 0x4e, "PF excp" },
	{ 0x50, "MF excp" },
	{ 0x51, "AC excp" },
	{ 0x52, "MC excp" },
	{ 0x53, "XF excp" },
	{ 0x60, "interrupt" },
	{ 0x61, "nmi" },
	{ 0x62, "smi" },
	{ 0x63, "init" },
	{ 0x64, "vintr" },
	{ 0x65, "cr0_sel_write" },
	{ 0x66, "read_idtr" },
	{ 0x67, "read_gdtr" },
	{ 0x68, "read_ldtr" },
	{ 0x69, "read_rt" },
	{ 0x6a, "write_idtr" },
	{ 0x6b, "write_gdtr" },
	{ 0x6c, "write_ldtr" },
	{ 0x6d, "write_rt" },
	{ 0x6e, "rdtsc" },
	{ 0x6f, "rdpmc" },
	{ 0x70, "pushf" },
	{ 0x71, "popf" },
	{ 0x72, "cpuid" },
	{ 0x73, "rsm" },
	{ 0x74, "iret" },
	{ 0x75, "swint" },
	{ 0x76, "invd" },
	{ 0x77, "pause" },
	{ 0x78, "hlt" },
	{ 0x79, "invlpg" },
	{ 0x7a, "invlpga" },
	{ 0x7b, "io" },
	{ 0x7c, "msr" },
	{ 0x7d, "task_switch" },
	{ 0x7e, "ferr_freeze" },
	{ 0x7f, "shutdown" },
	{ 0x80, "vmrun" },
	{ 0x81, "hypercall" },
	{ 0x82, "vmload" },
	{ 0x83, "vmsave" },
	{ 0x84, "stgi" },
	{ 0x85, "clgi" },
	{ 0x86, "skinit" },
	{ 0x87, "rdtscp" },
	{ 0x88, "icebp" },
	{ 0x89, "wbinvd" },
	{ 0x8a, "monitor" },
	{ 0x8b, "mwait" },
	{ 0x8c, "mwait_cond" },
	{ 0x8d, "xsetbv" },
	{ 0x8e, "rdpru" },
	{ 0x8f, "write_efer_trap" },
	{ 0x90, "write_cr0_trap" },
	{ 0x94, "write_cr4_trap" },
	{ 0x98, "write_cr8_trap" },
	{ 0xa2, "invpcid" },
	{ 0xa5, "buslock" },
	{ 0xa6, "idle-halt" },
	{ 0x400, "npf" },
	{ 0x401, "avic_incomplete_ipi" },
	{ 0x402, "avic_unaccelerated_access" },
	{ 0x403, "vmgexit" },
	{ 0xffffffff, "invalid_guest_state" },
};

/*
 * Exception classes of ESR_EL2 (Arm ARM, ESR_EL2.EC), then what else ends a run. SERROR is one
 * of those; its class, 0x2f, KVM never reports as a trap.
 */
static const struct fan_exit_code arm64[] = {
	{ 0x00, "UNKNOWN" },	 { 0x01, "WFx" },	  { 0x03, "CP15_32" },
	{ 0x04, "CP15_64" },	 { 0x05, "CP14_MR" },	  { 0x06, "CP14_LS" },
	{ 0x07, "FP_ASIMD" },	 { 0x08, "CP10_ID" },	  { 0x09, "PAC" },
	{ 0x0a, "OTHER" },	 { 0x0c, "CP14_64" },	  { 0x0d, "BTI" },
	{ 0x0e, "ILL" },	 { 0x11, "SVC32" },	  { 0x12, "HVC32" },
	{ 0x13, "SMC32" },	 { 0x15, "SVC64" },	  { 0x16, "HVC64" },
	{ 0x17, "SMC64" },	 { 0x18, "SYS64" },	  { 0x19, "SVE" },
	{ 0x1a, "ERET" },	 { 0x1c, "FPAC" },	  { 0x1d, "SME" },
	{ 0x1f, "IMP_DEF" },	 { 0x20, "IABT_LOW" },	  { 0x21, "IABT_CUR" },
	{ 0x22, "PC_ALIGN" },	 { 0x24, "DABT_LOW" },	  { 0x25, "DABT_CUR" },
	{ 0x26, "SP_ALIGN" },	 { 0x27, "MOPS" },	  { 0x28, "FP_EXC32" },
	{ 0x2c, "FP_EXC64" },	 { 0x2d, "GCS" },	  { 0x30, "BREAKPT_LOW" },
	{ 0x31, "BREAKPT_CUR" }, { 0x32, "SOFTSTP_LOW" }, { 0x33, "SOFTSTP_CUR" },
	{ 0x34, "WATCHPT_LOW" }, { 0x35, "WATCHPT_CUR" }, { 0x38, "BKPT32" },
	{ 0x3a, "VECTOR32" },	 { 0x3c, "BRK64" },	  { 0x100 + 0, "IRQ" },
	{ 0x100 + 1, "SERROR" }, { 0x100 + 3, "IL" },	  { 0x100 + 0xbadca11, "HYP_GONE" },
};

/* RISC-V privileged architecture, scause; the names are perf's. */
#define RISCV_IRQ 0x80000000
static const struct fan_exit_code riscv[] = {
	{ 0, "EXC_INST_MISALIGNED" },
	{ 1, "EXC_INST_ACCESS" },
	{ 2, "EXC_INST_ILLEGAL" },
	{ 3, "EXC_BREAKPOINT" },
	{ 4, "EXC_LOAD_MISALIGNED" },
	{ 5, "EXC_LOAD_ACCESS" },
	{ 6, "EXC_STORE_MISALIGNED" },
	{ 7, "EXC_STORE_ACCESS" },
	{ 8, "EXC_SYSCALL" },
	{ 9, "EXC_HYPERVISOR_SYSCALL" },
	{ 10, "EXC_SUPERVISOR_SYSCALL" },
	{ 12, "EXC_INST_PAGE_FAULT" },
	{ 13, "EXC_LOAD_PAGE_FAULT" },
	{ 15, "EXC_STORE_PAGE_FAULT" },
	{ 20, "EXC_INST_GUEST_PAGE_FAULT" },
	{ 21, "EXC_LOAD_GUEST_PAGE_FAULT" },
	{ 22, "EXC_VIRTUAL_INST_FAULT" },
	{ 23, "EXC_STORE_GUEST_PAGE_FAULT" },
	{ RISCV_IRQ + 1, "IRQ_S_SOFT" },
	{ RISCV_IRQ + 2, "IRQ_VS_SOFT" },
	{ RISCV_IRQ + 3, "IRQ_M_SOFT" },
	{ RISCV_IRQ + 5, "IRQ_S_TIMER" },
	{ RISCV_IRQ + 6, "IRQ_VS_TIMER" },
	{ RISCV_IRQ + 7, "IRQ_M_TIMER" },
	{ RISCV_IRQ + 9, "IRQ_S_EXT" },
	{ RISCV_IRQ + 10, "IRQ_VS_EXT" },
	{ RISCV_IRQ + 11, "IRQ_M_EXT" },
	{ RISCV_IRQ + 12, "IRQ_S_GEXT" },
	{ RISCV_IRQ + 13, "IRQ_PMU_OVF" },
};

/* The kernel's uapi/asm/sie.h; from 0x5c on it has ICPT_ constants, but prints no names. */
static const struct fan_exit_code s390[] = {
	{ 0x00, "Host interruption" },
	{ 0x04, "Instruction" },
	{ 0x08, "Program interruption" },
	{ 0x0c, "Instruction and program interruption" },
	{ 0x10, "External request" },
	{ 0x14, "External interruption" },
	{ 0x18, "I/O request" },
	{ 0x1c, "Wait state" },
	{ 0x20, "Validity" },
	{ 0x28, "Stop request" },
	{ 0x2c, "Operation exception" },
	{ 0x38, "Partial-execution" },
	{ 0x3c, "I/O interruption" },
	{ 0x40, "I/O instruction" },
	{ 0x48, "Timing subset" },
	{ 0x5c, "Keyless subset" },
	{ 0x60, "Machine-check request" },
	{ 0x64, "Interruption enabled" },
	{ 0x68, "PV instruction" },
	{ 0x6c, "PV notification" },
	{ 0x70, "PV prefix" },
};

/* Interrupt vectors of Power ISA; the kernel's arch/powerpc/kvm/trace_book3s.h. */
static const struct fan_exit_code powerpc[] = {
	{ 0x100, "SYSTEM_RESET" },   { 0x200, "MACHINE_CHECK" },  { 0x300, "DATA_STORAGE" },
	{ 0x380, "DATA_SEGMENT" },   { 0x400, "INST_STORAGE" },	  { 0x480, "INST_SEGMENT" },
	{ 0x500, "EXTERNAL" },	     { 0x502, "EXTERNAL_HV" },	  { 0x600, "ALIGNMENT" },
	{ 0x700, "PROGRAM" },	     { 0x800, "FP_UNAVAIL" },	  { 0x900, "DECREMENTER" },
	{ 0x980, "HV_DECREMENTER" }, { 0xc00, "SYSCALL" },	  { 0xd00, "TRACE" },
	{ 0xe00, "H_DATA_STORAGE" }, { 0xe20, "H_INST_STORAGE" }, { 0xe40, "H_EMUL_ASSIST" },
	{ 0xf00, "PERFMON" },	     { 0xf20, "ALTIVEC" },	  { 0xf40, "VSX" },
};

/* Exception codes of LoongArch that end a guest's run; the names are perf's. */
static const struct fan_exit_code loongarch[] = {
	{ 0, "Interrupt" },	   { 1, "Mem Read" },	{ 2, "Mem Store" }, { 3, "Inst Fetch" },
	{ 4, "Mem Modify" },	   { 15, "FPU" },	{ 16, "LSX" },	    { 17, "LASX" },
	{ 22, "Privilege Error" }, { 23, "Hypercall" },
};

#define TABLE(codes)                                      \
	{                                                 \
		codes, sizeof(codes) / sizeof((codes)[0]) \
	}

static const struct {
	const struct fan_exit_code *codes;
	size_t n;
} tables[] = {
	[FAN_ISA_VMX] = TABLE(vmx),
	[FAN_ISA_SVM] = TABLE(svm),
	[FAN_ISA_ARM64] = TABLE(arm64),
	[FAN_ISA_RISCV] = TABLE(riscv),
	[FAN_ISA_S390] = TABLE(s390),
	[FAN_ISA_POWERPC] = TABLE(powerpc),
	[FAN_ISA_LOONGARCH] = TABLE(loongarch),
};

const struct fan_exit_code *fan_exit_codes(enum fan_isa isa, size_t *n)
{
	*n = tables[isa].n;
	return tables[isa].codes;
}

const char *fan_exit_name(enum fan_isa isa, uint32_t reason)
{
	size_t n;
	const struct fan_exit_code *codes = fan_exit_codes(isa, &n);

	for (size_t i = 0; i < n; i++)
		if (codes[i].reason == reason)
			return codes[i].name;
	return NULL;
}

static inline enum fan_halting halting_if(bool is_halt)
{
	return is_halt ? FAN_HALTING : FAN_NOT_HALTING;
}

enum fan_halting fan_exit_halting(enum fan_isa isa, uint32_t reason)
{
	switch (isa) {
	case FAN_ISA_VMX:
		return halting_if(reason == 12 || reason == 36);
	case FAN_ISA_SVM:
		return halting_if(reason == 0x78 || reason == 0x8b || reason == 0x8c ||
				  reason == 0xa6);
	case FAN_ISA_ARM64:
		return halting_if(reason == 0x01);
	case FAN_ISA_S390:
		return halting_if(reason == 0x1c);
	default:
		return FAN_HALTING_UNTOLD;
	}
}
