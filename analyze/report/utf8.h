/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FAN_REPORT_UTF8_H
#define FAN_REPORT_UTF8_H

#include <stddef.h>

/*
 * Length of the UTF-8 character at s (NUL-terminated), 0 if there is none: the well-formed
 * sequences of table 3-7 of the Unicode standard (no surrogates, nothing overlong).
 */
size_t fan_utf8_length(const unsigned char *s);

#endif
