// SPDX-License-Identifier: GPL-3.0-or-later
/* How threads come into the world and leave it: forks, execs and exits. */
#include <errno.h>

#include "analyze/model/occupancy.h"

#define CLONE_THREAD_FLAG 0x00010000 /* of clone(2) */

/* A tid begins a new life; the last owner, if it still lived, has ended unseen. */
static struct fan_thread *be_born(struct fan_machine *m, int32_t tid, const struct fan_comm *comm)
{
	const int32_t old = fan_threads_find(m->threads, tid);
	struct fan_thread *th = old < 0 ? NULL : fan_threads_at(m->threads, (size_t)old);
	int32_t i;

	if (th && th->state == FAN_ST_NEW)
		return th;
	if (th && th->state == FAN_ST_RUN)
		fan_lose_current(m, &m->cpus[th->run_cpu]);
	if (th && th->state != FAN_ST_DEAD) {
		fan_book(m, th, m->now, FAN_EDGE_INFERRED);
		fan_set_state(m, th, FAN_ST_DEAD, FAN_EDGE_INFERRED);
	}
	if (!fan_is_tid(tid)) {
		m->counts.bad_tids++;
		return NULL;
	}
	i = fan_threads_bear(m->threads, tid, m->now);
	if (i < 0) {
		fan_note_error(m, i);
		return NULL;
	}
	th = fan_threads_at(m->threads, (size_t)i);
	th->state = FAN_ST_NEW;
	fan_set_comm(m, th, comm);
	return th;
}

/* A child begins in its parent's place. */
static void inherit(struct fan_machine *m, int32_t child, int32_t parent)
{
	const int32_t account = parent < 0 ? -1
					   : fan_threads_at(m->threads, (size_t)parent)->account;

	if (account >= 0 &&
	    fan_threads_enter(m->threads, child,
			      fan_accounts_at(m->threads, (size_t)account)->place) < 0)
		fan_note_error(m, -ENOMEM);
}

void fan_on_newtask(struct fan_machine *m, const struct fan_event *ev)
{
	const int32_t parent = fan_index_of(m, ev->cur_tid);
	struct fan_thread *th = be_born(m, ev->newtask.tid, &ev->newtask.comm);
	int32_t child;
	int r;

	if (!th)
		return;
	child = th->index;
	th->parent_tid = ev->cur_tid;
	if (!(ev->newtask.clone_flags & CLONE_THREAD_FLAG)) {
		r = fan_threads_set_tgid(m->threads, child, th->tid, true);
		fan_note_error(m, r);
	} else if (parent >= 0) {
		fan_threads_join(m->threads, child, parent);
	}
	inherit(m, child, parent);
}

void fan_on_fork(struct fan_machine *m, const struct fan_event *ev)
{
	const int32_t parent = fan_index_of(m, ev->fork.parent);
	struct fan_thread *th = be_born(m, ev->fork.child, &ev->fork.comm);

	if (!th)
		return;
	/* as the kernel's filter does it, which does not look at task_newtask */
	th->is_own |= parent >= 0 && fan_threads_at(m->threads, (size_t)parent)->is_own;
	th->parent_tid = ev->fork.parent;
	inherit(m, th->index, parent);
}

/* Whoever execs is the main thread of a process from then on. */
void fan_on_exec(struct fan_machine *m, const struct fan_event *ev)
{
	const int32_t i = fan_index_of(m, ev->exit.tid);
	const int r = i < 0 ? 0 : fan_threads_set_tgid(m->threads, i, ev->exit.tid, true);

	fan_note_error(m, r);
}

void fan_on_free(struct fan_machine *m, const struct fan_event *ev)
{
	struct fan_thread *th = fan_machine_thread(m, ev->exit.tid);

	if (!th || th->state == FAN_ST_RUN || th->state == FAN_ST_DEAD)
		return;
	fan_book(m, th, m->now, FAN_EDGE_SEEN);
	fan_set_state(m, th, FAN_ST_DEAD, FAN_EDGE_SEEN);
}
