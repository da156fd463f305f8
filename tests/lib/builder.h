/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes trace.dat files from hand-written events, so that a test knows every number to the
 * nanosecond. A second implementation of the format: shares nothing with capture/ or analyze/.
 * A mistake of the caller (time going back on a CPU, no such CPU)
 * and lack of memory abort the test with a message.
 *
 *	const struct tb_task vm1 = { 101, "CPU 0/KVM" };
 *	struct tb *tb = tb_new(2, 6, TB_PLAIN);
 *
 *	tb_switch(tb, tb_at(0, 1000), tb_idle, TB_R, vm1);
 *	tb_kvm_entry(tb, tb_by(0, 1500, vm1.tid), 0);
 *	tb_marker(tb, 900, "fcap: vcpu tid=%d tgid=100 id=0", vm1.tid);
 *	r = tb_write(tb, path);
 *	tb_free(tb);
 */
#ifndef TESTS_LIB_BUILDER_H
#define TESTS_LIB_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tb;

/* Version 7 only; the files of version 6 are always plain. */
enum tb_compression { TB_PLAIN, TB_ZSTD, TB_ZLIB };

/* x86_64; i386 and ARM; s390x and ppc64; 32-bit PowerPC */
enum tb_machine { TB_LE64, TB_LE32, TB_BE64, TB_BE32, TB_MACHINES };

enum tb_kvm { TB_KVM_X86, TB_KVM_ARM64, TB_KVM_RISCV, TB_KVM_S390, TB_KVM_POWERPC };

/* prev_state of sched_switch, as kernel 6.12 counts */
enum { TB_R = 0, TB_S = 1, TB_D = 2, TB_DEAD = 0x10, TB_ZOMBIE = 0x20, TB_PREEMPTED = 0x100 };

/* comm NULL: "swapper/CPU" for tid 0, else "task-TID"; prio 0: 120, the one of nice 0 */
struct tb_task {
	int tid;
	const char *comm;
	int prio;
};

__attribute__((unused)) static const struct tb_task tb_idle;

/* Where, when, and on whose time (common_pid) an event happens. */
struct tb_at {
	int cpu;
	uint64_t ts_ns;
	int cur;
};

static inline struct tb_at tb_by(int cpu, uint64_t ts_ns, int cur)
{
	return (struct tb_at){ cpu, ts_ns, cur };
}

/* On idle's time; for events that name their own common_pid. */
static inline struct tb_at tb_at(int cpu, uint64_t ts_ns)
{
	return tb_by(cpu, ts_ns, 0);
}

/* CPUs 0..ncpu-1; version 6 or 7. Free with tb_free. */
struct tb *tb_new(int ncpu, int version, enum tb_compression c);
void tb_free(struct tb *tb);

/* Writes the file; can be called again, also after more events. 0 or negative errno. */
int tb_write(struct tb *tb, const char *path);

/* --- what the file says besides events; strings are copied --- */
void tb_set_clock(struct tb *tb, const char *clock);	/* "mono"; NULL: no TRACECLOCK option */
void tb_set_kernel(struct tb *tb, const char *uname);	/* the UNAME option; NULL: none */
void tb_set_cpu_count(struct tb *tb, int n);		/* of the CPUCOUNT option; 0: none */
void tb_set_cmdlines(struct tb *tb, const char *lines); /* "TID COMM\n"...; else the names seen */
void tb_set_page_size(struct tb *tb, uint32_t bytes);	/* 4096; before the first event */
void tb_set_events_per_page(struct tb *tb, unsigned int n); /* 0: as many as fit */
void tb_set_pages_per_chunk(struct tb *tb, unsigned int n); /* 10; of compressed data */
/* Leaves the format of an event out of the file; its records, if any, stay in. */
void tb_without_event(struct tb *tb, const char *name);
/*
 * Byte order and bytes of a long of the machine that recorded; before the first event. Options that
 * are given with tb_option() stay as they are.
 */
void tb_set_machine(struct tb *tb, enum tb_machine m);
/* Whose kvm events the file has; of the others it has no formats. */
void tb_set_kvm(struct tb *tb, enum tb_kvm kvm);
/* Version 6 without an option, as trace-cmd listen writes it; so it has no second buffer. */
void tb_without_options(struct tb *tb);
void tb_option(struct tb *tb, uint16_t id, const void *data, uint32_t len);
/* The CPUSTAT option of a CPU, as per_cpu/cpuN/stats has it. */
void tb_cpustat(struct tb *tb, int cpu, uint64_t overrun, uint64_t dropped);

/* --- what happens to the pages of one CPU of the main buffer --- */
/* The next record begins a page that is marked: count events lost before it; -1: not counted. */
void tb_missed(struct tb *tb, int cpu, int64_t count);
/* The next record follows an absolute time stamp (59 bits) instead of a delta. */
void tb_absolute(struct tb *tb, int cpu);
/*
 * A discarded record of len payload bytes (4..112): takes part in time, is not an event.
 * Later than the record before it.
 */
void tb_discarded(struct tb *tb, struct tb_at at, size_t len);

/* --- events of the main buffer; those of one CPU in time order --- */
void tb_switch(struct tb *tb, struct tb_at at, struct tb_task prev, long prev_state,
	       struct tb_task next); /* common_pid: prev */
void tb_wakeup(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu);
void tb_wakeup_new(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu);
void tb_waking(struct tb *tb, struct tb_at at, struct tb_task task, int target_cpu);
void tb_migrate(struct tb *tb, struct tb_at at, struct tb_task task, int orig_cpu, int dest_cpu);
void tb_fork(struct tb *tb, struct tb_at at, struct tb_task parent,
	     struct tb_task child); /* common_pid: parent */
void tb_exec(struct tb *tb, struct tb_at at, struct tb_task task,
	     const char *filename);				   /* common_pid: task */
void tb_exit(struct tb *tb, struct tb_at at, struct tb_task task); /* common_pid: task */
void tb_free_task(struct tb *tb, struct tb_at at, struct tb_task task);
void tb_newtask(struct tb *tb, struct tb_at at, struct tb_task task, uint64_t clone_flags);
void tb_rename(struct tb *tb, struct tb_at at, struct tb_task task, const char *new_comm);
void tb_cgroup_attach(struct tb *tb, struct tb_at at, struct tb_task task, const char *path);
/* kvm events: at.cur is the vCPU's thread */
void tb_kvm_entry(struct tb *tb, struct tb_at at, unsigned int vcpu);
void tb_kvm_exit(struct tb *tb, struct tb_at at, unsigned int vcpu, unsigned int reason);
void tb_kvm_exit_svm(struct tb *tb, struct tb_at at, unsigned int vcpu, unsigned int reason);
/* Of another kvm than that of x86, which has vcpu_id: see tb_set_kvm(). */
void tb_riscv_entry(struct tb *tb, struct tb_at at);
void tb_riscv_exit(struct tb *tb, struct tb_at at, uint64_t scause);
void tb_s390_entry(struct tb *tb, struct tb_at at, int vcpu);
void tb_s390_exit(struct tb *tb, struct tb_at at, int vcpu, unsigned int icptcode);
void tb_powerpc_entry(struct tb *tb, struct tb_at at, int vcpu);
void tb_powerpc_exit(struct tb *tb, struct tb_at at, int vcpu, unsigned int trap);
void tb_arm64_entry(struct tb *tb, struct tb_at at);
void tb_arm64_exit(struct tb *tb, struct tb_at at, int ret, unsigned int esr_ec);
void tb_kvm_userspace_exit(struct tb *tb, struct tb_at at, unsigned int reason);
void tb_kvm_vcpu_wakeup(struct tb *tb, struct tb_at at, uint64_t ns, bool waited);
void tb_kvm_fpu(struct tb *tb, struct tb_at at, unsigned int load);
/* What a write to trace_marker leaves: a line that ends with a newline, added if missing. */
void tb_print(struct tb *tb, struct tb_at at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Any record, laid out as on x86_64: data begins with the common fields. */
void tb_raw(struct tb *tb, int cpu, uint64_t ts_ns, const void *data, size_t len);

/* --- the second buffer "fcap"; written if it has lines --- */
/* A print record on CPU 0 of that buffer; lines in time order. */
void tb_marker(struct tb *tb, uint64_t ts_ns, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
