// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * However many threads read, the events are those of the merge, one by one, and what ends them is
 * told with the same words. FCAP_TEST_SEED=N repeats a run.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/report/assemble.h"
#include "analyze/report/json.h"
#include "analyze/report/passes.h"
#include "analyze/trace/decode.h"
#include "analyze/trace/events.h"
#include "analyze/trace/merge.h"
#include "tests/lib/seeded.h"
#include "tests/unit/modelled.h"
#include "tests/unit/paper.h"

enum { CPUS_MAX = 6, TASKS = 12, TRACES = 24 };

static const unsigned int threads[] = { 1, 2, 7, 16 };
#define THREADS (sizeof(threads) / sizeof(threads[0]))

/* A trace that is made at random, and what is drawn for it. */
struct any {
	struct tb *tb;
	uint64_t seed, random;
	int cpus;
	uint64_t now_ns[CPUS_MAX], line_ns;
	int cur[CPUS_MAX]; /* tid */
};

static uint64_t draw(struct any *a, uint64_t below)
{
	return seeded_next(&a->random) % below;
}

static struct tb_task task(int tid)
{
	static const char *const names[] = { "CPU 0/KVM", "fifteen-letters", "x", NULL };

	return (struct tb_task){ tid, tid ? names[tid % 4] : NULL, 0 };
}

/* A line of up to 3000 bytes: a few fill the room that a batch has for texts. */
static void any_line(struct any *a)
{
	char pad[2901];
	const size_t n = draw(a, 3) ? 0 : draw(a, sizeof(pad));

	memset(pad, 'z', n);
	pad[n] = '\0';
	a->line_ns += draw(a, 300000);
	tb_marker(a->tb, a->line_ns, "fcap: group tgid=%d name=vm%d cmd=\"%s\"",
		  (int)draw(a, 3) + 100, (int)draw(a, 3), pad);
}

/* Stamps are few, so that many are the same on several CPUs. */
static void any_event(struct any *a)
{
	const int cpu = (int)draw(a, (uint64_t)a->cpus), next = 200 + (int)draw(a, TASKS);
	struct tb_at at;

	a->now_ns[cpu] += draw(a, 3) * 50000;
	at = tb_by(cpu, a->now_ns[cpu], a->cur[cpu]);
	if (draw(a, 60) == 0)
		tb_missed(a->tb, cpu, draw(a, 2) ? -1 : 1 + (int64_t)draw(a, 9));
	if (draw(a, 90) == 0)
		tb_absolute(a->tb, cpu);
	switch (draw(a, 8)) {
	case 0:
		tb_waking(a->tb, at, task(next), cpu);
		break;
	case 1:
	case 2:
		tb_wakeup(a->tb, at, task(next), (int)draw(a, (uint64_t)a->cpus));
		break;
	case 3:
		tb_kvm_fpu(a->tb, at, 1);
		break;
	case 4:
		tb_rename(a->tb, at, task(next), draw(a, 2) ? "CPU 1/KVM" : "y");
		break;
	default:
		tb_switch(a->tb, at, task(a->cur[cpu]), draw(a, 2) ? TB_S : TB_R, task(next));
		a->cur[cpu] = next;
	}
}

static struct fan_file *any_file(struct any *a, unsigned int number, int events)
{
	const int version = number % 3 ? 7 : 6;
	const int compression = number % 3 == 2 ? TB_ZLIB : TB_ZSTD;

	*a = (struct any){ .seed = a->seed };
	a->random = a->seed + number * 0x632be59bd9b4e019ULL;
	a->cpus = 1 + (int)draw(a, CPUS_MAX);
	a->line_ns = MODELLED_BASE;
	for (int cpu = 0; cpu < a->cpus; cpu++)
		a->now_ns[cpu] = MODELLED_BASE;
	a->tb = tb_new(a->cpus, version, version == 7 ? compression : TB_PLAIN);
	tb_set_events_per_page(a->tb, draw(a, 2) ? 0 : 1 + (unsigned int)draw(a, 30));
	tb_set_pages_per_chunk(a->tb, draw(a, 4) ? 1 + (unsigned int)draw(a, 4) : 300);
	tb_marker(a->tb, a->line_ns, "fcap: begin v=1 clock=mono");
	for (int i = 0; i < TASKS; i++)
		tb_marker(a->tb, a->line_ns, "fcap: vcpu tid=%d tgid=%d id=%d", 200 + i,
			  100 + i % 3, i);
	for (int i = 0; i < events; i++)
		if (draw(a, 50) == 0)
			any_line(a);
		else
			any_event(a);
	return file_of(a->tb);
}

static void show_text(FILE *f, struct fan_text t)
{
	fprintf(f, " %u:", t.n);
	for (uint32_t i = 0; i < t.n; i++)
		fputc(t.p[i] ? t.p[i] : '~', f);
}

static void show_comm(FILE *f, struct fan_comm comm)
{
	show_text(f, (struct fan_text){ comm.c, sizeof(comm.c) });
}

/* Everything that an event of this kind has. */
static void show(FILE *f, const struct fan_event *ev)
{
	fprintf(f, "%" PRIu64 " %" PRId64 " %d %u %d %d", ev->ts_ns, ev->missed, ev->cpu,
		ev->buffer, ev->cur_tid, (int)ev->kind);
	if (ev->kind == FAN_EV_SWITCH) {
		fprintf(f, " %d %d %d %d %d", ev->sw.prev_tid, ev->sw.next_tid, ev->sw.prev_prio,
			ev->sw.next_prio, ev->sw.prev_runnable);
		show_comm(f, ev->sw.prev_comm);
		show_comm(f, ev->sw.next_comm);
	} else if (ev->kind == FAN_EV_WAKEUP || ev->kind == FAN_EV_WAKING) {
		fprintf(f, " %d %d", ev->wakeup.tid, ev->wakeup.target_cpu);
		show_comm(f, ev->wakeup.comm);
	} else if (ev->kind == FAN_EV_RENAME) {
		fprintf(f, " %d", ev->rename.tid);
		show_comm(f, ev->rename.comm);
	} else if (ev->kind == FAN_EV_MARKER) {
		show_text(f, ev->marker);
	} else if (ev->kind == FAN_EV_VCPU) {
		fprintf(f, " %d %d", ev->vcpu.id, (int)ev->vcpu.what);
	}
	fputc('\n', f);
}

static char *end_of(struct paper *p, int r, const struct fcap_err *err)
{
	fprintf(p->f, "%d %s\n", r, r < 0 ? err->text : "");
	return read_paper(p);
}

static char *as_read(const struct fan_file *file, unsigned int n)
{
	struct fan_events *events = NULL;
	const struct fan_event *ev;
	struct fcap_err err = { 0 };
	struct paper p;
	FILE *f = paper(&p);
	int r = fan_events_open(&events, file, n, &err);

	while (r >= 0 && (r = fan_events_next(events, &ev, &err)) > 0)
		show(f, ev);
	/* the end is the end */
	if (r == 0)
		assert_int_equal(fan_events_next(events, &ev, &err), 0);
	fan_events_close(events);
	return end_of(&p, r, &err);
}

static char *as_merged(const struct fan_file *file)
{
	struct fan_decoder *dec = NULL;
	struct fan_merge *merge = NULL;
	const struct fan_record *rec;
	struct fcap_err err = { 0 };
	struct fan_event ev;
	struct paper p;
	FILE *f = paper(&p);
	int r;

	assert_int_equal(fan_decoder_new(&dec, file, &err), 0);
	r = fan_merge_open(&merge, file, &err);
	while (r >= 0 && (r = fan_merge_next(merge, &rec, &err)) > 0) {
		r = fan_decode(dec, rec, &ev, &err);
		if (r < 0)
			break;
		show(f, &ev);
	}
	fan_merge_close(merge);
	fan_decoder_free(dec);
	return end_of(&p, r, &err);
}

static void assert_same(const struct any *a, unsigned int number, const char *got, const char *want)
{
	size_t n = 0, line = 1;

	while (got[n] == want[n] && got[n])
		line += got[n++] == '\n';
	if (got[n] != want[n])
		fail_msg("FCAP_TEST_SEED=%" PRIu64 ", trace %u: line %zu differs", a->seed, number,
			 line);
}

static void threads_read_the_events_of_the_merge(void **state)
{
	struct any a = { .seed = seeded_start() };

	(void)state;
	for (unsigned int i = 0; i < TRACES; i++) {
		struct fan_file *file = any_file(&a, i, i % 4 ? 3000 : 30000);
		char *want = as_merged(file);

		for (size_t k = 0; k < THREADS; k++) {
			char *got = as_read(file, threads[k]);

			assert_same(&a, i, got, want);
			free(got);
		}
		free(want);
		fan_file_close(file);
	}
}

/* Eight bytes somewhere in the data of a CPU become others, at best the length of a page. */
static void damage(struct any *a, const struct fan_file *file)
{
	const struct fan_buffer *b = &file->buffers[0];
	const struct fan_cpu_data *c = &b->cpus[draw(a, b->ncpus)];
	const uint64_t garbage = draw(a, 2) ? seeded_next(&a->random) : draw(a, 5000);
	uint64_t at = draw(a, c->size - 8);
	char path[64];
	FILE *f;

	if (!b->compressed && draw(a, 4))
		at = at / 4096 * 4096 + 8;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
	f = fopen(path, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, (long)(c->offset + at), SEEK_SET), 0);
	assert_int_equal(fwrite(&garbage, sizeof(garbage), 1, f), 1);
	assert_int_equal(fclose(f), 0);
}

static void damage_is_told_in_the_same_place_with_the_same_words(void **state)
{
	struct any a = { .seed = seeded_start() };
	unsigned int failed = 0;

	(void)state;
	for (unsigned int i = 0; i < 4 * TRACES; i++) {
		struct fan_file *file = any_file(&a, i, 2500);
		char *want;

		damage(&a, file);
		want = as_merged(file);
		failed += strstr(want, "damaged") || strstr(want, "shorter");
		for (size_t k = 0; k < THREADS; k++) {
			char *got = as_read(file, threads[k]);

			assert_same(&a, i, got, want);
			free(got);
		}
		free(want);
		fan_file_close(file);
	}
	/* what is compressed, two thirds of the files, hardly survives */
	assert_true(failed > TRACES * 2);
}

/* Whoever stops after any number of events, with much or little read ahead, has it closed. */
static void reading_can_be_given_up_at_any_event(void **state)
{
	struct any a = { .seed = seeded_start() };
	struct fan_file *file = any_file(&a, 1, 20000);

	(void)state;
	for (unsigned int i = 0; i < 40; i++) {
		struct fan_events *events = NULL;
		const struct fan_event *ev;
		struct fcap_err err = { 0 };

		assert_int_equal(fan_events_open(&events, file, threads[i % THREADS], &err), 0);
		for (uint64_t n = draw(&a, 15000); n > 0; n--)
			assert_int_equal(fan_events_next(events, &ev, &err), 1);
		fan_events_close(events);
	}
	fan_file_close(file);
}

static char *report_of_file(const struct fan_file *file, unsigned int n)
{
	const struct fan_report_options options = { .level = 0.95, .margin = 3, .command = "x" };
	const struct fan_model_options how = { .threads = n };
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };
	struct fan_report report;
	struct paper p;
	FILE *f = paper(&p);

	if (fan_report_read(&m, file, &how, &options, &err) < 0 ||
	    fan_report_assemble(&report, file, m, &options, &err) < 0 ||
	    fan_tree_json(&report, &fan_report_table, f, &err) < 0)
		fail_msg("%s", err.text);
	fan_report_free(&report);
	fan_model_free(m);
	return read_paper(&p);
}

static void the_bytes_of_a_report_do_not_depend_on_threads(void **state)
{
	struct any a = { .seed = seeded_start() };

	(void)state;
	for (unsigned int i = 0; i < TRACES; i++) {
		struct fan_file *file = any_file(&a, i, 4000);
		char *want = report_of_file(file, 1);

		assert_non_null(strstr(want, "\"groups\": [\n    {"));
		assert_null(strstr(want, "\"windows\": 0"));
		for (size_t k = 1; k < THREADS; k++) {
			char *got = report_of_file(file, threads[k]);

			assert_same(&a, i, got, want);
			free(got);
		}
		free(want);
		fan_file_close(file);
	}
}

static void nor_do_those_of_real_recordings(void **state)
{
	static const char *const paths[] = {
		"tests/data/bed/bed-coresched-on-v6.dat",
		"tests/data/bed/bed-coresched-off.dat",
		"tests/data/bed-fcap/steal.dat",
		"tests/data/bed-fcap/222-on-1.dat",
	};
	const struct any a = { 0 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct fan_file *file = NULL;
		struct fcap_err err = { 0 };
		char *want;

		if (fan_file_open(&file, paths[i], &err) < 0)
			fail_msg("%s", err.text);
		want = report_of_file(file, 1);
		for (size_t k = 1; k < THREADS; k++) {
			char *got = report_of_file(file, threads[k]);

			assert_same(&a, i, got, want);
			free(got);
		}
		free(want);
		fan_file_close(file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_read_the_events_of_the_merge),
		cmocka_unit_test(damage_is_told_in_the_same_place_with_the_same_words),
		cmocka_unit_test(reading_can_be_given_up_at_any_event),
		cmocka_unit_test(the_bytes_of_a_report_do_not_depend_on_threads),
		cmocka_unit_test(nor_do_those_of_real_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
