// SPDX-License-Identifier: GPL-3.0-or-later
/* Info tree to text. Computes nothing but sums for a table's line. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/info.h"
#include "analyze/report/print.h"
#include "analyze/report/table.h"
#include "analyze/report/text_cut.h"
#include "analyze/report/words.h"

/* "12.345678901 s": a stamp whole, so that two can be compared. */
static struct fan_cell format_stamp(int64_t ns)
{
	struct fan_cell c = { "-" };

	if (ns != FAN_NONE)
		snprintf(c.text, sizeof(c.text), "%" PRId64 ".%09" PRId64 " s", ns / 1000000000,
			 ns % 1000000000);
	return c;
}

/* A paragraph of the strings, unless there are none; those that begin with skip are left out. */
static void print_list(struct fan_print *p, const char *head, const struct fan_strs *strs,
		       const char *skip)
{
	struct fan_strs shown = { 0 };
	char *text;
	int r = 0;

	for (size_t i = 0; r == 0 && i < strs->n; i++)
		if (!skip || strncmp(strs->items[i], skip, strlen(skip)) != 0)
			r = fan_strs_add(&shown, "%s", strs->items[i]);
	text = r == 0 ? fan_join(&shown, ", ") : NULL;
	if (!text)
		p->r = p->r < 0 ? p->r : -ENOMEM;
	else if (shown.n > 0)
		fan_print_para(p, 2, "%s: %s", head, text);
	free(text);
	fan_strs_free(&shown);
}

static void print_file(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_pair *label = info->labels.items;

	fan_print_para(p, 2, "%s: trace.dat version %" PRId64 ", %" PRId64 " bytes",
		       fan_or_dash(info->file), info->version, info->bytes);
	fan_print_para(p, 2,
		       "compression: %s; byte order: %s; words of %" PRId64
		       " bits; pages of %" PRId64 " bytes",
		       fan_or_dash(info->compression), fan_or_dash(info->byte_order),
		       info->word_bytes * 8, info->page_bytes);
	fan_print_para(p, 2, "kernel: %s; clock: %s; CPUs: %" PRId64 ", with data: %" PRId64,
		       fan_or_dash(info->kernel), fan_or_dash(info->clock), info->cpus,
		       info->cpus_with_data);
	fan_print_para(p, 2, "recorded by: %s", fan_or_dash(info->recorder));
	if (info->command)
		fan_print_para(p, 2, "command: %s", info->command);
	for (size_t i = 0; i < info->triggers.n; i++)
		fan_print_para(p, 2, "saved because %s", info->triggers.items[i]);
	for (size_t i = 0; i < info->labels.n; i++)
		fan_print_para(p, 2, "label: %s=%s", label[i].key, label[i].value);
	print_list(p, "options", &info->options, NULL);
}

static void print_range(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_buffer *buffer = info->buffers.items;
	const struct fan_i_cpu *cpu = buffer->cpus.items;

	fan_print_blank(p);
	if (info->range.first_ns == FAN_NONE) {
		fan_print_para(p, 2, "Range: the file holds no records");
		return;
	}
	fan_print_para(p, 2, "Range: %s, from %s to %s of its clock",
		       fan_format_ns(info->range.length_ns).text,
		       format_stamp(info->range.first_ns).text,
		       format_stamp(info->range.last_ns).text);
	for (size_t i = 0; i < buffer->cpus.n; i++) {
		const int64_t late_ns = cpu[i].records > 0 ? cpu[i].first_ns - info->range.first_ns
							   : 0;

		if (late_ns > FAN_INFO_LATE_NS)
			fan_print_para(p, 4,
				       "  - CPU %" PRId64 " begins %s later: it was idle, or its "
				       "first events were overwritten",
				       cpu[i].cpu, fan_format_ns(late_ns).text);
	}
}

static void print_buffers(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_buffer *buffer = info->buffers.items;
	struct fan_grid grid = { .columns = "llrrr" };

	fan_print_blank(p);
	fan_print_para(p, 2, "Buffers");
	fan_grid_cell(&grid, "name");
	fan_grid_cell(&grid, "clock");
	fan_grid_cell(&grid, "CPUs with data");
	fan_grid_cell(&grid, "bytes");
	fan_grid_cell(&grid, "records");
	for (size_t i = 0; i < info->buffers.n; i++) {
		fan_grid_cell(&grid, "%s", *buffer[i].name ? buffer[i].name : "(main)");
		fan_grid_cell(&grid, "%s", fan_or_dash(buffer[i].clock));
		fan_grid_cell(&grid, "%zu", buffer[i].cpus.n);
		fan_grid_cell(&grid, "%" PRId64, buffer[i].bytes);
		fan_grid_cell(&grid, "%" PRId64, buffer[i].records);
	}
	fan_grid_print(&grid, p);
}

static void print_events(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_event *event = info->events.items;
	struct fan_grid grid = { .columns = "rrl" };

	fan_print_blank(p);
	fan_print_para(p, 2, "Events: %s",
		       info->events.n > 0 ? "in all buffers, in the main one" : "none");
	for (size_t i = 0; i < info->events.n; i++) {
		fan_grid_cell(&grid, "%" PRId64, event[i].records);
		fan_grid_cell(&grid, "%" PRId64, event[i].in_main);
		fan_grid_cell(&grid, "%s", event[i].name);
	}
	fan_grid_print(&grid, p);
	/* the formats of ftrace itself are in every file */
	print_list(p, "formats without events", &info->silent, "ftrace:");
}

static void print_markers(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_marker *marker = info->markers.items;
	struct fan_grid grid = { .columns = "rl" };

	if (info->markers.n == 0 && info->malformed_markers == 0)
		return;
	fan_print_blank(p);
	fan_print_para(p, 2, "Marker lines of fcap by kind");
	for (size_t i = 0; i < info->markers.n; i++) {
		fan_grid_cell(&grid, "%" PRId64, marker[i].lines);
		fan_grid_cell(&grid, "%s", marker[i].kind);
	}
	fan_grid_print(&grid, p);
	if (info->malformed_markers > 0)
		fan_print_para(p, 2, "malformed: %" PRId64, info->malformed_markers);
}

static void print_lost(const struct fan_i_buffer *buffer, struct fan_print *p)
{
	const struct fan_i_cpu *cpu = buffer->cpus.items;

	for (size_t i = 0; i < buffer->cpus.n; i++) {
		const struct fan_cell lost = fan_format_i64(cpu[i].lost);

		if (cpu[i].loss_marks > 0)
			fan_print_para(
				p, 4, "  - CPU %" PRId64 "%s%s: at %" PRId64 " places, %s events",
				cpu[i].cpu, *buffer->name ? " of buffer " : "", buffer->name,
				cpu[i].loss_marks,
				cpu[i].lost == FAN_NONE ? "an unknown number of" : lost.text);
	}
}

static void print_loss(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_buffer *buffer = info->buffers.items;
	bool has_marks = false;

	for (size_t b = 0; b < info->buffers.n; b++) {
		const struct fan_i_cpu *cpu = buffer[b].cpus.items;

		for (size_t c = 0; c < buffer[b].cpus.n; c++)
			has_marks = has_marks || cpu[c].loss_marks > 0;
	}
	fan_print_blank(p);
	fan_print_para(p, 2, "Lost events: %s", has_marks || info->losses.n > 0 ? "yes" : "none");
	for (size_t b = 0; b < info->buffers.n; b++)
		print_lost(&buffer[b], p);
	for (size_t i = 0; i < info->losses.n; i++)
		fan_print_para(p, 4, "  - %s", info->losses.items[i]);
}

static void print_limits(const struct fan_info *info, struct fan_print *p)
{
	const struct fan_i_limit *limit = info->limits.items;

	fan_print_blank(p);
	fan_print_para(p, 2, "What it cannot answer%s",
		       info->limits.n > 0 ? ", and what would" : ": nothing is missing");
	for (size_t i = 0; i < info->limits.n; i++)
		fan_print_para(p, 4, "  - %s: %s%s%s", limit[i].question, limit[i].reason,
			       limit[i].remedy ? "; use " : "",
			       limit[i].remedy ? limit[i].remedy : "");
}

int fan_info_text(const struct fan_info *info, FILE *f, struct fcap_err *err)
{
	struct fan_print p = { .f = f };

	errno = 0;
	fan_print_cut(&info->cut, &p);
	print_file(info, &p);
	print_range(info, &p);
	print_buffers(info, &p);
	print_events(info, &p);
	print_markers(info, &p);
	print_loss(info, &p);
	print_limits(info, &p);
	return fan_print_finish(&p, err);
}
