// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the keys of each kind of marker mean: which name its subject, and their units. */
#include "analyze/plugin/words.h"

#include <ctype.h>
#include <stdlib.h>

enum unit {
	PLAIN,
	NS,
	US,
	TICKS, /* of "unit" ns, a key of the same line */
	S,
	KHZ,
	BYTES,
	THREAD,
	CPU,
};

/* A word that is NULL is the key; an empty one leaves the value alone. */
struct key {
	const char *kind, *key, *word;
	enum unit unit;
	bool is_subject;
};

/* kind NULL: in every kind that does not say otherwise above */
static const struct key keys[] = {
	{ "begin", "v", "grammar", PLAIN, false },
	{ "begin", "cmd", "command", PLAIN, false },
	{ "begin", "sample_ns", "sampled every", NS, false },
	{ "begin", "root", "from", THREAD, false },
	{ "cpu", "id", "", PLAIN, true },
	{ "freq", "cpu", "", CPU, true },
	{ "freq", "khz", "", KHZ, false },
	{ "machine", "halt_poll_ns", "halt poll", NS, false },
	{ "cg", "path", "", PLAIN, true },
	{ "cg", "quota", NULL, US, false },
	{ "cg", "period", NULL, US, false },
	{ "task", "tid", "", THREAD, true },
	{ "task", "tgid", "of", THREAD, false },
	{ "scope", "tid", "", THREAD, true },
	{ "group", "name", "", PLAIN, true },
	{ "group", "tgid", "of", THREAD, false },
	{ "vcpu", "tid", "", THREAD, true },
	{ "vcpu", "id", "number", PLAIN, false },
	{ "vcpu", "tgid", "of", THREAD, false },
	{ "steal", "tid", "", THREAD, true },
	{ "steal", "run", NULL, NS, false },
	{ "steal", "delay", "waited", NS, false },
	{ "steal", "n", "arrivals", PLAIN, false },
	{ "steal", "forceidle", "forced idle", NS, false },
	{ "host", "cpu", "", CPU, true },
	{ "host", "steal", NULL, TICKS, false },
	{ "host", "total", NULL, TICKS, false },
	{ "host", "unit", "in ticks of", NS, false },
	{ "guest", "vm", "", PLAIN, true },
	{ "guest", "cpu", "", CPU, true },
	{ "guest", "steal", NULL, NS, false },
	{ "guest", "resolution_ns", "resolution", NS, false },
	{ "guest", "guest_t", "at its", S, false },
	{ "work", "vm", "", PLAIN, true },
	{ "work", "n", "done", PLAIN, false },
	{ "work", "unit", "counted in", PLAIN, false },
	{ "work", "t", "until", S, false },
	{ "work", "dt", "in", S, false },
	{ "score", "vm", "", PLAIN, true },
	{ "lost", "cpu", "", CPU, true },
	{ "end", "bytes", "", BYTES, false },
	{ "end", "fcap_cpu_ns", "CPU time of fcap", NS, false },
	{ NULL, "throttled_ns", "throttled", NS, false },
	{ NULL, "forceidle_ns", "forced idle", NS, false },
	{ NULL, "commit_overrun", "commit overrun", PLAIN, false },
	{ NULL, "rt_priority", "priority", PLAIN, false },
	{ NULL, "autogroup_nice", "autogroup nice", PLAIN, false },
};

static void put(struct fcap_words *w, const char *text)
{
	const size_t len = strlen(text);

	if (w->len + len >= sizeof(w->text)) {
		w->full = true;
		return;
	}
	memcpy(w->text + w->len, text, len + 1);
	w->len += len;
}

static const struct key *find(const char *kind, const char *key)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].key, key) == 0 &&
		    (!keys[i].kind || strcmp(keys[i].kind, kind) == 0))
			return &keys[i];
	return NULL;
}

/* A whole number and nothing else. */
static bool is_number(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

/* What is not plain is quoted as in the line itself, so that nothing breaks it. */
static void put_value(struct fcap_words *w, const char *value)
{
	char part[5] = "";

	if (fcap_marker_is_plain(value)) {
		put(w, value);
		return;
	}
	put(w, "\"");
	for (; *value; value++) {
		part[fcap_marker_quote(part, (unsigned char)*value)] = '\0';
		put(w, part);
	}
	put(w, "\"");
}

struct step {
	uint64_t one;
	const char *name;
};

/* Three decimals of the first step of which there are under 1000, or of the last one. */
static void put_scaled(struct fcap_words *w, uint64_t v, const struct step *step, size_t n)
{
	char text[48];

	if (v < 1000 || n == 0) {
		snprintf(text, sizeof(text), "%" PRIu64 " %s", v, step[0].name);
		put(w, text);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const uint64_t unit = step[i].one / 1000;
		const uint64_t thousandths = v / unit + (v % unit >= (unit + 1) / 2);

		if (thousandths >= 1000000 && i + 1 < n)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64 ".%03" PRIu64 " %s", thousandths / 1000,
			 thousandths % 1000, step[i].name);
		put(w, text);
		return;
	}
}

static void put_ns(struct fcap_words *w, uint64_t ns)
{
	static const struct step step[] = {
		{ 1, "ns" }, { 1000, "us" }, { 1000000, "ms" }, { 1000000000, "s" }
	};

	put_scaled(w, ns, step, sizeof(step) / sizeof(step[0]));
}

/* A thread by its name and number, as trace-cmd has them. */
static void put_thread(struct fcap_words *w, const char *value)
{
	uint64_t tid;
	const char *comm = NULL;

	if (w->comm && is_number(value, &tid) && tid <= INT32_MAX)
		comm = w->comm(w->ctx, (int)tid);
	put(w, comm ? comm : "thread");
	put(w, comm ? "-" : " ");
	put_value(w, value);
}

static void put_khz(struct fcap_words *w, uint64_t khz)
{
	static const struct step step[] = { { 1, "kHz" }, { 1000, "MHz" }, { 1000000, "GHz" } };

	put_scaled(w, khz, step, sizeof(step) / sizeof(step[0]));
}

/* An amount of something; false if the value is not a number of it. */
static bool put_amount(struct fcap_words *w, const struct fcap_marker *m, enum unit unit,
		       const char *value)
{
	uint64_t v, one = unit == US ? 1000 : 1;

	if (!is_number(value, &v))
		return false;
	if (unit == TICKS) {
		const char *ns = fcap_marker_get(m, "unit");

		if (!ns || !is_number(ns, &one))
			return false;
	}
	if (unit == KHZ)
		put_khz(w, v);
	else if (__builtin_mul_overflow(v, one, &v))
		return false;
	else
		put_ns(w, v);
	return true;
}

static void put_in_unit(struct fcap_words *w, const struct fcap_marker *m, enum unit unit,
			const char *value)
{
	const bool is_amount = unit == NS || unit == US || unit == TICKS || unit == KHZ;

	if (unit == THREAD) {
		put_thread(w, value);
		return;
	}
	if (is_amount && put_amount(w, m, unit, value))
		return;
	if (unit == CPU)
		put(w, "CPU ");
	put_value(w, value);
	if (unit == S)
		put(w, " s");
	if (unit == BYTES)
		put(w, " bytes");
}

static void put_pair(struct fcap_words *w, const struct fcap_marker *m, const struct key *k,
		     size_t i)
{
	const char *word = k && k->word ? k->word : m->kv[i].key;

	put(w, word);
	/* what nobody here knows stands as it is */
	if (*word)
		put(w, k ? " " : "=");
	put_in_unit(w, m, k ? k->unit : PLAIN, m->kv[i].value);
}

int fcap_words_write(struct fcap_words *w, const struct fcap_marker *m)
{
	const char *between = ": ";

	w->len = 0;
	w->full = false;
	put(w, "fcap ");
	put(w, m->kind);
	for (size_t i = 0; i < m->n; i++) {
		const struct key *k = find(m->kind, m->kv[i].key);

		if (!k || !k->is_subject)
			continue;
		put(w, " ");
		put_pair(w, m, k, i);
	}
	for (size_t i = 0; i < m->n; i++) {
		const struct key *k = find(m->kind, m->kv[i].key);

		if (k && k->is_subject)
			continue;
		put(w, between);
		put_pair(w, m, k, i);
		between = ", ";
	}
	return w->full ? -ENOSPC : 0;
}

bool fcap_words_has_kind(const char *list, const char *kind)
{
	const size_t len = strlen(kind);

	for (const char *p = list; *p;) {
		const size_t n = strcspn(p, ",");

		if ((n == len && strncmp(p, kind, n) == 0) || (n == 3 && strncmp(p, "all", n) == 0))
			return true;
		p += n + (p[n] == ',');
	}
	return false;
}
