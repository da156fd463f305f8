// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether the VMs of each configuration were kept apart, in a line each. */
#include "analyze/report/text_compare_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/words.h"

/* "isolated in 5 of 6 runs, shared in 1", to be freed; NULL: no memory. */
static char *verdicts_of(const struct fan_c_configuration *config)
{
	const struct fan_c_isolation *iso = &config->isolation;
	const struct {
		const char *words;
		int64_t n;
	} list[] = {
		{ "isolated", iso->isolated },
		{ "shared", iso->shared },
		{ "not put to the test", iso->untested },
		{ "cannot tell", iso->cannot_tell },
		{ "not applicable", iso->not_applicable },
		{ "not told", iso->not_told },
	};
	struct fan_strs parts = { 0 };
	char *ret;
	int e = 0;

	for (size_t i = 0; e == 0 && i < sizeof(list) / sizeof(list[0]); i++) {
		if (list[i].n == 0)
			continue;
		if (list[i].n == config->runs)
			e = fan_strs_add(&parts, "%s in %s", list[i].words,
					 config->runs == 1 ? "its one run" : "all runs");
		else
			e = fan_strs_add(&parts, "%s in %" PRId64 " of %" PRId64, list[i].words,
					 list[i].n, config->runs);
	}
	ret = e == 0 ? fan_join(&parts, ", ") : NULL;
	fan_strs_free(&parts);
	return ret;
}

/* Ends outside 0 .. 100 are cut, for print alone. */
static double cut(double pct)
{
	return pct < 0 ? 0 : pct > 100 ? 100 : pct;
}

/* ", worst 33.0 % (off-4.json), few runs": what makes the mean of several runs less than it looks
 */
static char *format_doubts(const struct fan_c_isolation *iso, size_t folder, int decimals)
{
	const char *worst = iso->worst && strlen(iso->worst) > folder ? iso->worst + folder : "-";
	char *words, *ret;
	int r;

	if (iso->judged_pct.n < 2)
		return strdup("");
	words = fan_est_words(iso->judged_pct.flags);
	if (!words)
		return NULL;
	r = asprintf(&ret, ", worst %s %% (%s)%s%s",
		     fan_format_real(iso->worst_pct, decimals, false).text, worst,
		     *words ? "; " : "", words);
	free(words);
	return r < 0 ? NULL : ret;
}

/* "; 31.2 % [29.0, 33.4], worst 33.0 % (off-4.json)", to be freed; NULL: no memory */
static char *format_judged(const struct fan_c_configuration *config, size_t folder)
{
	const struct fan_c_isolation *iso = &config->isolation;
	const struct fan_interval in = { cut(iso->judged_pct.lo), cut(iso->judged_pct.hi) };
	const int d = isnan(in.lo) ? 2 : fan_interval_decimals(iso->judged_pct.value, in);
	char interval[72] = "", *doubts, *ret;
	int r = -1;

	if (isnan(iso->judged_pct.value))
		return strdup("");
	if (!isnan(in.lo))
		snprintf(interval, sizeof(interval), " [%s, %s]",
			 fan_format_real(in.lo, d, false).text,
			 fan_format_real(in.hi, d, false).text);
	doubts = format_doubts(iso, folder, d);
	if (doubts)
		r = asprintf(&ret, "; %s %%%s%s",
			     fan_format_real(iso->judged_pct.value, d, false).text, interval,
			     doubts);
	free(doubts);
	return r < 0 ? NULL : ret;
}

static void print_one(const struct fan_c_configuration *config, size_t folder, struct fan_print *p)
{
	const struct fan_c_isolation *iso = &config->isolation;
	const bool disagree = iso->word && strcmp(iso->word, "disagree") == 0;
	char *verdicts = verdicts_of(config), *judged = format_judged(config, folder);

	fan_print_strong(p, verdicts, fan_mark_of_word(iso->word));
	if (verdicts && judged)
		fan_print_para(p, 4, "  %s: %s%s%s%s%s%s", config->label,
			       disagree ? "its runs disagree: " : "", verdicts,
			       iso->reason ? " (" : "", iso->reason ? iso->reason : "",
			       iso->reason ? ")" : "", judged);
	else
		p->r = -ENOMEM;
	free(judged);
	free(verdicts);
}

/* What was judged, by the first configuration that tells. */
static const char *level_words(const struct fan_compare *c)
{
	static const struct {
		const char *level, *words;
	} list[] = {
		{ "vm", "different VMs" }, /* what is asked unless told */
		{ "guest", "guests of different VMs" },
		{ "cookie", "vCPUs of different cookies" },
	};
	const struct fan_c_configuration *of = c->configurations.items;

	for (size_t k = 0; k < c->configurations.n; k++)
		for (size_t i = 0; of[k].isolation.level && i < sizeof(list) / sizeof(list[0]); i++)
			if (strcmp(of[k].isolation.level, list[i].level) == 0)
				return list[i].words;
	return list[0].words;
}

void fan_print_compare_isolation(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *of = c->configurations.items;
	const size_t folder = fan_common_folder(&c->runs);
	const bool is_told = fan_has_isolation(c);

	if (!is_told && !fan_has_times(c))
		return;
	fan_print_blank(p);
	if (!is_told) {
		fan_print_para(p, 0, "Isolation: not told by any of the reports.");
		return;
	}
	fan_print_para(p, 0, "Isolation: %s on one core at a time, of the siblings' time together",
		       level_words(c));
	for (size_t k = 0; k < c->configurations.n; k++)
		print_one(&of[k], folder, p);
}
