// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs whose reports were made with different options differ by these too: one note says so. */
#include "analyze/report/compare_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/print.h"
#include "analyze/report/words.h"

#define VALUES_NAMED 3 /* of one setting; the rest is counted */

struct setting {
	char text[40]; /* "": not told */
};

static struct setting time_of(int64_t ns)
{
	struct setting ret = { "" };

	if (ns != FAN_NONE)
		snprintf(ret.text, sizeof(ret.text), "%s", fan_format_ns(ns).text);
	return ret;
}

static struct setting word_of(const char *word)
{
	struct setting ret = { "" };

	snprintf(ret.text, sizeof(ret.text), "%.30s", word ? word : "");
	return ret;
}

static struct setting window(const struct fan_run_settings *s)
{
	return time_of(s->window_ns);
}

static struct setting warmup(const struct fan_run_settings *s)
{
	return time_of(s->warmup_ns);
}

static struct setting expected(const struct fan_run_settings *s)
{
	return word_of(s->expected_method);
}

static struct setting level(const struct fan_run_settings *s)
{
	return word_of(s->level);
}

static struct setting tolerance(const struct fan_run_settings *s)
{
	return time_of(s->tolerance_ns);
}

static struct setting max_violation(const struct fan_run_settings *s)
{
	struct setting ret = { "" };

	if (!isnan(s->max_violation_pct))
		snprintf(ret.text, sizeof(ret.text), "%g %%", s->max_violation_pct);
	return ret;
}

/* In how many runs from the i-th on a setting is what it is there; 0: it was there before. */
static size_t count_alike(const struct fan_comparison *c, size_t i,
			  struct setting (*get)(const struct fan_run_settings *))
{
	const struct setting here = get(&c->runs[i].settings);
	size_t ret = 0;

	for (size_t k = 0; k < c->nruns; k++) {
		if (strcmp(get(&c->runs[k].settings).text, here.text) != 0)
			continue;
		if (k < i)
			return 0;
		ret++;
	}
	return ret;
}

/* "tolerance 50 us in 4 runs and 60 ms in 2", if it differs between those that tell. */
static int add_setting(struct fan_strs *list, const struct fan_comparison *c, const char *name,
		       struct setting (*get)(const struct fan_run_settings *))
{
	struct fan_strs values = { 0 };
	size_t n = 0;
	char *text = NULL;
	int e = 0;

	for (size_t i = 0; e == 0 && i < c->nruns; i++) {
		const struct setting s = get(&c->runs[i].settings);
		const size_t alike = *s.text ? count_alike(c, i, get) : 0;

		if (alike && n++ < VALUES_NAMED)
			e = fan_strs_add(&values, "%s in %zu run%s", s.text, alike,
					 alike == 1 ? "" : "s");
	}
	if (e == 0 && n > VALUES_NAMED)
		e = fan_strs_add(&values, "%zu others", n - VALUES_NAMED);
	if (e == 0 && n > 1) {
		text = fan_join(&values, ", ");
		e = text ? fan_strs_add(list, "%s: %s", name, text) : -ENOMEM;
	}
	free(text);
	fan_strs_free(&values);
	return e;
}

int fan_compare_settings(struct fan_comparison *c)
{
	static const struct {
		const char *name;
		struct setting (*get)(const struct fan_run_settings *);
	} all[] = {
		{ "tolerance of the isolation", tolerance },
		{ "level of the isolation", level },
		{ "violation allowed", max_violation },
		{ "windows", window },
		{ "warm-up", warmup },
		{ "what was due", expected },
	};
	struct fan_strs list = { 0 };
	char *text = NULL;
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(all) / sizeof(all[0]); i++)
		e = add_setting(&list, c, all[i].name, all[i].get);
	if (e == 0 && list.n) {
		text = fan_join(&list, "; ");
		e = text ? fan_strs_add(&c->tree->notes,
					"the runs were not analysed alike, which may be all that "
					"some of them differ by: %s",
					text)
			 : -ENOMEM;
	}
	free(text);
	fan_strs_free(&list);
	return e;
}
