// SPDX-License-Identifier: GPL-3.0-or-later
/* "cpu0 10 0 5 ..." */
#include "capture/cpu_times.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/cpulist.h"

/* One number at *p, which moves behind it. */
static int take_number(const char **p, unsigned long long *ret)
{
	char *end;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(*p, &end, 10);
	if (errno || (*end && *end != ' ' && *end != '\n'))
		return -EINVAL;
	*p = end;
	return 0;
}

int cap_cpu_times_parse(const char *text, struct cap_cpu_times *ret)
{
	struct cap_cpu_times t = { 0 };
	const char *p = text + 3;
	unsigned long long v;

	/* "cpu  ..." is the sum */
	if (strncmp(text, "cpu", 3) != 0 || *p == ' ')
		return 1;
	if (take_number(&p, &v) < 0 || v >= FCAP_CPUS_MAX)
		return -EINVAL;
	t.cpu = (unsigned int)v;
	while (t.columns < CAP_CPU_COLUMNS) {
		p += strspn(p, " ");
		if (!*p || *p == '\n')
			break;
		if (take_number(&p, &v) < 0)
			return -EINVAL;
		t.ticks[t.columns++] = v;
	}
	*ret = t;
	return 0;
}

const char *cap_cpu_times_next(const char *text)
{
	const char *newline = strchr(text, '\n');

	return newline && newline[1] ? newline + 1 : NULL;
}
