// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What kind of machine it was, and what of it puts a number in doubt: clock rates, settings that
 * changed, vCPUs that go before all weights, groups that are several VMs.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyze/report/assemble.h"
#include "fcap/num.h"

#define SPEED_WORTH_A_NOTE 10.0 /* % of the highest clock rate of a CPU */

/* As told last; NULL: not told, or it could no longer be read. */
static const char *value_of(const struct fan_hardware *h, enum fan_hardware_key key)
{
	return h->last[key] && *h->last[key] ? h->last[key] : NULL;
}

static int set_values(struct fan_r_host *host, const struct fan_hardware *h)
{
	const struct {
		char **to;
		enum fan_hardware_key key;
	} each[] = {
		{ &host->cpu_model, FAN_HW_CPU_MODEL },
		{ &host->governor, FAN_HW_GOVERNOR },
		{ &host->smt_control, FAN_HW_SMT },
		{ &host->l1tf, FAN_HW_L1TF },
		{ &host->mds, FAN_HW_MDS },
		{ &host->fair_class, FAN_HW_FAIR_CLASS },
		{ &host->boot, FAN_HW_BOOT },
	};
	const char *poll = value_of(h, FAN_HW_HALT_POLL_NS);
	int64_t ns;
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(each) / sizeof(each[0]); i++)
		e = fan_str_set(each[i].to, value_of(h, each[i].key));
	if (poll && fcap_parse_i64(poll, 0, INT64_MAX, &ns) == 0)
		host->halt_poll_ns = ns;
	return e;
}

static int note_changes(struct fan_report *r, const struct fan_hardware *h)
{
	static const struct {
		enum fan_hardware_key key;
		const char *what;
	} each[] = {
		{ FAN_HW_GOVERNOR, "the governor of the clock rates" },
		{ FAN_HW_SMT, "the SMT control" },
		{ FAN_HW_ONLINE, "the list of CPUs that are online" },
		{ FAN_HW_HALT_POLL_NS, "KVM's halt_poll_ns" },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(each) / sizeof(each[0]); i++) {
		const char *first = h->first[each[i].key], *last = h->last[each[i].key];

		if (first && strcmp(first, last) != 0)
			e = fan_strs_add(&r->host.notes,
					 "%s changed during the recording, from %s to %s: what "
					 "came before and after are two machines",
					 each[i].what, *first ? first : "nothing",
					 *last ? last : "nothing");
	}
	return e;
}

static double varied_pct(const struct fan_cpu_speed *s)
{
	return 100 * (double)(s->max_khz - s->min_khz) / (double)s->max_khz;
}

static int add_speeds(struct fan_report *r, const struct fan_hardware *h)
{
	const struct fan_cpu_speed *most = NULL;
	size_t n = 0;

	for (size_t i = 0; i < h->nspeeds; i++) {
		const double pct = varied_pct(&h->speeds[i]);

		n += pct > SPEED_WORTH_A_NOTE;
		if (!most || pct > varied_pct(most))
			most = &h->speeds[i];
	}
	if (!most)
		return 0;
	r->host.freq_varied_pct = varied_pct(most);
	if (n == 0)
		return 0;
	return fan_strs_add(&r->host.notes,
			    "the clock rate of %zu of %zu CPUs varied by more than %g %% (CPU "
			    "%" PRId32 ": %.2f to %.2f GHz): equal CPU time is not equal work",
			    n, h->nspeeds, SPEED_WORTH_A_NOTE, most->cpu,
			    (double)most->min_khz / 1e6, (double)most->max_khz / 1e6);
}

/* Has a vCPU of the group gone before all weights? */
static bool has_realtime(const struct fan_assembly *a, size_t group)
{
	for (size_t i = 0; i < fan_threads_count(a->m->threads); i++)
		if (fan_threads_at(a->m->threads, i)->is_vcpu &&
		    fan_facts_task(a->m->facts, i)->was_realtime &&
		    fan_groups_of(a->g, a->m, i) == (int32_t)group)
			return true;
	return false;
}

static int note_realtime(struct fan_report *r, const struct fan_assembly *a)
{
	const char *first = NULL;
	char others[48] = "";
	size_t n = 0;

	for (size_t i = 0; i < a->g->n; i++) {
		if (!has_realtime(a, i))
			continue;
		if (n++ == 0)
			first = a->g->items[i].name;
	}
	if (n == 0)
		return 0;
	if (n > 1)
		snprintf(others, sizeof(others), " and of %zu others", n - 1);
	return fan_strs_add(&r->host.notes,
			    "vCPU threads of %s%s had a real-time policy: these go before all "
			    "others, and no weight says what is due to them",
			    first, others);
}

/* Stated where it is known, and where it is not. */
static int note_vms(struct fan_report *r, const struct fan_facts *f)
{
	int e = 0;

	for (size_t i = 0; e == 0 && i < f->ngroups; i++) {
		const struct fan_group_fact *g = &f->groups[i];

		if (g->vms > 1)
			e = fan_strs_add(&r->host.notes,
					 "process %" PRId32 " (%s) runs %" PRId64
					 " VMs: they are one group here",
					 g->tgid, g->name ? g->name : "-", g->vms);
		else if (g->vms == 0 && g->vm_fds > 1)
			e = fan_strs_add(&r->host.notes,
					 "process %" PRId32 " (%s) has %" PRId64
					 " descriptors of VMs open: if it runs several VMs, they "
					 "are one group here (debugfs on the host would tell)",
					 g->tgid, g->name ? g->name : "-", g->vm_fds);
	}
	return e;
}

int fan_assemble_machine(struct fan_report *r, const struct fan_assembly *a)
{
	const struct fan_hardware *h = &a->m->facts->hardware;
	int e = set_values(&r->host, h);

	if (e == 0)
		e = note_changes(r, h);
	if (e == 0)
		e = add_speeds(r, h);
	if (e == 0)
		e = note_realtime(r, a);
	return e < 0 ? e : note_vms(r, a->m->facts);
}
