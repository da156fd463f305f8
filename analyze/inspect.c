// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/inspect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/inspect_parts.h"
#include "analyze/report/assemble_cut.h"
#include "analyze/trace/clock.h"
#include "analyze/trace/cpus.h"
#include "analyze/trace/decode.h"
#include "analyze/trace/event_names.h"
#include "analyze/trace/merge.h"

#define TYPELESS FAN_EVENT_TYPES /* counts records of which not even the type is known */

struct tally {
	uint64_t all, in_main;
};

/* The one pass over the records. */
struct pass {
	struct fan_info *info;
	struct fan_event_names *names;
	struct fan_decoder *decoder;
	struct fan_merge *merge;
	struct tally *by_type; /* FAN_EVENT_TYPES and TYPELESS */
};

static struct fan_i_cpu *cpu_of(const struct fan_info *info, const struct fan_record *rec)
{
	const struct fan_i_buffer *buffer = (struct fan_i_buffer *)info->buffers.items +
					    rec->buffer;
	struct fan_i_cpu *cpu = buffer->cpus.items;
	size_t lo = 0, hi = buffer->cpus.n;

	/* the CPUs come in order, and a record's CPU is among them */
	while (hi - lo > 1) {
		const size_t middle = (lo + hi) / 2;

		if (cpu[middle].cpu <= rec->cpu)
			lo = middle;
		else
			hi = middle;
	}
	return &cpu[lo];
}

static void count(struct pass *p, const struct fan_record *rec)
{
	struct fan_i_cpu *cpu = cpu_of(p->info, rec);
	const int64_t ts_ns = rec->ts_ns > INT64_MAX ? INT64_MAX : (int64_t)rec->ts_ns;
	const int type = fan_event_type(p->names, rec);
	struct tally *tally = &p->by_type[type < 0 ? TYPELESS : type];

	tally->all++;
	tally->in_main += rec->buffer == 0;
	if (cpu->records++ == 0)
		cpu->first_ns = ts_ns;
	cpu->last_ns = ts_ns;
	if (rec->missed == 0)
		return;
	cpu->loss_marks++;
	if (rec->missed < 0 || cpu->lost == FAN_NONE)
		cpu->lost = FAN_NONE;
	else
		cpu->lost += rec->missed;
}

static int pump(struct pass *p, struct fcap_err *err)
{
	const struct fan_record *rec;
	struct fan_event ev;
	int r;

	while ((r = fan_merge_next(p->merge, &rec, err)) > 0) {
		count(p, rec);
		r = fan_decode(p->decoder, rec, &ev, err);
		if (r < 0 && fan_merge_cut_here(p->merge, rec, err) < 0)
			return r;
		if (r <= 0 || ev.kind != FAN_EV_MARKER)
			continue;
		if (fan_inspect_marker(p->info, &ev.marker) < 0)
			return fcap_fail(err, ENOMEM, "out of memory");
	}
	return r;
}

static int add_event(struct fan_info *info, const char *name, const struct tally *tally)
{
	struct fan_i_event *event = fan_array_add(&info->events, &fan_i_event_table);

	if (!event)
		return -ENOMEM;
	event->records = (int64_t)tally->all;
	event->in_main = (int64_t)tally->in_main;
	return fan_str_set(&event->name, name);
}

static int most_first(const void *a, const void *b)
{
	const struct fan_i_event *x = a, *y = b;

	if (x->records != y->records)
		return x->records < y->records ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int name_events(struct pass *p)
{
	char unknown[32];
	int r = 0;

	for (unsigned int type = 0; r == 0 && type < FAN_EVENT_TYPES; type++) {
		const char *name = fan_event_name(p->names, type);

		if (p->by_type[type].all > 0) {
			snprintf(unknown, sizeof(unknown), "unknown type %u", type);
			r = add_event(p->info, name ? name : unknown, &p->by_type[type]);
		} else if (name) {
			r = fan_strs_add(&p->info->silent, "%s", name);
		}
	}
	if (r == 0 && p->by_type[TYPELESS].all > 0)
		r = add_event(p->info, "unknown type", &p->by_type[TYPELESS]);
	if (r == 0 && p->info->events.n > 0)
		qsort(p->info->events.items, p->info->events.n, fan_i_event_table.size, most_first);
	return r;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a == FAN_NONE || (b != FAN_NONE && b < a) ? b : a;
}

static int tell_cut(struct fan_info *info, const struct fan_cut *cut)
{
	const struct fan_i_buffer *buffer = info->buffers.items;
	const struct fan_i_cpu *cpu = buffer->cpus.items;
	int64_t first_ns = FAN_NONE;
	int r;

	for (size_t c = 0; c < buffer->cpus.n; c++)
		first_ns = earlier(first_ns, cpu[c].first_ns);
	if (cut->is_cut) {
		info->cut_ns = (int64_t)cut->ts_ns;
		info->cut_cpu = cut->cpu;
	}
	r = fan_cut_missing(&info->missing_cpus, cut);
	return r < 0 ? r : fan_cut_sentences(&info->cut, cut, (uint64_t)first_ns);
}

static int look_through(struct fan_info *info, const struct fan_file *file, struct fcap_err *err)
{
	struct pass p = { .info = info };
	int r;

	p.by_type = calloc(FAN_EVENT_TYPES + 1, sizeof(*p.by_type));
	r = p.by_type ? 0 : fcap_fail(err, ENOMEM, "out of memory");
	if (r == 0)
		r = fan_decoder_new(&p.decoder, file, err);
	if (r == 0)
		r = fan_event_names_new(&p.names, file, err);
	if (r == 0)
		r = fan_merge_open_helped(&p.merge, file, fan_cpus_for(file) - 1, err);
	if (r == 0)
		r = pump(&p, err);
	if (r == 0 && (name_events(&p) < 0 || tell_cut(info, fan_merge_cut(p.merge)) < 0))
		r = fcap_fail(err, ENOMEM, "out of memory");
	fan_merge_close(p.merge);
	fan_event_names_free(p.names);
	fan_decoder_free(p.decoder);
	free(p.by_type);
	return r;
}

static int64_t later(int64_t a, int64_t b)
{
	return a == FAN_NONE || (b != FAN_NONE && b > a) ? b : a;
}

/* Sums over the CPUs; the range is that of the first buffers until one has records. */
static void sum_up(struct fan_info *info)
{
	struct fan_i_buffer *buffer = info->buffers.items;
	const struct fan_i_buffer *main_buffer = buffer;

	for (size_t b = 0; b < info->buffers.n; b++) {
		const struct fan_i_cpu *cpu = buffer[b].cpus.items;
		const bool in_range = b == 0 || main_buffer->records == 0;

		for (size_t c = 0; c < buffer[b].cpus.n; c++) {
			buffer[b].records += cpu[c].records;
			buffer[b].bytes += cpu[c].bytes;
			if (!in_range)
				continue;
			info->range.first_ns = earlier(info->range.first_ns, cpu[c].first_ns);
			info->range.last_ns = later(info->range.last_ns, cpu[c].last_ns);
		}
	}
	if (info->range.first_ns != FAN_NONE)
		info->range.length_ns = info->range.last_ns - info->range.first_ns;
}

int fan_inspect(struct fan_info *ret, const char *path, const struct fan_inspect_options *options,
		struct fcap_err *err)
{
	struct fcap_err clock = { 0 };
	struct fan_file *file = NULL;
	int r;

	fan_tree_init(ret, &fan_info_table);
	r = options->is_truncated ? fan_file_open_cut(&file, path, err)
				  : fan_file_open(&file, path, err);
	if (r < 0)
		return r;
	if (options->begin)
		options->begin(options->ctx, file);
	if (fan_inspect_frame(ret, file) < 0)
		r = fcap_fail(err, ENOMEM, "out of memory");
	if (r == 0)
		r = look_through(ret, file, err);
	if (r == 0) {
		sum_up(ret);
		if (fan_info_find_limits(ret,
					 fan_clock_check(file, &clock) < 0 ? clock.text : NULL) < 0)
			r = fcap_fail(err, ENOMEM, "out of memory");
	}
	fan_file_close(file);
	return r;
}
