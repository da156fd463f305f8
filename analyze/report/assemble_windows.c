// SPDX-License-Identifier: GPL-3.0-or-later
/* What the vCPU threads did in each window, into the result tree. */
#include "analyze/report/assemble_vcpu.h"

#include <errno.h>
#include <stdlib.h>

/* Rows of the windows of vCPUs that are of one group. */
struct rows {
	size_t *items; /* owned */
	size_t n;
};

static int find_rows(struct rows *ret, const struct fan_assembly *a, size_t group)
{
	const struct fan_vcpu_windows *from = a->m->pulse ? a->m->pulse->vcpu_windows : NULL;
	const size_t n = from ? fan_vcpu_windows_rows(from) : 0;

	*ret = (struct rows){ malloc((n + 1) * sizeof(*ret->items)), 0 };
	if (!ret->items)
		return -ENOMEM;
	for (size_t row = 0; row < n; row++) {
		const int32_t account = fan_vcpu_windows_account(from, row);

		if (account >= 0 && a->g->of_account[account] == (int32_t)group)
			ret->items[ret->n++] = row;
	}
	return 0;
}

static struct fan_vcpu_sums sums_of(const struct fan_assembly *a, const struct rows *rows,
				    uint64_t w)
{
	const struct fan_vcpu_windows *from = a->m->pulse->vcpu_windows;
	const struct fan_overlap *o = a->overlap;
	struct fan_vcpu_sums ret = { { 0 } };

	for (size_t k = 0; k < rows->n; k++) {
		const struct fan_vcpu_sums s = fan_vcpu_windows_sum(
			from, rows->items[k], o->first + w * o->per_window, o->per_window);

		for (size_t i = 0; i < FAN_SUMS; i++)
			ret.ns[i] += s.ns[i];
	}
	return ret;
}

/* Of run time; modulo 2^64 they are exact also below 0. */
static int add_parts(struct fan_r_curve *c, const struct fan_vcpu_time *t, unsigned int tells)
{
	const struct {
		unsigned int what;
		struct fan_ints *list;
		uint64_t ns;
	} parts[] = {
		{ FAN_TELLS_GUEST, &c->guest_ns, t->guest },
		{ FAN_TELLS_KERNEL, &c->host_ns, t->kernel },
		{ FAN_TELLS_POLL, &c->poll_ns, t->poll },
		{ FAN_TELLS_VMM, &c->vmm_ns, t->vmm },
		{ FAN_TELLS_KVM_RUN, &c->in_kvm_run_ns, t->kvm_run },
		{ FAN_TELLS_HALTED, &c->halted_ns, t->halted },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (tells & parts[i].what)
			e = fan_ints_add(parts[i].list, (int64_t)parts[i].ns);
	return e;
}

/* Where the trace does not tell waits from sleeps, a sleep that nobody ended is neither. */
static int add_window(struct fan_r_curve *c, const struct fan_assembly *a,
		      const struct fan_vcpu_sums *s)
{
	const struct fan_kvm *kvm = fan_machine_kvm(a->m->machine);
	const unsigned int tells = fan_kvm_tells(kvm);
	const bool tells_waits = fan_model_tells_waits(a->m);
	uint64_t modes[FAN_MODES];
	struct fan_vcpu_time t;
	int64_t run = 0;
	int e;

	for (size_t i = 0; i < FAN_MODES; i++) {
		modes[i] = (uint64_t)s->ns[i];
		run += s->ns[i];
	}
	t = fan_vcpu_split(kvm, modes, (uint64_t)s->ns[FAN_SUM_HALTED]);
	e = add_parts(c, &t, tells);
	if (e == 0)
		e = fan_ints_add(&c->vcpu_run_ns, run);
	if (e == 0)
		e = fan_ints_add(&c->vcpu_wait_ns,
				 s->ns[FAN_SUM_WAIT] + (tells_waits ? s->ns[FAN_SUM_STALE] : 0));
	if (e == 0)
		e = fan_ints_add(&c->blocked_ns, s->ns[FAN_SUM_BLOCKED] - (int64_t)t.halted);
	if (e == 0)
		e = fan_ints_add(&c->unsplit_ns,
				 (int64_t)t.unsplit + (tells_waits ? 0 : s->ns[FAN_SUM_STALE]));
	return e < 0 ? e : fan_ints_add(&c->unknown_ns, s->ns[FAN_SUM_UNKNOWN]);
}

int fan_assemble_vcpu_windows(struct fan_r_curve *c, const struct fan_assembly *a, size_t group)
{
	struct rows rows;
	int e = find_rows(&rows, a, group);

	if (e == 0 && rows.n && a->g->items[group].life_ns > 0) {
		for (size_t w = 0; e == 0 && w < a->matrix->windows; w++) {
			const struct fan_vcpu_sums s = sums_of(a, &rows, w);

			e = add_window(c, a, &s);
		}
	}
	free(rows.items);
	return e;
}
