// SPDX-License-Identifier: GPL-3.0-or-later
/* Recorded traces, stripped of their events: do their counters tell what the events tell? */
#include <string.h>

#include "analyze/trace/merge.h"
#include "tests/unit/assembled.h"

/* The lines of a trace that fcap recorded, without its events. */
static struct tb *strip(const char *path)
{
	struct tb *tb = tb_new(4, 6, TB_PLAIN);
	struct fan_file *file = NULL;
	struct fan_merge *merge = NULL;
	const struct fan_record *rec;
	struct fcap_err err = { 0 };
	int r;

	if (fan_file_open(&file, path, &err) < 0 || fan_merge_open(&merge, file, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	while ((r = fan_merge_next(merge, &rec, &err)) > 0) {
		/* common fields and ip: 16 bytes before the text of a print record */
		const char *text = (const char *)rec->data + 16;

		if (rec->buffer == 0)
			continue;
		tb_marker(tb, rec->ts_ns, "%.*s", (int)strcspn(text, "\n"), text);
	}
	assert_int_equal(r, 0);
	fan_merge_close(merge);
	fan_file_close(file);
	return tb;
}

static struct fan_report report_at(const char *path)
{
	const struct fan_report_options options = { .level = 0.95, .margin = 3, .command = "x" };
	struct fan_file *file = NULL;
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	struct fan_report r;

	if (fan_file_open(&file, path, &err) < 0 ||
	    fan_report_read(&m, file, NULL, &options, &err) < 0 ||
	    fan_report_assemble(&r, file, m, &options, &err) < 0)
		fail_msg("%s: %s", path, err.text);
	fan_model_free(m);
	fan_file_close(file);
	return r;
}

/*
 * Of an overlap of w windows the first and the last sample each may be off by half a sample's
 * length of one group: 100 / w points. Sums differ by what a thread did after its last sample, of
 * which as much as there is at most is told.
 */
static void compare_stripped(const char *path)
{
	struct fan_report by_events = report_at(path), by_counters = report_of(strip(path));
	const struct fan_r_group *g = by_events.groups.items;
	double sum = 0;

	assert_string_equal(by_events.source.basis, "events");
	assert_int_equal(by_events.source.sample_ns, FAN_NONE);
	assert_string_equal(by_counters.source.basis, "counters");
	assert_int_equal(by_counters.groups.n, by_events.groups.n);
	for (size_t i = 0; i < by_events.groups.n; i++) {
		const struct fan_r_group *c = group(&by_counters, g[i].name);
		const double run = (double)g[i].run_ns, wait = (double)g[i].wait_ns;
		const double unknown = (double)c->unknown_ns;

		print_message("%s: share %.2f %.2f, run %.4f %.4f, wait %.4f %.4f, %.3f s\n",
			      g[i].name, g[i].share.value, c->share.value, run / 1e9,
			      (double)c->run_ns / 1e9, wait / 1e9, (double)c->wait_ns / 1e9,
			      unknown / 1e9);
		assert_near(c->share.value, g[i].share.value,
			    100 / (double)by_counters.period.windows);
		assert_near((double)c->run_ns, run, 0.02 * run + unknown);
		assert_near((double)c->wait_ns, wait, 0.02 * wait + unknown);
		sum += c->share.value;
	}
	assert_near(sum, 100, 1e-9);
	fan_report_free(&by_events);
	fan_report_free(&by_counters);
}

static void the_counters_of_a_trace_tell_the_shares_that_its_events_tell(void **state)
{
	(void)state;
	compare_stripped("tests/data/bed-fcap/11-off-1.dat");
	compare_stripped("tests/data/bed-fcap/222-off-1.dat");
	compare_stripped("tests/data/bed-fcap/steal.dat");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_counters_of_a_trace_tell_the_shares_that_its_events_tell),
	};

	return cmocka_run_group_tests_name("counted_events", tests, NULL, NULL);
}
