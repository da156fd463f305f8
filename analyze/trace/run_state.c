// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/run_state.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

/* Value of an expression of numbers; false if it holds anything else. */
static bool evaluate(const struct tep_print_arg *a, uint64_t *ret)
{
	uint64_t l, r;
	char *end;

	if (a->type == TEP_PRINT_ATOM) {
		*ret = strtoull(a->atom.atom, &end, 0);
		return end != a->atom.atom && !*end;
	}
	if (a->type != TEP_PRINT_OP || !a->op.left || !a->op.right || !evaluate(a->op.left, &l) ||
	    !evaluate(a->op.right, &r))
		return false;
	if (strcmp(a->op.op, "|") == 0)
		*ret = l | r;
	else if (strcmp(a->op.op, "+") == 0)
		*ret = l + r;
	else if (strcmp(a->op.op, "-") == 0)
		*ret = l - r;
	else if (strcmp(a->op.op, "<<") == 0 && r < 64)
		*ret = l << r;
	else
		return false;
	return true;
}

/* true for: prev_state & MASK ? "+" : "" */
static bool is_preempted_mark(const struct tep_print_arg *a, uint64_t *ret_mask)
{
	const struct tep_print_arg *test, *yes;

	if (a->type != TEP_PRINT_OP || strcmp(a->op.op, "?") != 0 || !a->op.right ||
	    a->op.right->type != TEP_PRINT_OP)
		return false;
	test = a->op.left;
	yes = a->op.right->op.left;
	if (!yes || yes->type != TEP_PRINT_ATOM || !strchr(yes->atom.atom, '+'))
		return false;
	return test && test->type == TEP_PRINT_OP && strcmp(test->op.op, "&") == 0 &&
	       evaluate(test->op.right, ret_mask);
}

uint64_t fan_run_state_mask(const struct tep_event *sched_switch)
{
	uint64_t preempted;

	for (const struct tep_print_arg *a = sched_switch->print_fmt.args; a; a = a->next)
		if (is_preempted_mark(a, &preempted) && preempted > 1)
			return preempted - 1;
	return UINT64_MAX;
}
