// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/sampler on a made-up /proc: what is told when. */
#include "tests/unit/capture_host.h"

#include <sys/resource.h>

static int start(void **state)
{
	return host_make(state) || host_open(*state, NULL);
}

static void put_vm(const struct host *h, int pid, const char *fd_link)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/fd/none", pid);
	put_file(h->fd, path, "");
	snprintf(path, sizeof(path), "%d/fd/9", pid);
	assert_int_equal(symlinkat(fd_link, h->fd, path), 0);
}

static void the_command_is_sampled_and_the_host_is_only_named(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "worker", 101);
	put_thread(h, 5, 5, "daemon", 3);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: task tid=20 "),
			    "fcap: task tid=20 tgid=20 comm=cmd cgroup=/grp nice=0 policy=other");
	assert_int_equal(kept_count(&h->k, "fcap: task tid=21 tgid=20 comm=worker"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=5 tgid=5 comm=daemon"), 1);
	assert_string_equal(kept_last(&h->k, "fcap: steal tid=21 "),
			    "fcap: steal tid=21 run=21000 delay=2100 n=21");
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=20 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=5 "), 0);
}

static void counters_are_told_every_time_names_only_when_they_change(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "fcap", 100);
	sample(h, SECOND, true);
	sample(h, SECOND + 1, false);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=20 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	put_thread(h, 20, 20, "cmd", 100); /* exec */
	sample(h, SECOND + 2, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 tgid=20 comm=cmd "), 1);
	put_file(h->fd, "20/task/20/cgroup", "4:cpu:/other\n");
	sample(h, SECOND + 3, false);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "cgroup=/other"));
}

static void a_thread_that_ended_is_let_go_and_its_number_may_come_back(void **state)
{
	struct host *h = *state;
	char *path = tempdir_file(h->dir, "20/task/21");

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "old", 101);
	sample(h, SECOND, true);
	put_file(h->fd, "20/task/21/schedstat", ""); /* as a thread reads that is gone */
	tempdir_remove(path);
	sample(h, SECOND + 1, false);
	sample(h, SECOND + 2, true);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=21 "), 1);
	/* its name is kept for the table of names */
	assert_string_equal(cap_tasks_find(cap_sampler_tasks(h->s), 21)->comm, "old");
	put_thread(h, 20, 21, "new", 500);
	sample(h, SECOND + 3, false);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=21 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=21 tgid=20 comm=new "), 1);
}

/* Until its parent asks for its status; by then it is in the root cgroup. */
static void of_a_zombie_nothing_new_is_told(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	sample(h, SECOND, true);
	put_file(h->fd, "20/task/20/stat",
		 "20 (cmd) Z 1 1 1 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		 "0 0 "
		 "0 0 0 0 0 0\n");
	put_file(h->fd, "20/task/20/cgroup", "4:cpu:/\n");
	sample(h, 2 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "cgroup=/grp"));
}

/* CONFIG_SCHED_INFO is not set. */
static void without_counters_threads_are_told_once(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	assert_int_equal(unlinkat(h->fd, "20/task/20/schedstat", 0), 0);
	for (uint64_t i = 1; i <= 3; i++)
		sample(h, i * SECOND, i == 3);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal "), 0);
}

static void a_vm_elsewhere_is_found_named_and_sampled(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 5, 5, "qemu", 3);
	put_thread(h, 5, 6, "CPU 1/KVM", 4);
	put_thread(h, 7, 7, "CPU 0/KVM", 4); /* a name alone makes no vCPU */
	put_file(h->fd, "5/cmdline", "qemu");
	put_vm(h, 5, "anon_inode:kvm-vm");
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: vcpu "), "fcap: vcpu tid=6 tgid=5 id=1");
	assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 1);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp");
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=6 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=7 "), 0);
	sample(h, SECOND + 1, false);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=6 "), 2);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: group "), 1);
}

struct watched {
	size_t begun, ended;
	char seen[512]; /* "VM/TID=DELAY " of each, a vCPU's with a '*' */
};

static void watch_begin(void *ctx, uint64_t now_ns)
{
	struct watched *w = ctx;

	assert_true(now_ns > 0);
	w->begun++;
	w->seen[0] = '\0';
}

static int watch_count(void *ctx, const char *vm, const struct cap_task *t, uint64_t delay_ns)
{
	struct watched *w = ctx;
	const size_t len = strlen(w->seen);

	snprintf(w->seen + len, sizeof(w->seen) - len, "%s/%d=%d%s ", vm, t->tid, (int)delay_ns,
		 t->vcpu >= 0 ? "*" : "");
	return 0;
}

static int watch_end(void *ctx, const struct cap_tasks *tasks)
{
	struct watched *w = ctx;

	assert_non_null(cap_tasks_find(tasks, 20));
	w->ended++;
	return 0;
}

/* a thread's delay is 100 times its number, see put_thread() */
static void who_watches_gets_the_counters_of_vms_with_their_vhost_threads(void **state)
{
	struct host *h = *state;
	struct watched w = { 0 };
	const struct cap_sampler_watch watch = { watch_begin, watch_count, watch_end, &w };

	h->watch = &watch;
	assert_int_equal(host_open(h, NULL), 0);
	put_thread(h, 20, 20, "cmd", 100); /* sampled, but of no VM */
	put_thread(h, 5, 5, "qemu", 3);
	put_thread(h, 5, 6, "CPU 1/KVM", 4);
	put_stat(h, 9, 9, "vhost-5", 6, (struct traits){ .flags = 0x00200000 });
	put_file(h->fd, "9/task/9/schedstat", "9000 900 9\n");
	put_file(h->fd, "5/cmdline", "qemu");
	put_vm(h, 5, "anon_inode:kvm-vm");
	sample(h, SECOND, true);
	sample(h, SECOND + 1, true); /* by now it is known that 5 is a VM */
	assert_int_equal(w.begun, 2);
	assert_int_equal(w.ended, 2);
	assert_non_null(strstr(w.seen, "grp/5=500 "));
	assert_non_null(strstr(w.seen, "grp/6=600* "));
	assert_non_null(strstr(w.seen, "grp/9=900 "));
	assert_null(strstr(w.seen, "/20="));
}

static void a_process_becomes_a_vm_while_it_runs(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "vmm", 100);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: group "), 0);
	put_thread(h, 20, 22, "fc_vcpu 0", 102);
	put_vm(h, 20, "anon_inode:kvm-vcpu:0");
	sample(h, SECOND + SECOND / 10, false);
	assert_int_equal(kept_count(&h->k, "fcap: group kind=vm tgid=20 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=22 tgid=20 id=0"), 1);
}

static void names_are_given_by_start_and_never_twice(void **state)
{
	struct host *h = *state;

	/* the one with the higher number began first */
	for (int pid = 31; pid <= 33; pid++) {
		char path[64];

		put_thread(h, pid, pid, "vmm", 1000 - pid);
		put_vm(h, pid, "anon_inode:kvm-vm");
		snprintf(path, sizeof(path), "%d/task/%d/cgroup", pid, pid);
		put_file(h->fd, path, pid == 32 ? "4:cpu:/grp\n" : "4:cpu:/\n");
	}
	put_thread(h, 34, 34, "vmm", 2000);
	put_vm(h, 34, "anon_inode:kvm-vm");
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: group kind=vm tgid=33 name=vmm#1"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: group kind=vm tgid=32 name=grp"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: group kind=vm tgid=31 name=vmm#2"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: group kind=vm tgid=34 name=grp#2"), 1);
}

static void the_hosts_own_steal_is_told_when_it_changes(void **state)
{
	struct host *h = *state;
	const uint64_t unit = 1000000000U / (uint64_t)sysconf(_SC_CLK_TCK);
	char wanted[96];

	snprintf(wanted, sizeof(wanted), "fcap: host cpu=0 steal=8 unit=%" PRIu64 " total=36",
		 unit);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: host "), wanted);
	sample(h, SECOND + 1, false);
	assert_int_equal(kept_count(&h->k, "fcap: host "), 1);
	put_file(h->fd, "stat", "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 9 100 100\n");
	sample(h, SECOND + 2, false);
	assert_int_equal(kept_count(&h->k, "fcap: host cpu=0 steal=9 "), 1);
}

/*
 * Half of the files that may be open are kept so: 16 of 32, and there are 30 threads. The others'
 * counters are read all the same, each time anew.
 */
static void more_threads_than_files_may_be_open_are_all_sampled(void **state)
{
	struct host *h = *state;
	struct rlimit before, few;

	for (int tid = 20; tid < 50; tid++)
		put_thread(h, 20, tid, "worker", 100);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ 32, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: steal "), 30);
	kept_clear(&h->k);
	put_file(h->fd, "20/task/49/schedstat", "7 8 9\n");
	put_file(h->fd, "20/task/48/schedstat", ""); /* as a thread reads that is gone */
	sample(h, SECOND + 1, false);
	assert_int_equal(kept_count(&h->k, "fcap: steal "), 29);
	assert_string_equal(kept_last(&h->k, "fcap: steal tid=49 "),
			    "fcap: steal tid=49 run=7 delay=8 n=9");
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static void the_thread_samples_until_it_is_stopped(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	assert_int_equal(cap_sampler_start(h->s, NULL), 0);
	/* the period is a second: the one sample is that of the stop */
	assert_int_equal(cap_sampler_stop(h->s, NULL), 0);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=20 "), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_command_is_sampled_and_the_host_is_only_named,
						start, host_end),
		cmocka_unit_test_setup_teardown(
			counters_are_told_every_time_names_only_when_they_change, start, host_end),
		cmocka_unit_test_setup_teardown(
			a_thread_that_ended_is_let_go_and_its_number_may_come_back, start,
			host_end),
		cmocka_unit_test_setup_teardown(of_a_zombie_nothing_new_is_told, start, host_end),
		cmocka_unit_test_setup_teardown(without_counters_threads_are_told_once, start,
						host_end),
		cmocka_unit_test_setup_teardown(a_vm_elsewhere_is_found_named_and_sampled, start,
						host_end),
		cmocka_unit_test_setup_teardown(
			who_watches_gets_the_counters_of_vms_with_their_vhost_threads, host_make,
			host_end),
		cmocka_unit_test_setup_teardown(a_process_becomes_a_vm_while_it_runs, start,
						host_end),
		cmocka_unit_test_setup_teardown(names_are_given_by_start_and_never_twice, start,
						host_end),
		cmocka_unit_test_setup_teardown(the_hosts_own_steal_is_told_when_it_changes, start,
						host_end),
		cmocka_unit_test_setup_teardown(more_threads_than_files_may_be_open_are_all_sampled,
						start, host_end),
		cmocka_unit_test_setup_teardown(the_thread_samples_until_it_is_stopped, start,
						host_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
