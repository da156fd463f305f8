// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Waits of throttled cgroups: no event tells of throttling, but the kernel's counter does, once a
 * sample. What an account below a quota waited for stays apart until its sample is told of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/blame_parts.h"
#include "analyze/model/cgroup_path.h"
#include "fcap/num.h"

/* Is this cgroup the top one or below it? */
static bool is_below(const struct fan_blame *b, int32_t cgroup, int32_t top)
{
	const struct fan_cgroup *cgroups = b->facts->cgroups;

	return fan_cgroup_is_below(cgroups[cgroup].path, cgroups[top].path);
}

static int32_t cgroup_of(const struct fan_blame *b, size_t account)
{
	return fan_accounts_at(b->threads, account)->place.cgroup;
}

/* Keeps its open sample apart if it is below this cgroup. */
static int cap(struct fan_blame *b, size_t account, int32_t top)
{
	struct fan_blame_account *a = &b->accounts[account];

	if (a->capped || cgroup_of(b, account) < 0 || !is_below(b, cgroup_of(b, account), top))
		return 0;
	a->capped = calloc(1, sizeof(*a->capped));
	return a->capped ? 0 : -ENOMEM;
}

int fan_blame_cap_account(struct fan_blame *b, size_t account)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < b->nlimited; i++)
		r = cap(b, account, b->limited[i]);
	return r;
}

int fan_blame_count_waiter(struct fan_blame *b, int32_t thread, int32_t account)
{
	const size_t n = ((size_t)thread | 255) + 1;
	struct fan_counted *grown;

	if ((size_t)thread >= b->ncounted) {
		grown = reallocarray(b->counted, n, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		memset(grown + b->ncounted, 0, (n - b->ncounted) * sizeof(*grown));
		b->counted = grown;
		b->ncounted = n;
	}
	if (b->counted[thread].sample == b->sample && b->counted[thread].account == account)
		return 0;
	b->counted[thread] = (struct fan_counted){ b->sample, account };
	b->accounts[account].capped->open_waiters++;
	return 0;
}

/* All accounts that there are have a row. */
static int reach_accounts(struct fan_blame *b)
{
	return fan_accounts_count(b->threads) > b->naccounts ? fan_blame_grow_accounts(b) : 0;
}

/* Waits that go on are cut here, so that they count to the sample that ends. */
static void cut_waits(struct fan_blame *b, int32_t top)
{
	const uint64_t now = fan_machine_end(b->machine);

	for (size_t i = 0; i < fan_threads_count(b->threads); i++) {
		const struct fan_thread *th = fan_threads_at(b->threads, i);

		if (th->state == FAN_ST_WAIT && (size_t)th->account < b->naccounts &&
		    b->accounts[th->account].capped &&
		    (top < 0 || is_below(b, cgroup_of(b, (size_t)th->account), top)))
			fan_machine_cut_wait(b->machine, (int32_t)i, now);
	}
}

/* The open sample becomes the last one; what that was is settled. */
static int turn(struct fan_blame *b, struct fan_blame_account *a)
{
	const int r = fan_row_merge(&a->row, &a->capped->last, &b->room);

	a->capped->last = a->capped->open;
	a->capped->last_waiters = a->capped->open_waiters;
	a->capped->open = (struct fan_row){ 0 };
	a->capped->open_waiters = 0;
	return r;
}

static int32_t tid_of(const struct fcap_marker *line)
{
	const char *text = fcap_marker_get(line, "tid");
	int64_t tid;

	return text && fcap_parse_i64(text, 1, FAN_TID_MAX - 1, &tid) == 0 ? (int32_t)tid : 0;
}

int fan_blame_take_sample(struct fan_blame *b, const struct fcap_marker *line, uint64_t ts_ns)
{
	const int32_t tid = tid_of(line);
	/* the lines of a sample come thread after thread; the first of them may have died */
	const bool is_late = b->facts->sample_ns &&
			     ts_ns - b->sample_ns > b->facts->sample_ns / 2 * 3;
	int r = 0;

	if (tid == 0 || (b->sampled_first && b->sampled_first != tid && !is_late))
		return 0;
	b->sampled_first = tid;
	b->sample_ns = ts_ns;
	if (!b->nlimited)
		return 0;
	r = reach_accounts(b);
	if (r == 0)
		cut_waits(b, -1);
	for (size_t i = 0; r == 0 && i < b->naccounts; i++)
		if (b->accounts[i].capped)
			r = turn(b, &b->accounts[i]);
	b->sample++;
	return r;
}

struct own {
	const struct fan_blame *b;
	const struct fan_account *account;
};

/* Of the same process or the same cgroup, as is known so far. */
static bool is_own(void *ctx, int32_t holder)
{
	const struct own *own = ctx;
	const struct fan_account *other = fan_accounts_at(own->b->threads, (size_t)holder);

	return other->place.cgroup == own->account->place.cgroup ||
	       fan_procs_final(own->b->threads, other->proc) ==
		       fan_procs_final(own->b->threads, own->account->proc);
}

/* The counter is out of the file: any number. */
static uint64_t times(uint64_t ns, uint64_t n)
{
	return n && ns > UINT64_MAX / n ? UINT64_MAX : ns * n;
}

static int throttle(struct fan_blame *b, size_t account, uint64_t ns)
{
	struct fan_blame_account *a = &b->accounts[account];
	struct own own = { b, fan_accounts_at(b->threads, account) };
	int r = 0;

	/* without samples there are the lines of the cgroup alone */
	if (!b->sampled_first)
		r = turn(b, a);
	fan_row_throttle(&a->capped->last, times(ns, a->capped->last_waiters), is_own, &own);
	return r;
}

static int throttle_all(struct fan_blame *b, int32_t top, uint64_t ns)
{
	int r = reach_accounts(b);

	if (r == 0 && !b->sampled_first)
		cut_waits(b, top);
	for (size_t i = 0; r == 0 && i < b->naccounts; i++)
		if (b->accounts[i].capped && is_below(b, cgroup_of(b, i), top))
			r = throttle(b, i, ns);
	b->sample += !b->sampled_first;
	return r;
}

/* From now on accounts below this cgroup are kept apart. */
static int limit(struct fan_blame *b, int32_t cgroup)
{
	int32_t *grown;
	int r = 0;

	for (size_t i = 0; i < b->nlimited; i++)
		if (b->limited[i] == cgroup)
			return 0;
	grown = reallocarray(b->limited, b->nlimited + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	b->limited = grown;
	b->limited[b->nlimited++] = cgroup;
	for (size_t i = 0; r == 0 && i < b->naccounts; i++)
		r = cap(b, i, cgroup);
	return r;
}

/* The counter as told before this line, for all cgroups that there are; NULL: no memory. */
static int64_t *reach_counter(struct fan_blame *b, int32_t cgroup)
{
	int64_t *grown;

	if ((size_t)cgroup < b->ncgroups)
		return &b->throttled_ns[cgroup];
	grown = reallocarray(b->throttled_ns, b->facts->ncgroups, sizeof(*grown));
	if (!grown)
		return NULL;
	b->throttled_ns = grown;
	while (b->ncgroups < b->facts->ncgroups)
		grown[b->ncgroups++] = -1;
	return &grown[cgroup];
}

int fan_blame_take_cgroup(struct fan_blame *b, const struct fcap_marker *line)
{
	const char *path = fcap_marker_get(line, "path");
	const int32_t cgroup = path ? fan_facts_cgroup(b->facts, path) : -1;
	const struct fan_cgroup *c = cgroup < 0 ? NULL : &b->facts->cgroups[cgroup];
	int64_t *told = c ? reach_counter(b, cgroup) : NULL;
	int64_t before;
	int r = 0;

	if (!told)
		return c ? -ENOMEM : 0;
	before = *told;
	*told = c->throttled_ns;
	if (c->quota > 0 || c->throttled_ns > 0)
		r = limit(b, cgroup);
	if (r == 0 && before >= 0 && c->throttled_ns > before)
		r = throttle_all(b, cgroup, (uint64_t)(c->throttled_ns - before));
	else if (r == 0 && b->nlimited && !b->sampled_first)
		r = throttle_all(b, cgroup, 0);
	return r;
}
