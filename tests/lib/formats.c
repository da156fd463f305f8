// SPDX-License-Identifier: GPL-3.0-or-later
/* Format texts: offsets and sizes are literal, so that a slip in the encoders cannot hide. */
#include "tests/lib/formats.h"

#define FIELD(decl, offset, size, is_signed) \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #is_signed ";\n"

static const char common_fields[] = FIELD("unsigned short common_type", 0, 2, 0)
	FIELD("unsigned char common_flags", 2, 1, 0)
		FIELD("unsigned char common_preempt_count", 3, 1, 0)
			FIELD("int common_pid", 4, 4, 1);

#define WAKEUP_FIELDS                    \
	FIELD("char comm[16]", 8, 16, 0) \
	FIELD("pid_t pid", 24, 4, 1)     \
	FIELD("int prio", 28, 4, 1) FIELD("int target_cpu", 32, 4, 1)
#define WAKEUP_PRINT                                                                   \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, " \
	"REC->target_cpu"

#define TASK_FIELDS \
	FIELD("char comm[16]", 8, 16, 0) FIELD("pid_t pid", 24, 4, 1) FIELD("int prio", 28, 4, 1)
#define TASK_PRINT "\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio"

/* all reported task states, and the bit above them that marks a preempted task */
#define STATES                                                                            \
	"(0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | " \
	"0x00000020 | 0x00000040)"
#define STATE_MASK "(((" STATES " + 1) << 1) - 1)"
#define SWITCH_PRINT                                                                            \
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d " \
	"next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "                       \
	"(REC->prev_state & " STATE_MASK ") ? __print_flags(REC->prev_state & " STATE_MASK      \
	", \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, "        \
	"{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "                 \
	"{ 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", "                               \
	"REC->prev_state & ((" STATES " + 1) << 1) ? \"+\" : \"\", REC->next_comm, "            \
	"REC->next_pid, REC->next_prio"

#define EXIT_PRINT                                                                               \
	"\"vcpu %u reason %s%s%s rip 0x%lx info1 0x%016llx info2 0x%016llx intr_info 0x%08x "    \
	"error_code 0x%08x\", REC->vcpu_id, (REC->isa == 1) ? "                                  \
	"__print_symbolic(REC->exit_reason & 0xffff, { 0, \"EXCEPTION_NMI\" }, "                 \
	"{ 1, \"EXTERNAL_INTERRUPT\" }, { 7, \"INTERRUPT_WINDOW\" }, { 10, \"CPUID\" }, "        \
	"{ 12, \"HLT\" }, { 28, \"CR_ACCESS\" }, { 30, \"IO_INSTRUCTION\" }, "                   \
	"{ 31, \"MSR_READ\" }, { 32, \"MSR_WRITE\" }, { 40, \"PAUSE_INSTRUCTION\" }, "           \
	"{ 48, \"EPT_VIOLATION\" }, { 49, \"EPT_MISCONFIG\" }, { 52, \"PREEMPTION_TIMER\" }) : " \
	"__print_symbolic(REC->exit_reason, { 0x060, \"interrupt\" }, { 0x072, \"cpuid\" }, "    \
	"{ 0x077, \"pause\" }, { 0x078, \"hlt\" }, { 0x07b, \"io\" }, { 0x07c, \"msr\" }, "      \
	"{ 0x400, \"npf\" }), (REC->isa == 1 && REC->exit_reason & ~0xffff) ? \" \" : \"\", "    \
	"(REC->isa == 1) ? __print_flags(REC->exit_reason & ~0xffff, \" \", "                    \
	"{ 0x80000000, \"FAILED_VMENTRY\" }) : \"\", REC->guest_rip, REC->info1, REC->info2, "   \
	"REC->intr_info, REC->error_code"

#define USERSPACE_EXIT_PRINT                                                                   \
	"\"reason %s (%d)\", REC->errno < 0 ? (REC->errno == -4 ? \"restart\" : \"error\") : " \
	"__print_symbolic(REC->reason, { 0, \"KVM_EXIT_UNKNOWN\" }, { 2, \"KVM_EXIT_IO\" }, "  \
	"{ 5, \"KVM_EXIT_HLT\" }, { 6, \"KVM_EXIT_MMIO\" }, { 8, \"KVM_EXIT_SHUTDOWN\" }, "    \
	"{ 10, \"KVM_EXIT_INTR\" }), REC->errno < 0 ? -REC->errno : REC->reason"

static const struct event_format formats[] = {
	{ "cgroup", "cgroup_attach_task", EV_CGROUP_ATTACH_TASK,
	  FIELD("int dst_root", 8, 4, 1) FIELD("int dst_level", 12, 4, 1)
		  FIELD("u64 dst_id", 16, 8, 0) FIELD("int pid", 24, 4, 1)
			  FIELD("__data_loc char[] dst_path", 28, 4, 0)
				  FIELD("__data_loc char[] comm", 32, 4, 0),
	  "\"dst_root=%d dst_id=%llu dst_level=%d dst_path=%s pid=%d comm=%s\", REC->dst_root, "
	  "REC->dst_id, REC->dst_level, __get_str(dst_path), REC->pid, __get_str(comm)" },
	{ "ftrace", "print", EV_PRINT,
	  FIELD("unsigned long ip", 8, 8, 0) FIELD("char buf[]", 16, 0, 0),
	  "\"%ps: %s\", (void *)REC->ip, REC->buf" },
	{ "kvm", "kvm_fpu", EV_KVM_FPU, FIELD("u32 load", 8, 4, 0),
	  "\"%s\", __print_symbolic(REC->load, {0, \"unload\"}, {1, \"load\"})" },
	{ "kvm", "kvm_vcpu_wakeup", EV_KVM_VCPU_WAKEUP,
	  FIELD("__u64 ns", 8, 8, 0) FIELD("bool waited", 16, 1, 0) FIELD("bool valid", 17, 1, 0),
	  "\"%s time %lld ns, polling %s\", REC->waited ? \"wait\" : \"poll\", REC->ns, "
	  "REC->valid ? \"valid\" : \"invalid\"" },
	{ "kvm", "kvm_userspace_exit", EV_KVM_USERSPACE_EXIT,
	  FIELD("__u32 reason", 8, 4, 0) FIELD("int errno", 12, 4, 1), USERSPACE_EXIT_PRINT },
	{ "kvm", "kvm_exit", EV_KVM_EXIT,
	  FIELD("unsigned int exit_reason", 8, 4, 0) FIELD("unsigned long guest_rip", 16, 8, 0)
		  FIELD("u32 isa", 24, 4, 0) FIELD("u64 info1", 32, 8, 0) FIELD(
			  "u64 info2", 40, 8, 0) FIELD("u32 intr_info", 48, 4, 0)
			  FIELD("u32 error_code", 52, 4, 0) FIELD("unsigned int vcpu_id", 56, 4, 0),
	  EXIT_PRINT },
	{ "kvm", "kvm_exit", EV_KVM_EXIT_ARM64,
	  FIELD("int ret", 8, 4, 1) FIELD("unsigned int esr_ec", 12, 4, 0)
		  FIELD("unsigned long vcpu_pc", 16, 8, 0),
	  "\"%s: HSR_EC: 0x%04x (%s), PC: 0x%016lx\", __print_symbolic(REC->ret, { 0, \"IRQ\" }, "
	  "{ 1, \"SERROR\" }, { 2, \"TRAP\" }), REC->esr_ec, __print_symbolic(REC->esr_ec, "
	  "{ 0x01, \"WFx\" }, { 0x24, \"DABT_LOW\" }), REC->vcpu_pc" },
	{ "kvm", "kvm_entry", EV_KVM_ENTRY_ARM64, FIELD("unsigned long vcpu_pc", 8, 8, 0),
	  "\"PC: 0x%016lx\", REC->vcpu_pc" },
	{ "kvm", "kvm_entry", EV_KVM_ENTRY,
	  FIELD("unsigned int vcpu_id", 8, 4, 0) FIELD("unsigned long rip", 16, 8, 0)
		  FIELD("bool immediate_exit", 24, 1, 0),
	  "\"vcpu %u, rip 0x%lx%s\", REC->vcpu_id, REC->rip, "
	  "REC->immediate_exit ? \"[immediate exit]\" : \"\"" },
	{ "sched", "sched_process_exec", EV_SCHED_PROCESS_EXEC,
	  FIELD("__data_loc char[] filename", 8, 4, 0) FIELD("pid_t pid", 12, 4, 1)
		  FIELD("pid_t old_pid", 16, 4, 1),
	  "\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, REC->old_pid" },
	{ "sched", "sched_process_fork", EV_SCHED_PROCESS_FORK,
	  FIELD("char parent_comm[16]", 8, 16, 0) FIELD("pid_t parent_pid", 24, 4, 1)
		  FIELD("char child_comm[16]", 28, 16, 0) FIELD("pid_t child_pid", 44, 4, 1),
	  "\"comm=%s pid=%d child_comm=%s child_pid=%d\", REC->parent_comm, REC->parent_pid, "
	  "REC->child_comm, REC->child_pid" },
	{ "sched", "sched_process_exit", EV_SCHED_PROCESS_EXIT, TASK_FIELDS, TASK_PRINT },
	{ "sched", "sched_process_free", EV_SCHED_PROCESS_FREE, TASK_FIELDS, TASK_PRINT },
	{ "sched", "sched_migrate_task", EV_SCHED_MIGRATE_TASK,
	  TASK_FIELDS FIELD("int orig_cpu", 32, 4, 1) FIELD("int dest_cpu", 36, 4, 1),
	  "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", REC->comm, REC->pid, REC->prio, "
	  "REC->orig_cpu, REC->dest_cpu" },
	{ "sched", "sched_switch", EV_SCHED_SWITCH,
	  FIELD("char prev_comm[16]", 8, 16, 0) FIELD("pid_t prev_pid", 24, 4, 1)
		  FIELD("int prev_prio", 28, 4, 1) FIELD("long prev_state", 32, 8, 1)
			  FIELD("char next_comm[16]", 40, 16, 0) FIELD("pid_t next_pid", 56, 4, 1)
				  FIELD("int next_prio", 60, 4, 1),
	  SWITCH_PRINT },
	{ "sched", "sched_wakeup_new", EV_SCHED_WAKEUP_NEW, WAKEUP_FIELDS, WAKEUP_PRINT },
	{ "sched", "sched_wakeup", EV_SCHED_WAKEUP, WAKEUP_FIELDS, WAKEUP_PRINT },
	{ "sched", "sched_waking", EV_SCHED_WAKING, WAKEUP_FIELDS, WAKEUP_PRINT },
	{ "task", "task_rename", EV_TASK_RENAME,
	  FIELD("pid_t pid", 8, 4, 1) FIELD("char oldcomm[16]", 12, 16, 0)
		  FIELD("char newcomm[16]", 28, 16, 0) FIELD("short oom_score_adj", 44, 2, 1),
	  "\"pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd\", REC->pid, REC->oldcomm, "
	  "REC->newcomm, REC->oom_score_adj" },
	{ "task", "task_newtask", EV_TASK_NEWTASK,
	  FIELD("pid_t pid", 8, 4, 1) FIELD("char comm[16]", 12, 16, 0) FIELD(
		  "unsigned long clone_flags", 32, 8, 0) FIELD("short oom_score_adj", 40, 2, 1),
	  "\"pid=%d comm=%s clone_flags=%lx oom_score_adj=%hd\", REC->pid, REC->comm, "
	  "REC->clone_flags, REC->oom_score_adj" },
};

const struct event_format *event_formats(size_t *ret_n)
{
	*ret_n = sizeof(formats) / sizeof(formats[0]);
	return formats;
}

void event_format_print(FILE *f, const struct event_format *e)
{
	fprintf(f, "name: %s\nID: %d\nformat:\n%s\n%s\nprint fmt: %s\n", e->name, e->id,
		common_fields, e->fields, e->print);
}
