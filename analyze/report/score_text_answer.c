// SPDX-License-Identifier: GPL-3.0-or-later
/* The sentences that the text on windows, and on a summary, begins with. */
#include <math.h>
#include <string.h>

#include "analyze/report/score_text_parts.h"
#include "analyze/report/words.h"

int fan_score_decimals(const struct fan_est *e)
{
	const int d = fan_interval_decimals(e->value, (struct fan_interval){ e->lo, e->hi });

	return d > 2 ? d : 2;
}

static struct fan_score_ends format_ends(const struct fan_est *e, int decimals, bool signs,
					 const char *const *around, const char *none)
{
	const bool cut_lo = e->flags & FAN_EST_CI_CLIPPED_LO;
	const bool cut_hi = e->flags & FAN_EST_CI_CLIPPED_HI;
	struct fan_score_ends ret;

	if (isnan(e->lo) || isnan(e->hi))
		snprintf(ret.text, sizeof(ret.text), "%s", none);
	else
		snprintf(ret.text, sizeof(ret.text), "%s%s%s%s%s", around[0],
			 fan_format_real(cut_lo ? 0 : e->lo, decimals, signs).text, around[1],
			 fan_format_real(cut_hi ? 100 : e->hi, decimals, signs).text, around[2]);
	return ret;
}

struct fan_score_ends fan_score_span(const struct fan_est *e, int decimals, bool signs)
{
	static const char *const around[] = { "", " to ", "" };

	return format_ends(e, decimals, signs, around, "-");
}

struct fan_score_ends fan_score_brackets(const struct fan_est *e, int decimals, bool signs)
{
	static const char *const around[] = { " [", ", ", "]" };

	return format_ends(e, decimals, signs, around, "");
}

const char *fan_score_label(const struct fan_compare *c, const struct fan_c_configuration *config)
{
	return c->configurations.n > 1 ? fan_or_dash(config->label) : NULL;
}

bool fan_score_is_inside(const struct fan_c_configuration *config)
{
	return config->groups.n == 1;
}

/* What a word says with its margin; of a share what hangs on what was due. */
static void format_word(const struct fan_verdict_text *v, const char *unit, char *ret, size_t size)
{
	static const struct {
		const char *word, *before, *after;
	} list[] = {
		{ "unfair", "unfair, off by more than", "" },
		{ "fair", "fair within", "" },
		{ "off", "off, whether by more than", " is open" },
		{ "equivalent", "equivalent within", "" },
		{ "material", "material at a margin of", "" },
		{ "different", "different at a margin of", "" },
		{ "inconclusive", "inconclusive at a margin of", "" },
	};

	snprintf(ret, size, "no verdict");
	for (size_t i = 0; v->word && i < sizeof(list) / sizeof(list[0]); i++)
		if (strcmp(v->word, list[i].word) == 0)
			snprintf(ret, size, "%s %g %s%s%s", list[i].before, v->margin, unit,
				 list[i].after, v->indicative ? " (indicative)" : "");
}

/* "off (VM1): the group due 90 % got 85.32 % [81.10, 89.53] of the work: ..." */
static void print_inside(const char *label, const struct fan_c_group *g, const char *words,
			 struct fan_print *p)
{
	const int decimals = fan_score_decimals(&g->share);
	const char *name = fan_or_dash(g->name);
	char group[64] = "the measured group";

	if (!isnan(g->expected_pct))
		snprintf(group, sizeof(group), "the group due %.4g %%", g->expected_pct);
	fan_print_para(p, 0, "%s%s%s%s: %s got %s %%%s of the work: %s.", label ? label : name,
		       label ? " (" : "", label ? name : "", label ? ")" : "", group,
		       fan_format_real(g->share.value, decimals, false).text,
		       fan_score_brackets(&g->share, decimals, false).text, words);
}

/* "off: vm1 got 48.12 % [47.80, 48.44] where 50 % was due: ..." */
static void print_among(const char *label, const struct fan_c_group *g, const char *words,
			struct fan_print *p)
{
	const int decimals = fan_score_decimals(&g->share);
	char due[64] = "";

	if (!isnan(g->expected_pct))
		snprintf(due, sizeof(due), " where %.4g %% was due", g->expected_pct);
	fan_print_para(p, 0, "%s%s%s got %s %%%s%s: %s.", label ? label : "", label ? ": " : "",
		       fan_or_dash(g->name), fan_format_real(g->share.value, decimals, false).text,
		       fan_score_brackets(&g->share, decimals, false).text, due, words);
}

static void print_share(const struct fan_compare *c, const struct fan_c_configuration *config,
			const struct fan_c_group *g, struct fan_print *p)
{
	const char *label = fan_score_label(c, config);
	char words[120];

	format_word(&g->verdict, "points", words, sizeof(words));
	if (isnan(g->expected_pct))
		snprintf(words, sizeof(words),
			 "no verdict, as what was due is not known (--expected tells it)");
	fan_print_strong(p, words, fan_mark_of_word(g->verdict.word));
	if (fan_score_is_inside(config))
		print_inside(label, g, words, p);
	else
		print_among(label, g, words, p);
}

/* Whether each configuration was measured in another VM. */
static bool has_own_vms(const struct fan_c_gap *gap)
{
	return gap->per && strstr(gap->per, " over ");
}

/* "on over off: the share changed by -57.0 points [-75.1, -38.9]: ..." */
static void print_change(const struct fan_c_gap *gap, int decimals, const char *words,
			 struct fan_print *p)
{
	const char *of = has_own_vms(gap) ? NULL : gap->per;

	fan_print_para(p, 0, "%s over %s: the share%s%s changed by %s points%s: %s.",
		       fan_or_dash(gap->a), fan_or_dash(gap->b), of ? " of " : "", of ? of : "",
		       fan_format_real(gap->est.value, decimals, true).text,
		       fan_score_brackets(&gap->est, decimals, true).text, words);
}

/* "off: the gap of vm1 over vm2 (work over due) is -8.12 % [-8.42, -7.83]: ..." */
static void print_between(const struct fan_c_gap *gap, int decimals, const char *words,
			  struct fan_print *p)
{
	fan_print_para(p, 0, "%s%sthe gap of %s over %s (%s) is %s %%%s: %s.",
		       gap->config ? gap->config : "", gap->config ? ": " : "", fan_or_dash(gap->a),
		       fan_or_dash(gap->b), fan_or_dash(gap->of),
		       fan_format_real(gap->est.value, decimals, true).text,
		       fan_score_brackets(&gap->est, decimals, true).text, words);
}

static void print_gap(const struct fan_c_gap *gap, struct fan_print *p)
{
	const bool is_change = strcmp(gap->name, "share_change_pp") == 0;
	const struct fan_interval in = { gap->est.lo, gap->est.hi };
	const int d = fan_interval_decimals(gap->est.value, in), decimals = d > 1 ? d : 1;
	char words[120];

	format_word(&gap->verdict, is_change ? "points" : "%", words, sizeof(words));
	fan_print_strong(p, words, fan_mark_of_word(gap->verdict.word));
	if (is_change)
		print_change(gap, decimals, words, p);
	else
		print_between(gap, decimals, words, p);
}

/* What the numbers above cannot tell, said once. */
static void print_doubts(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *gap = c->gaps.items;
	bool own_vms = false;

	for (size_t i = 0; i < c->gaps.n; i++)
		own_vms |= has_own_vms(&gap[i]);
	fan_print_para(
		p, 0, "In brackets: %g %% intervals within the one run%s; other runs may differ%s.",
		100 * c->level, c->configurations.n > 1 ? " of each" : "",
		own_vms ? ", and as each configuration ran in a VM of its own, the change "
			  "may be the VM's"
			: "");
}

void fan_score_windows_answer(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_configuration *config = c->configurations.items;
	const struct fan_c_gap *gap = c->gaps.items;
	size_t all = 0;

	for (size_t i = 0; i < c->configurations.n; i++) {
		const struct fan_c_group *g = config[i].groups.items;

		for (size_t k = 0; k < config[i].groups.n; k++)
			if (all++ < FAN_SCORE_ANSWERS)
				print_share(c, &config[i], &g[k], p);
	}
	if (all > FAN_SCORE_ANSWERS)
		fan_print_para(p, 0, "And %zu more, below.", all - FAN_SCORE_ANSWERS);
	for (size_t i = 0; i < c->gaps.n && i < FAN_SCORE_ANSWERS; i++)
		print_gap(&gap[i], p);
	if (c->gaps.n > FAN_SCORE_ANSWERS)
		fan_print_para(p, 0, "And %zu more gaps, in the JSON.",
			       c->gaps.n - FAN_SCORE_ANSWERS);
	print_doubts(c, p);
}

void fan_score_summary_answer(const struct fan_compare *c, struct fan_print *p)
{
	const struct fan_c_gap *gap = c->gaps.items;

	fan_print_para(p, 0, "No interval possible: summary only.");
	for (size_t i = 0; i < c->gaps.n; i++)
		fan_print_para(p, 4, "%s%s%sa gap of %g %%, without the runs behind it",
			       p->is_raw ? "- " : "  ", gap[i].config ? gap[i].config : "",
			       gap[i].config ? ": " : "", gap[i].est.value);
}
