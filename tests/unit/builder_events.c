// SPDX-License-Identifier: GPL-3.0-or-later
/* tests/lib/builder: libtraceevent finds every field, trace-cmd reports every event. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <trace-cmd/trace-cmd.h>

#include "tests/lib/builder.h"
#include "tests/lib/kinds.h"
#include "tests/lib/run.h"
#include "tests/lib/tempdir.h"

static const struct tb_task vm1 = { 101, "CPU 0/KVM", 0 };
static const struct tb_task vm2 = { 202, "CPU 1/KVM", 0 };

/* One value that some record must have, by the names of its event and field. */
struct look {
	const char *event, *field;
	unsigned long long value;
	const char *text; /* of a string field */
};

static const struct look looks[] = {
	{ "sched_switch", "prev_comm", 0, "CPU 0/KVM" },
	{ "sched_switch", "prev_pid", 101, NULL },
	{ "sched_switch", "prev_prio", 120, NULL },
	{ "sched_switch", "prev_state", 0x100, NULL },
	{ "sched_switch", "next_comm", 0, "CPU 1/KVM" },
	{ "sched_switch", "next_pid", 202, NULL },
	{ "sched_switch", "next_prio", 120, NULL },
	{ "sched_switch", "common_pid", 101, NULL },
	{ "sched_wakeup_new", "comm", 0, "vhost-a-very-lo" },
	{ "sched_wakeup_new", "pid", 303, NULL },
	{ "sched_wakeup_new", "prio", 110, NULL },
	{ "sched_wakeup_new", "target_cpu", 3, NULL },
	{ "sched_wakeup", "target_cpu", 9, NULL },
	{ "sched_waking", "target_cpu", 8, NULL },
	{ "sched_migrate_task", "pid", 202, NULL },
	{ "sched_migrate_task", "orig_cpu", 1, NULL },
	{ "sched_migrate_task", "dest_cpu", 2, NULL },
	{ "sched_process_fork", "parent_comm", 0, "CPU 0/KVM" },
	{ "sched_process_fork", "parent_pid", 101, NULL },
	{ "sched_process_fork", "child_comm", 0, "vhost-a-very-lo" },
	{ "sched_process_fork", "child_pid", 303, NULL },
	{ "sched_process_fork", "common_pid", 101, NULL },
	{ "sched_process_exec", "filename", 0, "/usr/bin/qemu" },
	{ "sched_process_exec", "pid", 303, NULL },
	{ "sched_process_exec", "old_pid", 303, NULL },
	{ "sched_process_exit", "pid", 202, NULL },
	{ "sched_process_exit", "common_pid", 202, NULL },
	{ "sched_process_free", "pid", 101, NULL },
	{ "sched_process_free", "common_pid", 0, NULL },
	{ "task_newtask", "pid", 303, NULL },
	{ "task_newtask", "comm", 0, "vhost-a-very-lo" },
	{ "task_newtask", "clone_flags", 0x3d0f00, NULL },
	{ "task_rename", "pid", 101, NULL },
	{ "task_rename", "oldcomm", 0, "CPU 0/KVM" },
	{ "task_rename", "newcomm", 0, "new name" },
	{ "cgroup_attach_task", "pid", 101, NULL },
	{ "cgroup_attach_task", "dst_level", 2, NULL },
	{ "cgroup_attach_task", "dst_path", 0, "/caas1/vm1" },
	{ "cgroup_attach_task", "comm", 0, "CPU 0/KVM" },
	{ "kvm_entry", "vcpu_id", 5, NULL },
	{ "kvm_entry", "common_pid", 101, NULL },
	{ "kvm_exit", "vcpu_id", 6, NULL },
	{ "kvm_exit", "exit_reason", 48, NULL },
	{ "kvm_exit", "isa", 1, NULL },
	{ "kvm_userspace_exit", "reason", 2, NULL },
	{ "kvm_vcpu_wakeup", "ns", 123456789012, NULL },
	{ "kvm_vcpu_wakeup", "waited", 1, NULL },
	{ "kvm_vcpu_wakeup", "valid", 1, NULL },
	{ "kvm_fpu", "load", 1, NULL },
	{ "print", "buf", 0, "n=7\n" },
};

#define LOOKS (sizeof(looks) / sizeof(looks[0]))

static bool has_value(struct tep_event *event, struct tep_record *rec, const struct look *look)
{
	unsigned long long v = 0;
	const char *s;
	int len;

	if (!look->text)
		return tep_get_any_field_val(NULL, event, look->field, rec, &v, 0) == 0 &&
		       v == look->value;
	s = tep_get_field_raw(NULL, event, look->field, rec, &len, 0);
	return s && strcmp(s, look->text) == 0;
}

static int look_up(struct tracecmd_input *handle, struct tep_record *rec, int cpu, void *data)
{
	struct tep_event *event = tep_find_event_by_record(tracecmd_get_tep(handle), rec);
	bool *found = data;

	(void)cpu;
	assert_non_null(event);
	for (size_t i = 0; i < LOOKS; i++)
		if (strcmp(looks[i].event, event->name) == 0)
			found[i] = has_value(event, rec, &looks[i]);
	return 0;
}

static void put_one_of_each(struct tb *tb)
{
	const struct tb_task thread = { 303, "vhost-a-very-long-name", 110 };

	tb_switch(tb, tb_at(0, 100), vm1, TB_PREEMPTED, vm2);
	tb_wakeup_new(tb, tb_at(0, 110), thread, 3);
	tb_migrate(tb, tb_at(0, 120), vm2, 1, 2);
	tb_fork(tb, tb_at(0, 130), vm1, thread);
	tb_exec(tb, tb_at(0, 140), thread, "/usr/bin/qemu");
	tb_exit(tb, tb_at(0, 150), vm2);
	tb_free_task(tb, tb_at(0, 160), vm1);
	tb_newtask(tb, tb_at(0, 170), thread, 0x3d0f00);
	tb_rename(tb, tb_at(0, 180), vm1, "new name");
	tb_cgroup_attach(tb, tb_at(0, 190), vm1, "/caas1/vm1");
	tb_kvm_entry(tb, tb_by(0, 200, vm1.tid), 5);
	tb_kvm_exit(tb, tb_by(0, 210, vm1.tid), 6, 48);
	tb_kvm_userspace_exit(tb, tb_by(0, 220, vm1.tid), 2);
	tb_kvm_vcpu_wakeup(tb, tb_by(0, 230, vm1.tid), 123456789012, true);
	tb_kvm_fpu(tb, tb_by(0, 240, vm1.tid), 1);
	tb_wakeup(tb, tb_at(0, 250), vm1, 9);
	tb_waking(tb, tb_at(0, 260), vm2, 8);
	tb_print(tb, tb_at(0, 270), "n=%d", 7);
}

static void every_field_has_the_value_that_was_given(void **state)
{
	bool found[LOOKS] = { false };
	struct tb *tb = tb_new_kind(*state, 1);
	struct tracecmd_input *handle;
	char *dir = tempdir_new();
	char *path = tempdir_file(dir, "trace.dat");

	put_one_of_each(tb);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	assert_non_null(handle);
	assert_int_equal(tracecmd_iterate_events(handle, NULL, 0, look_up, found), 0);
	for (size_t i = 0; i < LOOKS; i++)
		if (!found[i])
			fail_msg("%s: %s differs", looks[i].event, looks[i].field);
	tracecmd_close(handle);
	free(path);
	tempdir_remove(dir);
}

/* Writes and frees tb, then runs a command on the file, whose name is its last argument. */
static void run_on_file(struct tb *tb, const char *const command[], struct run_output *ret)
{
	char *dir = tempdir_new();
	char *path = tempdir_file(dir, "trace.dat");
	const char *argv[16];
	size_t n = 0;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	for (; command[n]; n++)
		argv[n] = command[n];
	argv[n++] = path;
	argv[n] = NULL;
	run_program(ret, argv);
	free(path);
	tempdir_remove(dir);
}

/* Lines of the report that hold this text. */
static int lines_with(const char *report, const char *text)
{
	int n = 0;

	for (const char *p = strstr(report, text); p; p = strstr(p + 1, text))
		n++;
	return n;
}

static void trace_cmd_reports_every_event_without_a_complaint(void **state)
{
	struct run_output o;
	struct tb *tb = tb_new_kind(*state, 4);

	put_one_of_each(tb);
	tb_switch(tb, tb_at(3, 1234567890), vm1, TB_S, tb_idle);
	tb_marker(tb, 115, "fcap: begin v=1 clock=mono");
	run_on_file(tb, (const char *const[]){ "trace-cmd", "report", "-t", "-i", NULL }, &o);
	assert_int_equal(o.status, 0);
	for (char *p = o.err; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	assert_null(strstr(o.err, "warning"));
	assert_null(strstr(o.err, "error"));
	assert_null(strstr(o.out, "FAILED TO PARSE"));
	assert_non_null(strstr(o.out, "cpus=4"));
	assert_int_equal(lines_with(o.out, "sched_switch:"), 2);
	assert_int_equal(lines_with(o.out, "[000]"), 18 + 1);
	/* trace-cmd 3.3 has the latency flags between these two, 3.1 has not */
	assert_int_equal(lines_with(o.out, "[003] "), 1);
	assert_int_equal(lines_with(o.out, " 1.234567890:"), 1);
	assert_int_equal(lines_with(o.out, "fcap: begin v=1 clock=mono"), 1);
	assert_int_equal(lines_with(o.out, "reason EPT_VIOLATION"), 1);
	assert_int_equal(lines_with(o.out, "dst_path=/caas1/vm1"), 1);
	assert_int_equal(lines_with(o.out, "filename=/usr/bin/qemu"), 1);
	run_output_free(&o);
}

static void options_are_in_the_file(void **state)
{
	struct tb *tb = tb_new_kind(*state, 3);
	struct run_output o;

	tb_set_kernel(tb, "Linux other 6.13.0-rc1 x86_64");
	tb_set_clock(tb, "boot");
	tb_set_cmdlines(tb, "101 CPU 0/KVM\n");
	tb_cpustat(tb, 2, 1717, 0);
	tb_kvm_fpu(tb, tb_by(0, 15, 1), 0);
	run_on_file(tb,
		    (const char *const[]){ "trace-cmd", "dump", "--options", "--clock",
					   "--cmd-lines", "-i", NULL },
		    &o);
	assert_int_equal(o.status, 0);
	assert_non_null(strstr(o.out, "6.13.0-rc1"));
	assert_non_null(strstr(o.out, "[boot]"));
	assert_non_null(strstr(o.out, "overrun: 1717"));
	assert_non_null(strstr(o.out, "101 CPU 0/KVM"));
	run_output_free(&o);
}

/* What a function called next finds where its variables will be. */
static __attribute__((noinline)) void fill_stack(unsigned char byte)
{
	volatile unsigned char old[64 * 1024];

	for (size_t i = 0; i < sizeof(old); i++)
		old[i] = byte;
}

static void write_one_of_each(const char *path, unsigned char found_on_stack)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	fill_stack(found_on_stack);
	put_one_of_each(tb);
	fill_stack(found_on_stack);
	tb_s390_entry(tb, tb_at(0, 300), 1);
	tb_s390_exit(tb, tb_at(0, 310), 1, 4);
	tb_powerpc_entry(tb, tb_at(0, 320), 1);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
}

static void holes_in_records_have_no_bytes_of_their_own(void **state)
{
	char *dir = tempdir_new();
	char *a = tempdir_file(dir, "a.dat"), *b = tempdir_file(dir, "b.dat");
	struct run_output o;

	(void)state;
	write_one_of_each(a, 0x55);
	write_one_of_each(b, 0xaa);
	run_program(&o, (const char *const[]){ "cmp", a, b, NULL });
	assert_string_equal(o.out, "");
	assert_int_equal(o.status, 0);
	run_output_free(&o);
	free(a);
	free(b);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_LIBTRACECMD_KINDS(every_field_has_the_value_that_was_given),
		IN_LIBTRACECMD_KINDS(trace_cmd_reports_every_event_without_a_complaint),
		IN_LIBTRACECMD_KINDS(options_are_in_the_file),
		cmocka_unit_test(holes_in_records_have_no_bytes_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
