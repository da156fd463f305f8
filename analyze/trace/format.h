/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is needed of an event's format text: name, number, where its fields lie, and of
 * sched_switch one constant of its print format. The text is the file's, so anything may be in
 * it: no recursion without a bound, no number that is not checked, nothing is allocated.
 */
#ifndef FAN_TRACE_FORMAT_H
#define FAN_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/file.h"

#define FAN_FORMAT_NAME_MAX 128 /* bytes of an event's name with its NUL */

struct fan_format_head {
	char name[FAN_FORMAT_NAME_MAX]; /* graphic ASCII, not empty */
	uint16_t id;			/* common_type of its records */
};

struct fan_format_field {
	uint32_t offset, size; /* in the record, at most 65535 each */
	bool is_dynamic;       /* __data_loc, __rel_loc: the field tells where the data are */
};

/* 0; -EINVAL: the text does not begin with a name and a number below 65536. */
int fan_format_head(const struct fan_format *f, struct fan_format_head *ret);

/* False if the format has no field of this name, or one whose place makes no sense. */
bool fan_format_field(const struct fan_format *f, const char *name, struct fan_format_field *ret);

/*
 * What prev_state of sched_switch means in this file: the bits that mean "not runnable", those
 * below the constant that guards the "+" (preempted) mark of the print format. All bits if the
 * format has no such mark, as in kernels before 3.0, where only 0 is runnable.
 */
uint64_t fan_format_state_mask(const struct fan_format *sched_switch);

#endif
