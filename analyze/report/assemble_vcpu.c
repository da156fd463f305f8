// SPDX-License-Identifier: GPL-3.0-or-later
/* What the vCPU threads did with their time, into the result tree. */
#include "analyze/report/assemble_vcpu.h"

#include <errno.h>
#include <inttypes.h>

/* Adds to a sum that did not exist before its first part. */
static void add(int64_t *sum, int64_t part)
{
	if (part != FAN_NONE)
		*sum = *sum == FAN_NONE ? part : *sum + part;
}

static int64_t told(unsigned int tells, unsigned int what, uint64_t ns)
{
	return tells & what ? (int64_t)ns : FAN_NONE;
}

static void add_split(struct fan_r_group *g, const struct fan_r_thread *t)
{
	add(&g->guest_ns, t->guest_ns);
	add(&g->host_ns, t->host_ns);
	add(&g->poll_ns, t->poll_ns);
	add(&g->vmm_ns, t->vmm_ns);
	add(&g->in_kvm_run_ns, t->in_kvm_run_ns);
	add(&g->halted_ns, t->halted_ns);
	add(&g->unsplit_run_ns, t->unsplit_run_ns);
}

void fan_assemble_vcpu_thread(struct fan_r_thread *t, struct fan_r_group *g,
			      const struct fan_assembly *a, size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);
	const struct fan_kvm *kvm = fan_machine_kvm(a->m->machine);
	const unsigned int tells = th->is_vcpu ? fan_kvm_tells(kvm) : 0;
	const struct fan_vcpu_time time = fan_vcpu_time(kvm, th);

	t->guest_ns = told(tells, FAN_TELLS_GUEST, time.guest);
	t->host_ns = told(tells, FAN_TELLS_KERNEL, time.kernel);
	t->poll_ns = told(tells, FAN_TELLS_POLL, time.poll);
	t->vmm_ns = told(tells, FAN_TELLS_VMM, time.vmm);
	t->in_kvm_run_ns = told(tells, FAN_TELLS_KVM_RUN, time.kvm_run);
	t->unsplit_run_ns = told(tells, FAN_TELLS_RUN, time.unsplit);
	if (tells & FAN_TELLS_RUN)
		t->unsplit_ns += (int64_t)time.unsplit;
	t->halted_ns = told(tells, FAN_TELLS_HALTED, time.halted);
	if (tells & FAN_TELLS_HALTED)
		t->blocked_ns -= t->halted_ns;
	add_split(g, t);
}

void fan_assemble_waits(struct fan_r_quantiles *ret, const struct fan_hist *waits)
{
	if (waits->n == 0)
		return;
	ret->p50_ns = (int64_t)fan_hist_quantile(waits, 500);
	ret->p95_ns = (int64_t)fan_hist_quantile(waits, 950);
	ret->p99_ns = (int64_t)fan_hist_quantile(waits, 990);
	ret->max_ns = (int64_t)waits->max;
}

struct fan_r_thread *fan_assemble_thread(struct fan_r_group *g, const struct fan_assembly *a,
					 size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);
	const struct fan_task_fact *task = fan_facts_task(a->m->facts, thread);
	struct fan_r_thread *t = fan_array_add(&g->threads, &fan_thread_table);

	if (!t)
		return NULL;
	t->tid = th->tid;
	t->vcpu = th->is_vcpu && th->vcpu_id >= 0 ? th->vcpu_id : FAN_NONE;
	t->cookie = task->has_cookie ? (int64_t)task->cookie : FAN_NONE;
	return fan_str_set(&t->name, th->comm) < 0 ? NULL : t;
}

/* Guest time as the events pair up, whoever ran; nothing else of the thread is known. */
static int add_paired_thread(struct fan_r_group *g, const struct fan_assembly *a, size_t thread)
{
	const struct fan_thread *th = fan_threads_at(a->m->threads, thread);
	struct fan_r_thread *t = fan_assemble_thread(g, a, thread);

	if (!t)
		return -ENOMEM;
	if (th->vcpu)
		t->guest_ns = (int64_t)th->vcpu->paired_ns;
	add(&g->guest_ns, t->guest_ns);
	return 0;
}

int fan_assemble_without_switches(struct fan_r_group *g, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	int r = 0;

	g->vcpus = (int64_t)a->g->items[group].vcpus;
	for (size_t i = of->first[group]; r == 0 && i < of->first[group + 1]; i++)
		r = add_paired_thread(g, a, of->thread[i]);
	return r < 0 ? r : fan_strs_add(&g->verdict.reasons, "no sched_switch event");
}

int fan_assemble_vcpu_notes(struct fan_report *r, const struct fan_model *m)
{
	const struct fan_kvm_counts *c = &fan_machine_kvm(m->machine)->counts;
	const uint64_t odd = c->entries_twice + c->exits_twice + c->cut;
	int e = 0;

	if (!m->has_switches)
		e = fan_strs_add(&r->quality.notes,
				 "no sched_switch event: who ran is not known; only guest time "
				 "and exits can be told");
	if (e == 0 && odd)
		e = fan_strs_add(&r->quality.notes,
				 "entries into the guest without an exit, or exits without an "
				 "entry (%" PRIu64 "): the time between two of a kind is not "
				 "split",
				 odd);
	return e;
}
