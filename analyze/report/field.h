/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a line of a field table is written; for the files that hold such tables. */
#ifndef FAN_REPORT_FIELD_H
#define FAN_REPORT_FIELD_H

#include "analyze/report/tree.h"

#define LENGTH(a)	      (sizeof(a) / sizeof((a)[0]))
#define MEMBER(owner, member) (((const struct owner *)0)->member)
/* the field's type by its C type, so that the two cannot differ */
#define KIND(owner, member) \
	_Generic(MEMBER(owner, member),                                                            \
		 char *: FAN_F_STR,                                                                \
		 int64_t: FAN_F_I64,                                                               \
		 double: FAN_F_REAL,                                                               \
		 bool: FAN_F_BOOL,                                                                 \
		 struct fan_strs: FAN_F_STRS,                                                      \
		 struct fan_ints: FAN_F_INTS,                                                      \
		 struct fan_reals: FAN_F_REALS,                                                      \
		 struct fan_est: FAN_F_EST,                                                        \
		 struct fan_verdict_text: FAN_F_VERDICT)
#define PLACE(owner, member) .name = #member, .offset = offsetof(struct owner, member)
#define FIELD(owner, member, field_unit, text)                                           \
	{                                                                                \
		PLACE(owner, member), .type = KIND(owner, member), .unit = (field_unit), \
				      .doc = (text)                                      \
	}
/* under another name in JSON than in C */
#define FIELD_AS(owner, member, key, field_unit, text)                           \
	{                                                                        \
		.name = (key), .offset = offsetof(struct owner, member),         \
		.type = KIND(owner, member), .unit = (field_unit), .doc = (text) \
	}
#define NESTED(owner, member, kind, table, text)                                    \
	{                                                                           \
		PLACE(owner, member), .type = (kind), .doc = (text), .sub = (table) \
	}
#define TABLE(owner, list, text)                                                                  \
	{                                                                                         \
		.name = (text), .size = sizeof(struct owner), .fields = (list), .n = LENGTH(list) \
	}

#endif
