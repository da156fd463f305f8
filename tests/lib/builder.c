// SPDX-License-Identifier: GPL-3.0-or-later
/* The builder's handle and the ring-buffer pages: stamps, deltas, marks of loss. */
#include "tests/lib/builder_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DELTA_BITS     27
#define SMALL_PAYLOAD  112U
#define TYPE_PADDING   29U
#define TYPE_EXTEND    30U
#define TYPE_ABSOLUTE  31U
#define COMMIT_MISSED  (1ULL << 31)
#define COMMIT_COUNTED (1ULL << 30)
#define UNUSED_BYTE    0xa5 /* behind the data of a page: whatever was there before */

void tb_must(bool ok, const char *message)
{
	if (ok)
		return;
	fprintf(stderr, "builder: %s\n", message);
	abort();
}

static char *copy_string(const char *s)
{
	char *copy = s ? strdup(s) : NULL;

	tb_must(copy || !s, "out of memory");
	return copy;
}

void tb_set_kvm(struct tb *tb, enum tb_kvm kvm)
{
	static const struct {
		enum event_id id;
		enum tb_kvm kvm;
	} own[] = {
		{ EV_KVM_ENTRY, TB_KVM_X86 },
		{ EV_KVM_EXIT, TB_KVM_X86 },
		{ EV_KVM_FPU, TB_KVM_X86 },
		{ EV_KVM_ENTRY_ARM64, TB_KVM_ARM64 },
		{ EV_KVM_EXIT_ARM64, TB_KVM_ARM64 },
		{ EV_KVM_ENTRY_RISCV, TB_KVM_RISCV },
		{ EV_KVM_EXIT_RISCV, TB_KVM_RISCV },
		{ EV_KVM_ENTRY_S390, TB_KVM_S390 },
		{ EV_KVM_EXIT_S390, TB_KVM_S390 },
		{ EV_KVM_ENTRY_POWERPC, TB_KVM_POWERPC },
		{ EV_KVM_EXIT_POWERPC, TB_KVM_POWERPC },
	};
	const struct event_format *e;
	size_t n;

	e = event_formats(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof(own) / sizeof(own[0]); k++)
			if (e[i].id == own[k].id)
				tb->without[i] = own[k].kvm != kvm;
}

/* Sizes of pages and words count from the first event on. */
static void must_be_empty(const struct tb *tb)
{
	for (int c = 0; c < tb->ncpu; c++)
		tb_must(!tb->lanes[c].size && !tb->marks[c].size, "set after an event");
}

void tb_set_machine(struct tb *tb, enum tb_machine m)
{
	must_be_empty(tb);
	tb->words.big_endian = m == TB_BE64 || m == TB_BE32;
	tb->words.long_size = m == TB_LE32 || m == TB_BE32 ? 4 : 8;
}

void tb_without_options(struct tb *tb)
{
	tb_must(tb->version == 6, "version 7 is made of options");
	tb->without_options = true;
}

struct tb *tb_new(int ncpu, int version, enum tb_compression c)
{
	struct tb *tb = calloc(1, sizeof(*tb));
	size_t n;

	tb_must(ncpu > 0 && (version == 7 || (version == 6 && c == TB_PLAIN)), "bad arguments");
	event_formats(&n);
	tb_must(tb, "out of memory");
	tb->ncpu = tb->cpu_count = ncpu;
	tb->version = version;
	tb->compression = c;
	tb->words.long_size = 8;
	tb->page_size = 4096;
	tb->pages_per_chunk = 10;
	tb->clock = copy_string("mono");
	tb->kernel = copy_string("Linux testhost 6.12.0 x86_64");
	tb->comms = calloc(TB_COMMS, sizeof(*tb->comms));
	tb->lanes = calloc((size_t)ncpu, sizeof(*tb->lanes));
	tb->marks = calloc((size_t)ncpu, sizeof(*tb->marks));
	tb->without = calloc(n, sizeof(*tb->without));
	tb_must(tb->comms && tb->lanes && tb->marks && tb->without, "out of memory");
	tb_set_kvm(tb, TB_KVM_X86);
	return tb;
}

void tb_free(struct tb *tb)
{
	if (!tb)
		return;
	for (int c = 0; c < tb->ncpu; c++) {
		free(tb->lanes[c].data);
		free(tb->marks[c].data);
	}
	for (size_t i = 0; i < tb->nopts; i++)
		free(tb->opts[i].value.data);
	free(tb->opts);
	free(tb->without);
	free(tb->marks);
	free(tb->lanes);
	free(tb->comms);
	free(tb->cmdlines);
	free(tb->kernel);
	free(tb->clock);
	free(tb);
}

void tb_set_clock(struct tb *tb, const char *clock)
{
	free(tb->clock);
	tb->clock = copy_string(clock);
}

void tb_set_kernel(struct tb *tb, const char *uname)
{
	free(tb->kernel);
	tb->kernel = copy_string(uname);
}

void tb_set_cmdlines(struct tb *tb, const char *lines)
{
	free(tb->cmdlines);
	tb->cmdlines = copy_string(lines);
}

void tb_set_cpu_count(struct tb *tb, int n)
{
	tb->cpu_count = n;
}

void tb_set_page_size(struct tb *tb, uint32_t bytes)
{
	tb_must(bytes >= 4096 && (bytes & (bytes - 1)) == 0, "page size is no power of 2");
	must_be_empty(tb);
	tb->page_size = bytes;
}

void tb_set_events_per_page(struct tb *tb, unsigned int n)
{
	tb->events_per_page = n;
}

void tb_set_pages_per_chunk(struct tb *tb, unsigned int n)
{
	tb_must(n > 0, "no pages in a chunk");
	tb->pages_per_chunk = n;
}

void tb_without_event(struct tb *tb, const char *name)
{
	const struct event_format *e;
	bool found = false;
	size_t n;

	e = event_formats(&n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(e[i].name, name) == 0)
			tb->without[i] = found = true;
	tb_must(found, "no such event");
}

void tb_option(struct tb *tb, uint16_t id, const void *data, uint32_t len)
{
	struct tb_opt *o;

	o = realloc(tb->opts, (tb->nopts + 1) * sizeof(*o));
	tb_must(o, "out of memory");
	tb->opts = o;
	o += tb->nopts++;
	o->id = id;
	o->value.size = len;
	o->value.data = malloc(len ? len : 1);
	tb_must(o->value.data, "out of memory");
	if (len)
		memcpy(o->value.data, data, len);
}

void tb_cpustat(struct tb *tb, int cpu, uint64_t overrun, uint64_t dropped)
{
	char text[256];
	int n;

	n = snprintf(text, sizeof(text),
		     "CPU: %d\nentries: 0\noverrun: %" PRIu64 "\ncommit overrun: 0\nbytes: 0\n"
		     "oldest event ts:     1.000000\nnow ts:     2.000000\n"
		     "dropped events: %" PRIu64 "\nread events: 0\n",
		     cpu, overrun, dropped);
	tb_must(n > 0 && (size_t)n < sizeof(text), "statistics too long");
	tb_option(tb, 2, text, (uint32_t)n + 1);
}

static struct tb_lane *lane_of(struct tb *tb, int cpu)
{
	tb_must(cpu >= 0 && cpu < tb->ncpu, "no such cpu");
	return &tb->lanes[cpu];
}

void tb_missed(struct tb *tb, int cpu, int64_t count)
{
	tb_must(count != 0 && count >= -1, "a mark of no loss");
	lane_of(tb, cpu)->next_missed = count;
}

void tb_absolute(struct tb *tb, int cpu)
{
	lane_of(tb, cpu)->next_absolute = true;
}

/* Stamp and commit word. */
static size_t head_size(const struct tb *tb)
{
	return 8 + tb->words.long_size;
}

static void put_u32(const struct tb *tb, struct tb_lane *lane, unsigned char **p, uint64_t v)
{
	tb_store(tb, *p, v, 4);
	*p += 4;
	lane->used += 4;
}

/* The first word of an event: in 5 bits its type or length, in 27 the time since the one before. */
static void put_head(const struct tb *tb, struct tb_lane *lane, unsigned char **p, uint64_t type,
		     uint64_t delta)
{
	delta &= (1U << DELTA_BITS) - 1;
	put_u32(tb, lane, p, tb->words.big_endian ? type << DELTA_BITS | delta : delta << 5 | type);
}

/* The commit word of the open page and, behind its data, the count of lost events. */
static void seal_page(const struct tb *tb, struct tb_lane *lane)
{
	unsigned char *page = lane->data + lane->size - tb->page_size;
	const size_t word = tb->words.long_size;
	uint64_t commit = lane->used;

	if (lane->missed)
		commit |= COMMIT_MISSED;
	if (lane->missed > 0) {
		commit |= COMMIT_COUNTED;
		tb_store(tb, page + head_size(tb) + lane->used, (uint64_t)lane->missed, word);
	}
	tb_store(tb, page + 8, commit, word);
}

static void new_page(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns)
{
	if (lane->size + tb->page_size > lane->room) {
		lane->room = lane->room ? lane->room * 2 : 4 * (size_t)tb->page_size;
		lane->data = realloc(lane->data, lane->room);
		tb_must(lane->data, "out of memory");
	}
	memset(lane->data + lane->size, UNUSED_BYTE, tb->page_size);
	tb_store(tb, lane->data + lane->size, ts_ns, sizeof(ts_ns));
	lane->size += tb->page_size;
	lane->used = 0;
	lane->events = 0;
	lane->missed = lane->next_missed;
	lane->next_missed = 0;
	lane->last_ns = ts_ns;
}

/* True if the open page cannot take a record that needs so many bytes. */
static bool needs_page(const struct tb *tb, const struct tb_lane *lane, size_t need)
{
	size_t room = tb->page_size - head_size(tb);

	if (lane->missed > 0)
		room -= tb->words.long_size;
	return lane->size == 0 || lane->next_missed != 0 || lane->used + need > room ||
	       (tb->events_per_page && lane->events >= tb->events_per_page);
}

/* Makes room for a record, opening a page if needed, and writes its long stamp, if any. */
static unsigned char *begin_record(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns,
				   size_t len)
{
	unsigned char *p;
	uint64_t delta;
	bool extend;

	tb_must(lane->size == 0 || ts_ns >= lane->last_ns, "time goes back on a cpu");
	delta = lane->size ? ts_ns - lane->last_ns : 0;
	extend = lane->next_absolute || delta >> DELTA_BITS;
	if (needs_page(tb, lane, 4 + len + (extend ? 8 : 0))) {
		new_page(tb, lane, ts_ns);
		delta = 0;
		extend = lane->next_absolute;
	}
	tb_must(delta >> DELTA_BITS >> 32 == 0, "delta of more than 59 bits");
	p = lane->data + lane->size - tb->page_size + head_size(tb) + lane->used;
	if (extend) {
		const uint64_t stamp = lane->next_absolute ? ts_ns : delta;

		put_head(tb, lane, &p, lane->next_absolute ? TYPE_ABSOLUTE : TYPE_EXTEND, stamp);
		put_u32(tb, lane, &p, stamp >> DELTA_BITS);
		lane->last_ns = ts_ns;
		lane->next_absolute = false;
	}
	tb_must(lane->used + 4 + len <= tb->page_size - head_size(tb), "record longer than a page");
	return p;
}

static void append(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns, const void *data,
		   size_t size)
{
	const size_t len = (size + 3) & ~(size_t)3;
	const bool large = len > SMALL_PAYLOAD;
	unsigned char *p;

	tb_must(len > 0, "empty record");
	p = begin_record(tb, lane, ts_ns, len + (large ? 4 : 0));
	put_head(tb, lane, &p, large ? 0 : len / 4, ts_ns - lane->last_ns);
	if (large)
		put_u32(tb, lane, &p, len + 4);
	memset(p, 0, len);
	memcpy(p, data, size);
	lane->used += len;
	lane->last_ns = ts_ns;
	lane->events++;
	seal_page(tb, lane);
}

void tb_append(const struct tb *tb, struct tb_lane *lane, uint64_t ts_ns, const void *data,
	       size_t size)
{
	unsigned char *translated = tb_translate(tb, data, &size);

	append(tb, lane, ts_ns, translated, size);
	free(translated);
}

void tb_discarded(struct tb *tb, struct tb_at at, size_t len)
{
	struct tb_lane *lane = lane_of(tb, at.cpu);
	unsigned char *p;

	tb_must(len >= 4 && len <= SMALL_PAYLOAD && len % 4 == 0, "discarded record of this size");
	/* a delta of 0 would end the page: whatever goes before stands 1 ns earlier */
	p = begin_record(tb, lane, at.ts_ns - 1, len);
	tb_must((at.ts_ns - lane->last_ns) >> DELTA_BITS == 0, "discarded record too late");
	put_head(tb, lane, &p, TYPE_PADDING, at.ts_ns - lane->last_ns);
	put_u32(tb, lane, &p, len);
	memset(p, UNUSED_BYTE, len - 4);
	lane->used += len - 4;
	lane->last_ns = at.ts_ns;
	seal_page(tb, lane);
}

void tb_raw(struct tb *tb, int cpu, uint64_t ts_ns, const void *data, size_t len)
{
	tb_append(tb, lane_of(tb, cpu), ts_ns, data, len);
}
