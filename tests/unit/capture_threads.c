// SPDX-License-Identifier: GPL-3.0-or-later
/* What the sampler tells of a thread's priority, autogroup and kind, and when. */
#include "tests/unit/capture_host.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

/* Stands in for the kernel: the same for every thread. */
struct answers {
	struct cap_prio_source source;
	struct cap_prio now;
	unsigned int asked;
};

static struct answers answers;

static int answer(void *ctx, pid_t tid, struct cap_prio *ret)
{
	struct answers *a = ctx;

	(void)tid;
	a->asked++;
	*ret = a->now;
	return 0;
}

static int start(void **state)
{
	struct host *h;

	if (host_make(state))
		return -1;
	h = *state;
	answers = (struct answers){ .source = { answer, &answers } };
	h->priorities = &answers.source;
	return host_open(h, NULL);
}

static const struct traits nice_5 = { .nice = 5 };
static const struct traits fifo_9 = { .rt_priority = 9, .policy = SCHED_FIFO };
static const struct traits of_kernel = { .flags = 0x00200000 | 0x40 };
static const struct traits of_user = { .flags = 0x00400000 | 0x40 };

static void a_new_priority_is_told_at_the_next_sample(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 5, 5, "daemon", 3);
	sample(h, SECOND, true);
	sample(h, 5 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	put_stat(h, 20, 20, "cmd", 100, nice_5);
	put_stat(h, 5, 5, "daemon", 3, nice_5);
	answers.now.nice = 5;
	sample(h, 5 * SECOND + 1, false);
	assert_string_equal(kept_last(&h->k, "fcap: task tid=20 "),
			    "fcap: task tid=20 tgid=20 comm=cmd cgroup=/grp nice=5 policy=other");
	put_stat(h, 20, 20, "cmd", 100, fifo_9);
	answers.now = (struct cap_prio){ .policy = SCHED_FIFO, .rt_priority = 9 };
	sample(h, 5 * SECOND + 2, false);
	assert_string_equal(kept_last(&h->k, "fcap: task tid=20 "),
			    "fcap: task tid=20 tgid=20 comm=cmd cgroup=/grp nice=0 policy=fifo "
			    "rt_priority=9");
	sample(h, 5 * SECOND + 3, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 3);
	/* of others the kernel was not even asked: 20 at five samples, and the sampler's own */
	assert_int_equal(kept_count(&h->k, "fcap: task tid=5 "), 1);
	assert_int_equal(answers.asked, 5);
}

/* sched_setaffinity() changes no file that is read at every sample. */
static void new_cpus_are_told_at_the_next_sample(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_file(h->fd, "20/task/20/status", "Name:\tcmd\nCpus_allowed_list:\t0-3\n");
	answers.now.cpus = 15;
	sample(h, SECOND, true);
	put_file(h->fd, "20/task/20/status", "Name:\tcmd\nCpus_allowed_list:\t2\n");
	answers.now.cpus = 4;
	sample(h, 5 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 2);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), " cpus=2"));
}

static void without_the_system_call_a_new_nice_value_is_told_once_a_second(void **state)
{
	struct host *h;

	host_make(state);
	h = *state;
	assert_int_equal(host_open(h, NULL), 0);
	put_thread(h, 20, 20, "cmd", 100);
	sample(h, SECOND, true);
	put_stat(h, 20, 20, "cmd", 100, nice_5);
	sample(h, 5 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	sample(h, 5 * SECOND + 1, true);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "nice=5"));
}

static void threads_of_the_kernel_are_marked(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 2, 2, "kworker/0:1", 1);
	put_stat(h, 2, 2, "kworker/0:1", 1, of_kernel);
	put_thread(h, 3, 3, "kworker/fake", 1);
	put_stat(h, 3, 3, "kworker/fake", 1, of_user);
	sample(h, SECOND, true);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=2 "), " kthread=1"));
	assert_null(strstr(kept_last(&h->k, "fcap: task tid=3 "), "kthread"));
	assert_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "kthread"));
}

static void put_vm(const struct host *h, int pid)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/fd/none", pid);
	put_file(h->fd, path, "");
	snprintf(path, sizeof(path), "%d/fd/9", pid);
	assert_int_equal(symlinkat("anon_inode:kvm-vm", h->fd, path), 0);
}

/* 50 works for VM 5 by its main thread, 51 by another one; 52 for nobody, 53 is no kthread. */
static void vhost_threads_of_vms_are_sampled(void **state)
{
	static const struct {
		int tid;
		const char *comm;
	} vhost[] = { { 50, "vhost-5" }, { 51, "vhost-6" }, { 52, "vhost-9" }, { 53, "vhost-5" } };
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 5, 5, "qemu", 3);
	put_thread(h, 5, 6, "io", 4);
	put_vm(h, 5);
	put_thread(h, 9, 9, "other", 3);
	for (size_t i = 0; i < 4; i++) {
		put_thread(h, vhost[i].tid, vhost[i].tid, vhost[i].comm, 9);
		put_stat(h, vhost[i].tid, vhost[i].tid, vhost[i].comm, 9,
			 vhost[i].tid == 53 ? of_user : of_kernel);
	}
	sample(h, SECOND, true);
	sample(h, 2 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=50 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=51 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=52 "), 0);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=53 "), 0);
	sample(h, 2 * SECOND + 1, false);
	sample(h, 3 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=50 "), 3);
}

/* Since Linux 6.4 it is a thread of the process, and sampled as such. */
static void a_vhost_thread_inside_the_vm_is_one_of_its_threads(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 5, 5, "qemu", 3);
	put_thread(h, 5, 7, "vhost-5", 4);
	put_vm(h, 5);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=7 tgid=5 comm=vhost-5 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=7 "), 1);
}

static void autogroups_are_told_with_their_nice_and_when_they_change(void **state)
{
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "worker", 101);
	put_file(h->fd, "20/autogroup", "/autogroup-77 nice 0\n");
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: task tid=21 "),
			    "fcap: task tid=21 tgid=20 comm=worker cgroup=/grp nice=0 policy=other "
			    "autogroup=77");
	put_file(h->fd, "20/autogroup", "/autogroup-77 nice 10\n");
	sample(h, 5 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 2);
	assert_non_null(
		strstr(kept_last(&h->k, "fcap: task tid=21 "), "autogroup=77 autogroup_nice=10"));
	put_file(h->fd, "20/autogroup", "/autogroup-77 nice 0\n");
	sample(h, 6 * SECOND, true);
	assert_non_null(
		strstr(kept_last(&h->k, "fcap: task tid=21 "), "autogroup=77 autogroup_nice=0"));
	sample(h, 7 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=21 "), 3);
	/* switched off for the whole host: they are there, and count for nothing */
	put_file(h->fd, "sys/kernel/sched_autogroup_enabled", "0\n");
	sample(h, 8 * SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: task tid=21 "),
			    "fcap: task tid=21 tgid=20 comm=worker cgroup=/grp nice=0 policy=other "
			    "autogroup=-1");
	sample(h, 9 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=21 "), 4);
}

/* The real kernel, asked about ourselves; every right is needed only to go back. */
static void the_kernel_tells_of_a_thread_what_it_set(void **state)
{
	struct cap_prio before, now;
	cpu_set_t old, one;
	int cpu = 0;

	(void)state;
	assert_int_equal(cap_prio_kernel.get(NULL, 0, &before), 0);
	assert_int_equal(before.nice, getpriority(PRIO_PROCESS, 0));
	assert_int_equal(before.policy, sched_getscheduler(0));
	assert_int_equal(setpriority(PRIO_PROCESS, 0, 19), 0);
	assert_int_equal(cap_prio_kernel.get(NULL, getpid(), &now), 0);
	assert_int_equal(now.nice, 19);
	assert_int_equal(now.cpus, before.cpus);
	assert_int_equal(sched_getaffinity(0, sizeof(old), &old), 0);
	while (!CPU_ISSET(cpu, &old))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(cap_prio_kernel.get(NULL, getpid(), &now), 0);
	assert_true(CPU_COUNT(&old) == 1 ? now.cpus == before.cpus : now.cpus != before.cpus);
	assert_int_equal(cap_prio_kernel.get(NULL, -1, &now), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_priority_is_told_at_the_next_sample, start,
						host_end),
		cmocka_unit_test_setup_teardown(new_cpus_are_told_at_the_next_sample, start,
						host_end),
		cmocka_unit_test_teardown(
			without_the_system_call_a_new_nice_value_is_told_once_a_second, host_end),
		cmocka_unit_test_setup_teardown(threads_of_the_kernel_are_marked, start, host_end),
		cmocka_unit_test_setup_teardown(vhost_threads_of_vms_are_sampled, start, host_end),
		cmocka_unit_test_setup_teardown(a_vhost_thread_inside_the_vm_is_one_of_its_threads,
						start, host_end),
		cmocka_unit_test_setup_teardown(
			autogroups_are_told_with_their_nice_and_when_they_change, start, host_end),
		cmocka_unit_test(the_kernel_tells_of_a_thread_what_it_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
