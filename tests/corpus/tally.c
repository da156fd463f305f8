// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * tally FILE: what the reader and the state machine make of a trace, in the words of an
 * oracle.tsv: runs between two switches of one CPU, time in guests, threads that left a CPU
 * runnable. tests/cli/corpus.sh compares them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/machine.h"
#include "analyze/trace/decode.h"
#include "analyze/trace/merge.h"
#include "fcap/cpulist.h"

struct thread {
	uint64_t run_ns, intervals;
	uint64_t guest_ns, entries, exits;
	uint64_t entry_ns; /* of the last kvm_entry without an exit yet; 0 none */
};

struct cpu {
	uint64_t first_switch, last_switch; /* 0: none */
	uint64_t idle_ns, intervals;
};

struct tally {
	struct fan_threads *threads;
	struct fan_machine *machine;
	struct thread *of; /* by tid */
	struct cpu *cpus;  /* FCAP_CPUS_MAX */
	uint64_t runnable, other;
	const struct fan_event *now; /* what the machine is being fed with; NULL at the end */
};

/* Only what lies between two switches of its CPU: from the last one to the one that is fed. */
static int take_span(void *ctx, const struct fan_span *span, const struct fan_thread *th)
{
	struct tally *t = ctx;
	const uint64_t ns = span->t1_ns - span->t0_ns;
	struct cpu *cpu;
	struct thread *of;

	if (span->state != FAN_ST_RUN || !t->now || t->now->kind != FAN_EV_SWITCH ||
	    t->now->cpu != span->cpu || span->t1_ns != t->now->ts_ns)
		return 0;
	cpu = &t->cpus[span->cpu];
	if (span->t0_ns != cpu->last_switch)
		return 0;
	if (!th) {
		cpu->idle_ns += ns;
		cpu->intervals++;
		return 0;
	}
	of = &t->of[th->tid];
	of->run_ns += ns;
	of->intervals++;
	return 0;
}

static void take_vcpu(struct tally *t, const struct fan_event *ev)
{
	struct thread *th;

	if (ev->cur_tid <= 0 || ev->cur_tid >= FAN_TID_MAX)
		return;
	th = &t->of[ev->cur_tid];
	if (ev->vcpu.what == FAN_VCPU_ENTRY) {
		th->entries++;
		th->entry_ns = ev->ts_ns;
	} else if (ev->vcpu.what == FAN_VCPU_EXIT) {
		th->exits++;
		th->guest_ns += th->entry_ns ? ev->ts_ns - th->entry_ns : 0;
		th->entry_ns = 0;
	}
}

static int take_event(struct tally *t, const struct fan_event *ev)
{
	struct cpu *cpu = &t->cpus[ev->cpu];
	int r;

	t->now = ev;
	r = fan_machine_feed(t->machine, ev);
	t->now = NULL;
	if (ev->kind == FAN_EV_VCPU)
		take_vcpu(t, ev);
	if (ev->kind != FAN_EV_SWITCH)
		return r;
	if (ev->sw.prev_runnable)
		t->runnable++;
	else
		t->other++;
	if (!cpu->first_switch)
		cpu->first_switch = ev->ts_ns;
	cpu->last_switch = ev->ts_ns;
	return r;
}

static int read_all(struct tally *t, const struct fan_file *file, struct fcap_err *err)
{
	struct fan_decoder *dec = NULL;
	struct fan_merge *merge = NULL;
	const struct fan_record *rec;
	struct fan_event ev;
	int r = fan_decoder_new(&dec, file, err);

	if (r == 0)
		r = fan_merge_open(&merge, file, err);
	while (r >= 0 && (r = fan_merge_next(merge, &rec, err)) > 0) {
		r = fan_decode(dec, rec, &ev, err);
		if (r > 0 && ev.buffer == 0)
			r = take_event(t, &ev);
	}
	if (r == 0)
		r = fan_machine_finish(t->machine, 0);
	fan_merge_close(merge);
	fan_decoder_free(dec);
	return r;
}

static void print(const struct tally *t)
{
	for (int c = 0; c < FCAP_CPUS_MAX; c++) {
		const struct cpu *cpu = &t->cpus[c];

		if (cpu->first_switch)
			printf("switches\t%d\t%" PRIu64 "\t%" PRIu64 "\n", c, cpu->first_switch,
			       cpu->last_switch);
		if (cpu->intervals)
			printf("run\t0@cpu%d\t%" PRIu64 "\t%" PRIu64 "\n", c, cpu->idle_ns,
			       cpu->intervals);
	}
	for (int tid = 1; tid < FAN_TID_MAX; tid++) {
		const struct thread *th = &t->of[tid];

		if (th->intervals)
			printf("run\t%d\t%" PRIu64 "\t%" PRIu64 "\n", tid, th->run_ns,
			       th->intervals);
		if (th->entries || th->exits)
			printf("guest\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", tid,
			       th->guest_ns, th->entries, th->exits);
	}
	printf("left\t%" PRIu64 "\t%" PRIu64 "\n", t->runnable, t->other);
	printf("lost\t%" PRIu64 "\n", fan_machine_counts(t->machine)->losses);
}

static int tally(const char *path)
{
	struct tally t = { .threads = fan_threads_new(),
			   .of = calloc(FAN_TID_MAX, sizeof(*t.of)),
			   .cpus = calloc(FCAP_CPUS_MAX, sizeof(*t.cpus)) };
	struct fcap_err err = { 0 };
	struct fan_file *file = NULL;
	int r = -ENOMEM;

	if (t.threads && t.of && t.cpus)
		r = fan_machine_new(&t.machine, t.threads, take_span, &t);
	if (r == 0)
		r = fan_file_open(&file, path, &err);
	if (r == 0)
		r = read_all(&t, file, &err);
	if (r == 0)
		print(&t);
	else
		fprintf(stderr, "tally: %s: %s\n", path, err.code ? err.text : strerror(-r));
	fan_file_close(file);
	fan_machine_free(t.machine);
	fan_threads_free(t.threads);
	free(t.of);
	free(t.cpus);
	return r;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "Usage: tally FILE\n");
		return 2;
	}
	return tally(argv[1]) < 0;
}
