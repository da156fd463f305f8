// SPDX-License-Identifier: GPL-3.0-or-later
/* Format texts: offsets and sizes are literal, so that a slip in the encoders cannot hide. */
#include "tests/lib/formats.h"

#include <string.h>

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

#define S390_FIELDS              \
	FIELD("int id", 8, 4, 1) \
	FIELD("unsigned long pswmask", 16, 8, 0) FIELD("unsigned long pswaddr", 24, 8, 0)

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
	{ "kvm", "kvm_entry", EV_KVM_ENTRY_RISCV, FIELD("unsigned long pc", 8, 8, 0),
	  "\"PC: 0x016%lx\", REC->pc" },
	{ "kvm", "kvm_exit", EV_KVM_EXIT_RISCV,
	  FIELD("unsigned long sepc", 8, 8, 0) FIELD("unsigned long scause", 16, 8, 0)
		  FIELD("unsigned long stval", 24, 8, 0) FIELD("unsigned long htval", 32, 8, 0)
			  FIELD("unsigned long htinst", 40, 8, 0),
	  "\"SEPC:0x%lx, SCAUSE:0x%lx, STVAL:0x%lx, HTVAL:0x%lx, HTINST:0x%lx\", REC->sepc, "
	  "REC->scause, REC->stval, REC->htval, REC->htinst" },
	{ "kvm", "kvm_s390_sie_enter", EV_KVM_ENTRY_S390,
	  S390_FIELDS FIELD("int cpuflags", 32, 4, 1),
	  "\"%02d[%016lx-%016lx]: entering sie flags %x\", REC->id, REC->pswmask, "
	  "REC->pswaddr, REC->cpuflags" },
	{ "kvm", "kvm_s390_sie_exit", EV_KVM_EXIT_S390, S390_FIELDS FIELD("u8 icptcode", 32, 1, 0),
	  "\"%02d[%016lx-%016lx]: exit sie icptcode %d (%s)\", REC->id, REC->pswmask, "
	  "REC->pswaddr, REC->icptcode, __print_symbolic(REC->icptcode, { 0x04, "
	  "\"Instruction\" }, { 0x1c, \"External request\" })" },
	{ "kvm_hv", "kvm_guest_enter", EV_KVM_ENTRY_POWERPC,
	  FIELD("int vcpu_id", 8, 4, 1) FIELD("unsigned long pc", 16, 8, 0)
		  FIELD("unsigned long pending_exceptions", 24, 8, 0) FIELD("u8 ceded", 32, 1, 0),
	  "\"VCPU %d: pc=0x%lx pexcp=0x%lx ceded=%d\", REC->vcpu_id, REC->pc, "
	  "REC->pending_exceptions, REC->ceded" },
	{ "kvm_hv", "kvm_guest_exit", EV_KVM_EXIT_POWERPC,
	  FIELD("int vcpu_id", 8, 4, 1) FIELD("int trap", 12, 4, 1)
		  FIELD("unsigned long pc", 16, 8, 0) FIELD("unsigned long msr", 24, 8, 0),
	  "\"VCPU %d: trap=%s pc=0x%lx msr=0x%lx\", REC->vcpu_id, "
	  "__print_symbolic(REC->trap, { 0x980, \"HV_DECREMENTER\" }, { 0xc00, \"SYSCALL\" }), "
	  "REC->pc, REC->msr" },
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

/* Takes one line "\tfield:DECL;\toffset:N;\tsize:N;\tsigned:N;"; false: it is none. */
static bool take_field(const char *line, struct event_field *ret)
{
	unsigned int is_signed = 0;

	memset(ret, 0, sizeof(*ret));
	if (sscanf(line, "\tfield:%63[^;];\toffset:%u;\tsize:%u;\tsigned:%u;", ret->decl,
		   &ret->offset, &ret->size, &is_signed) != 4)
		return false;
	ret->is_signed = is_signed;
	ret->is_dynamic = strncmp(ret->decl, "__data_loc", 10) == 0;
	return true;
}

/* Places the field behind end, the end of the one before, aligned as its size asks. */
static unsigned int place_field(struct event_field *f, const struct event_words *w,
				unsigned int end)
{
	const bool is_long = strstr(f->decl, "long ") && !strstr(f->decl, "long long");
	const bool is_text = !f->is_dynamic && strchr(f->decl, '[');
	unsigned int align;

	f->to_size = is_long ? w->long_size : f->size;
	f->element = is_text ? 1 : f->to_size;
	/* as on i386 and on 32-bit PowerPC */
	align = f->element == 8 && w->long_size == 4 && !w->big_endian ? 4 : f->element;
	f->to = align > 1 ? (end + align - 1) / align * align : end;
	return f->to + f->to_size;
}

size_t event_format_fields(const struct event_format *e, const struct event_words *w,
			   struct event_field fields[EVENT_FIELDS])
{
	const char *const parts[] = { common_fields, e->fields };
	unsigned int end = 0;
	size_t n = 0;

	for (size_t i = 0; i < 2; i++)
		for (const char *p = parts[i]; p && *p && n < EVENT_FIELDS; p = strchr(p, '\n')) {
			p += *p == '\n';
			if (!take_field(p, &fields[n]))
				break;
			end = place_field(&fields[n++], w, end);
		}
	return n;
}

static void print_fields(FILE *f, const struct event_field *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fprintf(f, "\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", from[i].decl,
			from[i].to, from[i].to_size, from[i].is_signed);
}

void event_format_print(FILE *f, const struct event_format *e, const struct event_words *w)
{
	struct event_field fields[EVENT_FIELDS];
	const size_t n = event_format_fields(e, w, fields), common = 4;

	fprintf(f, "name: %s\nID: %d\nformat:\n", e->name, e->id);
	print_fields(f, fields, common);
	fputc('\n', f);
	print_fields(f, fields + common, n - common);
	fprintf(f, "\nprint fmt: %s\n", e->print);
}
