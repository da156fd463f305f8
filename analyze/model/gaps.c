// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What becomes unknown: at gaps and losses, in silence, and as long as a CPU has not shown what it
 * runs.
 */
#include "analyze/model/occupancy.h"

void fan_break_off(struct fan_machine *m, struct fan_thread *th, uint64_t t1)
{
	if (th->state == FAN_ST_WAIT)
		fan_note_wait(m, th, t1);
	fan_book(m, th, t1, FAN_EDGE_UNKNOWN);
	fan_set_state(m, th, FAN_ST_UNKNOWN, FAN_EDGE_UNKNOWN);
	th->breaks++;
	if (!th->vcpu)
		return;
	fan_vcpu_break(th->vcpu);
	/* without switches every change of a CPU's thread looks like a gap */
	if (m->counts.switches)
		fan_vcpu_unpair(th->vcpu);
}

void fan_lose_current(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	if (cpu->cur >= 0)
		fan_break_off(m, fan_threads_at(m->threads, (size_t)cpu->cur), cpu->last);
	else
		fan_book_cpu(m, cpu, cpu->last, FAN_EDGE_UNKNOWN);
	if (cpu->cur != FAN_CPU_UNKNOWN)
		cpu->since = cpu->last;
	cpu->begin = FAN_EDGE_UNKNOWN;
	fan_set_current(m, cpu, FAN_CPU_UNKNOWN);
}

void fan_leave_other_cpu(struct fan_machine *m, struct fan_thread *th)
{
	if (th->state != FAN_ST_RUN)
		return;
	m->counts.elsewhere++;
	fan_lose_current(m, &m->cpus[th->run_cpu]);
}

/*
 * After a gap or loss the CPU shows again what it runs. t1 is the CPU's last event before:
 * until then the thread was surely not running here.
 */
static void take_over(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t who, uint64_t t1)
{
	struct fan_thread *th;

	fan_book_cpu(m, cpu, m->now, FAN_EDGE_UNKNOWN);
	cpu->since = m->now;
	cpu->begin = FAN_EDGE_UNKNOWN;
	if (who < 0) {
		fan_set_current(m, cpu, FAN_CPU_IDLE);
		return;
	}
	th = fan_threads_at(m->threads, (size_t)who);
	fan_leave_other_cpu(m, th);
	m->counts.revived += th->state == FAN_ST_DEAD;
	fan_break_off(m, th, t1 > th->since_ns ? t1 : th->since_ns);
	fan_book(m, th, m->now, FAN_EDGE_UNKNOWN);
	fan_start_running(m, cpu, th, FAN_EDGE_UNKNOWN);
}

/* First event of a CPU: what it runs now it has run since the start. */
static void start_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t who)
{
	struct fan_thread *th = who < 0 ? NULL : fan_threads_at(m->threads, (size_t)who);

	cpu->is_started = true;
	cpu->since = cpu->last = m->start;
	cpu->begin = FAN_EDGE_UNKNOWN;
	fan_set_current(m, cpu, th ? FAN_CPU_UNKNOWN : FAN_CPU_IDLE);
	if (!th)
		return;
	if (th->state == FAN_ST_UNSEEN) {
		fan_start_running(m, cpu, th, FAN_EDGE_UNKNOWN);
		return;
	}
	m->counts.gaps++;
	take_over(m, cpu, who, m->start);
}

void fan_observe_other(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t tid)
{
	const int32_t who = fan_is_outside(m, tid) ? FAN_CPU_UNKNOWN : fan_index_of(m, tid);
	const uint64_t t1 = cpu->last;

	if (who == FAN_CPU_UNKNOWN) {
		fan_leave_to_others(m, cpu);
	} else if (!cpu->is_started) {
		start_cpu(m, cpu, who);
	} else if (cpu->cur == FAN_CPU_UNKNOWN) {
		take_over(m, cpu, who, cpu->since);
	} else if (cpu->cur != who) {
		m->counts.gaps++;
		fan_lose_current(m, cpu);
		take_over(m, cpu, who, t1);
	}
	cpu->last = m->now;
}

/*
 * What the CPU did since its last event is unknown, and of the threads last seen there. Those that
 * sleep elsewhere may have been woken by what was lost.
 */
static void lose_cpu(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	const int32_t number = cpu->number;

	fan_lose_current(m, cpu);
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		if (th->cpu == number && (th->state == FAN_ST_WAIT || th->state == FAN_ST_NEW ||
					  th->state == FAN_ST_BLOCKED))
			fan_break_off(m, th, cpu->last);
		else if (th->state == FAN_ST_BLOCKED && cpu->last < th->lost_from_ns)
			th->lost_from_ns = cpu->last;
		if (th->vcpu && th->run_cpu == number && !m->counts.switches)
			fan_vcpu_unpair(th->vcpu);
	}
}

void fan_lose_events(struct fan_machine *m, struct fan_cpu_now *cpu, int64_t missed)
{
	m->counts.losses++;
	if (missed > 0)
		m->counts.lost_events += (uint64_t)missed;
	else
		m->counts.losses_uncounted++;
	if (!cpu->is_started) {
		cpu->is_started = true;
		cpu->since = cpu->last = m->start;
		fan_set_current(m, cpu, FAN_CPU_UNKNOWN);
	}
	lose_cpu(m, cpu);
}

/* Nothing is known of any CPU or waiting thread from from_ns on, until its next event. */
static void keep_silent(struct fan_machine *m, uint64_t from_ns)
{
	for (size_t i = 0; i < m->ncpus; i++) {
		struct fan_cpu_now *cpu = &m->cpus[i];

		if (!cpu->is_started)
			continue;
		cpu->last = from_ns > cpu->last ? from_ns : cpu->last;
		fan_lose_current(m, cpu);
	}
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		if (th->state == FAN_ST_WAIT)
			fan_break_off(m, th, from_ns);
	}
}

void fan_machine_silence(struct fan_machine *m, uint64_t from_ns, uint64_t to_ns)
{
	bool runs = false;

	for (size_t i = 0; i < m->ncpus; i++)
		runs |= m->cpus[i].is_started && m->cpus[i].cur >= 0;
	if (!runs)
		return;
	m->counts.silences++;
	m->counts.silence_ns += to_ns - from_ns;
	keep_silent(m, from_ns);
}

void fan_machine_cut_short(struct fan_machine *m, uint64_t end_ns)
{
	if (!m->has_started)
		return;
	m->now = end_ns > m->now ? end_ns : m->now;
	for (size_t i = 0; i < m->ncpus; i++)
		if (m->cpus[i].is_started)
			lose_cpu(m, &m->cpus[i]);
}
