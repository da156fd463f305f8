/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of the writers: all of a trace file but CPUs and pages. */
#ifndef TESTS_UNIT_DAT_MADE_H
#define TESTS_UNIT_DAT_MADE_H

#include "capture/tracedat_write.h"
#include "tests/unit/dat_texts.h"

#define TEXT(s)                    \
	{                          \
		(s), sizeof(s) - 1 \
	}
#define TEXT_NUL(s)            \
	{                      \
		(s), sizeof(s) \
	}

static const struct cap_blob ftrace_formats[] = { TEXT(print_format) };
static const struct cap_blob other_formats[] = { TEXT(other_format) };
static const struct cap_dat_system systems[] = { { "made_up", other_formats, 1 } };
static const struct cap_dat_option options[] = {
	{ CAP_DAT_TRACECLOCK, TEXT_NUL("local global [mono]\n") },
	{ CAP_DAT_UNAME, TEXT_NUL("Linux test 6.1 x86_64") },
	{ CAP_DAT_VERSION, TEXT_NUL("fcap test") },
	{ CAP_DAT_CPUSTAT, TEXT_NUL("CPU: 0\nentries: 0\noverrun: 7\n") },
};

static inline struct cap_dat dat_made(void)
{
	return (struct cap_dat){
		.page_size = PAGE,
		.header_page = TEXT(header_page),
		.header_event = TEXT(header_event),
		.ftrace = ftrace_formats,
		.nftrace = 1,
		.system = systems,
		.nsystem = 1,
		.cmdlines = TEXT("42 fcap\n"),
		.option = options,
		.noption = sizeof(options) / sizeof(options[0]),
		.clock = "mono",
	};
}

#endif
