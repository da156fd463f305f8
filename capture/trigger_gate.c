// SPDX-License-Identifier: GPL-3.0-or-later
#include "capture/trigger_gate.h"

/* Since they were switched on the rings could have filled for a whole span. */
static bool reaches_back(const struct cap_gate *g, const struct cap_crossing *c)
{
	return c->at_ns >= g->on_ns + c->rule->span_ns;
}

static enum cap_gate_word word_for(const struct cap_gate *g, const struct cap_crossing *c)
{
	switch (g->state) {
	case CAP_GATE_OPEN:
		return reaches_back(g, c) ? CAP_GATE_BEGINS : CAP_GATE_WAITS;
	case CAP_GATE_PENDING:
		return CAP_GATE_JOINS;
	case CAP_GATE_OVER:
		return CAP_GATE_COUNTS;
	case CAP_GATE_SAVING:
		break;
	}
	return CAP_GATE_WAITS;
}

enum cap_gate_word cap_gate_cross(struct cap_gate *g, const struct cap_crossing *c)
{
	const enum cap_gate_word word = word_for(g, c);

	if (word == CAP_GATE_WAITS && !c->is_again)
		g->unsaved_busy++;
	if (word != CAP_GATE_WAITS && c->is_again)
		g->unsaved_busy--;
	if (word == CAP_GATE_COUNTS)
		g->unsaved_full++;
	if (word == CAP_GATE_BEGINS)
		g->state = CAP_GATE_PENDING;
	return word;
}

void cap_gate_open(struct cap_gate *g, uint64_t now_ns)
{
	g->state = CAP_GATE_OPEN;
	g->on_ns = now_ns;
}

void cap_gate_shut(struct cap_gate *g)
{
	g->state = CAP_GATE_SAVING;
}

bool cap_gate_saved(struct cap_gate *g)
{
	if (++g->saves < g->max_saves)
		return true;
	cap_gate_end(g);
	return false;
}

void cap_gate_end(struct cap_gate *g)
{
	g->state = CAP_GATE_OVER;
}
