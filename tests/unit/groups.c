// SPDX-License-Identifier: GPL-3.0-or-later
/* From threads to VMs and processes, by each of the ways in which a trace can tell. */
#include "tests/unit/modelled.h"

#include <errno.h>
#include <string.h>

#include "analyze/model/groups.h"

#define OPTION_GUEST 13

/* two VMs of two vCPU threads; names tell nothing unless a test says so */
static const struct tb_task a = { 100, "qemu", 0 }, a0 = { 101, "worker", 0 },
			    a1 = { 102, "worker", 0 };
static const struct tb_task b = { 200, "qemu", 0 }, b0 = { 201, "worker", 0 },
			    b1 = { 202, "worker", 0 };
static const struct tb_task other = { 50, "sshd", 0 };

/* The task runs for 1 ms; kvm: and makes an event of a vCPU. */
static void run(struct tb *tb, uint64_t ms, struct tb_task task, bool kvm)
{
	tb_switch(tb, at_ms(0, ms), tb_idle, TB_R, task);
	if (kvm)
		tb_kvm_entry(tb, tb_by(0, MODELLED_BASE + ms * MODELLED_MS + 500, task.tid), 0);
	tb_switch(tb, at_ms(0, ms + 1), task, TB_S, tb_idle);
}

static struct tb *four_workers(bool kvm)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);

	run(tb, 0, a0, kvm);
	run(tb, 10, b0, kvm);
	run(tb, 20, a1, kvm);
	run(tb, 30, b1, kvm);
	run(tb, 40, other, false);
	return tb;
}

static void tell(struct tb *tb, uint64_t ms, struct tb_task task, int tgid)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS, "fcap: task tid=%d tgid=%d comm=%s",
		  task.tid, tgid, task.comm);
}

static void tell_vcpu(struct tb *tb, uint64_t ms, struct tb_task task, int tgid)
{
	tb_marker(tb, MODELLED_BASE + ms * MODELLED_MS, "fcap: vcpu tid=%d tgid=%d id=0", task.tid,
		  tgid);
}

static struct fan_groups *groups_of(struct fan_model *m, enum fan_group_kind kind)
{
	struct fan_groups *g = NULL;

	assert_int_equal(fan_groups_make(&g, m, &(struct fan_group_options){ .kind = kind }, NULL),
			 0);
	return g;
}

static int group(const struct fan_model *m, const struct fan_groups *g, struct tb_task task)
{
	const int32_t i = fan_threads_find(m->threads, task.tid);

	assert_true(i >= 0);
	return fan_groups_of(g, m, (size_t)i);
}

/* a0 and a1 are one group, b0 and b1 the other, and sshd is in none. */
static void assert_two_vms(const struct fan_model *m, const struct fan_groups *g)
{
	assert_int_equal(g->n, 2);
	assert_int_equal(group(m, g, a0), 0);
	assert_int_equal(group(m, g, a1), 0);
	assert_int_equal(group(m, g, b0), 1);
	assert_int_equal(group(m, g, b1), 1);
	assert_int_equal(group(m, g, other), -1);
	assert_false(g->items[0].is_identity_unknown || g->items[1].is_identity_unknown);
	assert_int_equal(g->items[0].vcpus, 2);
}

static void done(struct fan_model *m, struct fan_groups *g)
{
	fan_groups_free(g);
	fan_model_free(m);
}

static void a_thread_group_with_kvm_events_is_a_vm(void **state)
{
	const struct tb_task io = { 103, "io", 0 };
	struct tb *tb = four_workers(true);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	run(tb, 50, io, false);
	tell(tb, 60, a0, 100);
	tell(tb, 60, a1, 100);
	tell(tb, 60, b0, 200);
	tell(tb, 60, b1, 200);
	tell(tb, 60, io, 100);
	tell(tb, 60, other, 50);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_int_equal(group(m, g, io), 0);
	assert_int_equal(g->items[0].tgid, 100);
	assert_int_equal(g->items[1].tgid, 200);
	assert_false(g->by_name);
	done(m, g);
}

static void vcpu_markers_alone_make_vms(void **state)
{
	struct tb *tb = four_workers(false);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	tell_vcpu(tb, 60, a0, 100);
	tell_vcpu(tb, 60, a1, 100);
	tell_vcpu(tb, 60, b0, 200);
	tell_vcpu(tb, 60, b1, 200);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_false(g->by_name);
	done(m, g);
}

/* A GUEST option: name, trace id, and the host's threads of vCPUs 0 and 1. */
static void add_guest(struct tb *tb, const char *name, struct tb_task v0, struct tb_task v1)
{
	const uint32_t words[7] = { 7, 7, 2, 0, (uint32_t)v0.tid, 1, (uint32_t)v1.tid };
	unsigned char data[64];
	const size_t len = strlen(name) + 1;

	memcpy(data, name, len);
	memcpy(data + len, words, sizeof(words));
	tb_option(tb, OPTION_GUEST, data, (uint32_t)(len + sizeof(words)));
}

static void a_guest_option_names_a_vm_and_its_vcpus(void **state)
{
	struct tb *tb = four_workers(false);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	add_guest(tb, "web", a0, a1);
	add_guest(tb, "db", b0, b1);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_string_equal(g->items[0].name, "web");
	assert_string_equal(g->items[1].name, "db");
	assert_int_equal(
		fan_threads_at(m->threads, (size_t)fan_threads_find(m->threads, b1.tid))->vcpu_id,
		1);
	done(m, g);
}

static void the_thread_group_of_a_guest_option_counts_in_full(void **state)
{
	const struct tb_task io = { 103, "io", 0 };
	struct tb *tb = four_workers(false);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	run(tb, 50, io, false);
	add_guest(tb, "web", a0, a1);
	add_guest(tb, "db", b0, b1);
	tell(tb, 60, a1, 100);
	tell(tb, 60, io, 100);
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: group kind=vm tgid=100 name=vm1");
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_int_equal(group(m, g, io), 0);
	/* what fcap was told goes before what trace-cmd wrote */
	assert_string_equal(g->items[0].name, "vm1");
	done(m, g);
}

static void a_guest_option_that_is_cut_short_is_damage(void **state)
{
	/* three vCPUs are announced, one and a half are there */
	static const uint32_t words[6] = { 7, 7, 3, 0, 101, 1 };
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct tb *tb = four_workers(false);
	unsigned char data[2 + sizeof(words)] = "w";
	struct fan_file *file = NULL;
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };

	(void)state;
	memcpy(data + 2, words, sizeof(words));
	tb_option(tb, OPTION_GUEST, data, sizeof(data));
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	assert_int_equal(fan_file_open(&file, path, &err), 0);
	assert_int_equal(fan_model_read(&m, file, NULL, &err), -EINVAL);
	assert_null(m);
	assert_non_null(strstr(err.text, "GUEST"));
	fan_file_close(file);
	free(path);
	tempdir_remove(dir);
}

static void names_of_vcpu_threads_are_the_last_resort(void **state)
{
	const struct tb_task n0 = { 101, "CPU 0/KVM", 0 }, n1 = { 102, "fc_vcpu 3", 0 };
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	run(tb, 0, n0, false);
	run(tb, 10, n1, false);
	run(tb, 20, other, false);
	tell(tb, 60, (struct tb_task){ 101, "\"CPU 0/KVM\"", 0 }, 100);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_true(g->by_name);
	assert_int_equal(g->n, 2);
	assert_true(group(m, g, n0) >= 0 && group(m, g, n1) >= 0);
	assert_int_equal(group(m, g, other), -1);
	assert_int_equal(fan_threads_at(m->threads, 1)->vcpu_id, 3);
	done(m, g);
}

static void names_do_not_count_where_events_tell(void **state)
{
	const struct tb_task fake = { 300, "CPU 0/KVM", 0 };
	struct tb *tb = four_workers(true);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	run(tb, 50, fake, false);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_false(g->by_name);
	assert_int_equal(group(m, g, fake), -1);
	done(m, g);
}

static void vcpu_threads_of_one_forker_are_one_vm(void **state)
{
	struct tb *tb = tb_new(2, 6, TB_PLAIN);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(1, 0), tb_idle, TB_R, a);
	tb_fork(tb, at_ms(1, 1), a, a0);
	tb_fork(tb, at_ms(1, 2), a, a1);
	tb_switch(tb, at_ms(1, 3), a, TB_S, b);
	tb_fork(tb, at_ms(1, 4), b, b0);
	tb_fork(tb, at_ms(1, 5), b, b1);
	tb_switch(tb, at_ms(1, 6), b, TB_S, tb_idle);
	run(tb, 10, b1, true);
	run(tb, 20, a1, true);
	run(tb, 30, b0, true);
	run(tb, 40, a0, true);
	run(tb, 50, other, false);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_int_equal(group(m, g, a), 0);
	assert_int_equal(group(m, g, b), 1);
	assert_int_equal(g->items[0].tgid, -1);
	done(m, g);
}

static void vcpu_threads_that_nobody_tells_of_are_vms_by_themselves(void **state)
{
	struct fan_model *m = model_of(four_workers(true));
	struct fan_groups *g = groups_of(m, FAN_GROUP_VM);

	(void)state;
	assert_int_equal(g->n, 4);
	for (int i = 0; i < 4; i++)
		assert_true(g->items[i].is_identity_unknown);
	assert_int_equal(group(m, g, a0), 0);
	assert_int_equal(group(m, g, b0), 1);
	assert_int_equal(group(m, g, a1), 2);
	assert_int_equal(group(m, g, b1), 3);
	done(m, g);
}

static void vhost_threads_belong_to_their_vm(void **state)
{
	const struct tb_task net = { 301, "vhost-100", 0 }, blk = { 302, "vhost-100", 0 };
	const struct tb_task strange = { 303, "vhost-100x", 0 }, gone = { 304, "vhost-999", 0 };
	struct tb *tb = four_workers(true);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	run(tb, 50, net, false);
	run(tb, 52, blk, false);
	run(tb, 54, strange, false);
	run(tb, 56, gone, false);
	tell(tb, 60, a0, 100);
	tell(tb, 60, a1, 100);
	tell(tb, 60, b0, 200);
	tell(tb, 60, b1, 200);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_int_equal(group(m, g, net), 0);
	assert_int_equal(group(m, g, blk), 0);
	assert_int_equal(group(m, g, strange), -1);
	assert_int_equal(group(m, g, gone), -1);
	done(m, g);
}

static void a_vm_is_named_by_marker_else_cgroup_else_thread(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	for (int i = 0; i < 4; i++) {
		const struct tb_task vcpu = { 100 * (i + 1) + 1, "worker", 0 };

		run(tb, 10 * (uint64_t)i, vcpu, true);
		tell(tb, 60, vcpu, 100 * (i + 1));
		tell(tb, 60, (struct tb_task){ 100 * (i + 1), "qemu", 0 }, 100 * (i + 1));
	}
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: task tid=101 cgroup=/vms/x");
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: group kind=vm tgid=100 name=vm1");
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: task tid=201 cgroup=/vms/vm2");
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: task tid=301 cgroup=/");
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_int_equal(g->n, 4);
	assert_string_equal(g->items[0].name, "vm1");
	assert_string_equal(g->items[1].name, "vm2");
	assert_string_equal(g->items[2].name, "qemu#1");
	assert_string_equal(g->items[3].name, "qemu#2");
	done(m, g);
}

static void groups_stand_and_count_in_the_order_of_birth(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	/* b is forked first, a is seen as a vCPU first */
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, other);
	tb_newtask(tb, tb_by(0, MODELLED_BASE + MODELLED_MS, other.tid), b, 0);
	tb_newtask(tb, tb_by(0, MODELLED_BASE + 2 * MODELLED_MS, other.tid), a, 0);
	tb_switch(tb, at_ms(0, 3), other, TB_S, tb_idle);
	run(tb, 10, a, true);
	run(tb, 20, b, true);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_int_equal(group(m, g, b), 0);
	assert_int_equal(group(m, g, a), 1);
	assert_string_equal(g->items[0].name, "qemu#1");
	assert_int_equal(g->items[0].tgid, b.tid);
	done(m, g);
}

static void processes_are_those_that_were_sampled(void **state)
{
	struct tb *tb = four_workers(false);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	tell(tb, 60, a0, 100);
	tell(tb, 60, a1, 100);
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: steal tid=101 run=0 delay=0 n=0");
	tb_marker(tb, MODELLED_BASE + 60 * MODELLED_MS, "fcap: steal tid=201 run=0 delay=0 n=0");
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_PROCESS);
	assert_int_equal(g->n, 2);
	assert_int_equal(group(m, g, a0), 0);
	assert_int_equal(group(m, g, a1), 0); /* by its process */
	assert_int_equal(group(m, g, b0), 1);
	assert_int_equal(group(m, g, b1), -1);
	assert_int_equal(group(m, g, other), -1);
	done(m, g);
}

static void without_samples_every_process_that_ran_is_one(void **state)
{
	struct tb *tb = four_workers(false);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	tell(tb, 60, a, 100); /* never runs */
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_PROCESS);
	assert_int_equal(g->n, 5);
	assert_int_equal(group(m, g, a), -1);
	assert_string_equal(g->items[0].name, "worker#1");
	assert_string_equal(g->items[4].name, "sshd");
	done(m, g);
}

/* Run time of a group in all windows of the series. */
static uint64_t windows_ns(const struct fan_model *m, const struct fan_groups *g, int32_t number)
{
	uint64_t sum = 0;

	for (size_t p = 0; p < g->naccounts; p++)
		if (g->of_account[p] == number)
			sum += fan_series_sum(m->series, fan_model_row((int32_t)p), 0, UINT64_MAX)
				       .run_ns;
	return sum;
}

static void a_tgid_told_at_the_end_costs_no_time(void **state)
{
	struct tb *tb = four_workers(true);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	/* a0 is told early, a1 after it has run, b0 and b1 at the very end */
	tell(tb, 5, a0, 100);
	tell(tb, 22, a1, 100);
	run(tb, 50, a1, true);
	run(tb, 55, b1, true);
	tell(tb, 60, b0, 200);
	tell(tb, 60, b1, 200);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_two_vms(m, g);
	assert_int_equal(windows_ns(m, g, 0), 3 * MODELLED_MS);
	assert_int_equal(windows_ns(m, g, 1), 3 * MODELLED_MS);
	done(m, g);
}

static void a_trace_without_threads_has_no_groups(void **state)
{
	struct tb *tb = tb_new(1, 6, TB_PLAIN);
	struct fan_groups *g;
	struct fan_model *m;

	(void)state;
	tb_switch(tb, at_ms(0, 0), tb_idle, TB_R, tb_idle);
	m = model_of(tb);
	g = groups_of(m, FAN_GROUP_VM);
	assert_int_equal(g->n, 0);
	fan_groups_free(g);
	g = groups_of(m, FAN_GROUP_PROCESS);
	assert_int_equal(g->n, 0);
	done(m, g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_group_with_kvm_events_is_a_vm),
		cmocka_unit_test(vcpu_markers_alone_make_vms),
		cmocka_unit_test(a_guest_option_names_a_vm_and_its_vcpus),
		cmocka_unit_test(the_thread_group_of_a_guest_option_counts_in_full),
		cmocka_unit_test(a_guest_option_that_is_cut_short_is_damage),
		cmocka_unit_test(names_of_vcpu_threads_are_the_last_resort),
		cmocka_unit_test(names_do_not_count_where_events_tell),
		cmocka_unit_test(vcpu_threads_of_one_forker_are_one_vm),
		cmocka_unit_test(vcpu_threads_that_nobody_tells_of_are_vms_by_themselves),
		cmocka_unit_test(vhost_threads_belong_to_their_vm),
		cmocka_unit_test(a_vm_is_named_by_marker_else_cgroup_else_thread),
		cmocka_unit_test(groups_stand_and_count_in_the_order_of_birth),
		cmocka_unit_test(processes_are_those_that_were_sampled),
		cmocka_unit_test(without_samples_every_process_that_ran_is_one),
		cmocka_unit_test(a_tgid_told_at_the_end_costs_no_time),
		cmocka_unit_test(a_trace_without_threads_has_no_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
