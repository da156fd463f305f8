/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One decoded event: plain values in host byte order, for the model. */
#ifndef FAN_TRACE_EVENT_H
#define FAN_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* In an order that is asked about: the first four begin alike, and those up to VCPU are followed.
 */
enum fan_event_kind {
	FAN_EV_SWITCH,
	FAN_EV_WAKEUP,
	FAN_EV_WAKEUP_NEW,
	FAN_EV_WAKING, /* a wake-up is asked for; its target_cpu is where the thread last ran */
	FAN_EV_MIGRATE,
	FAN_EV_FORK,
	FAN_EV_EXIT,
	FAN_EV_FREE,
	FAN_EV_EXEC,
	FAN_EV_NEWTASK,
	FAN_EV_RENAME,
	FAN_EV_VCPU,   /* any event that only a vCPU thread makes */
	FAN_EV_ATTACH, /* a thread is moved to another cgroup */
	FAN_EV_MARKER,
	FAN_EV_KINDS
};

#define FAN_PRIO_UNTOLD INT32_MIN

/* What a FAN_EV_VCPU event tells besides that its thread is a vCPU. */
enum fan_vcpu_what {
	FAN_VCPU_OTHER,
	FAN_VCPU_ENTRY, /* into the guest */
	FAN_VCPU_EXIT,	/* out of the guest */
	FAN_VCPU_USER,	/* KVM_RUN returns to the VMM */
	FAN_VCPU_WOKEN, /* the end of a halt that took ns, polling included */
	FAN_VCPU_LOAD,	/* kvm_fpu: KVM_RUN has begun; and: it ends */
	FAN_VCPU_UNLOAD,
	FAN_VCPU_WHATS
};

/* Whose numbers the reasons of exits are. */
enum fan_isa {
	FAN_ISA_NONE,
	FAN_ISA_VMX,
	FAN_ISA_SVM,
	FAN_ISA_ARM64, /* the exception class of a trap; 0x100 + return code of anything else */
	FAN_ISA_RISCV, /* scause, with bit 31 for interrupts */
	FAN_ISA_S390,  /* icptcode */
	FAN_ISA_POWERPC,
	FAN_ISA_LOONGARCH,
};

/* Text inside a record, valid as long as the record: n bytes, without a NUL behind them. */
struct fan_text {
	const char *p;
	uint32_t n;
};

/*
 * A thread's name as the record has it: it ends at the first NUL, if there is one, and what is
 * behind that means nothing. Of a longer one, which no kernel has, the first letters.
 */
struct fan_comm {
	char c[16];
};

struct fan_event {
	uint64_t ts_ns;
	int64_t missed; /* events lost on this CPU right before: 0 none, -1 unknown number */
	int32_t cpu;
	uint32_t buffer; /* 0 is the main buffer */
	int32_t cur_tid; /* the thread this CPU was running (common_pid), 0 is idle */
	enum fan_event_kind kind;
	union {
		/* begins like wakeup: decode.c */
		struct {
			int32_t prev_tid, next_tid;
			struct fan_comm prev_comm, next_comm;
			/* 100..139 is nice -20..19, below real-time, -1 deadline */
			int32_t prev_prio, next_prio; /* FAN_PRIO_UNTOLD */
			bool prev_runnable; /* preempted or yielded, by the file's own flags */
		} sw;
		struct {
			int32_t tid, target_cpu;
			struct fan_comm comm;
		} wakeup; /* WAKEUP, WAKEUP_NEW, WAKING */
		struct {
			int32_t tid, dest_cpu;
		} migrate;
		struct {
			int32_t parent, child;
			struct fan_comm comm;
		} fork;
		struct {
			int32_t tid;
		} exit; /* EXIT, FREE, EXEC */
		struct {
			int32_t tid;
			uint64_t clone_flags;
			struct fan_comm comm;
		} newtask;
		struct {
			int32_t tid;
			struct fan_comm comm;
		} rename;
		struct {
			int32_t tid, hierarchy;
			struct fan_text path;
		} attach;
		struct {
			int32_t id; /* -1: the event does not tell */
			enum fan_vcpu_what what;
			enum fan_isa isa; /* EXIT */
			uint32_t reason;  /* EXIT */
			uint64_t ns;	  /* WOKEN */
			bool has_blocked; /* WOKEN: it slept; else polling was enough */
		} vcpu;
		struct fan_text marker;
	};
};

#endif
