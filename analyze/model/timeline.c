// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/room.h"

#define FIRST_WIDTH 1000ULL
#define CELLS_MAX   (1U << 19) /* 8 MiB: beyond, wider bins, but no fewer than BINS_MIN */
#define BINS_MIN    16
#define SLOTS	    256 /* of a CPU: where the cells of its last bin are, by account */

/* Spans of a CPU come in order: its cells are appended, nearly always. */
struct lane {
	struct fan_timeline_cell *cells;
	size_t n, room;
	uint32_t slots[SLOTS]; /* a guess */
	uint64_t *forced;      /* NULL: never */
};

struct shared {
	uint64_t *bins[FAN_TIMELINE_ROWS]; /* NULL: never */
	uint64_t sum[FAN_TIMELINE_ROWS];
};

struct fan_timeline {
	uint64_t start, width;
	struct lane *lanes;
	size_t nlanes;
	struct shared *cores;
	size_t ncores;
	size_t ncells;
	uint32_t last; /* bin that anything was told of */
	uint64_t cached_from, cached_to;
	uint32_t cached; /* bin between these: of the last look, as most spans */
	uint32_t *place; /* by key, from FAN_CPU_IDLE on: the cell of a bin that is being joined */
	size_t nplaces;
};

struct fan_timeline *fan_timeline_new(void)
{
	struct fan_timeline *t = calloc(1, sizeof(*t));

	if (t)
		t->width = FIRST_WIDTH;
	return t;
}

void fan_timeline_free(struct fan_timeline *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nlanes; i++) {
		free(t->lanes[i].cells);
		free(t->lanes[i].forced);
	}
	for (size_t i = 0; i < t->ncores; i++)
		for (size_t k = 0; k < FAN_TIMELINE_ROWS; k++)
			free(t->cores[i].bins[k]);
	free(t->lanes);
	free(t->cores);
	free(t->place);
	free(t);
}

void fan_timeline_start(struct fan_timeline *t, uint64_t start_ns)
{
	t->start = start_ns;
}

/* NULL: no memory. */
static struct lane *reach_lane(struct fan_timeline *t, int32_t cpu)
{
	const size_t n = ((size_t)cpu | 7) + 1;
	struct lane *grown;

	if ((size_t)cpu < t->nlanes)
		return &t->lanes[cpu];
	grown = reallocarray(t->lanes, n, sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + t->nlanes, 0, (n - t->nlanes) * sizeof(*grown));
	t->lanes = grown;
	t->nlanes = n;
	return &t->lanes[cpu];
}

static uint32_t *place_of(struct fan_timeline *t, int32_t key)
{
	const size_t i = (size_t)((int64_t)key + 1), n = (i | 63) + 1;
	uint32_t *grown;

	if (i < t->nplaces)
		return &t->place[i];
	grown = reallocarray(t->place, n, sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + t->nplaces, 0, (n - t->nplaces) * sizeof(*grown));
	t->place = grown;
	t->nplaces = n;
	return &t->place[i];
}

/* Joins each two bins of a CPU into one. There is a place for every key. */
static void widen_lane(struct fan_timeline *t, struct lane *lane)
{
	size_t first = 0, n = 0; /* of the bin that is being joined, of all */

	for (size_t i = 0; i < lane->n; i++) {
		struct fan_timeline_cell cell = lane->cells[i];
		uint32_t *place = &t->place[cell.key + 1];

		cell.bin /= 2;
		if (n == 0 || lane->cells[n - 1].bin != cell.bin)
			first = n;
		if (*place >= first && *place < n && lane->cells[*place].key == cell.key) {
			lane->cells[*place].ns += cell.ns;
			continue;
		}
		*place = (uint32_t)n;
		lane->cells[n++] = cell;
	}
	t->ncells -= lane->n - n;
	lane->n = n;
}

static void widen_row(uint64_t *bins)
{
	if (!bins)
		return;
	for (size_t i = 0; i < FAN_TIMELINE_BINS / 2; i++)
		bins[i] = bins[2 * i] + bins[2 * i + 1];
	memset(bins + FAN_TIMELINE_BINS / 2, 0, FAN_TIMELINE_BINS / 2 * sizeof(*bins));
}

static void widen(struct fan_timeline *t)
{
	for (size_t i = 0; i < t->nlanes; i++) {
		widen_lane(t, &t->lanes[i]);
		widen_row(t->lanes[i].forced);
	}
	for (size_t i = 0; i < t->ncores; i++)
		for (size_t k = 0; k < FAN_TIMELINE_ROWS; k++)
			widen_row(t->cores[i].bins[k]);
	t->width *= 2;
	t->last /= 2;
	t->cached_to = 0;
}

/* The bin that t_ns is in; the bins become so wide that it is one of them. */
static uint32_t bin_of(struct fan_timeline *t, uint64_t t_ns)
{
	uint64_t bin;

	if (t_ns >= t->cached_from && t_ns < t->cached_to)
		return t->cached;
	bin = (t_ns - t->start) / t->width;
	while (bin >= FAN_TIMELINE_BINS) {
		widen(t);
		bin = (t_ns - t->start) / t->width;
	}
	t->last = bin > t->last ? (uint32_t)bin : t->last;
	t->cached = (uint32_t)bin;
	t->cached_from = t->start + bin * t->width;
	t->cached_to = t->cached_from + t->width;
	return t->cached;
}

static uint64_t end_of(const struct fan_timeline *t, uint32_t bin)
{
	return t->start + (bin + 1) * t->width;
}

/* A new cell behind those of its bin. NULL: no memory. */
static struct fan_timeline_cell *insert(struct fan_timeline *t, struct lane *lane, size_t at,
					int32_t key, uint32_t bin)
{
	void *cells = lane->cells;

	if (!place_of(t, key) ||
	    fan_reserve(&cells, lane->n, 1, &lane->room, sizeof(*lane->cells)) < 0)
		return NULL;
	lane->cells = cells;
	memmove(&lane->cells[at + 1], &lane->cells[at], (lane->n - at) * sizeof(*lane->cells));
	lane->cells[at] = (struct fan_timeline_cell){ .key = key, .bin = bin };
	lane->n++;
	t->ncells++;
	return &lane->cells[at];
}

/* Where the last look at this key has found it; NULL: not this cell. */
static inline struct fan_timeline_cell *guess_cell(const struct lane *lane, int32_t key,
						   uint32_t bin)
{
	const uint32_t i = lane->slots[(uint32_t)key % SLOTS];

	return i < lane->n && lane->cells[i].key == key && lane->cells[i].bin == bin
		       ? &lane->cells[i]
		       : NULL;
}

static struct fan_timeline_cell *reach_cell(struct fan_timeline *t, struct lane *lane, int32_t key,
					    uint32_t bin)
{
	struct fan_timeline_cell *cell = guess_cell(lane, key, bin);
	size_t behind = lane->n, i;

	if (cell)
		return cell;
	while (behind > 0 && lane->cells[behind - 1].bin > bin)
		behind--;
	for (i = behind; i > 0 && lane->cells[i - 1].bin == bin; i--)
		if (lane->cells[i - 1].key == key)
			break;
	if (i > 0 && lane->cells[i - 1].bin == bin) {
		cell = &lane->cells[i - 1];
	} else {
		cell = insert(t, lane, behind, key, bin);
		if (!cell)
			return NULL;
	}
	lane->slots[(uint32_t)key % SLOTS] = (uint32_t)(cell - lane->cells);
	return cell;
}

/* A span of several bins, or of another than the last look, or the first one of a key in it. */
static __attribute__((noinline)) int add(struct fan_timeline *t, int32_t cpu, int32_t key,
					 uint64_t t0_ns, uint64_t t1_ns)
{
	struct lane *lane = cpu < 0 ? NULL : reach_lane(t, cpu);

	if (!lane)
		return cpu < 0 ? 0 : -ENOMEM;
	if (t0_ns < t1_ns)
		bin_of(t, t1_ns - 1);
	while (t0_ns < t1_ns) {
		const uint32_t bin = bin_of(t, t0_ns);
		const uint64_t end = end_of(t, bin) < t1_ns ? end_of(t, bin) : t1_ns;
		struct fan_timeline_cell *cell = reach_cell(t, lane, key, bin);

		if (!cell)
			return -ENOMEM;
		cell->ns += end - t0_ns;
		t0_ns = end;
	}
	while (t->ncells > CELLS_MAX && t->last >= BINS_MIN)
		widen(t);
	return 0;
}

int fan_timeline_add(struct fan_timeline *t, int32_t cpu, int32_t key, uint64_t t0_ns,
		     uint64_t t1_ns)
{
	struct fan_timeline_cell *cell;

	if ((size_t)cpu >= t->nlanes || t0_ns < t->cached_from || t1_ns > t->cached_to ||
	    t0_ns > t1_ns)
		return add(t, cpu, key, t0_ns, t1_ns);
	cell = guess_cell(&t->lanes[cpu], key, t->cached);
	if (!cell)
		return add(t, cpu, key, t0_ns, t1_ns);
	cell->ns += t1_ns - t0_ns;
	return 0;
}

/* NULL: no memory. */
static uint64_t *reach_row(uint64_t **row)
{
	if (!*row)
		*row = calloc(FAN_TIMELINE_BINS, sizeof(**row));
	return *row;
}

/* Adds [t0, t1) to a row, sign times. */
static void spread(struct fan_timeline *t, uint64_t *row, uint64_t t0_ns, uint64_t t1_ns, int sign)
{
	if (t0_ns < t1_ns)
		bin_of(t, t1_ns - 1);
	while (t0_ns < t1_ns) {
		const uint32_t bin = bin_of(t, t0_ns);
		const uint64_t end = end_of(t, bin) < t1_ns ? end_of(t, bin) : t1_ns;

		row[bin] += sign > 0 ? end - t0_ns : t0_ns - end;
		t0_ns = end;
	}
}

int fan_timeline_force(struct fan_timeline *t, int32_t cpu, uint64_t t0_ns, uint64_t t1_ns)
{
	struct lane *lane = reach_lane(t, cpu);
	uint64_t *row = lane ? reach_row(&lane->forced) : NULL;

	if (!row)
		return -ENOMEM;
	spread(t, row, t0_ns, t1_ns, 1);
	return 0;
}

void fan_timeline_unforce(struct fan_timeline *t, int32_t cpu, uint64_t t0_ns, uint64_t t1_ns)
{
	if (cpu >= 0 && (size_t)cpu < t->nlanes && t->lanes[cpu].forced)
		spread(t, t->lanes[cpu].forced, t0_ns, t1_ns, -1);
}

static struct shared *reach_core(struct fan_timeline *t, size_t core)
{
	struct shared *grown;

	if (core < t->ncores)
		return &t->cores[core];
	grown = reallocarray(t->cores, core + 8, sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + t->ncores, 0, (core + 8 - t->ncores) * sizeof(*grown));
	t->cores = grown;
	t->ncores = core + 8;
	return &t->cores[core];
}

/*
 * As nothing is told behind t1, all bins from that of t0 on are known by what is before t0: of the
 * first one what was so before it, and all that comes.
 */
int fan_timeline_cover(struct fan_timeline *t, size_t core, enum fan_timeline_row row,
		       uint64_t t0_ns, uint64_t t1_ns, uint64_t before_ns)
{
	struct shared *c = reach_core(t, core);
	uint64_t *bins = c ? reach_row(&c->bins[row]) : NULL;
	uint64_t later = 0;
	uint32_t first, last;

	if (!bins)
		return -ENOMEM;
	if (t0_ns >= t1_ns)
		return 0;
	last = bin_of(t, t1_ns - 1);
	first = bin_of(t, t0_ns);
	for (uint32_t i = first; i <= last; i++) {
		later += bins[i];
		bins[i] = 0;
	}
	/* of all that was told, what is in the bins before the first is not in the first */
	bins[first] = before_ns - (c->sum[row] - later);
	spread(t, bins, t0_ns, t1_ns, 1);
	c->sum[row] = before_ns + (t1_ns - t0_ns);
	return 0;
}

uint64_t fan_timeline_covered(const struct fan_timeline *t, size_t core, enum fan_timeline_row row)
{
	return core < t->ncores ? t->cores[core].sum[row] : 0;
}

uint64_t fan_timeline_start_ns(const struct fan_timeline *t)
{
	return t->start;
}

uint64_t fan_timeline_bin_ns(const struct fan_timeline *t)
{
	return t->width;
}

size_t fan_timeline_bins(const struct fan_timeline *t, uint64_t end_ns)
{
	return end_ns > t->start ? (size_t)((end_ns - t->start + t->width - 1) / t->width) : 0;
}

size_t fan_timeline_cpus(const struct fan_timeline *t)
{
	return t->nlanes;
}

const struct fan_timeline_cell *fan_timeline_cells(const struct fan_timeline *t, int32_t cpu,
						   size_t *ret_n)
{
	const bool is_told = cpu >= 0 && (size_t)cpu < t->nlanes;

	*ret_n = is_told ? t->lanes[cpu].n : 0;
	return is_told ? t->lanes[cpu].cells : NULL;
}

const uint64_t *fan_timeline_forced(const struct fan_timeline *t, int32_t cpu)
{
	return cpu >= 0 && (size_t)cpu < t->nlanes ? t->lanes[cpu].forced : NULL;
}

const uint64_t *fan_timeline_shared(const struct fan_timeline *t, size_t core,
				    enum fan_timeline_row row)
{
	return core < t->ncores ? t->cores[core].bins[row] : NULL;
}
