// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_vcpu.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/table.h"
#include "analyze/report/words.h"

/* A part of the run time; the paragraph above the table explains those that are there. */
static const struct part {
	const char *head, *words;
	size_t offset;
} parts[] = {
	{ "guest", "guest: in the VM itself", offsetof(struct fan_r_group, guest_ns) },
	{ "kernel", "kernel: in the host's kernel for the VM",
	  offsetof(struct fan_r_group, host_ns) },
	{ "in KVM_RUN", "in KVM_RUN: in the guest or in the host's kernel for it",
	  offsetof(struct fan_r_group, in_kvm_run_ns) },
	{ "polling", "polling: the VM had nothing to do, the host's kernel waited for its wake-up",
	  offsetof(struct fan_r_group, poll_ns) },
	{ "VMM", "VMM: in the program that runs the VM", offsetof(struct fan_r_group, vmm_ns) },
	{ "unsplit", "unsplit: which of guest, kernel and VMM is not told",
	  offsetof(struct fan_r_group, unsplit_run_ns) },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static int64_t part_of(const struct fan_r_group *g, size_t i)
{
	int64_t ns;

	memcpy(&ns, (const char *)g + parts[i].offset, sizeof(ns));
	return ns;
}

/* Which parts some group has; columns of zeros are left out. Returns how many. */
static size_t find_parts(const struct fan_array *groups, bool shown[PARTS])
{
	const struct fan_r_group *g = groups->items;
	size_t n = 0;

	for (size_t i = 0; i < PARTS; i++) {
		shown[i] = false;
		for (size_t k = 0; k < groups->n; k++)
			shown[i] |= part_of(&g[k], i) > 0;
		n += shown[i];
	}
	return n;
}

/* Groups without vCPUs have none of them. */
static bool has_part(const struct fan_r_group *g)
{
	for (size_t i = 0; i < PARTS; i++)
		if (part_of(g, i) > 0)
			return true;
	return false;
}

static void print_head(const bool shown[PARTS], bool has_run, struct fan_print *p)
{
	struct fan_strs words = { 0 };
	char *joined;
	int r = 0;

	for (size_t i = 0; r == 0 && i < PARTS; i++)
		if (shown[i])
			r = fan_strs_add(&words, "%s", parts[i].words);
	joined = r == 0 ? fan_join(&words, "; ") : NULL;
	fan_print_blank(p);
	if (joined)
		fan_print_para(p, 0, "Time of the vCPUs%s (%s)", has_run ? " on a CPU" : "",
			       joined);
	else
		p->r = -ENOMEM;
	fan_strs_free(&words);
	free(joined);
}

void fan_print_vcpu_time(const struct fan_report *r, struct fan_print *p)
{
	const struct fan_r_group *g = r->groups.items;
	const bool has_run = fan_tells_run(&r->groups);
	bool shown[PARTS];
	const size_t n = find_parts(&r->groups, shown);
	char columns[PARTS + 3] = "lrrrrrrr";
	struct fan_grid grid = { .columns = columns };

	if (n == 0)
		return;
	columns[n + 1 + has_run] = '\0';
	print_head(shown, has_run, p);
	fan_grid_cell(&grid, "name");
	if (has_run)
		fan_grid_cell(&grid, "run");
	for (size_t i = 0; i < PARTS; i++)
		if (shown[i])
			fan_grid_cell(&grid, "%s", parts[i].head);
	for (size_t k = 0; k < r->groups.n; k++) {
		if (!has_part(&g[k]))
			continue;
		fan_grid_cell(&grid, "%s", fan_or_dash(g[k].name));
		if (has_run)
			fan_grid_cell(&grid, "%s", fan_format_ns(g[k].vcpu_run_ns).text);
		for (size_t i = 0; i < PARTS; i++)
			if (shown[i])
				fan_grid_cell(&grid, "%s", fan_format_ns(part_of(&g[k], i)).text);
	}
	fan_grid_print(&grid, p);
}
