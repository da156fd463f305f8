// SPDX-License-Identifier: GPL-3.0-or-later
/* Estimates and verdicts out of JSON. */
#include "analyze/report/read_json_parts.h"

#include <string.h>

/*
 * Strings of estimates and verdicts are static. What is not in this list is from another version,
 * and could be what an estimate is to be doubted for.
 */
static const char *const words[] = {
	"percent",
	"points",
	"log",
	"ratio",
	"per_second",
	"per_cpu_second",
	"cpus",
	"score",
	"pw-ewc",
	"t",
	"t-logit",
	"welch",
	"welch-delta",
	"satterthwaite",
	"paired-t",
	"paired-delta",
	"fieller",
	"fieller-paired",
	"hodges-lehmann",
	"newcombe-5",
	"woodruff",
	"bonett",
	"bonferroni-box",
	"jackknife-t",
	"largest of simultaneous",
	"clopper-pearson",
	"unfair",
	"fair",
	"off",
	"inconclusive",
	"material",
	"equivalent",
	"different",
	"isolated",
	"shared",
	"untested",
	"cannot_tell",
	"not_applicable",
};

static int read_word(const char **ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_string(v))
		return fan_refuse(at, "a string is needed");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], json_string_value(v)) != 0)
			continue;
		*ret = words[i];
		return 0;
	}
	return fan_refuse(at, "this version does not know that word");
}

static int read_est_flags(uint32_t *ret, const json_t *v, const struct fan_place *at)
{
	if (!json_is_array(v))
		return fan_refuse(at, "a list of flags is needed");
	for (size_t i = 0; i < json_array_size(v); i++) {
		const char *token = json_string_value(json_array_get(v, i));
		const struct fan_place here = fan_step_index(at, i);
		uint32_t bit = 1;

		while (token && fan_est_flag_name(bit) &&
		       strcmp(fan_est_flag_name(bit), token) != 0)
			bit <<= 1;
		if (!token || !fan_est_flag_name(bit))
			return fan_refuse(&here, "this version does not know that flag");
		*ret |= bit;
	}
	return 0;
}

static int read_est_numbers(struct fan_est *ret, const json_t *v, const struct fan_place *at)
{
	const struct {
		const char *key;
		double *to;
	} reals[] = {
		{ "value", &ret->value }, { "se", &ret->se },	      { "lo", &ret->lo },
		{ "hi", &ret->hi },	  { "lo_adj", &ret->lo_adj }, { "hi_adj", &ret->hi_adj },
		{ "level", &ret->level }, { "df", &ret->df },
	};

	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
		const struct fan_place here = fan_step_key(at, reals[i].key);
		const json_t *value = fan_read_member(v, reals[i].key);
		const int e = value ? fan_read_real(reals[i].to, value, &here) : 0;

		if (e < 0)
			return e;
	}
	return 0;
}

/* A count from min to 2^31 - 1. */
static int read_count(int64_t *ret, int64_t min, const json_t *v, const struct fan_place *at)
{
	const int e = fan_read_i64(ret, v, at);

	if (e == 0 && (*ret < min || *ret > INT32_MAX))
		return fan_refuse(at, "this number is out of range");
	return e;
}

static int read_est_counts(struct fan_est *ret, const json_t *v, const struct fan_place *at)
{
	const struct fan_place of_m = fan_step_key(at, "m"), of_n = fan_step_key(at, "n");
	int64_t m = ret->m, n = (int64_t)ret->n;
	int e = fan_read_member(v, "m") ? read_count(&m, 1, fan_read_member(v, "m"), &of_m) : 0;

	if (e == 0 && fan_read_member(v, "n"))
		e = read_count(&n, 0, fan_read_member(v, "n"), &of_n);
	ret->m = (unsigned int)m;
	ret->n = (uint64_t)n;
	return e;
}

int fan_read_est(struct fan_est *ret, const json_t *v, const struct fan_place *at)
{
	const struct fan_place unit = fan_step_key(at, "unit"), method = fan_step_key(at, "method"),
			       flags = fan_step_key(at, "flags");
	int e;

	if (!json_is_object(v))
		return fan_refuse(at, "an estimate is needed");
	e = read_est_numbers(ret, v, at);
	if (e == 0)
		e = read_est_counts(ret, v, at);
	if (e == 0 && fan_read_member(v, "unit"))
		e = read_word(&ret->unit, fan_read_member(v, "unit"), &unit);
	if (e == 0 && fan_read_member(v, "method"))
		e = read_word(&ret->method, fan_read_member(v, "method"), &method);
	if (e == 0 && fan_read_member(v, "flags"))
		e = read_est_flags(&ret->flags, fan_read_member(v, "flags"), &flags);
	return e;
}

int fan_read_verdict(struct fan_verdict_text *ret, const json_t *v, const struct fan_place *at)
{
	const struct fan_place word = fan_step_key(at, "word"),
			       indicative = fan_step_key(at, "indicative"),
			       margin = fan_step_key(at, "margin"),
			       reasons = fan_step_key(at, "reasons");
	int e = 0;

	if (!json_is_object(v))
		return fan_refuse(at, "a verdict is needed");
	if (fan_read_member(v, "word"))
		e = read_word(&ret->word, fan_read_member(v, "word"), &word);
	if (e == 0 && fan_read_member(v, "indicative"))
		e = fan_read_bool(&ret->indicative, fan_read_member(v, "indicative"), &indicative);
	if (e == 0 && fan_read_member(v, "margin"))
		e = fan_read_real(&ret->margin, fan_read_member(v, "margin"), &margin);
	if (e == 0 && fan_read_member(v, "reasons"))
		e = fan_read_strs(&ret->reasons, fan_read_member(v, "reasons"), &reasons);
	return e;
}
