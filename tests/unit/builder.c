// SPDX-License-Identifier: GPL-3.0-or-later
/* tests/lib/builder: the records that go in come out of libtracecmd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <trace-cmd/trace-cmd.h>

#include "tests/lib/builder.h"
#include "tests/lib/formats.h"
#include "tests/lib/kinds.h"
#include "tests/lib/tempdir.h"

static const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };
static const struct tb_task vm2 = { 202, "CPU 1/KVM", 0 };

struct seen {
	uint64_t ts_ns;
	int cpu, id, pid;
	long long missed;
};

struct reading {
	struct tracecmd_input *handle;
	struct tep_handle *tep;
	struct seen seen[4096];
	size_t n, total;
	bool backwards;
	char *dir, *path;
};

static int keep(struct tracecmd_input *handle, struct tep_record *rec, int cpu, void *data)
{
	struct reading *r = data;

	(void)handle;
	r->total++;
	if (r->n == sizeof(r->seen) / sizeof(r->seen[0]))
		return 0;
	if (r->n && rec->ts < r->seen[r->n - 1].ts_ns)
		r->backwards = true;
	assert_int_equal(rec->cpu, cpu);
	r->seen[r->n++] = (struct seen){ rec->ts, rec->cpu, tep_data_type(r->tep, rec),
					 tep_data_pid(r->tep, rec), rec->missed_events };
	return 0;
}

/* Writes and frees tb, opens the file with libtracecmd and keeps its main buffer's records. */
static struct reading *read_back(struct tb *tb)
{
	struct reading *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->dir = tempdir_new();
	r->path = tempdir_file(r->dir, "trace.dat");
	assert_int_equal(tb_write(tb, r->path), 0);
	tb_free(tb);
	r->handle = tracecmd_open(r->path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(r->handle);
	r->tep = tracecmd_get_tep(r->handle);
	assert_int_equal(tracecmd_iterate_events(r->handle, NULL, 0, keep, r), 0);
	return r;
}

static void done(struct reading *r)
{
	tracecmd_close(r->handle);
	free(r->path);
	tempdir_remove(r->dir);
	free(r);
}

static void assert_seen(const struct reading *r, const struct seen *expected, size_t n)
{
	assert_int_equal(r->n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(r->seen[i].ts_ns == expected[i].ts_ns);
		assert_int_equal(r->seen[i].cpu, expected[i].cpu);
		assert_int_equal(r->seen[i].id, expected[i].id);
		assert_int_equal(r->seen[i].pid, expected[i].pid);
		assert_true(r->seen[i].missed == expected[i].missed);
	}
}

static void records_come_back_in_time_order_with_stamp_cpu_and_task(void **state)
{
	static const struct seen expected[] = {
		{ 1000, 1, EV_SCHED_SWITCH, 0, 0 }, { 1001, 0, EV_SCHED_WAKEUP, 0, 0 },
		{ 1500, 1, EV_KVM_ENTRY, 101, 0 },  { 2000, 3, EV_SCHED_WAKING, 7, 0 },
		{ 2000, 3, EV_SCHED_WAKEUP, 7, 0 }, { 900002000, 1, EV_KVM_EXIT, 101, 0 },
		{ 900003000, 0, EV_PRINT, 55, 0 },  { 900004000, 1, EV_SCHED_SWITCH, 101, 0 },
	};
	struct tb *tb = tb_new_kind(*state, 4);
	struct reading *r;

	/* CPU 2 stays empty; across CPUs the calls are out of order */
	tb_waking(tb, tb_by(3, 2000, 7), vm2, 0);
	tb_wakeup(tb, tb_by(3, 2000, 7), vm2, 0);
	tb_switch(tb, tb_at(1, 1000), tb_idle, TB_R, vm1);
	tb_kvm_entry(tb, tb_by(1, 1500, vm1.tid), 0);
	tb_kvm_exit(tb, tb_by(1, 900002000, vm1.tid), 0, 12);
	tb_switch(tb, tb_at(1, 900004000), vm1, TB_S, tb_idle);
	tb_wakeup(tb, tb_at(0, 1001), vm1, 1);
	tb_print(tb, tb_by(0, 900003000, 55), "hello");
	r = read_back(tb);
	assert_seen(r, expected, sizeof(expected) / sizeof(expected[0]));
	assert_int_equal(tracecmd_buffer_instances(r->handle), 0);
	done(r);
}

static void many_pages_keep_count_and_order(void **state)
{
	enum { PER_CPU = 20000 };
	struct tb *tb = tb_new_kind(*state, 3);
	struct reading *r;

	/* more than 300 pages of 4 KiB on CPU 0: a switch record takes 68 bytes */
	for (uint64_t i = 0; i < PER_CPU; i++)
		tb_switch(tb, tb_at(0, 1000 + 10 * i), vm1, TB_PREEMPTED, vm2);
	for (uint64_t i = 0; i < PER_CPU; i++)
		tb_switch(tb, tb_at(2, 1005 + 10 * i), vm2, TB_PREEMPTED, vm1);
	r = read_back(tb);
	assert_int_equal(r->total, 2 * PER_CPU);
	assert_false(r->backwards);
	for (size_t i = 0; i < r->n; i++) {
		assert_true(r->seen[i].ts_ns == 1000 + 5 * i);
		assert_int_equal(r->seen[i].cpu, i % 2 ? 2 : 0);
	}
	done(r);
}

static void stamps_far_apart_and_absolute_stamps_are_exact(void **state)
{
	static const uint64_t ts[] = {
		1,
		1ULL << 27,
		(1ULL << 27) + 1,
		(1ULL << 28),
		(1ULL << 28) + 7,
		1ULL << 40,
		(1ULL << 40) + (1ULL << 27) - 1,
		(1ULL << 58) - 1,
		(1ULL << 58) + 12345,
		(1ULL << 58) + 12345,
	};
	struct tb *tb = tb_new_kind(*state, 1);
	struct reading *r;

	for (size_t i = 0; i < 10; i++) {
		if (i == 4 || i == 8)
			tb_absolute(tb, 0);
		tb_kvm_fpu(tb, tb_by(0, ts[i], 1), 0);
	}
	tb_discarded(tb, tb_at(0, (1ULL << 58) + 12400), 24);
	tb_kvm_fpu(tb, tb_by(0, (1ULL << 58) + 12500, 1), 0);
	r = read_back(tb);
	assert_int_equal(r->n, 11);
	for (size_t i = 0; i < 10; i++)
		assert_true(r->seen[i].ts_ns == ts[i]);
	assert_true(r->seen[10].ts_ns == (1ULL << 58) + 12500);
	done(r);
}

static void marks_of_loss_stand_before_the_record_that_follows(void **state)
{
	static const struct seen expected[] = {
		{ 10, 0, EV_KVM_FPU, 1, 0 },   { 15, 1, EV_KVM_FPU, 1, -1 },
		{ 20, 0, EV_KVM_FPU, 2, 17 },  { 30, 0, EV_KVM_FPU, 3, 0 },
		{ 400, 0, EV_KVM_FPU, 4, -1 }, { 500, 0, EV_KVM_FPU, 5, 2000000000 },
	};
	struct tb *tb = tb_new_kind(*state, 2);
	struct reading *r;

	tb_kvm_fpu(tb, tb_by(0, 10, 1), 0);
	tb_missed(tb, 0, 17);
	tb_kvm_fpu(tb, tb_by(0, 20, 2), 0);
	tb_kvm_fpu(tb, tb_by(0, 30, 3), 0);
	tb_missed(tb, 0, -1);
	tb_kvm_fpu(tb, tb_by(0, 400, 4), 0);
	tb_missed(tb, 0, 2000000000);
	tb_kvm_fpu(tb, tb_by(0, 500, 5), 0);
	tb_missed(tb, 1, -1);
	tb_kvm_fpu(tb, tb_by(1, 15, 1), 0);
	r = read_back(tb);
	assert_seen(r, expected, sizeof(expected) / sizeof(expected[0]));
	done(r);
}

static void full_pages_with_a_count_keep_it(void **state)
{
	struct tb *tb = tb_new_kind(*state, 1);
	struct reading *r;

	tb_missed(tb, 0, 4);
	for (uint64_t i = 0; i < 1000; i++)
		tb_kvm_fpu(tb, tb_by(0, 100 + i, 1), 0);
	r = read_back(tb);
	assert_int_equal(r->n, 1000);
	assert_true(r->seen[0].missed == 4);
	for (size_t i = 1; i < r->n; i++)
		assert_true(r->seen[i].missed == 0);
	done(r);
}

static void big_pages_and_long_records_are_readable(void **state)
{
	unsigned char payload[3000] = { EV_PRINT, 0 };
	struct tb *tb = tb_new_kind(*state, 2);
	struct reading *r;

	memset(payload + 16, 'x', sizeof(payload) - 17);
	tb_set_page_size(tb, 65536);
	tb_set_pages_per_chunk(tb, 1);
	for (uint64_t i = 0; i < 100; i++) {
		tb_raw(tb, 0, 1000 + i, payload, sizeof(payload));
		tb_raw(tb, 0, 1000 + i, payload, 112);
		tb_raw(tb, 0, 1000 + i, payload, 116);
	}
	tb_kvm_fpu(tb, tb_by(1, 1500, 1), 0);
	r = read_back(tb);
	assert_int_equal(r->n, 301);
	assert_true(r->seen[299].ts_ns == 1099);
	assert_true(r->seen[300].ts_ns == 1500);
	done(r);
}

static void markers_are_in_a_second_buffer(void **state)
{
	struct tb *tb = tb_new_kind(*state, 2);
	struct tracecmd_input *second;
	struct tep_record *rec;
	struct reading *r;
	const char *text;

	tb_kvm_fpu(tb, tb_by(1, 15, 1), 0);
	tb_marker(tb, 10, "fcap: begin v=%d", 1);
	tb_marker(tb, 20, "fcap: vcpu tid=101 tgid=100 id=0\n");
	r = read_back(tb);
	assert_int_equal(r->n, 1);
	assert_int_equal(tracecmd_buffer_instances(r->handle), 1);
	assert_string_equal(tracecmd_buffer_instance_name(r->handle, 0), "fcap");
	second = tracecmd_buffer_instance_handle(r->handle, 0);
	assert_non_null(second);
	rec = tracecmd_read_cpu_first(second, 0);
	assert_non_null(rec);
	assert_true(rec->ts == 10);
	text = (const char *)rec->data + 16;
	assert_string_equal(text, "fcap: begin v=1\n");
	tracecmd_free_record(rec);
	rec = tracecmd_read_data(second, 0);
	assert_non_null(rec);
	assert_true(rec->ts == 20);
	text = (const char *)rec->data + 16;
	assert_string_equal(text, "fcap: vcpu tid=101 tgid=100 id=0\n");
	tracecmd_free_record(rec);
	assert_null(tracecmd_read_data(second, 0));
	assert_null(tracecmd_read_cpu_first(second, 1));
	tracecmd_close(second);
	done(r);
}

static void events_can_be_left_out(void **state)
{
	struct tb *tb = tb_new_kind(*state, 1);
	struct reading *r;

	tb_without_event(tb, "sched_wakeup");
	tb_without_event(tb, "print");
	tb_kvm_fpu(tb, tb_by(0, 15, 1), 0);
	r = read_back(tb);
	assert_null(tep_find_event_by_name(r->tep, "sched", "sched_wakeup"));
	assert_null(tep_find_event_by_name(r->tep, "ftrace", "print"));
	assert_non_null(tep_find_event_by_name(r->tep, "sched", "sched_waking"));
	done(r);
}

static void a_file_of_no_events_can_be_opened(void **state)
{
	struct reading *r;

	r = read_back(tb_new_kind(*state, 2));
	assert_int_equal(r->total, 0);
	done(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LIBTRACECMD_KINDS(records_come_back_in_time_order_with_stamp_cpu_and_task),
		IN_LIBTRACECMD_KINDS(many_pages_keep_count_and_order),
		IN_LIBTRACECMD_KINDS(stamps_far_apart_and_absolute_stamps_are_exact),
		IN_LIBTRACECMD_KINDS(marks_of_loss_stand_before_the_record_that_follows),
		IN_LIBTRACECMD_KINDS(full_pages_with_a_count_keep_it),
		IN_LIBTRACECMD_KINDS(big_pages_and_long_records_are_readable),
		IN_LIBTRACECMD_KINDS(markers_are_in_a_second_buffer),
		IN_LIBTRACECMD_KINDS(events_can_be_left_out),
		IN_LIBTRACECMD_KINDS(a_file_of_no_events_can_be_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
