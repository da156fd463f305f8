// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples/guest.h"

#include <errno.h>
#include <linux/kvm.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fcap/core_sched.h"

#define WORK_PORT	  0x10
#define PROBE_ROUNDS_LOG2 6
#define PROBE_TIMEOUT_NS  (10 * NS_PER_S)
/* calibration stops at the first k with this long between exits: 2000 a second at most */
#define EXIT_PERIOD_NS 500000

/* guest physical layout: page tables, 256 bytes of code and one page with a counter per vCPU */
#define MEM_SIZE      0x200000U
#define PML4	      0x4000U
#define PDPT	      0x5000U
#define PD	      0x6000U
#define CODE(id)      (0x10000U + 0x100U * (id))
#define COUNTER(id)   (0x20000U + 0x1000U * (id))
#define TSS_ADDR      0xfffbd000UL
#define IDENTITY_ADDR 0xfffbc000ULL

/* the same bytes mean the same in 32-bit and 64-bit mode */
static const uint8_t guest_code[] = {
	0xb9, 0x00,	 0x00, 0x00, 0x00,	       /* start: mov ecx, rounds */
	0xff, 0x04,	 0x25, 0x00, 0x00, 0x00, 0x00, /* loop: inc dword [counter] */
	0xff, 0xc9,				       /* dec ecx */
	0x75, 0xf5,				       /* jnz loop */
	0xe6, WORK_PORT,			       /* out WORK_PORT, al */
	0xeb, 0xec,				       /* jmp start */
};
enum { AT_ROUNDS = 1, AT_LOOP = 5, AT_COUNTER = 8, AT_DEC = 12, AT_OUT = 16 };

uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

int fail_errno(struct fcap_err *err, const char *what)
{
	const int code = errno ? errno : EIO;

	return fcap_fail(err, code, "%s: %s", what, strerror(code));
}

static void set_rounds(struct vcpu *v, unsigned int rounds_log2)
{
	const uint32_t rounds = 1U << rounds_log2;

	v->vm->rounds_log2 = rounds_log2;
	memcpy(v->vm->mem + CODE(v->id) + AT_ROUNDS, &rounds, sizeof(rounds));
}

static void load_code(struct vcpu *v)
{
	const uint32_t counter = COUNTER(v->id);
	uint8_t *code = v->vm->mem + CODE(v->id);

	memcpy(code, guest_code, sizeof(guest_code));
	memcpy(code + AT_COUNTER, &counter, sizeof(counter));
	set_rounds(v, v->vm->rounds_log2);
}

static uint32_t counter_of(const struct vcpu *v)
{
	uint32_t n;

	memcpy(&n, v->vm->mem + COUNTER(v->id), sizeof(n));
	return n;
}

static int set_registers(struct vcpu *v, struct fcap_err *err)
{
	const bool is_user = v->vm->mode == MODE_USER, is_64bit = v->vm->mode != MODE_PROT;
	struct kvm_regs regs = { .rip = CODE(v->id), .rflags = is_user ? 0x3002 : 2 };
	struct kvm_segment seg = { .limit = 0xffffffff, .present = 1, .s = 1, .g = 1 };
	struct kvm_sregs sregs;

	if (ioctl(v->fd, KVM_GET_SREGS, &sregs) < 0)
		return fail_errno(err, "KVM_GET_SREGS");
	seg.dpl = is_user ? 3 : 0;
	seg.type = 11;
	seg.selector = 0x08 | seg.dpl;
	seg.l = is_64bit;
	seg.db = !is_64bit;
	sregs.cs = seg;
	seg.type = 3;
	seg.selector = 0x10 | seg.dpl;
	seg.l = 0;
	seg.db = 1;
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = seg;
	sregs.cr0 |= 1;
	if (is_64bit) {
		sregs.cr3 = PML4;
		sregs.cr4 = 0x20;
		sregs.cr0 = 0x80050033;
		sregs.efer = 0x500;
	}
	if (ioctl(v->fd, KVM_SET_SREGS, &sregs) < 0)
		return fail_errno(err, "KVM_SET_SREGS");
	if (ioctl(v->fd, KVM_SET_REGS, &regs) < 0)
		return fail_errno(err, "KVM_SET_REGS");
	return 0;
}

/* Passes the host's CPUID on: without it KVM refuses long mode. */
static int set_cpuid(int kvm_fd, struct vcpu *v, struct fcap_err *err)
{
	const unsigned int entries = 256;
	struct kvm_cpuid2 *cpuid;
	int r = 0;

	cpuid = calloc(1, sizeof(*cpuid) + entries * sizeof(cpuid->entries[0]));
	if (!cpuid)
		return fcap_fail(err, ENOMEM, "out of memory");
	cpuid->nent = entries;
	if (ioctl(kvm_fd, KVM_GET_SUPPORTED_CPUID, cpuid) < 0)
		r = fail_errno(err, "KVM_GET_SUPPORTED_CPUID");
	else if (ioctl(v->fd, KVM_SET_CPUID2, cpuid) < 0)
		r = fail_errno(err, "KVM_SET_CPUID2");
	free(cpuid);
	return r;
}

static int vcpu_create(int kvm_fd, struct vcpu *v, struct fcap_err *err)
{
	int r;

	v->fd = ioctl(v->vm->fd, KVM_CREATE_VCPU, v->id);
	if (v->fd < 0)
		return fail_errno(err, "KVM_CREATE_VCPU");
	v->run = mmap(NULL, v->vm->run_size, PROT_READ | PROT_WRITE, MAP_SHARED, v->fd, 0);
	if (v->run == MAP_FAILED) {
		v->run = NULL;
		return fail_errno(err, "mmap of a vCPU");
	}
	r = set_cpuid(kvm_fd, v, err);
	if (r < 0)
		return r;
	load_code(v);
	return set_registers(v, err);
}

/* Maps the first 2 MiB to themselves, for every ring. */
static void write_page_tables(uint8_t *mem)
{
	const uint64_t pdpt = PDPT | 7, pd = PD | 7, page = 0x87;

	memcpy(mem + PML4, &pdpt, sizeof(pdpt));
	memcpy(mem + PDPT, &pd, sizeof(pd));
	memcpy(mem + PD, &page, sizeof(page));
}

/* Zeroed memory for the guest; NULL: see errno. */
static uint8_t *map_memory(void)
{
	void *mem = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static int register_memory(struct vm *vm, struct fcap_err *err)
{
	struct kvm_userspace_memory_region region = { .memory_size = MEM_SIZE };
	uint64_t identity = IDENTITY_ADDR;

	region.userspace_addr = (uintptr_t)vm->mem;
	write_page_tables(vm->mem);
	if (ioctl(vm->fd, KVM_SET_TSS_ADDR, TSS_ADDR) < 0)
		return fail_errno(err, "KVM_SET_TSS_ADDR");
	if (ioctl(vm->fd, KVM_SET_IDENTITY_MAP_ADDR, &identity) < 0)
		return fail_errno(err, "KVM_SET_IDENTITY_MAP_ADDR");
	if (ioctl(vm->fd, KVM_SET_USER_MEMORY_REGION, &region) < 0)
		return fail_errno(err, "KVM_SET_USER_MEMORY_REGION");
	return 0;
}

void vm_destroy(struct vm *vm)
{
	for (unsigned int i = 0; vm->vcpus && i < vm->n_vcpus; i++) {
		if (vm->vcpus[i].run)
			munmap(vm->vcpus[i].run, vm->run_size);
		if (vm->vcpus[i].fd >= 0)
			close(vm->vcpus[i].fd);
	}
	free(vm->vcpus);
	if (vm->fd >= 0)
		close(vm->fd);
	if (vm->mem)
		munmap(vm->mem, MEM_SIZE);
}

int vm_create(int kvm_fd, struct vm *vm, struct fcap_err *err)
{
	int r;

	vm->main_thread = pthread_self();
	vm->fd = ioctl(kvm_fd, KVM_CREATE_VM, 0);
	if (vm->fd < 0)
		return fail_errno(err, "KVM_CREATE_VM");
	r = ioctl(kvm_fd, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (r < (int)sizeof(struct kvm_run))
		return fcap_fail(err, EIO, "KVM_GET_VCPU_MMAP_SIZE: unusable answer %d", r);
	vm->run_size = (size_t)r;
	vm->vcpus = calloc(vm->n_vcpus, sizeof(*vm->vcpus));
	vm->mem = map_memory();
	if (!vm->vcpus || !vm->mem)
		return fcap_fail(err, ENOMEM, "no memory for the guest");
	for (unsigned int i = 0; i < vm->n_vcpus; i++) {
		vm->vcpus[i].vm = vm;
		vm->vcpus[i].id = i;
		vm->vcpus[i].fd = -1;
	}
	r = register_memory(vm, err);
	for (unsigned int i = 0; r == 0 && i < vm->n_vcpus; i++)
		r = vcpu_create(kvm_fd, &vm->vcpus[i], err);
	return r;
}

/* 1 after an exit through the work port, 0 after a signal, or negative errno. */
static int vcpu_run(struct vcpu *v)
{
	const struct kvm_run *run = v->run;

	if (ioctl(v->fd, KVM_RUN, 0) < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : fail_errno(&v->err, "KVM_RUN");
	if (run->exit_reason == KVM_EXIT_INTR)
		return 0;
	if (run->exit_reason != KVM_EXIT_IO || run->io.direction != KVM_EXIT_IO_OUT ||
	    run->io.port != WORK_PORT)
		return fcap_fail(&v->err, EIO,
				 "vCPU %u: KVM_RUN ended with exit reason %u, not at the port",
				 v->id, run->exit_reason);
	atomic_fetch_add_explicit(&v->exits, 1, memory_order_relaxed);
	return 1;
}

void ignore_signal(int sig)
{
	(void)sig;
}

static void begin_vcpu_thread(const char *name)
{
	sigset_t kick;

	pthread_setname_np(pthread_self(), name);
	sigemptyset(&kick);
	sigaddset(&kick, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &kick, NULL);
}

static void set_immediate_exit(struct vcpu *v)
{
	__atomic_store_n(&v->run->immediate_exit, 1, __ATOMIC_SEQ_CST);
}

void *vcpu_thread(void *arg)
{
	struct vcpu *v = arg;
	char name[16];
	int r = 0;

	snprintf(name, sizeof(name), "CPU %u/KVM", v->id);
	begin_vcpu_thread(name);
	/* by the thread itself: no guest instruction runs without the cookie */
	if (v->vm->tags_vcpus)
		r = fcap_core_create(0, FCAP_CORE_THREAD);
	if (r < 0)
		fcap_core_refuse(&v->err, r, name);
	while (r >= 0 && !atomic_load(&v->vm->stop))
		r = vcpu_run(v);
	if (r == 1) {
		/* the registers are not behind the out instruction before the next KVM_RUN */
		set_immediate_exit(v);
		r = vcpu_run(v);
	}
	v->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (r < 0)
		pthread_kill(v->vm->main_thread, SIGUSR1);
	return NULL;
}

/* After immediate_exit is set one signal is enough: a KVM_RUN that begins later ends at once. */
static void vm_kick(struct vm *vm)
{
	atomic_store(&vm->stop, true);
	for (unsigned int i = 0; i < vm->n_started; i++) {
		set_immediate_exit(&vm->vcpus[i]);
		pthread_kill(vm->vcpus[i].thread, SIGUSR1);
	}
}

int vm_start(struct vm *vm, void *(*body)(void *), struct fcap_err *err)
{
	int code;

	for (unsigned int i = 0; i < vm->n_vcpus; i++) {
		code = pthread_create(&vm->vcpus[i].thread, NULL, body, &vm->vcpus[i]);
		if (code)
			return fcap_fail(err, code, "thread of vCPU %u: %s", i, strerror(code));
		vm->n_started = i + 1;
	}
	return 0;
}

int vm_stop(struct vm *vm, struct fcap_err *err)
{
	int r = 0;

	vm_kick(vm);
	for (unsigned int i = 0; i < vm->n_started; i++) {
		pthread_join(vm->vcpus[i].thread, NULL);
		if (r == 0 && vm->vcpus[i].err.code)
			r = fcap_fail(err, vm->vcpus[i].err.code, "%s", vm->vcpus[i].err.text);
	}
	return r;
}

/* The shortest of three exits in CPU time, which competing load hardly changes. */
static int time_exit(struct vcpu *v, uint64_t *ret_ns)
{
	uint64_t best_ns = UINT64_MAX;
	int r;

	for (unsigned int n = 0; n < 3;) {
		const uint64_t start_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		uint64_t ns;

		do {
			if (atomic_load(&v->vm->stop))
				return fcap_fail(&v->err, ETIMEDOUT, "guest never left KVM_RUN");
			r = vcpu_run(v);
		} while (r == 0);
		if (r < 0)
			return r;
		ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - start_ns;
		best_ns = ns < best_ns ? ns : best_ns;
		n++;
	}
	*ret_ns = best_ns;
	return 0;
}

/* Tries the mode on vCPU 0 and leaves a fitting rounds_log2 in the VM. */
static void *probe_thread(void *arg)
{
	struct vcpu *v = arg;
	uint64_t ns = 0;
	int r;

	begin_vcpu_thread("probe");
	r = time_exit(v, &ns);
	if (r == 0 && counter_of(v) != atomic_load(&v->exits) << PROBE_ROUNDS_LOG2)
		r = fcap_fail(&v->err, EIO, "guest counted to %u, not as its code says",
			      counter_of(v));
	while (r == 0 && ns < EXIT_PERIOD_NS && v->vm->rounds_log2 < 31) {
		set_rounds(v, v->vm->rounds_log2 + 1);
		r = time_exit(v, &ns);
	}
	sem_post(&v->vm->probed);
	return NULL;
}

int probe_mode(int kvm_fd, enum guest_mode mode, unsigned int *ret_log2, struct fcap_err *err)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + PROBE_TIMEOUT_NS;
	const struct timespec end = { (time_t)(end_ns / NS_PER_S), (long)(end_ns % NS_PER_S) };
	struct vm vm = { .fd = -1, .mode = mode, .n_vcpus = 1 };
	int r;

	vm.rounds_log2 = PROBE_ROUNDS_LOG2;
	if (sem_init(&vm.probed, 0, 0) < 0)
		return fail_errno(err, "semaphore");
	r = vm_create(kvm_fd, &vm, err);
	if (r == 0)
		r = vm_start(&vm, probe_thread, err);
	if (r == 0) {
		while (sem_clockwait(&vm.probed, CLOCK_MONOTONIC, &end) < 0 && errno == EINTR)
			;
		r = vm_stop(&vm, err);
	}
	*ret_log2 = vm.rounds_log2;
	vm_destroy(&vm);
	sem_destroy(&vm.probed);
	return r;
}

int vcpu_verify(struct vcpu *v, struct fcap_err *err)
{
	const uint32_t rounds = 1U << v->vm->rounds_log2;
	uint32_t expected = (uint32_t)(atomic_load(&v->exits) << v->vm->rounds_log2);
	struct kvm_regs regs;
	uint64_t at;

	if (ioctl(v->fd, KVM_GET_REGS, &regs) < 0)
		return fail_errno(err, "KVM_GET_REGS");
	at = regs.rip - CODE(v->id);
	if (at >= AT_LOOP && at <= AT_OUT)
		expected += rounds - (uint32_t)regs.rcx + (at == AT_DEC);
	if (counter_of(v) != expected)
		return fcap_fail(err, EIO, "vCPU %u: counter in guest memory is %u, not %u", v->id,
				 counter_of(v), expected);
	return 0;
}
