/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One error, filled where its cause is known and printed once, at the top of the program.
 * Library code returns a negative errno and never prints.
 */
#ifndef FCAP_ERR_H
#define FCAP_ERR_H

#include <stdarg.h>
#include <stdio.h>

struct fcap_err {
	int code;	/* positive errno; 0 while nothing failed */
	char text[512]; /* what went wrong and what to do: no program name, no newline */
};

/*
 * Fills *err (which may be NULL) and returns -code, so that callers write
 * return fcap_fail(err, EINVAL, "...");
 */
__attribute__((format(printf, 3, 4))) static inline int fcap_fail(struct fcap_err *err, int code,
								  const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -code;
}

#endif
