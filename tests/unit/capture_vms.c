// SPDX-License-Identifier: GPL-3.0-or-later
/* How many VMs a process holds, and which of its threads are vCPUs, on made-up trees. */
#include "tests/unit/capture_host.h"

#include <errno.h>

#include "capture/kvmdir.h"

/* Stands in for the kernel: descriptors of one ten are of one file. */
static int same_ten(void *ctx, pid_t pid, int a, int b)
{
	(void)pid;
	++*(unsigned int *)ctx;
	return a / 10 == b / 10;
}

static int refuse(void *ctx, pid_t pid, int a, int b)
{
	(void)ctx;
	(void)pid;
	(void)a;
	(void)b;
	return -EPERM;
}

static unsigned int asked;
static const struct cap_file_source by_ten = { same_ten, &asked };
static const struct cap_file_source nobody = { refuse, NULL };

static int make(void **state)
{
	struct host *h;

	host_make(state);
	h = *state;
	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 5, 5, "vmm", 3);
	put_thread(h, 5, 6, "a", 4);
	put_thread(h, 5, 7, "b", 4);
	put_file(h->fd, "sys/none", "");
	return 0;
}

static int end(void **state)
{
	struct host *h = *state;

	if (h->sysfd >= 0)
		close(h->sysfd);
	return host_end(state);
}

static void put_fd(const struct host *h, int pid, int fd, const char *link)
{
	char path[64];

	snprintf(path, sizeof(path), "%d/fd/none", pid);
	put_file(h->fd, path, "");
	snprintf(path, sizeof(path), "%d/fd/%d", pid, fd);
	assert_int_equal(symlinkat(link, h->fd, path), 0);
}

/* A vCPU of the VM that thread opener opened as descriptor fd. */
static void put_vcpu(const struct host *h, int opener, int fd, int id, const char *tid)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/kernel/debug/kvm/%d-%d/vcpu%d/pid", opener, fd, id);
	put_file(h->fd, path, tid);
}

static void open_with_debugfs(struct host *h)
{
	h->sysfd = openat(h->fd, "sys", O_RDONLY | O_DIRECTORY);
	assert_true(h->sysfd >= 0);
	assert_int_equal(host_open(h, NULL), 0);
}

static void debugfs_tells_how_many_vms_there_are(void **state)
{
	struct host *h = *state;

	put_fd(h, 5, 11, "anon_inode:kvm-vm");
	put_fd(h, 5, 12, "anon_inode:kvm-vm");
	put_vcpu(h, 5, 11, 0, "6\n");
	/* a counter of the host, and a VM of another process */
	put_file(h->fd, "sys/kernel/debug/kvm/exits", "1\n");
	put_vcpu(h, 99, 3, 0, "99\n");
	open_with_debugfs(h);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp");
	/* the second one: opened by a thread that has ended, known by its vCPU */
	put_vcpu(h, 444, 12, 0, "7\n");
	sample(h, 2 * SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp vms=2");
	sample(h, 3 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: group "), 2);
	/* and it is closed */
	tempdir_remove(tempdir_file(h->dir, "sys/kernel/debug/kvm/444-12"));
	sample(h, 4 * SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp vms=1");
	assert_int_equal(kept_count(&h->k, "fcap: group "), 3);
}

/* vCPU 1 has not run yet when it is looked at first: its thread is not known. */
static void debugfs_tells_vcpus_that_have_no_name(void **state)
{
	struct host *h = *state;

	put_thread(h, 5, 8, "CPU 2/KVM", 4);
	put_fd(h, 5, 11, "anon_inode:kvm-vm");
	put_vcpu(h, 5, 11, 0, "6\n");
	put_vcpu(h, 5, 11, 1, "0\n");
	put_vcpu(h, 5, 11, 2, "8\n");
	open_with_debugfs(h);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=6 tgid=5 id=0"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=8 tgid=5 id=2"), 1);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 2);
	put_vcpu(h, 5, 11, 1, "7\n");
	sample(h, 2 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu tid=7 tgid=5 id=1"), 1);
	sample(h, 3 * SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 3);
}

/* A VM whose vCPUs have not run, and a kernel that does not say: by who opened it. */
static void a_vm_without_threads_is_of_who_opened_it(void **state)
{
	struct host *h = *state;

	put_fd(h, 5, 11, "anon_inode:kvm-vm");
	put_vcpu(h, 6, 11, 0, "0\n");
	put_file(h->fd, "sys/kernel/debug/kvm/5-12/vcpu0/tsc-offset", "0\n");
	open_with_debugfs(h);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp vms=2");
	assert_int_equal(kept_count(&h->k, "fcap: vcpu "), 0);
}

/* 10 and 11 are one VM, 20 another one. */
static void without_debugfs_descriptors_are_compared(void **state)
{
	struct host *h = *state;

	put_fd(h, 5, 10, "anon_inode:kvm-vm");
	put_fd(h, 5, 11, "anon_inode:kvm-vm");
	put_fd(h, 5, 12, "anon_inode:kvm-vcpu:0");
	h->files = &by_ten;
	open_with_debugfs(h);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp");
	put_fd(h, 5, 20, "anon_inode:kvm-vm");
	sample(h, 2 * SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp vms=2");
	/* no longer young: not asked any more */
	asked = 0;
	sample(h, 12 * SECOND, true);
	assert_int_equal(asked, 0);
}

static void descriptors_that_cannot_be_compared_are_only_counted(void **state)
{
	const struct cap_file_source *const source[] = { NULL, &nobody };
	struct host *h = *state;
	unsigned int fds;

	put_fd(h, 5, 10, "anon_inode:kvm-vm");
	h->files = &nobody;
	assert_int_equal(host_open(h, NULL), 0);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp");
	put_fd(h, 5, 20, "anon_inode:kvm-vm");
	put_fd(h, 5, 30, "anon_inode:kvm-vm");
	sample(h, 2 * SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: group "),
			    "fcap: group kind=vm tgid=5 name=grp vm_fds=3");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(cap_vmwatch_count(h->fd, 5, source[i], &fds), -1);
		assert_int_equal(fds, 3);
		assert_int_equal(cap_vmwatch_count(h->fd, 20, source[i], &fds), 0);
		assert_int_equal(fds, 0);
	}
}

static void of_two_vms_of_one_number_the_younger_one_has_it(void **state)
{
	struct cap_vm vms[] = { { .tgid = 5, .start = 100 },
				{ .tgid = 5, .start = 300 },
				{ .tgid = 6, .start = 400 },
				{ .tgid = 5, .start = 200 } };
	const struct cap_vmlist l = { vms, 4 };

	(void)state;
	assert_ptr_equal(cap_vmlist_of(&l, 5), &vms[1]);
	assert_null(cap_vmlist_of(&l, 7));
}

static void no_such_folder_is_no_error(void **state)
{
	struct host *h = *state;
	struct cap_kvm_vms vms;

	assert_int_equal(cap_kvmdir_list(h->fd, &vms), -ENOENT);
	assert_int_equal(vms.n, 0);
	cap_kvmdir_free(&vms);
}

/* The real kernel: two descriptors of one open file, and one of another. */
static void the_kernel_tells_files_apart(void **state)
{
	const int a = open("/dev/null", O_RDONLY), b = dup(a), c = open("/dev/null", O_RDONLY);
	const int same = cap_files_kernel.is_same(NULL, getpid(), a, b);

	(void)state;
	/* a kernel without kcmp() says so, and nothing else */
	assert_true(same == 1 || same == -ENOSYS || same == -EPERM);
	assert_int_equal(cap_files_kernel.is_same(NULL, getpid(), a, c), same == 1 ? 0 : same);
	close(a);
	close(b);
	close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(debugfs_tells_how_many_vms_there_are, make, end),
		cmocka_unit_test_setup_teardown(debugfs_tells_vcpus_that_have_no_name, make, end),
		cmocka_unit_test_setup_teardown(a_vm_without_threads_is_of_who_opened_it, make,
						end),
		cmocka_unit_test_setup_teardown(without_debugfs_descriptors_are_compared, make,
						end),
		cmocka_unit_test_setup_teardown(
			descriptors_that_cannot_be_compared_are_only_counted, make, end),
		cmocka_unit_test(of_two_vms_of_one_number_the_younger_one_has_it),
		cmocka_unit_test_setup_teardown(no_such_folder_is_no_error, make, end),
		cmocka_unit_test(the_kernel_tells_files_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
