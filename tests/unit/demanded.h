/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of what is due: a model that asked for allotments, and what came out. */
#ifndef TESTS_UNIT_DEMANDED_H
#define TESTS_UNIT_DEMANDED_H

#include "analyze/stats/entitle.h"
#include "tests/unit/modelled.h"

/* options may be NULL; its allocator is replaced. */
static inline struct fan_model *model_by_demand(struct tb *tb, unsigned int cpus,
						const struct fan_model_options *options)
{
	struct fan_entitle_rule rule = { .cpus = cpus };
	struct fan_model_options o = options ? *options : (struct fan_model_options){ 0 };
	struct fan_file *file = file_of(tb);
	struct fcap_err err = { 0 };
	struct fan_model *m = NULL;

	o.allocator = (struct fan_allocator){ fan_entitle_members, &rule };
	if (fan_model_read(&m, file, &o, &err) < 0)
		fail_msg("%s", err.text);
	fan_file_close(file);
	return m;
}

/* What was due in all, to threads of this thread group. */
static inline double due_of(const struct fan_model *m, int32_t tgid)
{
	double ns = 0;

	for (size_t i = 0; i < fan_accounts_count(m->threads); i++) {
		const int32_t proc = fan_accounts_at(m->threads, i)->proc;

		if (fan_procs_at(m->threads, (size_t)fan_procs_final(m->threads, proc))->tgid ==
		    tgid)
			ns += (double)fan_series_sum(m->series, fan_model_row((int32_t)i), 0,
						     UINT64_MAX)
				      .due_ns;
	}
	return ns;
}

#endif
