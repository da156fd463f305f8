// SPDX-License-Identifier: GPL-3.0-or-later
/* The past of each CPU as tiles, and waits laid over them. */
#include "analyze/model/blame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/blame_parts.h"

#define FAR_TILES 8		    /* into the past, for waits that hardly matter */
#define SLOTS_MAX ((size_t)1 << 20) /* 16 MiB */

struct fan_blame *fan_blame_new(struct fan_machine *machine, const struct fan_threads *threads,
				const struct fan_facts *facts, bool only_vms)
{
	struct fan_blame *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->machine = machine;
	b->threads = threads;
	b->facts = facts;
	b->only_vms = only_vms;
	b->room.slots = SLOTS_MAX;
	b->sample = 1;
	return b;
}

void fan_blame_free(struct fan_blame *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->ncpus; i++) {
		free(b->cpus[i].tiles);
		free(b->cpus[i].marks);
	}
	for (size_t i = 0; i < b->naccounts; i++) {
		struct fan_capped *capped = b->accounts[i].capped;

		fan_row_clear(&b->accounts[i].row, &b->room);
		if (!capped)
			continue;
		fan_row_clear(&capped->open, &b->room);
		fan_row_clear(&capped->last, &b->room);
		free(capped);
	}
	free(b->cpus);
	free(b->accounts);
	free(b->throttled_ns);
	free(b->limited);
	free(b->counted);
	free(b->is_vm);
	free(b);
}

void fan_blame_ask(struct fan_blame *b, const struct fan_parties *parties)
{
	b->parties = parties;
}

int fan_blame_grow_cpus(struct fan_blame *b, int32_t cpu)
{
	const size_t n = ((size_t)cpu | 7) + 1;
	struct fan_blame_cpu *grown = reallocarray(b->cpus, n, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	for (b->cpus = grown; b->ncpus < n; b->ncpus++) {
		struct fan_tile *tiles = calloc(1 + FAN_TILES, sizeof(*tiles));

		if (!tiles)
			return -ENOMEM;
		tiles[0].holder = FAN_HELD_UNKNOWN;
		grown[b->ncpus] = (struct fan_blame_cpu){ .tiles = tiles, .last = tiles };
	}
	return 0;
}

int fan_blame_grow_accounts(struct fan_blame *b)
{
	const size_t n = fan_accounts_count(b->threads), old = b->naccounts;
	struct fan_blame_account *grown;
	int r = 0;

	if (n > b->accounts_room) {
		grown = reallocarray(b->accounts, n + n / 2 + 64, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		b->accounts = grown;
		b->accounts_room = n + n / 2 + 64;
	}
	for (size_t i = old; i < n; i++)
		b->accounts[i] = (struct fan_blame_account){ .matters = !b->only_vms };
	b->naccounts = n;
	for (size_t i = old; r == 0 && i < n; i++)
		r = fan_blame_cap_account(b, i);
	return r;
}

/*
 * Half of the past is let go of. Who has waited for longer is booked up to there: the machine
 * tells the span, and that span comes back here before the tiles are gone.
 */
static __attribute__((noinline)) void let_go(struct fan_blame *b, int32_t cpu)
{
	struct fan_blame_cpu *c = &b->cpus[cpu];
	const size_t kept = FAN_TILES / 2;
	const uint64_t end = c->tiles[1 + FAN_TILES - kept].begin_ns;
	struct fan_waiters queue = fan_machine_waiters(b->machine, cpu);
	const struct fan_thread *th;

	while ((th = fan_waiters_next(&queue)))
		if (th->since_ns < end)
			fan_machine_cut_wait(b->machine, th->index, end);
	c = &b->cpus[cpu];
	memmove(c->tiles + 1, c->tiles + 1 + FAN_TILES - kept, kept * sizeof(*c->tiles));
	c->last = c->tiles + kept;
}

static inline void push(struct fan_blame *b, int32_t cpu, uint64_t end_ns, int32_t holder)
{
	struct fan_blame_cpu *c = &b->cpus[cpu];

	if (c->last->holder != holder) {
		if (c->last == c->tiles + FAN_TILES) {
			let_go(b, cpu);
			c = &b->cpus[cpu];
		}
		*++c->last = (struct fan_tile){ c->end_ns, holder };
	}
	c->end_ns = end_ns;
}

static void push_idle(struct fan_blame *b, int32_t cpu, uint64_t t0_ns, uint64_t t1_ns)
{
	size_t i = 0;

	while (t0_ns < t1_ns) {
		const struct fan_blame_cpu *c = &b->cpus[cpu];
		const enum fan_holder why = fan_blame_why_idle(c, t0_ns, &i);

		t0_ns = i < c->nmarks && c->marks[i].at_ns < t1_ns ? c->marks[i].at_ns : t1_ns;
		push(b, cpu, t0_ns, why);
	}
	fan_blame_forget_marks(&b->cpus[cpu], t1_ns);
}

/* The first tile of a CPU, or one that does not begin where the last one ends; or idle time. */
static __attribute__((noinline)) int take_other_tile(struct fan_blame *b, int32_t cpu,
						     int32_t holder, uint64_t t0_ns, uint64_t t1_ns)
{
	const struct fan_blame_cpu *c = fan_blame_cpu(b, cpu);

	if (!c)
		return -ENOMEM;
	if (t1_ns <= c->end_ns)
		return 0;
	if (t0_ns > c->end_ns)
		push(b, cpu, t0_ns, FAN_HELD_UNKNOWN);
	if (holder == FAN_HELD_IDLE && b->cpus[cpu].nmarks)
		push_idle(b, cpu, b->cpus[cpu].end_ns, t1_ns);
	else
		push(b, cpu, t1_ns, holder);
	return 0;
}

int fan_blame_take_cpu(struct fan_blame *b, const struct fan_span *span)
{
	return take_other_tile(b, span->cpu,
			       span->thread == FAN_CPU_IDLE ? FAN_HELD_IDLE : FAN_HELD_UNKNOWN,
			       span->t0_ns, span->t1_ns);
}

bool fan_blame_take_next_run(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
			     uint64_t t1_ns)
{
	struct fan_blame_cpu *c;

	if ((size_t)th->cpu >= b->ncpus)
		return false;
	c = &b->cpus[th->cpu];
	if (c->end_ns != t0_ns || c->last == c->tiles + FAN_TILES)
		return false;
	if (c->last->holder != th->account)
		*++c->last = (struct fan_tile){ t0_ns, th->account };
	c->end_ns = t1_ns;
	return true;
}

int fan_blame_take_run(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
		       uint64_t t1_ns)
{
	return fan_blame_take_next_run(b, th, t0_ns, t1_ns)
		       ? 0
		       : take_other_tile(b, th->cpu, th->account, t0_ns, t1_ns);
}

/* A stretch of a wait, and the row that it is booked to. */
struct stretch {
	struct fan_row *row;
	uint64_t t0_ns, t1_ns;
};

/* Books what the CPU does at present, be it a thread, idle or unknown. */
static int lay_on(struct fan_blame *b, const struct fan_blame_cpu *c, int32_t occupant,
		  const struct stretch *s)
{
	uint64_t t = s->t0_ns;
	size_t i = 0;
	int r = 0;

	if (occupant >= 0)
		return fan_row_add(s->row, &b->room,
				   fan_threads_at(b->threads, (size_t)occupant)->account,
				   s->t1_ns - t);
	if (occupant == FAN_CPU_UNKNOWN)
		return fan_row_add(s->row, &b->room, FAN_HELD_UNKNOWN, s->t1_ns - t);
	while (r == 0 && t < s->t1_ns) {
		const enum fan_holder why = fan_blame_why_idle(c, t, &i);
		const uint64_t end = i < c->nmarks && c->marks[i].at_ns < s->t1_ns
					     ? c->marks[i].at_ns
					     : s->t1_ns;

		r = fan_row_add(s->row, &b->room, why, end - t);
		t = end;
	}
	return r;
}

static int lay_slowly(struct fan_blame *b, const struct fan_tile *tile, struct fan_row *row,
		      uint64_t t0, uint64_t t1);

/* Books a stretch that ends in this tile, the last one first. */
static inline int lay_on_tiles(struct fan_blame *b, const struct fan_tile *tile,
			       struct fan_row *row, uint64_t t0, uint64_t t1)
{
	uint64_t *ns;

	if (!row->slots)
		return lay_slowly(b, tile, row, t0, t1);
	while ((ns = fan_row_ns(row, tile->holder))) {
		const uint64_t begin = tile->begin_ns;

		if (begin <= t0) {
			*ns += t1 - t0;
			return 0;
		}
		*ns += t1 - begin;
		t1 = begin;
		tile--;
	}
	return lay_slowly(b, tile, row, t0, t1);
}

/* The same where the row does not have the holder of the tile in its place. */
static __attribute__((noinline)) int lay_slowly(struct fan_blame *b, const struct fan_tile *tile,
						struct fan_row *row, uint64_t t0, uint64_t t1)
{
	const uint64_t from = tile->begin_ns > t0 ? tile->begin_ns : t0;
	const int r = fan_row_add_slowly(row, &b->room, tile->holder, t1 - from);

	return r < 0 || from == t0 ? r : lay_on_tiles(b, tile - 1, row, t0, from);
}

/* Books a stretch that the tiles of the CPU cover. */
static inline int lay_on_past(struct fan_blame *b, const struct fan_blame_cpu *c,
			      struct fan_row *row, uint64_t t0, uint64_t t1)
{
	const struct fan_tile *tile = c->last;

	while (tile->begin_ns >= t1)
		tile--;
	return lay_on_tiles(b, tile, row, t0, t1);
}

/* Books what lies behind the last tile of the CPU, which may be none of the trace's. */
static int lay_on_present(struct fan_blame *b, int32_t cpu, struct stretch *s)
{
	const struct fan_occupant now = fan_machine_occupant(b->machine, cpu);
	struct stretch present = *s;
	const struct fan_blame_cpu *c;
	uint64_t end;

	/* of a CPU that nobody knows */
	if (now.thread == FAN_CPU_UNKNOWN && (size_t)cpu >= b->ncpus)
		return 0;
	c = fan_blame_cpu(b, cpu);
	if (!c)
		return -ENOMEM;
	end = c->end_ns ? c->end_ns : now.since_ns;
	if (end >= s->t1_ns)
		return 0;
	present.t0_ns = s->t1_ns = end > s->t0_ns ? end : s->t0_ns;
	return lay_on(b, c, now.thread, &present);
}

/* Books a stretch of which the tiles do not tell the end. */
static __attribute__((noinline)) int lay_late(struct fan_blame *b, int32_t cpu, struct fan_row *row,
					      uint64_t t0, uint64_t t1)
{
	struct stretch s = { row, t0, t1 };
	const int r = lay_on_present(b, cpu, &s);

	if (r < 0 || s.t0_ns >= s.t1_ns)
		return r;
	if ((size_t)cpu >= b->ncpus)
		return fan_row_add(row, &b->room, FAN_HELD_UNKNOWN, s.t1_ns - s.t0_ns);
	return lay_on_past(b, &b->cpus[cpu], row, s.t0_ns, s.t1_ns);
}

/* Books a stretch of waiting for this CPU. */
static inline int lay(struct fan_blame *b, int32_t cpu, struct fan_row *row, uint64_t t0,
		      uint64_t t1)
{
	if ((size_t)cpu >= b->ncpus || b->cpus[cpu].end_ns < t1)
		return lay_late(b, cpu, row, t0, t1);
	return lay_on_past(b, &b->cpus[cpu], row, t0, t1);
}

/* A thread of this account is a vCPU. 1 or -ENOMEM. */
static int note_vm(struct fan_blame *b, struct fan_blame_account *a, const struct fan_thread *th)
{
	const size_t proc = (size_t)fan_procs_final(b->threads, th->proc), n = (proc | 63) + 1;
	bool *grown;

	if (proc >= b->nprocs) {
		grown = reallocarray(b->is_vm, n, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		memset(grown + b->nprocs, 0, (n - b->nprocs) * sizeof(*grown));
		b->is_vm = grown;
		b->nprocs = n;
	}
	a->matters = b->has_vcpus = b->is_vm[proc] = true;
	return 1;
}

/* May this thread turn out to be of a VM? vhost-TGID works for one. 1, 0 or -ENOMEM. */
static int may_matter(struct fan_blame *b, struct fan_blame_account *a, const struct fan_thread *th)
{
	size_t proc;

	if (th->is_vcpu)
		return note_vm(b, a, th);
	if (!b->has_vcpus || (b->parties && fan_parties_of(b->parties, th->account) >= 0))
		return 1;
	proc = (size_t)fan_procs_final(b->threads, th->proc);
	return (proc < b->nprocs && b->is_vm[proc]) || strncmp(th->comm, "vhost-", 6) == 0;
}

/* Books a wait of which only the latest tiles are looked into: what was before is unknown. */
static __attribute__((noinline)) int lay_near(struct fan_blame *b, int32_t cpu, struct fan_row *row,
					      uint64_t t0, uint64_t t1)
{
	uint64_t edge = t0;
	int r = 0;

	if ((size_t)cpu < b->ncpus && b->cpus[cpu].last >= b->cpus[cpu].tiles + FAR_TILES)
		edge = (b->cpus[cpu].last + 1 - FAR_TILES)->begin_ns;
	edge = edge < t1 ? edge : t1;
	if (edge > t0)
		r = fan_row_add(row, &b->room, FAN_HELD_UNKNOWN, edge - t0);
	t0 = edge > t0 ? edge : t0;
	return r < 0 || t0 == t1 ? r : lay(b, cpu, row, t0, t1);
}

static __attribute__((noinline)) int take_other_wait(struct fan_blame *b,
						     const struct fan_thread *th, uint64_t t0_ns,
						     uint64_t t1_ns, enum fan_edge begin)
{
	struct fan_blame_account *a;
	struct fan_row *row;
	int matters;

	if ((size_t)th->account >= b->naccounts && fan_blame_grow_accounts(b) < 0)
		return -ENOMEM;
	a = &b->accounts[th->account];
	/* the machine keeps such time apart, too: see "stale" there */
	if (begin == FAN_EDGE_INFERRED && th->stale_at_ns == t1_ns &&
	    !fan_machine_tells_waits(b->machine)) {
		a->unwoken_ns += t1_ns - t0_ns;
		return 0;
	}
	row = a->capped ? &a->capped->open : &a->row;
	if (a->capped && fan_blame_count_waiter(b, th->index, th->account) < 0)
		return -ENOMEM;
	matters = a->matters ? 1 : may_matter(b, a, th);
	if (matters <= 0)
		return matters < 0 ? matters : lay_near(b, th->cpu, row, t0_ns, t1_ns);
	return lay(b, th->cpu, row, t0_ns, t1_ns);
}

/* Without a look at what else is known: as long as there is no vCPU everybody does. */
static inline bool surely_matters(const struct fan_blame *b, const struct fan_blame_account *a,
				  const struct fan_thread *th)
{
	return a->matters || (!b->has_vcpus && !th->is_vcpu);
}

/* Nearly always the begin of a wait was seen, and it is booked to the account, whole. */
int fan_blame_take_wait(struct fan_blame *b, const struct fan_thread *th, uint64_t t0_ns,
			uint64_t t1_ns, enum fan_edge begin)
{
	struct fan_blame_account *a;

	if ((size_t)th->account >= b->naccounts)
		return take_other_wait(b, th, t0_ns, t1_ns, begin);
	a = &b->accounts[th->account];
	if (begin == FAN_EDGE_INFERRED || a->capped || !surely_matters(b, a, th))
		return take_other_wait(b, th, t0_ns, t1_ns, begin);
	return lay(b, th->cpu, &a->row, t0_ns, t1_ns);
}

int fan_blame_take_line(struct fan_blame *b, const struct fcap_marker *line, uint64_t ts_ns)
{
	if (b->error)
		return b->error;
	if (fcap_marker_is(line, "cg"))
		return fan_blame_take_cgroup(b, line);
	return fcap_marker_is(line, "steal") ? fan_blame_take_sample(b, line, ts_ns) : 0;
}

int fan_blame_finish(struct fan_blame *b)
{
	int r = b->error;

	for (size_t i = 0; r == 0 && i < b->naccounts; i++) {
		struct fan_blame_account *a = &b->accounts[i];

		if (a->capped)
			r = fan_row_merge(&a->row, &a->capped->last, &b->room);
		if (r == 0 && a->capped)
			r = fan_row_merge(&a->row, &a->capped->open, &b->room);
	}
	return r;
}

const struct fan_row *fan_blame_row(const struct fan_blame *b, size_t account)
{
	return account < b->naccounts ? &b->accounts[account].row : NULL;
}

uint64_t fan_blame_unwoken_ns(const struct fan_blame *b, size_t account)
{
	return account < b->naccounts ? b->accounts[account].unwoken_ns : 0;
}

uint64_t fan_blame_refused_ns(const struct fan_blame *b)
{
	return b->room.refused_ns;
}
