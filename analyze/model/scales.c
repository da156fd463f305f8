// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/scales.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TICK_NS	 1000000ULL
#define DUE_PART 100		       /* of a window: less is not taking part */
#define X_MAX	 (128 * FAN_SCALE_ONE) /* nobody is that far ahead but by rounding */
#define FAIR	 (95 * FAN_SCALE_ONE / 100)

const unsigned int fan_scale_ticks[FAN_SCALES] = { 1,	2,   5,	   10,	 20,   50,   100,
						   200, 500, 1000, 2000, 5000, 10000 };

/* Parts of an index over n values. */
struct index {
	uint64_t n, sum, squares;
};

struct party {
	struct fan_pace now, begin[FAN_SCALES]; /* of the window that is open */
	struct fan_scale sums[FAN_SCALES];
	struct index vcpus; /* of the window that is being closed */
	struct party *next; /* that has vCPUs in it */
	unsigned int open;  /* scales on whose list it is: 1 << k */
};

#define ALL_OPEN ((1U << FAN_SCALES) - 1)

struct vcpu {
	bool is_told;
	int32_t party;
	struct fan_pace now, begin[FAN_SCALES];
	unsigned int open; /* as above */
};

/* Parties, or vCPUs, of which something was told in this window or the one before. */
struct list {
	uint32_t *items;
	size_t n, room;
};

struct fan_scales {
	struct party *parties;
	size_t nparties;
	struct list open[FAN_SCALES];
	struct vcpu *vcpus;
	size_t nvcpus;
	struct list open_vcpus[FAN_SCALES];
	struct fan_scale all[FAN_SCALES];
	uint64_t tick, ends[FAN_SCALES]; /* of the windows that are open, as ticks */
};

struct fan_scales *fan_scales_new(void)
{
	struct fan_scales *s = calloc(1, sizeof(*s));

	for (size_t k = 0; s && k < FAN_SCALES; k++)
		s->ends[k] = fan_scale_ticks[k];
	return s;
}

void fan_scales_free(struct fan_scales *s)
{
	if (!s)
		return;
	for (size_t k = 0; k < FAN_SCALES; k++) {
		free(s->open[k].items);
		free(s->open_vcpus[k].items);
	}
	free(s->parties);
	free(s->vcpus);
	free(s);
}

/* Room for item i, zeroed; what is there may move. 0 or -ENOMEM. */
static int reach(void *array, size_t *n, size_t i, size_t size)
{
	void **items = array;
	const size_t more = (i | 7) + 1;
	char *grown;

	if (i < *n)
		return 0;
	grown = reallocarray(*items, more, size);
	if (!grown)
		return -ENOMEM;
	memset(grown + *n * size, 0, (more - *n) * size);
	*items = grown;
	*n = more;
	return 0;
}

/* Sums may shrink when a gap shows that they were too large: then they wait until they fit. */
static void advance(struct fan_pace *to, struct fan_pace now)
{
	to->got_ns = now.got_ns > to->got_ns ? now.got_ns : to->got_ns;
	to->due_ns = now.due_ns > to->due_ns ? now.due_ns : to->due_ns;
}

/* Puts the item on the lists of all scales that it is not on, as *open has it. */
static int open_windows(struct list *lists, unsigned int *open, size_t item)
{
	for (unsigned int k = 0; *open != ALL_OPEN && k < FAN_SCALES; k++) {
		struct list *l = &lists[k];

		if (*open & 1U << k)
			continue;
		if (reach(&l->items, &l->room, l->n, sizeof(*l->items)) < 0)
			return -ENOMEM;
		l->items[l->n++] = (uint32_t)item;
		*open |= 1U << k;
	}
	return 0;
}

int fan_scales_party(struct fan_scales *s, size_t party, struct fan_pace now)
{
	struct party *p;

	if (reach(&s->parties, &s->nparties, party, sizeof(*p)) < 0)
		return -ENOMEM;
	p = &s->parties[party];
	advance(&p->now, now);
	return p->open == ALL_OPEN ? 0 : open_windows(s->open, &p->open, party);
}

/* What does not fit into the first tick was before it was known for what it is. */
int fan_scales_vcpu(struct fan_scales *s, size_t vcpu, int32_t party, struct fan_pace now)
{
	struct vcpu *v;

	if (reach(&s->vcpus, &s->nvcpus, vcpu, sizeof(*v)) < 0)
		return -ENOMEM;
	v = &s->vcpus[vcpu];
	v->party = party;
	if (v->is_told && now.got_ns <= v->now.got_ns && now.due_ns <= v->now.due_ns)
		return 0;
	advance(&v->now, now);
	for (size_t k = 0; !v->is_told && now.got_ns + now.due_ns > TICK_NS && k < FAN_SCALES; k++)
		v->begin[k] = now;
	v->is_told = true;
	return v->open == ALL_OPEN ? 0 : open_windows(s->open_vcpus, &v->open, vcpu);
}

static void add(struct index *i, uint64_t part, uint64_t whole)
{
	const uint64_t x = part * FAN_SCALE_ONE / whole;
	const uint64_t kept = x < X_MAX ? x : X_MAX;

	i->n++;
	i->sum += kept;
	i->squares += kept * kept;
}

/* (sum x)^2 / (n sum x^2); sum is not 0. */
static uint64_t jain(struct index i)
{
	unsigned int shift = 0;

	while (i.sum >> shift >= 1U << 24)
		shift++;
	i.sum >>= shift;
	i.squares >>= 2 * shift;
	return (i.sum * i.sum * FAN_SCALE_ONE + i.n * i.squares / 2) / (i.n * i.squares);
}

static struct fan_pace since(const struct fan_pace *now, const struct fan_pace *begin)
{
	return (struct fan_pace){ now->got_ns - begin->got_ns, now->due_ns - begin->due_ns };
}

/* Of the parties of one window. */
struct window {
	uint64_t least_ns; /* due, to take part */
	struct fan_pace sum;
	struct index x;
};

static struct window look(struct fan_scales *s, size_t k)
{
	struct window w = { .least_ns = fan_scale_ticks[k] * TICK_NS / DUE_PART };

	for (size_t i = 0; i < s->open[k].n; i++) {
		struct party *p = &s->parties[s->open[k].items[i]];
		const struct fan_pace part = since(&p->now, &p->begin[k]);

		w.sum.got_ns += part.got_ns;
		w.sum.due_ns += part.due_ns;
		if (part.due_ns < w.least_ns || part.due_ns == 0)
			continue;
		add(&w.x, part.got_ns, part.due_ns);
		p->sums[k].windows++;
		p->sums[k].zero += part.got_ns == 0;
		s->all[k].zero += part.got_ns == 0;
	}
	return w;
}

/* Adds how far each party's share is from the one it was due. */
static void compare(struct fan_scales *s, size_t k, const struct window *w)
{
	for (size_t i = 0; i < s->open[k].n; i++) {
		struct party *p = &s->parties[s->open[k].items[i]];
		const struct fan_pace part = since(&p->now, &p->begin[k]);
		int64_t off;

		if (part.due_ns < w->least_ns || part.due_ns == 0)
			continue;
		off = (int64_t)(part.got_ns * FAN_SCALE_ONE / w->sum.got_ns) -
		      (int64_t)(part.due_ns * FAN_SCALE_ONE / w->sum.due_ns);
		p->sums[k].squares += (uint64_t)(off * off);
		p->sums[k].squared++;
	}
}

/* Those that got nothing in the last window, nor were due anything, leave the list. */
static void begin_parties(struct fan_scales *s, size_t k)
{
	struct list *l = &s->open[k];
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct party *p = &s->parties[l->items[i]];
		const struct fan_pace part = since(&p->now, &p->begin[k]);

		p->begin[k] = p->now;
		if (part.got_ns + part.due_ns)
			l->items[n++] = l->items[i];
		else
			p->open &= ~(1U << k);
	}
	l->n = n;
}

static void close_parties(struct fan_scales *s, size_t k)
{
	const struct window w = look(s, k);
	struct fan_scale *all = &s->all[k];

	if (w.x.n >= 2 && w.x.sum > 0) {
		const uint64_t index = jain(w.x);

		all->windows++;
		all->jain += index;
		all->fair += index >= FAIR;
		compare(s, k, &w);
	}
	begin_parties(s, k);
}

/* Those that neither ran nor waited leave the list. The first of the parties of the others. */
static struct party *look_at_vcpus(struct fan_scales *s, size_t k)
{
	struct list *l = &s->open_vcpus[k];
	struct party *first = NULL, *p;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		struct vcpu *v = &s->vcpus[l->items[i]];
		const struct fan_pace part = since(&v->now, &v->begin[k]);
		const uint64_t wanted = part.got_ns + part.due_ns;

		if (wanted == 0) {
			v->open &= ~(1U << k);
			continue;
		}
		v->begin[k] = v->now;
		l->items[n++] = l->items[i];
		if (v->party < 0 || (size_t)v->party >= s->nparties)
			continue;
		p = &s->parties[v->party];
		if (p->vcpus.n == 0) {
			p->next = first;
			first = p;
		}
		add(&p->vcpus, part.got_ns, wanted);
		p->sums[k].vcpu_zero += part.due_ns >= fan_scale_ticks[k] * TICK_NS;
	}
	l->n = n;
	return first;
}

static void close_vcpus(struct fan_scales *s, size_t k)
{
	for (struct party *p = look_at_vcpus(s, k); p; p = p->next) {
		if (p->vcpus.n >= 2 && p->vcpus.sum > 0) {
			p->sums[k].vcpu_windows++;
			p->sums[k].vcpu_jain += jain(p->vcpus);
		}
		p->vcpus = (struct index){ 0 };
	}
}

void fan_scales_tick(struct fan_scales *s, uint64_t ticks)
{
	s->tick += ticks;
	for (size_t k = 0; k < FAN_SCALES; k++) {
		if (s->tick < s->ends[k])
			continue;
		s->ends[k] = (s->tick / fan_scale_ticks[k] + 1) * fan_scale_ticks[k];
		close_parties(s, k);
		close_vcpus(s, k);
	}
}

struct fan_scale fan_scales_of(const struct fan_scales *s, size_t party, size_t scale)
{
	return party < s->nparties ? s->parties[party].sums[scale] : (struct fan_scale){ 0 };
}

struct fan_scale fan_scales_all(const struct fan_scales *s, size_t scale)
{
	struct fan_scale all = s->all[scale];

	all.squares = all.squared = 0;
	for (size_t i = 0; i < s->nparties; i++) {
		all.squares += s->parties[i].sums[scale].squares;
		all.squared += s->parties[i].sums[scale].squared;
	}
	return all;
}
