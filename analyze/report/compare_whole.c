// SPDX-License-Identifier: GPL-3.0-or-later
/* What a configuration came to as a whole: totals over its VMs, and how its runs were isolated. */
#include "analyze/report/compare_parts.h"

#include <math.h>
#include <string.h>

/* Scores of one VM are a total too; without a common unit there is none of scores. */
static int add_total(struct fan_c_total *to, const struct fan_comparison *c, size_t config)
{
	const bool has_unit = fan_has_one_unit(c);
	const bool is_rating = has_unit && c->nvms && strcmp(c->units[0], "score") == 0;
	const struct {
		struct fan_est *est;
		const char *unit;
		enum fan_quantity q;
		bool is_told;
	} means[] = {
		{ &to->mean, is_rating ? "score" : "per_second", FAN_Q_SCORE, has_unit },
		{ &to->cpus, "cpus", FAN_Q_CPUS, true },
		{ &to->efficiency, "per_cpu_second", FAN_Q_EFFICIENCY, has_unit },
		{ &to->forced_idle, "percent", FAN_Q_FORCED_IDLE, true },
	};
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(means) / sizeof(means[0]); i++) {
		const struct fan_est_spec spec = { means[i].unit, c->options->level, 1 };

		if (means[i].is_told)
			e = fan_column_mean(c, config, FAN_TOTAL, means[i].q, &spec, means[i].est);
	}
	fan_est_note_percent(&to->forced_idle);
	return e == 0 && has_unit && c->nvms ? fan_str_set(&to->unit, c->units[0]) : e;
}

static int64_t *count_of(struct fan_c_isolation *to, const char *verdict)
{
	const struct {
		const char *word;
		int64_t *count;
	} list[] = {
		{ "isolated", &to->isolated },
		{ "shared", &to->shared },
		{ "untested", &to->untested },
		{ "cannot_tell", &to->cannot_tell },
		{ "not_applicable", &to->not_applicable },
	};

	for (size_t i = 0; verdict && i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(verdict, list[i].word) == 0)
			return list[i].count;
	return &to->not_told;
}

/* The string of all who have one; NULL: none has. */
struct common {
	const char *text;
	bool differs;
};

static void add_common(struct common *c, const char *text)
{
	if (!text)
		return;
	c->differs |= c->text && strcmp(c->text, text) != 0;
	c->text = text;
}

static int set_common(char **dst, const struct common *c)
{
	return c->differs ? 0 : fan_str_set(dst, c->text);
}

/* Runs that say nothing do not contradict those that do. */
static int add_words(struct fan_c_isolation *to, const struct fan_run *runs, size_t n)
{
	struct common word = { NULL, false }, reason = { NULL, false }, level = { NULL, false };
	int e;

	for (size_t i = 0; i < n; i++) {
		const struct fan_run_isolation *iso = &runs[i].isolation;

		++*count_of(to, iso->verdict);
		add_common(&word, iso->verdict);
		add_common(&reason, iso->reason);
		if (iso->verdict)
			add_common(&level, runs[i].settings.level);
		if (!isnan(iso->judged_pct) && !(iso->judged_pct <= to->worst_pct)) {
			to->worst_pct = iso->judged_pct;
			e = fan_str_set(&to->worst, runs[i].name);
			if (e < 0)
				return e;
		}
	}
	e = word.differs ? fan_str_set(&to->word, "disagree") : set_common(&to->word, &word);
	if (e == 0)
		e = set_common(&to->reason, &reason);
	return e < 0 ? e : set_common(&to->level, &level);
}

static int add_isolation(struct fan_c_isolation *to, const struct fan_comparison *c, size_t config)
{
	const struct fan_est_spec spec = { "percent", c->options->level, 1 };
	const int e = fan_column_mean(c, config, FAN_TOTAL, FAN_Q_JUDGED, &spec, &to->judged_pct);

	fan_est_note_percent(&to->judged_pct);
	to->isolated = to->shared = to->untested = to->cannot_tell = 0;
	to->not_applicable = to->not_told = 0;
	return e < 0 ? e : add_words(to, c->runs + c->first[config], fan_runs_of(c, config));
}

int fan_compare_whole(struct fan_comparison *c)
{
	struct fan_c_configuration *of = c->tree->configurations.items;
	int e = 0;

	for (size_t k = 0; e == 0 && k < c->nconfigs; k++) {
		e = add_total(&of[k].total, c, k);
		if (e == 0)
			e = add_isolation(&of[k].isolation, c, k);
	}
	return e;
}
