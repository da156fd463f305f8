// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/attach on a made-up /proc, and what the sampler reads of the processes it names. */
#include "capture/attach.h"

#include "tests/unit/capture_host.h"

#define MS 1000000ULL

static int start(void **state)
{
	return host_make(state);
}

static void put_status(const struct host *h, int pid, int tid)
{
	char path[64], text[64];

	snprintf(path, sizeof(path), "%d/status", tid);
	snprintf(text, sizeof(text), "Name:\tx\nTgid:\t%d\nNgid:\t0\n", pid);
	put_file(h->fd, path, text);
}

static void put_process(const struct host *h, int pid, const char *comm, int begun)
{
	put_thread(h, pid, pid, comm, begun);
	put_status(h, pid, pid);
}

static void put_vm(const struct host *h, int pid, const char *name, int begun)
{
	char path[64], text[64] = "vmm";
	int fd;

	put_process(h, pid, "vmm", begun);
	snprintf(path, sizeof(path), "%d/fd/none", pid);
	put_file(h->fd, path, "");
	snprintf(path, sizeof(path), "%d/fd/9", pid);
	assert_int_equal(symlinkat("anon_inode:kvm-vm", h->fd, path), 0);
	/* arguments end with NUL */
	snprintf(text + 4, sizeof(text) - 4, "--name=%s", name);
	snprintf(path, sizeof(path), "%d/cmdline", pid);
	fd = openat(h->fd, path, O_WRONLY | O_CREAT, 0644);
	assert_int_equal(write(fd, text, 4 + 7 + strlen(name) + 1), 4 + 7 + strlen(name) + 1);
	close(fd);
}

/* The thread becomes a zombie. */
static void end_thread(const struct host *h, int pid, int begun)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "%d/task/%d/stat", pid, pid);
	snprintf(text, sizeof(text),
		 "%d (x) Z 1 1 1 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 0 0 0\n",
		 pid, begun);
	put_file(h->fd, path, text);
}

static void sampler_with(struct host *h, const struct cap_attach *a)
{
	const struct cap_sampler_conf conf = {
		.procfd = h->fd,
		.root = 10,
		.attached = a ? a->process : NULL,
		.nattached = a ? a->npid : 0,
		.period_ns = SECOND,
		.to = keep_in(&h->k),
	};

	assert_int_equal(cap_sampler_open(&h->s, &conf), 0);
}

static void processes_that_do_not_exist_are_refused(void **state)
{
	const pid_t pid[] = { 30, 31 };
	const struct cap_attach_opts opts = { .pid = pid, .npid = 2 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), -ESRCH);
	assert_string_equal(err.text, "--pid 31: no such process");
	end_thread(h, 30, 100);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), -ESRCH);
	assert_string_equal(err.text, "--pid 30: no such process");
}

static void a_thread_is_no_process(void **state)
{
	const pid_t pid = 31;
	const struct cap_attach_opts opts = { .pid = &pid, .npid = 1 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	/* as /proc has it: 31 is not listed but can be looked up */
	put_thread(h, 31, 31, "worker", 100);
	put_status(h, 30, 31);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), -ESRCH);
	assert_string_equal(err.text, "--pid 31: is a thread of process 30; give the process");
}

static void it_is_over_when_all_processes_have_ended(void **state)
{
	const pid_t pid[] = { 30, 31 };
	const struct cap_attach_opts opts = { .pid = pid, .npid = 2 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	put_process(h, 31, "two", 101);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	assert_false(cap_attach_is_over(&a, h->fd, &opts, 0, SECOND));
	end_thread(h, 30, 100);
	assert_false(cap_attach_is_over(&a, h->fd, &opts, 0, SECOND));
	put_process(h, 31, "another", 500); /* took the number */
	assert_true(cap_attach_is_over(&a, h->fd, &opts, 0, SECOND));
	cap_attach_close(&a);
}

static void a_process_whose_first_thread_has_ended_lives_on(void **state)
{
	const struct cap_attached p = { 30, 100 };
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	put_thread(h, 30, 35, "worker", 101);
	end_thread(h, 30, 100);
	assert_true(cap_attached_lives(h->fd, &p));
}

static void a_time_ends_it_whoever_still_runs(void **state)
{
	const pid_t pid = 30;
	const struct cap_attach_opts opts = { .duration_ns = 2 * SECOND, .pid = &pid, .npid = 1 };
	const struct cap_attach none = { 0 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	assert_false(cap_attach_is_over(&a, h->fd, &opts, SECOND, 3 * SECOND - 1));
	assert_true(cap_attach_is_over(&a, h->fd, &opts, SECOND, 3 * SECOND));
	assert_false(cap_attach_is_over(&none, h->fd, &opts, SECOND, 3 * SECOND - 1));
	assert_true(cap_attach_is_over(&none, h->fd, &opts, SECOND, 3 * SECOND));
	cap_attach_close(&a);
}

static void nobody_wakes_before_there_is_something_to_ask(void **state)
{
	struct cap_attached p = { 30, 100 };
	const struct cap_attach none = { 0 }, one = { .process = &p, .n = 1, .npid = 1 };
	const struct cap_attach_opts timed = { .duration_ns = 2 * SECOND }, untimed = { 0 };

	(void)state;
	/* a command: nothing to ask */
	assert_int_equal(cap_attach_wait_ms(&none, &untimed, 0, 5 * SECOND, 1000), 1000);
	/* 2 s - 0.5 s = 1.5 s are left; then 2 s - 1.25 s = 0.75 s */
	assert_int_equal(cap_attach_wait_ms(&none, &timed, 0, SECOND / 2, 1000), 1000);
	assert_int_equal(cap_attach_wait_ms(&none, &timed, 0, 1250 * MS, 1000), 750);
	/* 2 s - 1.8995 s = 100.5 ms */
	assert_int_equal(cap_attach_wait_ms(&none, &timed, 0, 1899500000, 1000), 101);
	/* 1 ns is left: a whole ms, or it would spin */
	assert_int_equal(cap_attach_wait_ms(&none, &timed, 0, 2 * SECOND - 1, 1000), 1);
	assert_int_equal(cap_attach_wait_ms(&none, &timed, 0, 3 * SECOND, 1000), 0);
	/* processes are looked at every 100 ms, or as often as there is other work */
	assert_int_equal(cap_attach_wait_ms(&one, &untimed, 0, SECOND, 1000), 100);
	assert_int_equal(cap_attach_wait_ms(&one, &untimed, 0, SECOND, 20), 20);
	assert_int_equal(cap_attach_wait_ms(&one, &timed, 0, 1950 * MS, 1000), 50);
}

static void a_vm_is_found_by_the_name_that_the_file_has(void **state)
{
	const char *const vm[] = { "vm2", "vm1#2" };
	const struct cap_attach_opts opts = { .vm = vm, .nvm = 2 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_vm(h, 40, "vm1", 100);
	put_vm(h, 41, "vm2", 101);
	put_vm(h, 42, "vm1", 102); /* the younger one of this name */
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	sampler_with(h, NULL);
	sample(h, SECOND, true);
	assert_int_equal(cap_sampler_vms_seen(h->s), 3);
	assert_int_equal(cap_attach_find_vms(&a, cap_sampler_vms(h->s), &opts, &err), 0);
	assert_int_equal(a.n, 2);
	assert_int_equal(a.process[0].pid, 41);
	assert_int_equal(a.process[0].start, 101);
	assert_int_equal(a.process[1].pid, 42);
	assert_false(cap_attach_is_over(&a, h->fd, &opts, 0, SECOND));
	end_thread(h, 41, 101);
	end_thread(h, 42, 102);
	assert_true(cap_attach_is_over(&a, h->fd, &opts, 0, SECOND));
	cap_attach_close(&a);
}

static void an_unknown_vm_is_refused_with_those_that_run(void **state)
{
	const char *const vm = "vm3";
	const struct cap_attach_opts opts = { .vm = &vm, .nvm = 1 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	sampler_with(h, NULL);
	sample(h, SECOND, true);
	assert_int_equal(cap_attach_find_vms(&a, cap_sampler_vms(h->s), &opts, &err), -ESRCH);
	assert_string_equal(err.text, "--vm vm3: no VM runs now");
	put_vm(h, 40, "vm1", 100);
	put_vm(h, 41, "vm2", 101);
	sample(h, SECOND + 1, true);
	assert_int_equal(cap_attach_find_vms(&a, cap_sampler_vms(h->s), &opts, &err), -ESRCH);
	assert_string_equal(err.text, "--vm vm3: no VM of this name runs; there are vm1, vm2");
	for (int i = 0; i < 7; i++)
		put_vm(h, 50 + i, "a", 200 + i);
	sample(h, SECOND + 2, true);
	assert_int_equal(cap_attach_find_vms(&a, cap_sampler_vms(h->s), &opts, &err), -ESRCH);
	/* 9 of them, 8 of which are told */
	assert_string_equal(err.text, "--vm vm3: no VM of this name runs; there are vm1, vm2, a, "
				      "a#2, a#3, a#4, a#5, a#6 and 1 more");
	cap_attach_close(&a);
}

static void threads_of_a_named_process_are_sampled_those_of_others_not(void **state)
{
	const pid_t pid = 30;
	const char *const vm = "vm1";
	const struct cap_attach_opts opts = { .pid = &pid, .npid = 1, .vm = &vm, .nvm = 1 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	put_thread(h, 30, 35, "worker", 101);
	put_process(h, 31, "two", 102);
	put_vm(h, 40, "vm1", 90);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	sampler_with(h, &a);
	sample(h, SECOND, true);
	assert_int_equal(cap_attach_find_vms(&a, cap_sampler_vms(h->s), &opts, &err), 0);
	put_thread(h, 30, 36, "late", 110);
	sample(h, SECOND + 1, false);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=30 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=35 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=36 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=31 "), 0);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=36 tgid=30 comm=late "), 1);
	cap_attach_close(&a);
	cap_sampler_close(h->s);
	h->s = NULL;
}

static void a_process_that_takes_the_number_is_not_sampled(void **state)
{
	const pid_t pid = 30;
	const struct cap_attach_opts opts = { .pid = &pid, .npid = 1 };
	struct fcap_err err = { 0 };
	struct cap_attach a;
	struct host *h = *state;

	put_process(h, 30, "one", 100);
	assert_int_equal(cap_attach_open(&a, h->fd, &opts, &err), 0);
	sampler_with(h, &a);
	put_process(h, 30, "another", 500);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=30 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=30 "), 0);
	cap_attach_close(&a);
}

static void the_begin_line_says_what_was_attached_to(void **state)
{
	const pid_t pid[] = { 812, 815 };
	const char *const vm[] = { "vm1", "two words" };
	const struct cap_attach_opts opts = { .duration_ns = 30 * SECOND,
					      .duration = "30s",
					      .pid = pid,
					      .npid = 2,
					      .vm = vm,
					      .nvm = 2 };
	struct host *h = *state;
	struct cap_emit e;

	cap_emit_begin(&e, keep_in(&h->k), "begin");
	cap_emit_identity(&e);
	assert_int_equal(cap_attach_emit(&e, &opts), 0);
	assert_int_equal(cap_emit_end(&e), 0);
	assert_string_equal(h->k.line[0], "fcap: begin cmd=\"--vm vm1 --vm two words --pid 812 "
					  "--pid 815 --duration 30s\"");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, host_end)
	const struct CMUnitTest tests[] = {
		TEST(processes_that_do_not_exist_are_refused),
		TEST(a_thread_is_no_process),
		TEST(it_is_over_when_all_processes_have_ended),
		TEST(a_process_whose_first_thread_has_ended_lives_on),
		TEST(a_time_ends_it_whoever_still_runs),
		cmocka_unit_test(nobody_wakes_before_there_is_something_to_ask),
		TEST(a_vm_is_found_by_the_name_that_the_file_has),
		TEST(an_unknown_vm_is_refused_with_those_that_run),
		TEST(threads_of_a_named_process_are_sampled_those_of_others_not),
		TEST(a_process_that_takes_the_number_is_not_sampled),
		TEST(the_begin_line_says_what_was_attached_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
