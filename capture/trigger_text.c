// SPDX-License-Identifier: GPL-3.0-or-later
/* Sentences, and the "trigger" line. */
#include "capture/trigger_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/amount.h"
#include "capture/packing.h"

#define MIB (1ULL << 20)

char *cap_trigger_file(const char *output, uint64_t n)
{
	const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
	const char *dot = strrchr(name, '.');
	char *ret;

	/* a name that begins with its only dot has no suffix */
	if (!dot || dot == name)
		dot = output + strlen(output);
	if (asprintf(&ret, "%.*s-%" PRIu64 "%s", (int)(dot - output), output, n, dot) < 0)
		return NULL;
	return ret;
}

struct cap_reason cap_reason_of(const struct cap_crossing *c)
{
	struct cap_reason r = { .rule = c->rule, .value_ppm = c->value_ppm, .at_ns = c->at_ns };

	snprintf(r.vm, sizeof(r.vm), "%s", c->vm);
	return r;
}

int cap_reason_tell(const struct cap_reason *r, struct cap_sink to)
{
	char value[32], limit[32], t[48];
	struct cap_emit e;

	cap_print_percent(r->value_ppm, value, sizeof(value));
	cap_print_percent(r->rule->limit_ppm, limit, sizeof(limit));
	snprintf(t, sizeof(t), "%" PRIu64 ".%09" PRIu64, r->at_ns / 1000000000,
		 r->at_ns % 1000000000);
	cap_emit_begin(&e, to, "trigger");
	cap_emit_str(&e, "vm", r->vm);
	cap_emit_str(&e, "metric", cap_metric_name(r->rule->metric));
	cap_emit_str(&e, "value", value);
	cap_emit_str(&e, "limit", limit);
	cap_emit_u64(&e, "span_ns", r->rule->span_ns);
	cap_emit_str(&e, "t", t);
	return cap_emit_end(&e);
}

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

/* "steal of vm1 was 34.2 % over 1s (limit 20 %)" */
static void print_reason(const struct cap_reason *r, char *ret, size_t size)
{
	char span[32];

	cap_print_ns(r->rule->span_ns, span, sizeof(span));
	snprintf(ret, size, "%s of %s was %.1f %% over %s (limit %g %%)",
		 cap_metric_name(r->rule->metric), r->vm, (double)r->value_ppm / 1e4, span,
		 (double)r->rule->limit_ppm / 1e4);
}

void cap_saved_text(const struct cap_saved *s, char *ret, size_t size)
{
	char reason[300], more[64] = "", packed[64], bytes[32];

	print_reason(&s->reason, reason, sizeof(reason));
	if (s->more)
		snprintf(more, sizeof(more), ", and %u more crossing%s", s->more,
			 s->more == 1 ? "" : "s");
	cap_packing_tell(s->packed_bytes, packed, sizeof(packed));
	cap_print_bytes(s->bytes, bytes, sizeof(bytes));
	snprintf(ret, size,
		 "saved %s: %s%s; from %.2f s before the crossing to %.2f s after it, %" PRIu64
		 " events, %s%s",
		 s->file, reason, more, seconds(s->from_ns, s->reason.at_ns),
		 seconds(s->reason.at_ns, s->to_ns), s->events, bytes, packed);
}

/* Events came at an even rate, so much as filled the buffer in the time that it held. */
uint64_t cap_saved_enough(const struct cap_saved *s)
{
	const double held = seconds(s->ring_from_ns, s->to_ns);
	const double wanted = (double)s->asked_ns / 1e9 + seconds(s->reason.at_ns, s->to_ns);
	double bytes;
	uint64_t enough = MIB;

	if (!s->has_overrun || held >= wanted)
		return 0;
	if (held <= 0)
		return 2 * s->buffer_bytes;
	/* a quarter more: the rate is another one the next time */
	bytes = (double)s->buffer_bytes * wanted / held * 1.25;
	while ((double)enough < bytes && enough < 1ULL << 40)
		enough *= 2;
	return enough;
}

int cap_saved_advice(const struct cap_saved *s, char *ret, size_t size)
{
	const uint64_t enough = cap_saved_enough(s);
	char asked[32];

	if (enough == 0)
		return 0;
	cap_print_ns(s->asked_ns, asked, sizeof(asked));
	return snprintf(ret, size,
			"%s: the buffers held only %.2f s before the crossing, not the %s asked "
			"for: --buffer-size=%" PRIu64
			"MiB would probably hold that (an estimate from the rate of events)",
			s->file, seconds(s->ring_from_ns, s->reason.at_ns), asked,
			(uint64_t)(enough / MIB));
}

static void print_files(FILE *out, const struct cap_trigger_sum *s)
{
	fprintf(out, "saved %zu file%s: ", s->nsaved, s->nsaved == 1 ? "" : "s");
	for (size_t i = 0; i < s->nsaved; i++) {
		char reason[300];

		print_reason(&s->saved[i].reason, reason, sizeof(reason));
		fprintf(out, "%s%s, %s", i ? "; " : "", s->saved[i].file, reason);
	}
}

/* How near the limits were, or, after a crossing, only which ones can concern nobody. */
static void print_highest(FILE *out, const struct cap_trigger_sum *s, bool is_crossed)
{
	for (size_t i = 0; i < s->nrule; i++) {
		const struct cap_highest *h = s->highest[i];

		if (h->is_known && is_crossed)
			continue;
		fprintf(out, "; %s: ", s->rule[i].text);
		if (h->is_known)
			fprintf(out, "the highest value was %.1f %%, of %s", (double)h->ppm / 1e4,
				h->vm);
		else
			fprintf(out, "no %sVM%s was seen for so long",
				s->rule[i].vm[0] ? "such " : "",
				s->rule[i].metric == CAP_METRIC_STEAL ? " with known vCPUs" : "");
	}
}

static void print_unsaved(FILE *out, uint64_t n, const char *why)
{
	if (n)
		fprintf(out, "; %" PRIu64 " crossing%s not saved: %s", n,
			n == 1 ? " was" : "s were", why);
}

char *cap_trigger_sum_text(const struct cap_trigger_sum *s)
{
	const bool is_crossed = s->nsaved || s->unsaved_full || s->unsaved_busy;
	char *text = NULL, limit[64];
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	if (s->nsaved)
		print_files(out, s);
	else
		fprintf(out, is_crossed ? "nothing was saved"
					: "no limit was crossed, and nothing saved");
	print_highest(out, s, is_crossed);
	snprintf(limit, sizeof(limit), "--max-saves=%" PRIu64 " was reached", s->max_saves);
	print_unsaved(out, s->unsaved_full, s->has_failed ? "the file before failed" : limit);
	print_unsaved(out, s->unsaved_busy, "a file was being made, or had just been");
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
