/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest of microvm.c and the threads that run it: each vCPU increments a word of guest
 * memory and leaves through a port every 2^rounds_log2 rounds. No firmware, devices or
 * interrupts; x86-64 only.
 */
#ifndef SAMPLES_GUEST_H
#define SAMPLES_GUEST_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "fcap/err.h"

#ifndef __x86_64__
#error "the guest code is for x86-64; leave samples/microvm out of the build"
#endif

#define NS_PER_S  UINT64_C(1000000000)
#define VCPUS_MAX 240

/* in the order of preference: without hardware virtualisation only ring 3 runs natively */
enum guest_mode { MODE_USER, MODE_LONG, MODE_PROT, MODES, MODE_AUTO = MODES };

struct vm;

struct vcpu {
	struct vm *vm;
	unsigned int id;
	int fd;
	struct kvm_run *run;
	pthread_t thread;
	_Atomic uint64_t exits; /* through the work port */
	/* valid once the thread was joined */
	uint64_t cpu_ns;
	struct fcap_err err;
};

struct vm {
	int fd;
	enum guest_mode mode;
	unsigned int rounds_log2;
	bool tags_vcpus; /* each thread of vcpu_thread() has a core scheduling cookie of its own */
	uint8_t *mem;
	size_t run_size; /* bytes of a struct kvm_run mapping */
	unsigned int n_vcpus, n_started;
	struct vcpu *vcpus;
	pthread_t main_thread;
	sem_t probed; /* of a VM that is only probed: posted when its thread is done */
	atomic_bool stop;
};

/* This clock, now, in ns. */
uint64_t clock_ns(clockid_t clock);

/* "what: the text of errno", and its negative. */
int fail_errno(struct fcap_err *err, const char *what);

/* No thread of it may run any more. */
void vm_destroy(struct vm *vm);

/* *vm holds mode, rounds_log2, tags_vcpus and n_vcpus, else zeros; vm_destroy() is due after errors
 * too. */
int vm_create(int kvm_fd, struct vm *vm, struct fcap_err *err);

/* A thread for each vCPU, with this body; ends at vm_stop(). */
int vm_start(struct vm *vm, void *(*body)(void *), struct fcap_err *err);

/* Ends and joins the threads; the error of the first vCPU that had one. */
int vm_stop(struct vm *vm, struct fcap_err *err);

/*
 * In a VM and a thread of its own: to a tracer every thread that ever ran a vCPU is a vCPU
 * thread, so the main thread never does.
 */
int probe_mode(int kvm_fd, enum guest_mode mode, unsigned int *ret_log2, struct fcap_err *err);

/*
 * Whether the counter in guest memory is what the exits and the registers say: exits * 2^k
 * and the rounds of the unfinished loop, modulo 2^32. Valid after vm_stop(). 0, -EIO, or the
 * error of KVM.
 */
int vcpu_verify(struct vcpu *v, struct fcap_err *err);

/* The body that runs a guest until it is stopped. */
void *vcpu_thread(void *arg);

/* The handler of the signal that kicks a vCPU: interrupting is all it does. */
void ignore_signal(int sig);

#endif
