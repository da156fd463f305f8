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

/* "; 31.2 % [29.0, 33.4] of co-run time, worst 33.0 % (off-4.json)", or what there is of it */
static int format_judged(const struct fan_c_configuration *config, size_t folder, char **ret)
{
	const struct fan_c_isolation *iso = &config->isolation;
	const struct fan_interval in = { cut(iso->judged_pct.lo), cut(iso->judged_pct.hi) };
	const int d = isnan(in.lo) ? 2 : fan_interval_decimals(iso->judged_pct.value, in);
	const char *worst = iso->worst && strlen(iso->worst) > folder ? iso->worst + folder : "-";
	char interval[72] = "", most[200] = "";

	if (!isnan(in.lo))
		snprintf(interval, sizeof(interval), " [%s, %s]",
			 fan_format_real(in.lo, d, false).text,
			 fan_format_real(in.hi, d, false).text);
	if (iso->judged_pct.n > 1)
		snprintf(most, sizeof(most), ", worst %s %% (%.150s)",
			 fan_format_real(iso->worst_pct, d, false).text, worst);
	return asprintf(ret, "; objected to: %s %%%s of the time together%s",
			fan_format_real(iso->judged_pct.value, d, false).text, interval, most);
}

static void print_one(const struct fan_c_configuration *config, size_t folder, struct fan_print *p)
{
	const struct fan_c_isolation *iso = &config->isolation;
	const bool disagree = iso->word && strcmp(iso->word, "disagree") == 0;
	char *verdicts = verdicts_of(config), *judged = NULL;

	if (!verdicts ||
	    (!isnan(iso->judged_pct.value) && format_judged(config, folder, &judged) < 0)) {
		free(verdicts);
		p->r = -ENOMEM;
		return;
	}
	fan_print_para(p, 4, "  %s: %s%s%s%s%s%s", config->label,
		       disagree ? "its runs disagree: " : "", verdicts, iso->reason ? " (" : "",
		       iso->reason ? iso->reason : "", iso->reason ? ")" : "",
		       judged ? judged : "");
	free(judged);
	free(verdicts);
}

/* What is judged: the levels in words, by the first configuration that has one. */
static const char *level_words(const struct fan_compare *c)
{
	static const struct {
		const char *level, *words;
	} list[] = {
		{ "vm", "did different VMs run on one core together" },
		{ "guest", "were guests of different VMs on one core together" },
		{ "cookie", "did vCPUs with different cookies run on one core together" },
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
	bool is_told = false;

	for (size_t k = 0; k < c->configurations.n; k++)
		is_told |= of[k].isolation.word != NULL;
	if (!is_told && !fan_has_times(c))
		return;
	fan_print_blank(p);
	if (!is_told) {
		fan_print_para(p, 0, "Isolation: not told by any of the reports.");
		return;
	}
	fan_print_para(p, 0, "Isolation: %s", level_words(c));
	for (size_t k = 0; k < c->configurations.n; k++)
		print_one(&of[k], folder, p);
}
