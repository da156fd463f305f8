// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of the file: header, options, buffers. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/inspect_parts.h"
#include "analyze/trace/option_names.h"
#include "fcap/version.h"

static int take_header(struct fan_info *info, const struct fan_file *f)
{
	int r;

	info->bytes = (int64_t)f->size;
	info->version = f->version;
	info->word_bytes = f->long_size;
	info->page_bytes = f->page_size;
	info->cpus = f->cpus;
	info->cpus_with_data = (int64_t)f->buffers[0].ncpus;
	info->malformed_markers = 0;
	r = fan_str_set(&info->schema, "fcap-info/1");
	r = r < 0 ? r : fan_str_set(&info->tool.name, "fanalyze");
	r = r < 0 ? r : fan_str_set(&info->tool.version, FCAP_VERSION);
	r = r < 0 ? r : fan_str_set(&info->file, f->path);
	r = r < 0 ? r : fan_str_set(&info->compression, f->compression ? f->compression : "none");
	r = r < 0 ? r : fan_str_set(&info->byte_order, f->big_endian ? "big" : "little");
	r = r < 0 ? r : fan_str_set(&info->kernel, f->kernel);
	return r < 0 ? r : fan_str_set(&info->clock, f->buffers[0].clock);
}

static int take_buffer(struct fan_info *info, const struct fan_buffer *b)
{
	struct fan_i_buffer *buffer = fan_array_add(&info->buffers, &fan_i_buffer_table);
	struct fan_i_cpu *cpu;

	if (!buffer || fan_str_set(&buffer->name, b->name) < 0 ||
	    fan_str_set(&buffer->clock, b->clock) < 0)
		return -ENOMEM;
	buffer->bytes = buffer->records = 0;
	for (size_t i = 0; i < b->ncpus; i++) {
		cpu = fan_array_add(&buffer->cpus, &fan_i_cpu_table);
		if (!cpu)
			return -ENOMEM;
		cpu->cpu = b->cpus[i].cpu;
		cpu->bytes = (int64_t)b->cpus[i].size;
		cpu->records = cpu->loss_marks = cpu->lost = 0;
	}
	return 0;
}

/* The number behind name in the statistics of a CPU; 0 if it is not there. */
static uint64_t stat_of(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* Says what the kernel's statistics of one CPU tell of losses; nothing if there were none. */
static int take_cpustat(struct fan_info *info, const char *text)
{
	/* "overrun" also ends "commit overrun": the line break tells them apart */
	const uint64_t overrun = stat_of(text, "\noverrun:");
	const uint64_t commit = stat_of(text, "\ncommit overrun:");
	const uint64_t dropped = stat_of(text, "\ndropped events:");

	if (overrun == 0 && commit == 0 && dropped == 0)
		return 0;
	return fan_strs_add(&info->losses,
			    "the kernel's statistics of CPU %" PRIu64 ": %" PRIu64
			    " overwritten, %" PRIu64 " refused while nested, %" PRIu64 " dropped",
			    stat_of(text, "CPU:"), overrun, commit, dropped);
}

static bool has(const struct fan_strs *strs, const char *s)
{
	for (size_t i = 0; i < strs->n; i++)
		if (strcmp(strs->items[i], s) == 0)
			return true;
	return false;
}

static int take_option(struct fan_info *info, const struct fan_option *o)
{
	const char *known = fan_option_name(o->id);
	char unknown[16];
	int r = 0;

	snprintf(unknown, sizeof(unknown), "option %u", o->id);
	if (!known)
		known = unknown;
	if (!has(&info->options, known))
		r = fan_strs_add(&info->options, "%s", known);
	if (r == 0 && o->id == FAN_OPTION_CPUSTAT)
		r = take_cpustat(info, o->data.data);
	if (r == 0 && o->id == FAN_OPTION_VERSION && !info->recorder)
		r = fan_str_set(&info->recorder, o->data.data);
	return r;
}

int fan_inspect_frame(struct fan_info *info, const struct fan_file *file)
{
	int r = take_header(info, file);

	for (size_t i = 0; r == 0 && i < file->noptions; i++)
		r = take_option(info, &file->options[i]);
	for (size_t i = 0; r == 0 && i < file->nbuffers; i++)
		r = take_buffer(info, &file->buffers[i]);
	return r;
}
