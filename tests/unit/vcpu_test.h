/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of vCPU time and exits: traces in us, and the law of every one of them. */
#ifndef TESTS_UNIT_VCPU_TEST_H
#define TESTS_UNIT_VCPU_TEST_H

#include "tests/unit/modelled.h"

#define US 1000ULL

static const struct tb_task v0 = { 101, "CPU 0/KVM", 0 }, v1 = { 102, "CPU 1/KVM", 0 };

static inline struct tb_at on(int cpu, uint64_t us)
{
	return tb_at(cpu, MODELLED_BASE + us * US);
}

static inline struct tb_at by(int cpu, uint64_t us, struct tb_task cur)
{
	return tb_by(cpu, MODELLED_BASE + us * US, cur.tid);
}

static inline const struct fan_thread *thread_of(const struct fan_model *m, struct tb_task task)
{
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	return fan_threads_at(m->threads, (size_t)i);
}

static inline struct fan_vcpu_time time_of(const struct fan_model *m, struct tb_task task)
{
	return fan_vcpu_time(fan_machine_kvm(m->machine), thread_of(m, task));
}

static inline unsigned int tells(const struct fan_model *m)
{
	return fan_kvm_tells(fan_machine_kvm(m->machine));
}

/* The parts of run time add up to it, so do all parts to life; halts are sleep. */
static inline void assert_closed(const struct fan_model *m)
{
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		const struct fan_thread *th = fan_threads_at(m->threads, i);
		const struct fan_vcpu_time t = fan_vcpu_time(fan_machine_kvm(m->machine), th);
		uint64_t modes = 0;

		for (size_t k = 0; th->vcpu && k < FAN_MODES; k++)
			modes += th->vcpu->ns[k];
		if (th->vcpu)
			assert_int_equal(modes, th->run_ns);
		if (tells(m) & FAN_TELLS_RUN)
			assert_int_equal(t.guest + t.kernel + t.poll + t.vmm + t.kvm_run +
						 t.unsplit,
					 th->run_ns);
		assert_true(t.unsplit <= th->run_ns);
		assert_true(t.halted <= th->blocked_ns);
	}
}

/* Models the trace and holds the law against it. */
static inline struct fan_model *closed_model_of(struct tb *tb)
{
	struct fan_model *m = model_of(tb);

	assert_closed(m);
	return m;
}

/* In us, in the order of struct fan_vcpu_time. */
static inline void assert_time(const struct fan_model *m, struct tb_task task,
			       struct fan_vcpu_time us)
{
	const struct fan_vcpu_time t = time_of(m, task);

	assert_int_equal(t.guest, us.guest * US);
	assert_int_equal(t.kernel, us.kernel * US);
	assert_int_equal(t.poll, us.poll * US);
	assert_int_equal(t.vmm, us.vmm * US);
	assert_int_equal(t.kvm_run, us.kvm_run * US);
	assert_int_equal(t.unsplit, us.unsplit * US);
	assert_int_equal(t.halted, us.halted * US);
}

#endif
