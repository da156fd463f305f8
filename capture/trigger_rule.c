// SPDX-License-Identifier: GPL-3.0-or-later
/* The grammar of --when. */
#include "capture/trigger_rule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fcap/num.h"

#define ALL_PPM	    1000000U
#define WAIT_MAX    (10000ULL * ALL_PPM) /* more threads than wait at once anywhere */
#define SPAN_MIN_NS 1000000U
#define SPAN_MAX_NS 3600000000000ULL

static const char *const names[CAP_METRICS] = { "steal", "wait" };

const char *cap_metric_name(enum cap_metric m)
{
	return names[m];
}

void cap_print_percent(uint64_t ppm, char *ret, size_t size)
{
	int places = 4;
	uint64_t rest = ppm % 10000;

	for (; places > 0 && rest % 10 == 0; places--)
		rest /= 10;
	if (places)
		snprintf(ret, size, "%" PRIu64 ".%0*" PRIu64, ppm / 10000, places, rest);
	else
		snprintf(ret, size, "%" PRIu64, ppm / 10000);
}

void cap_print_ns(uint64_t ns, char *ret, size_t size)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	size_t i = 0;

	for (; i < 3 && ns && ns % 1000 == 0; i++)
		ns /= 1000;
	snprintf(ret, size, "%" PRIu64 "%s", ns, unit[i]);
}

static int take_metric(struct cap_rule *r, const char *name, size_t len, struct fcap_err *err)
{
	for (size_t i = 0; i < CAP_METRICS; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
			r->metric = (enum cap_metric)i;
			return 0;
		}
	return fcap_fail(err, EINVAL, "--when %.100s: no such metric: give steal or wait", r->text);
}

static int take_limit(struct cap_rule *r, const char *limit, size_t len, struct fcap_err *err)
{
	static const struct fcap_unit percent[] = { { "%", ALL_PPM / 100 }, { NULL, 0 } };
	const uint64_t max = r->metric == CAP_METRIC_STEAL ? ALL_PPM - 1 : WAIT_MAX;
	char text[32];

	snprintf(text, sizeof(text), "%.*s", (int)(len < sizeof(text) ? len : sizeof(text) - 1),
		 limit);
	if (len >= sizeof(text) || fcap_parse_unit(text, percent, &r->limit_ppm) < 0)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: give the limit as a number with %%, such as 20%%",
				 r->text);
	if (r->limit_ppm > 0 && r->limit_ppm <= max)
		return 0;
	if (r->metric == CAP_METRIC_STEAL)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: the limit of steal lies between 0%% and 100%%, "
				 "without these",
				 r->text);
	return fcap_fail(err, EINVAL,
			 "--when %.100s: the limit of wait lies above 0%% and is at most 1000000%%",
			 r->text);
}

static int take_vm(struct cap_rule *r, const char *vm, size_t len, struct fcap_err *err)
{
	if (len == 0 || len >= sizeof(r->vm))
		return fcap_fail(err, EINVAL, "--when %.100s: give the name of a VM before the ':'",
				 r->text);
	memcpy(r->vm, vm, len);
	r->vm[len] = '\0';
	return 0;
}

int cap_rule_parse(struct cap_rule *ret, const char *text, struct fcap_err *err)
{
	struct cap_rule rule = { .text = text };
	const char *colon = strrchr(text, ':'), *metric = colon ? colon + 1 : text;
	const char *more = strchr(metric, '>'), *slash = more ? strchr(more, '/') : NULL;
	int r = 0;

	if (!slash)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: give [VM:]METRIC>LIMIT%%/SPAN, such as "
				 "'steal>20%%/1s' or 'vm1:wait>150%%/500ms'",
				 text);
	if (colon)
		r = take_vm(&rule, text, (size_t)(colon - text), err);
	if (r == 0)
		r = take_metric(&rule, metric, (size_t)(more - metric), err);
	if (r == 0)
		r = take_limit(&rule, more + 1, (size_t)(slash - more - 1), err);
	if (r < 0)
		return r;
	if (fcap_parse_ns(slash + 1, &rule.span_ns) < 0 || rule.span_ns < SPAN_MIN_NS ||
	    rule.span_ns > SPAN_MAX_NS)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: give a span from 1ms to 1h behind the '/', with "
				 "its unit",
				 text);
	*ret = rule;
	return 0;
}

int cap_rule_check(const struct cap_rule *r, uint64_t sample_ns, struct fcap_err *err)
{
	char sample[32];

	cap_print_ns(sample_ns, sample, sizeof(sample));
	if (r->span_ns < 2 * sample_ns)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: the span is shorter than two samples, which are "
				 "%s apart; give a longer span or a shorter --sample",
				 r->text, sample);
	if (r->span_ns / sample_ns > CAP_RULE_SAMPLES_MAX)
		return fcap_fail(err, EINVAL,
				 "--when %.100s: the span is longer than %u samples, which are %s "
				 "apart; give a shorter span or a longer --sample",
				 r->text, CAP_RULE_SAMPLES_MAX, sample);
	return 0;
}
