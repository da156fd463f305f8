// SPDX-License-Identifier: GPL-3.0-or-later
/* The windows of a report, a row each. */
#include <errno.h>
#include <math.h>

#include "analyze/report/export.h"
#include "analyze/report/export_rows.h"

static const char *const columns[] = {
	"begin_ns",  "window_ns",    "group",	   "run_ns",	    "wait_ns",
	"share_pct", "expected_pct", "lag_ns",	   "vcpu_run_ns",   "guest_ns",
	"host_ns",   "poll_ns",	     "vmm_ns",	   "in_kvm_run_ns", "vcpu_wait_ns",
	"halted_ns", "blocked_ns",   "unsplit_ns", "unknown_ns",
};

/* Lists are empty where the trace cannot tell. */
static int64_t int_at(const struct fan_ints *list, size_t i)
{
	return i < list->n ? list->items[i] : FAN_NONE;
}

static double real_at(const struct fan_reals *list, size_t i)
{
	return i < list->n ? list->items[i] : NAN;
}

static int put_row(struct fan_rows *rows, const struct fan_r_series *s, const struct fan_r_curve *c,
		   size_t w)
{
	const struct fan_ints *const vcpu[] = {
		&c->vcpu_run_ns, &c->guest_ns,	    &c->host_ns,      &c->poll_ns,
		&c->vmm_ns,	 &c->in_kvm_run_ns, &c->vcpu_wait_ns, &c->halted_ns,
		&c->blocked_ns,	 &c->unsplit_ns,    &c->unknown_ns,
	};

	fan_rows_i64(rows, s->t_ns.items[w]);
	fan_rows_i64(rows, s->window_ns);
	fan_rows_text(rows, c->name);
	fan_rows_i64(rows, int_at(&c->run_ns, w));
	fan_rows_i64(rows, int_at(&c->wait_ns, w));
	fan_rows_real(rows, real_at(&c->share, w));
	fan_rows_real(rows, real_at(&c->expected, w));
	fan_rows_i64(rows, int_at(&c->lag_ns, w));
	for (size_t i = 0; i < sizeof(vcpu) / sizeof(vcpu[0]); i++)
		fan_rows_i64(rows, int_at(vcpu[i], w));
	return fan_rows_end(rows);
}

int fan_export_windows(const struct fan_report *r, bool is_json, FILE *f, struct fcap_err *err)
{
	struct fan_rows rows = { .to.f = f,
				 .is_json = is_json,
				 .columns = columns,
				 .n = sizeof(columns) / sizeof(columns[0]) };
	const struct fan_r_curve *curve = r->series.groups.items;
	int e = 0;

	errno = 0;
	fan_rows_begin(&rows);
	for (size_t w = 0; w < r->series.t_ns.n; w++)
		for (size_t k = 0; e == 0 && k < r->series.groups.n; k++)
			e = put_row(&rows, &r->series, &curve[k], w);
	e = e < 0 ? e : fan_sink_flush(&rows.to);
	return e < 0 ? fan_export_failed(e, err) : 0;
}
