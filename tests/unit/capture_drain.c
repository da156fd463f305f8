// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/drain, capture/mover: files and pipes stand for the buffers of CPUs. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/drain.h"
#include "capture/mono.h"
#include "tests/lib/tempdir.h"

#define PAGE 4096U
#define CPUS 512U
#define MIB  (1ULL << 20)

struct host {
	char *dir;
	struct cap_drain_cpu cpu[CPUS];
	size_t ncpu;
};

static struct host *host_new(size_t ncpu)
{
	struct host *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->dir = tempdir_new();
	h->ncpu = ncpu;
	for (size_t i = 0; i < CPUS; i++)
		h->cpu[i] = (struct cap_drain_cpu){ -1, -1 };
	return h;
}

static int new_file(const char *dir, const char *kind, size_t i)
{
	char name[64], *path;
	int fd;

	snprintf(name, sizeof(name), "%s%zu", kind, i);
	path = tempdir_file(dir, name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	free(path);
	return fd;
}

/* Bytes of CPU i that tell where they belong. */
static void fill(char *buf, size_t size, size_t i)
{
	for (size_t k = 0; k < size; k++)
		buf[k] = (char)((k / 7 + i * 31) % 120 + 1);
}

/* CPU i has a file of so many bytes in its buffer, and one to put them. */
static void add_file(struct host *h, size_t i, size_t size)
{
	char *buf = malloc(size + 1);

	assert_non_null(buf);
	fill(buf, size, i);
	h->cpu[i].src = new_file(h->dir, "from", i);
	h->cpu[i].dst = new_file(h->dir, "to", i);
	assert_true(write(h->cpu[i].src, buf, size) == (ssize_t)size);
	assert_true(lseek(h->cpu[i].src, 0, SEEK_SET) == 0);
	free(buf);
}

static void host_free(struct host *h)
{
	for (size_t i = 0; i < h->ncpu; i++) {
		if (h->cpu[i].src >= 0)
			close(h->cpu[i].src);
		if (h->cpu[i].dst >= 0)
			close(h->cpu[i].dst);
	}
	tempdir_remove(h->dir);
	free(h);
}

static struct cap_drain *start(const struct host *h, uint64_t buffer_bytes)
{
	const struct cap_drain_conf conf = {
		.cpu = h->cpu, .ncpu = h->ncpu, .page_size = PAGE, .buffer_bytes = buffer_bytes
	};
	struct cap_drain *d;

	assert_int_equal(cap_drain_start(&d, &conf, NULL), 0);
	return d;
}

/* The file of CPU i begins with these bytes and ends with a whole page. */
static void assert_stored(const struct host *h, const struct cap_drain *d, size_t i, size_t size)
{
	const uint64_t whole = (size + PAGE - 1) / PAGE * PAGE;
	char *want = malloc(size + 1), *got = malloc(size + 1);

	assert_true(want && got);
	fill(want, size, i);
	assert_int_equal(cap_drain_stat(d, i)->bytes, whole);
	assert_int_equal(lseek(h->cpu[i].dst, 0, SEEK_END), whole);
	assert_true(pread(h->cpu[i].dst, got, size, 0) == (ssize_t)size);
	assert_memory_equal(got, want, size);
	free(want);
	free(got);
}

static void everything_is_moved_and_the_last_page_filled(void **state)
{
	struct host *h = host_new(2);
	struct cap_drain *d;

	(void)state;
	add_file(h, 1, 10 * PAGE + 100); /* and CPU 0 has no buffer */
	d = start(h, MIB);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	assert_int_equal(cap_drain_stat(d, 0)->bytes, 0);
	assert_stored(h, d, 1, 10 * PAGE + 100);
	cap_drain_free(d);
	host_free(h);
}

/* Three times the pipe, so that it takes several splices. */
static void more_than_the_pipe_holds_is_moved_in_order(void **state)
{
	struct host *h = host_new(1);
	struct cap_drain *d;

	(void)state;
	add_file(h, 0, 3 * MIB + 5 * PAGE);
	d = start(h, MIB);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	assert_stored(h, d, 0, 3 * MIB + 5 * PAGE);
	cap_drain_free(d);
	host_free(h);
}

/* An append-only file takes no splice: EINVAL. */
static void a_file_that_takes_no_splice_is_written_to(void **state)
{
	struct host *h = host_new(1);
	struct cap_drain *d;

	(void)state;
	add_file(h, 0, 2 * MIB);
	assert_int_equal(fcntl(h->cpu[0].dst, F_SETFL, O_APPEND), 0);
	d = start(h, MIB);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	assert_stored(h, d, 0, 2 * MIB);
	cap_drain_free(d);
	host_free(h);
}

static void a_drain_that_cannot_write_says_so(void **state)
{
	struct host *h = host_new(1);
	struct fcap_err err = { 0 };
	struct cap_drain *d;

	(void)state;
	add_file(h, 0, PAGE);
	close(h->cpu[0].dst);
	h->cpu[0].dst = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(h->cpu[0].dst >= 0);
	d = start(h, MIB);
	assert_int_equal(cap_drain_stop(d, &err), -ENOSPC);
	assert_int_equal(err.code, ENOSPC);
	cap_drain_free(d);
	host_free(h);
}

static void thirty_two_cpus_have_one_thread_and_no_host_more_than_sixteen(void **state)
{
	(void)state;
	assert_int_equal(cap_drain_threads(1), 1);
	assert_int_equal(cap_drain_threads(32), 1);
	assert_int_equal(cap_drain_threads(33), 2);
	assert_int_equal(cap_drain_threads(512), 16);
	assert_int_equal(cap_drain_threads(8192), 16);
}

static size_t count_entries(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/*
 * 512 buffers and 512 files are 1024 descriptors. Beside them each of 16 threads has a pipe (2) and
 * an epoll (1), and all have one eventfd: 16 * 3 + 1 = 49, whatever the number of CPUs.
 */
static void five_hundred_and_twelve_cpus_are_drained_by_sixteen_threads(void **state)
{
	struct rlimit limit;
	struct host *h;
	struct cap_drain *d;
	size_t fds, tasks;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_true(limit.rlim_max > 2 * CPUS + 100);
	h = host_new(CPUS);
	for (size_t i = 0; i < CPUS; i++)
		if (i != 100) /* its number is a hole */
			add_file(h, i, i % 5 * PAGE + i);
	fds = count_entries("/proc/self/fd");
	tasks = count_entries("/proc/self/task");
	d = start(h, 4 * MIB);
	assert_int_equal(count_entries("/proc/self/fd") - fds, 49);
	assert_int_equal(count_entries("/proc/self/task") - tasks, 16);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	for (size_t i = 0; i < CPUS; i++)
		if (i != 100)
			assert_stored(h, d, i, i % 5 * PAGE + i);
	assert_int_equal(cap_drain_stat(d, 100)->bytes, 0);
	cap_drain_free(d);
	assert_int_equal(count_entries("/proc/self/fd"), fds);
	host_free(h);
}

/* Waits for the file of CPU 0 to have so many bytes, but not for ever. */
static void wait_for(const struct host *h, off_t bytes)
{
	const uint64_t begin_ns = cap_mono_ns();

	while (lseek(h->cpu[0].dst, 0, SEEK_END) < bytes && cap_mono_ns() - begin_ns < 20000000000U)
		sched_yield();
}

/*
 * A pipe says that it is readable, as a buffer at its watermark does: what is in it is stored while
 * the drain runs, not at its stop.
 */
static void what_is_ready_is_stored_while_tracing_goes_on(void **state)
{
	struct host *h = host_new(1);
	const size_t size = (size_t)16 * PAGE;
	char *buf = malloc(size);
	struct cap_drain *d;
	int ends[2];

	(void)state;
	assert_non_null(buf);
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	h->cpu[0].src = ends[0];
	h->cpu[0].dst = new_file(h->dir, "to", 0);
	d = start(h, size);
	fill(buf, size, 0);
	assert_true(write(ends[1], buf, size) == (ssize_t)size);
	wait_for(h, (off_t)size);
	assert_int_equal(lseek(h->cpu[0].dst, 0, SEEK_END), size);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	assert_stored(h, d, 0, size);
	cap_drain_free(d);
	close(ends[1]);
	free(buf);
	host_free(h);
}

/*
 * In buffers of 16 pages, of which the kernel keeps the one that it writes to: 15 are full, and the
 * time before them counts and is the longest of one. 14 are not.
 */
static void only_times_that_filled_a_buffer_count(void **state)
{
	struct host *h = host_new(2);
	struct cap_drain *d;

	(void)state;
	add_file(h, 0, (size_t)15 * PAGE);
	add_file(h, 1, (size_t)14 * PAGE);
	d = start(h, (size_t)16 * PAGE);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	assert_true(cap_drain_stat(d, 0)->longest_ns > 0);
	assert_int_equal(cap_drain_stat(d, 0)->longest_ns, cap_drain_stat(d, 0)->full_ns);
	assert_int_equal(cap_drain_stat(d, 1)->longest_ns, 0);
	assert_int_equal(cap_drain_stat(d, 1)->full_ns, 0);
	cap_drain_free(d);
	host_free(h);
}

/*
 * A pipe whose writer is gone says "readable" for ever, as buffers do before Linux 6.1: the drain
 * stops to listen instead of going round and round. What comes later it finds by the clock.
 */
static void a_source_that_cries_wolf_is_not_listened_to(void **state)
{
	struct host *h = host_new(2);
	struct cap_drain *d;
	uint64_t begin_ns;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
	add_file(h, 0, PAGE);
	h->cpu[1].src = ends[0];
	h->cpu[1].dst = new_file(h->dir, "to", 1);
	d = start(h, MIB);
	assert_true(cap_drain_is_woken(d));
	close(ends[1]);
	begin_ns = cap_mono_ns();
	while (cap_drain_is_woken(d) && cap_mono_ns() - begin_ns < 20000000000U)
		sched_yield();
	assert_false(cap_drain_is_woken(d));
	wait_for(h, PAGE);
	assert_int_equal(lseek(h->cpu[0].dst, 0, SEEK_END), PAGE);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	cap_drain_free(d);
	host_free(h);
}

static void the_threads_note_where_they_run(void **state)
{
	struct host *h = host_new(1);
	struct cap_usage usage = { 0 };
	const struct cap_drain_conf conf = {
		.cpu = h->cpu, .ncpu = 1, .page_size = PAGE, .buffer_bytes = PAGE, .usage = &usage
	};
	struct cap_drain *d;
	char list[64];

	(void)state;
	add_file(h, 0, (size_t)16 * PAGE);
	assert_int_equal(cap_drain_start(&d, &conf, NULL), 0);
	wait_for(h, (off_t)16 * PAGE);
	assert_int_equal(cap_drain_stop(d, NULL), 0);
	cap_usage_list(&usage, list, sizeof(list));
	assert_true(list[0] >= '0' && list[0] <= '9');
	cap_drain_free(d);
	host_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_moved_and_the_last_page_filled),
		cmocka_unit_test(more_than_the_pipe_holds_is_moved_in_order),
		cmocka_unit_test(a_file_that_takes_no_splice_is_written_to),
		cmocka_unit_test(a_drain_that_cannot_write_says_so),
		cmocka_unit_test(thirty_two_cpus_have_one_thread_and_no_host_more_than_sixteen),
		cmocka_unit_test(five_hundred_and_twelve_cpus_are_drained_by_sixteen_threads),
		cmocka_unit_test(what_is_ready_is_stored_while_tracing_goes_on),
		cmocka_unit_test(only_times_that_filled_a_buffer_count),
		cmocka_unit_test(a_source_that_cries_wolf_is_not_listened_to),
		cmocka_unit_test(the_threads_note_where_they_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
