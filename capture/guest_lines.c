// SPDX-License-Identifier: GPL-3.0-or-later
/* One guest's lines -> markers. */
#include "capture/guest_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "capture/workpipe.h"
#include "fcap/cpulist.h"
#include "fcap/num.h"

#define RESOLUTION_MAX_NS 1000000000U

/* The last line of a CPU. */
struct cap_guest_counter {
	bool is_told, has_clock;
	uint64_t steal_ns, resolution_ns, arrived_ns, guest_ns;
};

void cap_guest_lines_init(struct cap_guest_lines *g, const char *vm, struct cap_sink to)
{
	*g = (struct cap_guest_lines){ .vm = vm, .to = to };
}

void cap_guest_lines_clear(struct cap_guest_lines *g)
{
	free(g->cpus);
	g->cpus = NULL;
	g->ncpu = 0;
}

static int reach_cpu(struct cap_guest_lines *g, size_t cpu, struct cap_guest_counter **ret)
{
	if (cpu >= g->ncpu) {
		struct cap_guest_counter *more = realloc(g->cpus, (cpu + 1) * sizeof(*more));

		if (!more)
			return -ENOMEM;
		memset(more + g->ncpu, 0, (cpu + 1 - g->ncpu) * sizeof(*more));
		g->cpus = more;
		g->ncpu = cpu + 1;
	}
	*ret = &g->cpus[cpu];
	return 0;
}

/* Seconds with a fraction. */
static int parse_clock(const char *text, uint64_t *ret)
{
	char with_unit[40];

	if (strlen(text) > sizeof(with_unit) - 2)
		return -EINVAL;
	snprintf(with_unit, sizeof(with_unit), "%ss", text);
	return fcap_parse_ns(with_unit, ret);
}

/* A line that lost its end among a console's noise has no resolution, and is refused. */
static bool parse_counter(const struct fcap_marker *m, uint64_t *ret_cpu,
			  struct cap_guest_counter *ret)
{
	const char *cpu = fcap_marker_get(m, "cpu"), *steal = fcap_marker_get(m, "steal");
	const char *step = fcap_marker_get(m, "resolution_ns"), *t = fcap_marker_get(m, "t");

	ret->is_told = true;
	ret->has_clock = t != NULL;
	return cpu && steal && step && fcap_parse_u64(cpu, 0, FCAP_CPUS_MAX - 1, ret_cpu) == 0 &&
	       fcap_parse_u64(steal, 0, UINT64_MAX, &ret->steal_ns) == 0 &&
	       fcap_parse_u64(step, 1, RESOLUTION_MAX_NS, &ret->resolution_ns) == 0 &&
	       (!t || parse_clock(t, &ret->guest_ns) == 0);
}

/* What is wrong with the step from one line of a CPU to its next; NULL: nothing. */
static const char *judge(const struct cap_guest_counter *last, const struct cap_guest_counter *now)
{
	uint64_t passed_ns;

	if (!last->is_told)
		return NULL;
	if (now->steal_ns < last->steal_ns)
		return "backwards";
	if (last->has_clock && now->has_clock && now->guest_ns >= last->guest_ns)
		passed_ns = now->guest_ns - last->guest_ns;
	else
		passed_ns = now->arrived_ns - last->arrived_ns;
	if (now->steal_ns - last->steal_ns > passed_ns + passed_ns / 20 + 2 * now->resolution_ns)
		return "jump";
	return NULL;
}

static int tell(struct cap_guest_lines *g, const struct fcap_marker *m, uint64_t cpu,
		const struct cap_guest_counter *now, const char *flag)
{
	static const char *const facts[] = { "no_steal_acc", "uncounted" };
	const char *t = fcap_marker_get(m, "t");
	struct cap_emit e;

	cap_emit_begin(&e, g->to, "guest");
	cap_emit_str(&e, "vm", g->vm);
	cap_emit_u64(&e, "cpu", cpu);
	cap_emit_identity(&e);
	cap_emit_u64(&e, "steal", now->steal_ns);
	cap_emit_u64(&e, "resolution_ns", now->resolution_ns);
	for (size_t i = 0; i < 2; i++) {
		const char *v = fcap_marker_get(m, facts[i]);

		if (v && strcmp(v, "1") == 0)
			cap_emit_u64(&e, facts[i], 1);
	}
	if (t)
		cap_emit_str(&e, "guest_t", t);
	if (flag)
		cap_emit_str(&e, "flag", flag);
	return cap_emit_end(&e);
}

/* 0; 1: not understood; negative errno. */
static int take_counter(struct cap_guest_lines *g, const char *line, uint64_t now_ns)
{
	struct cap_guest_counter *last, now = { .arrived_ns = now_ns };
	char text[FCAP_MARKER_MAX + 8];
	struct fcap_marker m;
	const char *flag;
	uint64_t cpu;
	int r;

	snprintf(text, sizeof(text), "fcap: %s", line + strlen("fcap-"));
	if (fcap_marker_parse(text, &m) != 0 || !parse_counter(&m, &cpu, &now))
		return 1;
	r = reach_cpu(g, cpu, &last);
	if (r < 0)
		return r;
	flag = judge(last, &now);
	*last = now;
	g->counters++;
	return tell(g, &m, cpu, &now, flag);
}

/* Consoles put carriage returns on either side of a newline, and a line that wakes sends a NUL. */
static bool is_blank(char c)
{
	return memchr("\r \t", c, 4) != NULL;
}

static char *trim(char *line, size_t *len)
{
	while (*len && is_blank(line[*len - 1]))
		line[--*len] = '\0';
	while (*len && is_blank(line[0])) {
		line++;
		--*len;
	}
	return line;
}

static bool is_ours(const char *line)
{
	static const char *const kinds[] = { "fcap-guest ", "fcap-work ", "fcap-score " };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(line, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return false;
}

int cap_guest_lines_take(struct cap_guest_lines *g, char *line, size_t len, uint64_t now_ns)
{
	int r = 1;

	line = trim(line, &len);
	if (!is_ours(line))
		return 0;
	if (strlen(line) == len) {
		if (strncmp(line, "fcap-guest ", 11) == 0) {
			r = take_counter(g, line, now_ns);
		} else {
			r = cap_work_line(line, g->vm, g->to);
			g->others += r == 0;
		}
	}
	if (r <= 0)
		return r;
	g->malformed++;
	return 0;
}
