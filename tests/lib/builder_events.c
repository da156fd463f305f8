// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The builder's events: C structs whose x86_64 layout is the one that formats.c tells. Holes in it
 * are fields too, so that the same calls give the same bytes.
 */
#include "tests/lib/builder_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/formats.h"

#define PRIO_OF_NICE_0 120
#define TEXT_MAX       8192

struct common {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
};

static struct common common(enum event_id id, int pid)
{
	return (struct common){ .type = (uint16_t)id, .pid = pid };
}

static void put(struct tb *tb, struct tb_at at, const void *data, size_t size)
{
	tb_raw(tb, at.cpu, at.ts_ns, data, size);
}

/* The task's comm to dst, cut to 15 bytes as the kernel does; remembers it for cmdlines. */
static void put_comm(struct tb *tb, char dst[16], struct tb_task task, int cpu)
{
	memset(dst, 0, 16);
	if (task.comm)
		memcpy(dst, task.comm, strnlen(task.comm, 15));
	else if (task.tid == 0)
		snprintf(dst, 16, "swapper/%u", (unsigned int)cpu % 8192);
	else
		snprintf(dst, 16, "task-%d", task.tid);
	if (task.tid > 0 && task.tid < TB_COMMS)
		memcpy(tb->comms[task.tid], dst, 16);
}

static int prio_of(struct tb_task task)
{
	return task.prio ? task.prio : PRIO_OF_NICE_0;
}

void tb_switch(struct tb *tb, struct tb_at at, struct tb_task prev, long prev_state,
	       struct tb_task next)
{
	struct {
		struct common common;
		char prev_comm[16];
		int32_t prev_pid, prev_prio;
		int64_t prev_state;
		char next_comm[16];
		int32_t next_pid, next_prio;
	} e = { common(EV_SCHED_SWITCH, prev.tid),
		"",
		prev.tid,
		prio_of(prev),
		prev_state,
		"",
		next.tid,
		prio_of(next) };

	put_comm(tb, e.prev_comm, prev, at.cpu);
	put_comm(tb, e.next_comm, next, at.cpu);
	put(tb, at, &e, sizeof(e));
}

/* sched_process_exit and _free have the first fields of this, sched_wakeup* all but the last */
struct task_event {
	struct common common;
	char comm[16];
	int32_t pid, prio, cpu, dest_cpu;
};

static struct task_event task_event(struct tb *tb, struct tb_at at, enum event_id id,
				    struct tb_task task)
{
	struct task_event e = { .common = common(id, at.cur) };

	e.pid = task.tid;
	e.prio = prio_of(task);
	put_comm(tb, e.comm, task, at.cpu);
	return e;
}

static void put_wakeup(struct tb *tb, struct tb_at at, struct task_event e, int target_cpu)
{
	e.cpu = target_cpu;
	put(tb, at, &e, offsetof(struct task_event, dest_cpu));
}

void tb_wakeup(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu)
{
	put_wakeup(tb, at, task_event(tb, at, EV_SCHED_WAKEUP, task), target_cpu);
}

void tb_wakeup_new(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu)
{
	put_wakeup(tb, at, task_event(tb, at, EV_SCHED_WAKEUP_NEW, task), target_cpu);
}

void tb_waking(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu)
{
	put_wakeup(tb, at, task_event(tb, at, EV_SCHED_WAKING, task), target_cpu);
}

void tb_migrate(struct tb *tb, struct tb_at at, struct tb_task task, int orig_cpu, int dest_cpu)
{
	struct task_event e = task_event(tb, at, EV_SCHED_MIGRATE_TASK, task);

	e.cpu = orig_cpu;
	e.dest_cpu = dest_cpu;
	put(tb, at, &e, sizeof(e));
}

void tb_exit(struct tb *tb, struct tb_at at, struct tb_task task)
{
	struct task_event e;

	at.cur = task.tid;
	e = task_event(tb, at, EV_SCHED_PROCESS_EXIT, task);
	put(tb, at, &e, offsetof(struct task_event, cpu));
}

void tb_free_task(struct tb *tb, struct tb_at at, struct tb_task task)
{
	const struct task_event e = task_event(tb, at, EV_SCHED_PROCESS_FREE, task);

	put(tb, at, &e, offsetof(struct task_event, cpu));
}

void tb_fork(struct tb *tb, struct tb_at at, struct tb_task parent, struct tb_task child)
{
	struct {
		struct common common;
		char parent_comm[16];
		int32_t parent_pid;
		char child_comm[16];
		int32_t child_pid;
	} e = { common(EV_SCHED_PROCESS_FORK, parent.tid), "", parent.tid, "", child.tid };

	put_comm(tb, e.parent_comm, parent, at.cpu);
	put_comm(tb, e.child_comm, child, at.cpu);
	put(tb, at, &e, sizeof(e));
}

void tb_newtask(struct tb *tb, struct tb_at at, struct tb_task task, uint64_t clone_flags)
{
	struct {
		struct common common;
		int32_t pid;
		char comm[16];
		uint32_t hole;
		uint64_t clone_flags;
		int16_t oom_score_adj;
		int16_t padding;
	} e = { common(EV_TASK_NEWTASK, at.cur), task.tid, "", 0, clone_flags, 0, 0 };

	put_comm(tb, e.comm, task, at.cpu);
	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

void tb_rename(struct tb *tb, struct tb_at at, struct tb_task task, const char *new_comm)
{
	struct {
		struct common common;
		int32_t pid;
		char oldcomm[16], newcomm[16];
		int16_t oom_score_adj;
		int16_t padding;
	} e = { common(EV_TASK_RENAME, at.cur), task.tid, "", "", 0, 0 };

	put_comm(tb, e.oldcomm, task, at.cpu);
	task.comm = new_comm;
	put_comm(tb, e.newcomm, task, at.cpu);
	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

/* Appends text with its NUL to the record that ends at *size; returns its __data_loc word. */
static uint32_t put_text(unsigned char *record, size_t *size, const char *text)
{
	const size_t at = *size, len = strlen(text) + 1;

	tb_must(at + len <= TEXT_MAX, "text too long");
	memcpy(record + at, text, len);
	*size += len;
	return (uint32_t)(at | len << 16);
}

void tb_exec(struct tb *tb, struct tb_at at, struct tb_task task, const char *filename)
{
	struct {
		struct common common;
		uint32_t filename;
		int32_t pid, old_pid;
	} e = { common(EV_SCHED_PROCESS_EXEC, task.tid), 0, task.tid, task.tid };
	unsigned char record[TEXT_MAX];
	size_t size = sizeof(e);

	e.filename = put_text(record, &size, filename);
	memcpy(record, &e, sizeof(e));
	put(tb, at, record, size);
}

void tb_cgroup_attach(struct tb *tb, struct tb_at at, struct tb_task task, const char *path)
{
	struct {
		struct common common;
		int32_t dst_root, dst_level;
		uint64_t dst_id;
		int32_t pid;
		uint32_t dst_path, comm;
	} e = { common(EV_CGROUP_ATTACH_TASK, at.cur), 1, 0, 1, task.tid, 0, 0 };
	unsigned char record[TEXT_MAX];
	size_t size = offsetof(__typeof__(e), comm) + sizeof(e.comm);
	const size_t fixed = size;
	char comm[16];

	for (const char *p = path; *p; p++)
		e.dst_level += *p == '/' && p[1];
	put_comm(tb, comm, task, at.cpu);
	e.dst_path = put_text(record, &size, path);
	e.comm = put_text(record, &size, comm);
	memcpy(record, &e, fixed);
	put(tb, at, record, size);
}

void tb_kvm_entry(struct tb *tb, struct tb_at at, unsigned int vcpu)
{
	struct {
		struct common common;
		uint32_t vcpu_id, hole;
		uint64_t rip;
		uint8_t immediate_exit;
		uint8_t padding[3];
	} e = { common(EV_KVM_ENTRY, at.cur), vcpu, 0, 0xffffffff81000000, 0, { 0 } };

	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

/* isa 1 is VMX, 2 is SVM, with other reasons */
static void put_exit(struct tb *tb, struct tb_at at, unsigned int vcpu, unsigned int reason,
		     uint32_t isa)
{
	struct {
		struct common common;
		uint32_t exit_reason, hole;
		uint64_t guest_rip;
		uint32_t isa, another;
		uint64_t info1, info2;
		uint32_t intr_info, error_code, vcpu_id;
		uint32_t padding;
	} e = { .common = common(EV_KVM_EXIT, at.cur) };

	e.exit_reason = reason;
	e.guest_rip = 0xffffffff81000000;
	e.isa = isa;
	e.vcpu_id = vcpu;
	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

void tb_kvm_exit(struct tb *tb, struct tb_at at, unsigned int vcpu, unsigned int reason)
{
	put_exit(tb, at, vcpu, reason, 1);
}

void tb_kvm_exit_svm(struct tb *tb, struct tb_at at, unsigned int vcpu, unsigned int reason)
{
	put_exit(tb, at, vcpu, reason, 2);
}

void tb_arm64_entry(struct tb *tb, struct tb_at at)
{
	struct {
		struct common common;
		uint64_t vcpu_pc;
	} e = { common(EV_KVM_ENTRY_ARM64, at.cur), 0xffff800080000000 };

	put(tb, at, &e, sizeof(e));
}

void tb_arm64_exit(struct tb *tb, struct tb_at at, int ret, unsigned int esr_ec)
{
	struct {
		struct common common;
		int32_t ret;
		uint32_t esr_ec;
		uint64_t vcpu_pc;
	} e = { common(EV_KVM_EXIT_ARM64, at.cur), ret, esr_ec, 0xffff800080000000 };

	put(tb, at, &e, sizeof(e));
}

void tb_riscv_entry(struct tb *tb, struct tb_at at)
{
	struct {
		struct common common;
		uint64_t pc;
	} e = { common(EV_KVM_ENTRY_RISCV, at.cur), 0xffffffff80000000 };

	put(tb, at, &e, sizeof(e));
}

void tb_riscv_exit(struct tb *tb, struct tb_at at, uint64_t scause)
{
	struct {
		struct common common;
		uint64_t sepc, scause, stval, htval, htinst;
	} e = { common(EV_KVM_EXIT_RISCV, at.cur), 0xffffffff80000000, scause, 1, 2, 3 };

	put(tb, at, &e, sizeof(e));
}

void tb_s390_entry(struct tb *tb, struct tb_at at, int vcpu)
{
	struct {
		struct common common;
		int32_t id, hole;
		uint64_t pswmask, pswaddr;
		int32_t cpuflags;
		int32_t padding;
	} e = { common(EV_KVM_ENTRY_S390, at.cur), vcpu, 0, 1, 2, 3, 0 };

	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

void tb_s390_exit(struct tb *tb, struct tb_at at, int vcpu, unsigned int icptcode)
{
	struct {
		struct common common;
		int32_t id, hole;
		uint64_t pswmask, pswaddr;
		uint8_t icptcode;
		uint8_t padding[7];
	} e = { common(EV_KVM_EXIT_S390, at.cur), vcpu, 0, 1, 2, (uint8_t)icptcode, { 0 } };

	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

void tb_powerpc_entry(struct tb *tb, struct tb_at at, int vcpu)
{
	struct {
		struct common common;
		int32_t vcpu_id, hole;
		uint64_t pc, pending_exceptions;
		uint8_t ceded;
		uint8_t padding[7];
	} e = { common(EV_KVM_ENTRY_POWERPC, at.cur), vcpu, 0, 1, 2, 0, { 0 } };

	put(tb, at, &e, offsetof(__typeof__(e), padding));
}

void tb_powerpc_exit(struct tb *tb, struct tb_at at, int vcpu, unsigned int trap)
{
	struct {
		struct common common;
		int32_t vcpu_id, trap;
		uint64_t pc, msr;
	} e = { common(EV_KVM_EXIT_POWERPC, at.cur), vcpu, (int32_t)trap, 1, 2 };

	put(tb, at, &e, sizeof(e));
}

void tb_kvm_userspace_exit(struct tb *tb, struct tb_at at, unsigned int reason)
{
	struct {
		struct common common;
		uint32_t reason;
		int32_t error;
	} e = { common(EV_KVM_USERSPACE_EXIT, at.cur), reason, 0 };

	put(tb, at, &e, sizeof(e));
}

void tb_kvm_vcpu_wakeup(struct tb *tb, struct tb_at at, uint64_t ns, bool waited)
{
	struct {
		struct common common;
		uint64_t ns;
		uint8_t waited, valid;
	} e = { common(EV_KVM_VCPU_WAKEUP, at.cur), ns, waited, 1 };

	put(tb, at, &e, offsetof(__typeof__(e), valid) + 1);
}

void tb_kvm_fpu(struct tb *tb, struct tb_at at, unsigned int load)
{
	struct {
		struct common common;
		uint32_t load;
	} e = { common(EV_KVM_FPU, at.cur), load };

	put(tb, at, &e, sizeof(e));
}

struct print_event {
	struct common common;
	uint64_t ip;
	char buf[TEXT_MAX];
};

/* Fills e with the line and its newline; returns the size of the record. */
__attribute__((format(printf, 3, 0))) static size_t print_event(struct print_event *e, int cur,
								const char *fmt, va_list ap)
{
	int n;

	e->common = common(EV_PRINT, cur);
	e->ip = 0;
	n = vsnprintf(e->buf, sizeof(e->buf) - 1, fmt, ap);
	tb_must(n > 0 && (size_t)n < sizeof(e->buf) - 1, "empty or overlong line");
	if (e->buf[n - 1] != '\n') {
		e->buf[n++] = '\n';
		e->buf[n] = '\0';
	}
	return offsetof(struct print_event, buf) + (size_t)n + 1;
}

void tb_print(struct tb *tb, struct tb_at at, const char *fmt, ...)
{
	struct print_event e;
	size_t size;
	va_list ap;

	va_start(ap, fmt);
	size = print_event(&e, at.cur, fmt, ap);
	va_end(ap);
	put(tb, at, &e, size);
}

void tb_marker(struct tb *tb, uint64_t ts_ns, const char *fmt, ...)
{
	struct print_event e;
	size_t size;
	va_list ap;

	va_start(ap, fmt);
	size = print_event(&e, 1, fmt, ap);
	va_end(ap);
	tb_append(tb, &tb->marks[0], ts_ns, &e, size);
}
