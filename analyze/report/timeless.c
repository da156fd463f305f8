// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/timeless.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Lengths of time, parts of it, and what is judged by them. */
static bool is_of_time(const struct fan_field *f)
{
	return f->type == FAN_F_EST || f->type == FAN_F_VERDICT ||
	       (f->unit && (strcmp(f->unit, "ns") == 0 || strcmp(f->unit, "percent") == 0 ||
			    strcmp(f->unit, "points") == 0));
}

/* As if nobody had told what is of time. */
static void forget_time(void *item, const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct fan_field *f = &table->fields[i];
		const struct fan_table alone = { .fields = f, .n = 1 };
		void *at = (char *)item + f->offset;

		if (is_of_time(f)) {
			fan_tree_free(item, &alone);
		} else if (f->type == FAN_F_STRUCT) {
			forget_time(at, f->sub);
		} else if (f->type == FAN_F_ARRAY || f->type == FAN_F_NAMED) {
			const struct fan_array *array = at;

			for (size_t k = 0; k < array->n; k++)
				forget_time((char *)array->items + k * f->sub->size, f->sub);
		}
	}
}

/* In place of notes that follow from it, as that nobody knows who ran. */
static int put_reason(struct fan_report *r, const char *reason)
{
	struct fan_strs *notes = &r->quality.notes;
	int e;

	fan_strs_free(notes);
	e = fan_strs_add(notes, "%s", reason);
	for (size_t i = 0; e == 0 && i < r->quality.cut.n; i++)
		e = fan_strs_add(notes, "%s", r->quality.cut.items[i]);
	if (e == 0)
		e = fan_strs_add(&r->flags, "no_time");
	r->isolation.applicable = false;
	r->isolation.verdict.word = "cannot_tell";
	fan_strs_free(&r->isolation.notes);
	if (e == 0)
		e = fan_str_set(&r->isolation.reason, reason);
	if (e == 0)
		e = fan_str_set(&r->isolation.sentence, "cannot tell: the stamps of the trace are "
							"no time");
	return e < 0 ? e : fan_str_set(&r->quality.verdict, "cannot_tell");
}

int fan_report_timeless(struct fan_report *ret, const struct fan_file *file,
			const struct fan_model_options *model,
			const struct fan_report_options *options, const char *reason,
			struct fcap_err *err)
{
	struct fan_model_options all = *model;
	struct fan_model *m = NULL;
	int r;

	if (model->from_ns || model->to_ns)
		return fcap_fail(err, EINVAL, "%s; --from and --to need time", reason);
	all.only_vms = false;
	r = fan_model_read(&m, file, &all, err);
	if (r < 0)
		return r;
	/* who ran is known, but nothing that a report tells of it is not of time */
	m->has_switches = false;
	r = fan_report_assemble(ret, file, m, options, err);
	if (r == 0) {
		forget_time(ret, &fan_report_table);
		if (put_reason(ret, reason) < 0)
			r = fcap_fail(err, ENOMEM, "out of memory");
	}
	fan_model_free(m);
	return r;
}
