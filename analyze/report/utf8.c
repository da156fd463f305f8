// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/utf8.h"

size_t fan_utf8_length(const unsigned char *s)
{
	const size_t len = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
	unsigned char lo = 0x80, hi = 0xBF;

	if ((s[0] >= 0x80 && s[0] < 0xC2) || s[0] > 0xF4)
		return 0;
	if (s[0] == 0xE0)
		lo = 0xA0;
	else if (s[0] == 0xED)
		hi = 0x9F;
	else if (s[0] == 0xF0)
		lo = 0x90;
	else if (s[0] == 0xF4)
		hi = 0x8F;
	for (size_t i = 1; i < len; i++) {
		if (s[i] < lo || s[i] > hi)
			return 0;
		lo = 0x80;
		hi = 0xBF;
	}
	return len;
}
