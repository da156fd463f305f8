// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_cut.h"

#include <ctype.h>

void fan_print_cut(const struct fan_strs *cut, struct fan_print *p)
{
	for (size_t i = 0; i < cut->n; i++)
		fan_print_para(p, 0, "%c%s.", toupper((unsigned char)cut->items[i][0]),
			       cut->items[i] + 1);
	if (cut->n)
		fan_print_blank(p);
}
