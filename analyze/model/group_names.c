// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/group_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/cgroup_name.h"

static int by_name_then_index(const void *a, const void *b)
{
	const struct fan_group_name *x = a, *y = b;
	const int r = strcmp(x->name, y->name);

	return r ? r : (x->index > y->index) - (x->index < y->index);
}

/* How many of the n sorted names are the same as the first. */
static size_t run_of(const struct fan_group_name *names, size_t n)
{
	size_t run = 1;

	while (run < n && strcmp(names[run].name, names[0].name) == 0)
		run++;
	return run;
}

static bool is_one_cgroup(const struct fan_group_name *names, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!names[i].cgroup != !names[0].cgroup ||
		    (names[i].cgroup && strcmp(names[i].cgroup, names[0].cgroup) != 0))
			return false;
	return true;
}

/* Every name of those that share one, and whose cgroups differ. */
static int lengthen(struct fan_group_name *names, size_t n, enum fan_name_length length)
{
	for (size_t i = 0; i < n; i++) {
		char *longer = names[i].cgroup ? fan_cgroup_name(names[i].cgroup, length) : NULL;

		if (names[i].cgroup && !longer)
			return -ENOMEM;
		if (!longer)
			continue;
		free(names[i].name);
		names[i].name = longer;
	}
	return 0;
}

static int number(struct fan_group_name *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *numbered;

		if (asprintf(&numbered, "%s#%zu", names[i].name, i + 1) < 0)
			return -ENOMEM;
		free(names[i].name);
		names[i].name = numbered;
	}
	return 0;
}

int fan_group_names_settle(struct fan_group_name *names, size_t n)
{
	int r = 0;

	for (int length = FAN_NAME_LONG; length <= FAN_NAME_PATH; length++) {
		qsort(names, n, sizeof(*names), by_name_then_index);
		for (size_t i = 0, run; r == 0 && i < n; i += run) {
			run = run_of(names + i, n - i);
			if (!is_one_cgroup(names + i, run))
				r = lengthen(names + i, run, (enum fan_name_length)length);
		}
	}
	qsort(names, n, sizeof(*names), by_name_then_index);
	for (size_t i = 0, run; r == 0 && i < n; i += run) {
		run = run_of(names + i, n - i);
		if (run > 1)
			r = number(names + i, run);
	}
	return r;
}
