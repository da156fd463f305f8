// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/assemble_cut.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

int fan_cut_missing(struct fan_ints *ret, const struct fan_cut *cut)
{
	int e = 0;

	for (unsigned int cpu = 0; e == 0 && cpu < FCAP_CPUS_MAX; cpu++)
		if (fcap_cpuset_has(&cut->missing, cpu))
			e = fan_ints_add(ret, cpu);
	return e;
}

/* "CPU 3", "3 CPUs (1, 4, 5)": the first of them by number. */
static int name_missing(struct fan_strs *ret, const struct fan_ints *cpus)
{
	char list[128];
	size_t at = 0, i;

	if (cpus->n == 1)
		return fan_strs_add(ret,
				    "nothing is left of the data of CPU %" PRId64
				    ": what ran there is unknown all the time",
				    cpus->items[0]);
	for (i = 0; i < cpus->n && at < sizeof(list) - 16; i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%" PRId64, i ? ", " : "",
				       cpus->items[i]);
	return fan_strs_add(ret,
			    "nothing is left of the data of %zu CPUs (%s%s): what ran there is "
			    "unknown all the time",
			    cpus->n, list, i < cpus->n ? ", ..." : "");
}

int fan_cut_sentences(struct fan_strs *ret, const struct fan_cut *cut, uint64_t first_ns)
{
	struct fan_ints missing = { 0 };
	int e = 0;

	if (cut->is_cut)
		e = fan_strs_add(
			ret,
			"the file is not whole: what is behind %.6f s from its start is left "
			"out, where the data of CPU %" PRId32 " end (%s)",
			(double)(cut->ts_ns - first_ns) / 1e9, cut->cpu, cut->why.text);
	else if (cut->why.code)
		e = fan_strs_add(ret, "the file is not whole (%s)", cut->why.text);
	else if (cut->has_lost_lines)
		e = fan_strs_add(ret, "the file is not whole");
	if (e == 0)
		e = fan_cut_missing(&missing, cut);
	if (e == 0 && missing.n)
		e = name_missing(ret, &missing);
	if (e == 0 && cut->has_lost_lines)
		e = fan_strs_add(ret, "lines of the recorder, or all of them, are missing: names, "
				      "weights and counters may be");
	free(missing.items);
	return e;
}

int fan_assemble_cut(struct fan_r_quality *q, const struct fan_model *m)
{
	struct fan_cut cut = m->cut;
	int e;

	/* behind the part that is analysed it makes no difference */
	cut.is_cut = cut.is_cut && cut.ts_ns < m->to_ns;
	if (cut.is_cut) {
		q->cut_ns = (int64_t)(cut.ts_ns - m->first_ns);
		q->cut_cpu = cut.cpu;
	} else if (m->cut.is_cut && fcap_cpuset_count(&cut.missing) == 0 && !cut.has_lost_lines) {
		return 0;
	}
	e = fan_cut_missing(&q->missing_cpus, &cut);
	if (e == 0)
		e = fan_cut_sentences(&q->cut, &cut, m->first_ns);
	for (size_t i = 0; e == 0 && i < q->cut.n; i++)
		e = fan_strs_add(&q->notes, "%s", q->cut.items[i]);
	return e;
}
