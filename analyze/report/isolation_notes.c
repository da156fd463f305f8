// SPDX-License-Identifier: GPL-3.0-or-later
/* Cookies of the vCPUs, and what has to be known about the isolation that a report tells of. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/assemble_isolation.h"

#define SHORT_CO_RUN_NS 100000000 /* of less nobody can say what one percent of it means */

/* The cookie of one vCPU thread. */
struct tag {
	size_t group;
	uint64_t cookie;
};

/* Those that were told of one group, into ret; returns their number. */
static size_t list_group(struct tag *ret, const struct fan_assembly *a, size_t group)
{
	const struct fan_members *of = a->members;
	size_t n = 0;

	for (size_t i = of->first[group]; i < of->first[group + 1]; i++) {
		const struct fan_thread *th = fan_threads_at(a->m->threads, of->thread[i]);
		const struct fan_task_fact *task = fan_facts_task(a->m->facts, of->thread[i]);

		if (fan_group_has_vcpu(&a->g->items[group], th, a->m->end_ns) && task->has_cookie)
			ret[n++] = (struct tag){ group, task->cookie };
	}
	return n;
}

/* Of all groups, into ret, which has room for all threads; 0: of some group none was told. */
static size_t list_tags(struct tag *ret, const struct fan_assembly *a)
{
	size_t n = 0;

	for (size_t k = 0; k < a->g->n; k++) {
		const size_t told = a->g->items[k].vcpus ? list_group(ret + n, a, k) : 0;

		if (a->g->items[k].vcpus && told == 0)
			return 0;
		n += told;
	}
	return n;
}

static int by_cookie(const void *x, const void *y)
{
	const struct tag *p = x, *q = y;

	return p->cookie == q->cookie ? 0 : p->cookie < q->cookie ? -1 : 1;
}

/* n > 0 */
static enum fan_cookies judge_tags(struct tag *tags, size_t n)
{
	bool has_shared = false;

	qsort(tags, n, sizeof(*tags), by_cookie);
	if (tags[n - 1].cookie == 0)
		return FAN_COOKIES_NONE;
	for (size_t i = 1; i < n; i++)
		has_shared |= tags[i].cookie && tags[i].cookie == tags[i - 1].cookie &&
			      tags[i].group != tags[i - 1].group;
	if (has_shared)
		return FAN_COOKIES_SHARED;
	return tags[0].cookie ? FAN_COOKIES_APART : FAN_COOKIES_PARTLY;
}

int fan_cookies_of(enum fan_cookies *ret, const struct fan_assembly *a)
{
	const enum fcap_core_state state = a->m->facts->core_sched;
	struct tag *tags = malloc((fan_threads_count(a->m->threads) + 1) * sizeof(*tags));
	size_t n;

	if (!tags)
		return -ENOMEM;
	n = list_tags(tags, a);
	if (n)
		*ret = judge_tags(tags, n);
	else if (state == FCAP_CORE_ABSENT || state == FCAP_CORE_NO_SMT)
		*ret = FAN_COOKIES_ABSENT;
	else
		*ret = state == FCAP_CORE_NOT_READY ? FAN_COOKIES_NOT_READABLE
						    : FAN_COOKIES_NOT_TOLD;
	free(tags);
	return 0;
}

int fan_name_cookies(char **ret, enum fan_cookies cookies)
{
	static const char *const words[FAN_COOKIES_KINDS] = {
		"not told", "not readable", "none", "none", "partly", "shared", "apart",
	};

	return fan_str_set(ret, words[cookies]);
}

struct length {
	char text[32];
};

/* "60 ms", "1.35 s" */
static struct length length(int64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	struct length ret;
	double v = (double)ns;
	size_t u = 0;

	for (; u < 3 && v >= 999.5; u++)
		v /= 1000;
	snprintf(ret.text, sizeof(ret.text), "%.3g %s", v, units[u]);
	return ret;
}

/* The interfaces that people remember are not those that a kernel has. */
static int note_interface(struct fan_strs *notes, enum fan_cookies cookies)
{
	if (cookies != FAN_COOKIES_NOT_TOLD && cookies != FAN_COOKIES_NONE &&
	    cookies != FAN_COOKIES_ABSENT)
		return 0;
	return fan_strs_add(notes,
			    "cookies are set with prctl(PR_SCHED_CORE) alone, since Linux 5.14, if "
			    "built with CONFIG_SCHED_CORE, which most distributions leave out; "
			    "cpu.tag and cpu.core_tag of the patches of 2019 to 2021 were never "
			    "merged, and Chromium's kernels before 5.10 had a prctl of their own");
}

static int note_entries(struct fan_strs *notes, const struct fan_model *m)
{
	const struct fan_kvm_counts *c = &fan_machine_kvm(m->machine)->counts;

	if (c->seen[FAN_VCPU_ENTRY])
		return 0;
	if (c->seen[FAN_VCPU_LOAD])
		return fan_strs_add(notes,
				    "no kvm_entry event: the begin of KVM_RUN stands for it, "
				    "so that few violations are seen as such; the rest is "
				    "unresolved");
	return fan_strs_add(notes, "no kvm_entry event: whether a vCPU was let in again is not "
				   "seen; all that outlasts the tolerance is unresolved");
}

static int note_clock(struct fan_strs *notes, const struct fan_r_source *source)
{
	if (!source->clock || strcmp(source->clock, "local") != 0)
		return 0;
	return fan_strs_add(notes,
			    "clock local: what happens on two CPUs is put in order to within %s at "
			    "best; record with the clock mono",
			    source->clock_skew_ns > 0 ? length(source->clock_skew_ns).text
						      : "some microseconds");
}

static int note_wide_cores(struct fan_strs *notes, const struct fan_cores *cores)
{
	size_t most = 0;

	for (size_t i = 0; i < cores->n; i++)
		most = cores->cores[i].n > most ? cores->cores[i].n : most;
	if (most <= 2)
		return 0;
	return fan_strs_add(notes,
			    "cores of %zu CPUs: time is core time, in which any two that share "
			    "count once; pairs, numbers and lengths are of pairs of CPUs, and what "
			    "to expect by chance is for one pair",
			    most);
}

/* The tolerance, not a violation, makes the verdict. */
static int note_unresolved(struct fan_strs *notes, const struct fan_r_isolation *iso)
{
	const struct fan_r_mixing *m = &iso->judged;

	if (!(m->judged_pct > iso->max_violation_pct) || m->violation_pct > iso->max_violation_pct)
		return 0;
	return fan_strs_add(
		notes,
		"it is the unresolved time that exceeds the limit: on an emulated or "
		"oversubscribed host a core may need longer than %s to change over; see "
		"--tolerance",
		length(iso->tolerance_ns).text);
}

/* Of next to no co-run the share says little. */
static int note_moments(struct fan_strs *notes, const struct fan_r_isolation *iso,
			const struct fan_isolation_evidence *e)
{
	const struct fan_r_mixing *m = &iso->judged;
	const double bad = (double)(m->violation_ns + m->unresolved_ns);

	if (m->judged_pct > iso->max_violation_pct && fan_isolation_is_moments(iso, e))
		return fan_strs_add(
			notes,
			"siblings ran vCPUs together for %s only, mostly to change "
			"over; judged is the share of all time in which %s ran: %.2g %%",
			length(m->co_run_ns).text, e->noun, 100 * bad / (double)e->used_ns);
	if (m->co_run_ns == 0 || m->co_run_ns >= SHORT_CO_RUN_NS || bad == 0)
		return 0;
	return fan_strs_add(notes,
			    "siblings ran vCPUs together for %s only, of which single violations "
			    "are a large part",
			    length(m->co_run_ns).text);
}

static int note_times(struct fan_strs *notes, const struct fan_r_isolation *iso, const char *noun)
{
	const struct fan_r_mixing *m = &iso->judged;
	int r = 0;

	if (m->possible_ns > 0)
		r = fan_strs_add(notes,
				 "of the sibling of a running vCPU it is not known for %s what it "
				 "ran",
				 length(m->possible_ns).text);
	if (r == 0 &&
	    iso->idle_beside_ns * 100 > m->violation_ns + m->transition_ns + m->unresolved_ns)
		r = fan_strs_add(
			notes,
			"a whole core was idle for %s while %s shared another one: there was "
			"room to keep them apart",
			length(iso->idle_beside_ns).text, noun);
	return r;
}

static int note_others(struct fan_strs *notes, const struct fan_r_isolation *iso)
{
	const struct fan_r_mixed_pair *p = iso->pairs.items;
	bool has_others = false;

	for (size_t i = 0; i < iso->pairs.n; i++)
		has_others |= strcmp(p[i].b, "other") == 0;
	return has_others ? fan_strs_add(notes, "other: VMs that are no group of this report, such "
						"as those that were there too briefly")
			  : 0;
}

int fan_assemble_isolation_notes(struct fan_report *r, const struct fan_assembly *a,
				 const struct fan_isolation_evidence *e)
{
	struct fan_strs *notes = &r->isolation.notes;
	int ret = 0;

	/* nothing was measured that could be misread */
	if (r->isolation.judged.co_run_ns == FAN_NONE)
		return 0;
	ret = note_unresolved(notes, &r->isolation);
	if (ret == 0)
		ret = note_moments(notes, &r->isolation, e);
	if (ret == 0)
		ret = note_times(notes, &r->isolation, e->noun);
	if (ret == 0)
		ret = note_entries(notes, a->m);
	if (ret == 0)
		ret = note_clock(notes, &r->source);
	if (ret == 0)
		ret = note_wide_cores(notes, a->m->cores);
	if (ret == 0)
		ret = note_others(notes, &r->isolation);
	return ret < 0 ? ret : note_interface(notes, e->cookies);
}
