// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/time_shift.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/trace/file_parts.h"
#include "fcap/cpulist.h"

#define FLAG_INTERPOLATE 1
/* decades; what is computed from them and 64-bit stamps stays below 2^127 */
#define OFFSET_MAX (INT64_C(1) << 62)
#define SCALE_MAX  INT64_MAX

__extension__ typedef __int128 i128;

struct sample {
	uint64_t time; /* of the guest */
	int64_t offset;
	uint64_t scale; /* over 2^fraction */
	unsigned int fraction;
};

struct fan_time_shift {
	bool is_interpolated;
	size_t n; /* of samples, by time, none at the same time */
	struct sample samples[];
};

/* What is read of the option so far: the samples of our CPU stand between those of others. */
struct reading {
	struct fan_bytes at;
	struct fan_time_shift *shift;
	uint64_t before; /* samples of the CPUs before ours */
};

static int read_samples(struct reading *r, uint32_t n, bool is_interpolated)
{
	struct fan_bytes *b = &r->at;
	uint64_t v = 0;
	int e = 0;

	r->shift = calloc(1, sizeof(*r->shift) + n * sizeof(r->shift->samples[0]));
	if (!r->shift)
		return -ENOMEM;
	r->shift->n = n;
	r->shift->is_interpolated = is_interpolated;
	for (uint32_t i = 0; e == 0 && i < n; i++)
		e = fan_bytes_u64(b, &r->shift->samples[i].time);
	for (uint32_t i = 0; e == 0 && i < n; i++) {
		e = fan_bytes_u64(b, &v);
		r->shift->samples[i].offset = (int64_t)v;
		if (e == 0 && ((int64_t)v > OFFSET_MAX || (int64_t)v < -OFFSET_MAX))
			e = -EINVAL;
	}
	for (uint32_t i = 0; e == 0 && i < n; i++) {
		e = fan_bytes_u64(b, &r->shift->samples[i].scale);
		if (e == 0 && r->shift->samples[i].scale - 1 >= SCALE_MAX)
			e = -EINVAL;
	}
	return e;
}

/* The fractions of all CPUs' scales follow all samples; older trace-cmd wrote none. */
static int read_fractions(struct reading *r)
{
	uint64_t fraction = 0;
	int e;

	if (r->at.pos == r->at.end || !r->shift)
		return 0;
	e = fan_bytes_skip(&r->at, 8 * r->before);
	for (size_t i = 0; e == 0 && i < r->shift->n; i++) {
		e = fan_bytes_u64(&r->at, &fraction);
		if (e == 0 && fraction > 63)
			e = -EINVAL;
		r->shift->samples[i].fraction = (unsigned int)fraction;
	}
	return e;
}

/* trace id, flags, number of CPUs, then for each the number of samples and the samples. */
static int read_option(struct reading *r, int32_t cpu)
{
	struct fan_bytes *b = &r->at;
	uint32_t flags = 0, cpus = 0, n = 0;
	int e;

	e = fan_bytes_skip(b, 8);
	if (e == 0)
		e = fan_bytes_u32(b, &flags);
	if (e == 0)
		e = fan_bytes_u32(b, &cpus);
	if (e == 0 && cpus > FCAP_CPUS_MAX)
		e = -EINVAL;
	for (uint32_t c = 0; e == 0 && c < cpus; c++) {
		e = fan_bytes_u32(b, &n);
		if (e == 0 && n > (b->end - b->pos) / 24)
			e = -EINVAL;
		if (e == 0 && (int32_t)c == cpu && n)
			e = read_samples(r, n, flags & FLAG_INTERPOLATE);
		else if (e == 0)
			e = fan_bytes_skip(b, 24 * (uint64_t)n);
		if ((int32_t)c < cpu)
			r->before += n;
	}
	return e < 0 ? e : read_fractions(r);
}

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void sort(struct fan_time_shift *s)
{
	size_t n = 1;

	qsort(s->samples, s->n, sizeof(s->samples[0]), by_time);
	for (size_t i = 1; i < s->n; i++)
		if (s->samples[i].time != s->samples[n - 1].time)
			s->samples[n++] = s->samples[i];
	s->n = n;
}

int fan_time_shift_new(struct fan_time_shift **ret, const struct fan_file *file, int32_t cpu)
{
	struct reading r = { .shift = NULL };
	int e;

	*ret = NULL;
	for (size_t i = 0; i < file->noptions; i++) {
		const struct fan_option *o = &file->options[i];

		if (o->id != FAN_OPT_TIME_SHIFT)
			continue;
		r.at = (struct fan_bytes){ .mem = o->data.data,
					   .end = o->data.size,
					   .big_endian = file->big_endian };
		e = read_option(&r, cpu);
		if (e < 0) {
			free(r.shift);
			return e == -ENOMEM ? e : -EINVAL;
		}
		if (r.shift)
			sort(r.shift);
		break;
	}
	*ret = r.shift;
	return 0;
}

/* The last sample before ts that has one behind it. There are at least two. */
static const struct sample *find(const struct fan_time_shift *s, uint64_t ts)
{
	size_t low = 0, high = s->n - 2;

	while (low < high) {
		const size_t middle = (low + high + 1) / 2;

		if (s->samples[middle].time <= ts)
			low = middle;
		else
			high = middle - 1;
	}
	return &s->samples[low];
}

uint64_t fan_time_shift(const struct fan_time_shift *s, uint64_t ts)
{
	const struct sample *a = s->samples;
	i128 shifted = ts, offset = a->offset;

	if (s->n > 1) {
		a = find(s, ts);
		offset = a->offset;
		shifted = ((i128)ts * a->scale) >> a->fraction;
	}
	if (s->n > 1 && s->is_interpolated) {
		const i128 span = (i128)a[1].time - a[0].time;
		const i128 rise = ((i128)ts - a[0].time) * ((i128)a[1].offset - a[0].offset);

		offset += (rise + span / 2) / span;
	}
	shifted += offset;
	return shifted < 0 ? 0 : shifted > UINT64_MAX ? UINT64_MAX : (uint64_t)shifted;
}

void fan_time_shift_free(struct fan_time_shift *s)
{
	free(s);
}
