// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/occupancy.h"

static void tell(struct fan_machine *m, const struct fan_span *span)
{
	const int r = span->t1_ns > span->t0_ns ? m->emit(m->ctx, span) : 0;

	if (r < 0 && !m->error)
		m->error = r;
}

static void add_time(struct fan_thread *th, enum fan_state state, uint64_t ns)
{
	switch (state) {
	case FAN_ST_RUN:
		th->run_ns += ns;
		break;
	case FAN_ST_WAIT:
		th->wait_ns += ns;
		break;
	case FAN_ST_NEW:
	case FAN_ST_BLOCKED:
	case FAN_ST_DEAD: /* it was not dead yet, as its next event shows */
		th->blocked_ns += ns;
		break;
	case FAN_ST_UNSEEN:
	case FAN_ST_UNKNOWN:
		th->unknown_ns += ns;
		break;
	}
}

/* Cuts a span to what is booked; false if nothing is left. */
static bool clip(const struct fan_machine *m, struct fan_span *span)
{
	if (span->t0_ns < m->clip_from)
		span->t0_ns = m->clip_from;
	if (span->t1_ns > m->clip_to)
		span->t1_ns = m->clip_to;
	return span->t0_ns < span->t1_ns;
}

static bool is_counted(const struct fan_machine *m)
{
	return m->now >= m->clip_from && m->now <= m->clip_to;
}

void fan_book(struct fan_machine *m, struct fan_thread *th, uint64_t t)
{
	const int32_t index = (int32_t)(th - fan_threads_at(m->threads, 0));
	struct fan_span span = { th->since_ns, t, index, th->cpu, th->state };

	if (t <= th->since_ns)
		return;
	th->since_ns = t;
	if (!clip(m, &span))
		return;
	add_time(th, span.state, span.t1_ns - span.t0_ns);
	if (span.state == FAN_ST_RUN) {
		th->last_run_ns = span.t1_ns;
		if (span.t0_ns < th->first_run_ns)
			th->first_run_ns = span.t0_ns;
	}
	tell(m, &span);
}

void fan_book_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, uint64_t t)
{
	struct fan_span span = { cpu->since, t, cpu->cur, (int32_t)(cpu - m->cpus),
				 cpu->cur == FAN_CPU_IDLE ? FAN_ST_RUN : FAN_ST_UNKNOWN };

	if (cpu->cur >= 0 || t <= cpu->since)
		return;
	cpu->since = t;
	if (clip(m, &span))
		tell(m, &span);
}

void fan_set_state(struct fan_thread *th, enum fan_state state)
{
	th->state = state;
	if (state == FAN_ST_WAIT)
		th->queued_ns = th->since_ns;
}

/* Books a state that is certain only up to t1; what follows up to now is unknown. */
static void break_off(struct fan_machine *m, struct fan_thread *th, uint64_t t1)
{
	fan_book(m, th, t1);
	fan_set_state(th, FAN_ST_UNKNOWN);
	th->breaks++;
}

void fan_lose_current(struct fan_machine *m, struct fan_cpu_now *cpu)
{
	if (cpu->cur >= 0)
		break_off(m, fan_threads_at(m->threads, (size_t)cpu->cur), cpu->last);
	else
		fan_book_cpu(m, cpu, cpu->last);
	if (cpu->cur != FAN_CPU_UNKNOWN)
		cpu->since = cpu->last;
	cpu->cur = FAN_CPU_UNKNOWN;
}

static void start_running(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th)
{
	const int32_t number = (int32_t)(cpu - m->cpus);

	fan_set_state(th, FAN_ST_RUN);
	if (th->run_cpu >= 0 && th->run_cpu != number && is_counted(m))
		th->migrations++;
	th->cpu = th->run_cpu = number;
	cpu->cur = (int32_t)(th - fan_threads_at(m->threads, 0));
}

/* The thread is about to run here: takes it off another CPU that still has it running. */
static void leave_other_cpu(struct fan_machine *m, struct fan_thread *th)
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

	fan_book_cpu(m, cpu, m->now);
	cpu->since = m->now;
	if (who < 0) {
		cpu->cur = FAN_CPU_IDLE;
		return;
	}
	th = fan_threads_at(m->threads, (size_t)who);
	leave_other_cpu(m, th);
	break_off(m, th, t1 > th->since_ns ? t1 : th->since_ns);
	fan_book(m, th, m->now);
	start_running(m, cpu, th);
}

/* First event of a CPU: what it runs now it has run since the start. */
static void start_cpu(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t who)
{
	struct fan_thread *th = who < 0 ? NULL : fan_threads_at(m->threads, (size_t)who);

	cpu->is_started = true;
	cpu->since = cpu->last = m->start;
	cpu->cur = FAN_CPU_IDLE;
	if (!th)
		return;
	if (th->state == FAN_ST_UNSEEN) {
		start_running(m, cpu, th);
		return;
	}
	m->counts.gaps++;
	cpu->cur = FAN_CPU_UNKNOWN;
	take_over(m, cpu, who, m->start);
}

void fan_observe(struct fan_machine *m, struct fan_cpu_now *cpu, int32_t who)
{
	const uint64_t t1 = cpu->last;

	if (!cpu->is_started) {
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

void fan_lose_events(struct fan_machine *m, struct fan_cpu_now *cpu, int64_t missed)
{
	const int32_t number = (int32_t)(cpu - m->cpus);

	m->counts.losses++;
	if (missed > 0)
		m->counts.lost_events += (uint64_t)missed;
	else
		m->counts.losses_uncounted++;
	if (!cpu->is_started) {
		cpu->is_started = true;
		cpu->since = cpu->last = m->start;
		cpu->cur = FAN_CPU_UNKNOWN;
	}
	fan_lose_current(m, cpu);
	m->loss_from = cpu->last;
	m->loss_to = m->now;
	for (size_t i = 0; i < fan_threads_count(m->threads); i++) {
		struct fan_thread *th = fan_threads_at(m->threads, i);

		if (th->cpu == number && (th->state == FAN_ST_WAIT || th->state == FAN_ST_NEW ||
					  th->state == FAN_ST_BLOCKED))
			break_off(m, th, cpu->last);
	}
}

/* A sleep that ends with a switch-in and no wake-up: see "stale" in the header. */
static void end_stale_sleep(struct fan_machine *m, struct fan_thread *th)
{
	const uint64_t before = th->wait_ns;

	if (m->loss_to > th->since_ns) {
		break_off(m, th, m->loss_from);
		fan_book(m, th, m->now);
		return;
	}
	m->counts.stale++;
	th->arrived_wait_ns += m->now - th->since_ns;
	fan_set_state(th, FAN_ST_WAIT);
	fan_book(m, th, m->now);
	th->stale_ns += th->wait_ns - before;
	th->wait_ns = before;
}

/* A forked thread runs and no sched_wakeup_new was recorded: it has waited since its fork. */
static void end_birth(struct fan_machine *m, struct fan_thread *th)
{
	fan_set_state(th, FAN_ST_WAIT);
	th->arrived_wait_ns += m->now - th->queued_ns;
	fan_book(m, th, m->now);
}

void fan_switch_in(struct fan_machine *m, struct fan_cpu_now *cpu, struct fan_thread *th)
{
	leave_other_cpu(m, th);
	if (th->state == FAN_ST_WAIT)
		th->arrived_wait_ns += m->now - th->queued_ns;
	else if (th->state == FAN_ST_UNSEEN || th->state == FAN_ST_UNKNOWN)
		th->breaks++; /* it waited, but nobody knows how long */
	if (th->state == FAN_ST_BLOCKED)
		end_stale_sleep(m, th);
	else if (th->state == FAN_ST_NEW)
		end_birth(m, th);
	else
		fan_book(m, th, m->now);
	th->arrivals += is_counted(m);
	start_running(m, cpu, th);
}

void fan_switch_out(struct fan_machine *m, struct fan_cpu_now *cpu, bool is_runnable)
{
	struct fan_thread *th;

	if (cpu->cur < 0) {
		fan_book_cpu(m, cpu, m->now);
		return;
	}
	th = fan_threads_at(m->threads, (size_t)cpu->cur);
	fan_book(m, th, m->now);
	fan_set_state(th, is_runnable	   ? FAN_ST_WAIT
			  : th->is_exiting ? FAN_ST_DEAD
					   : FAN_ST_BLOCKED);
}
