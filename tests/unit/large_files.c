// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Files of more than 4 GiB: sparse ones, whose data lie behind a hole, or go on behind one of empty
 * pages. Without libtracecmd, which looks through the hole in steps of 8 bytes.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/kinds.h"
#include "tests/unit/told.h"

#define PAGE 4096
#define GIB  (UINT64_C(1) << 30)

static const struct tb_task vm = { 101, "CPU 0/KVM", 0 };

/* Two pages of one event on CPU 0 and one on CPU 1; where the data of a CPU are to ret. */
static struct fan_cpu_data write_small(const char *path, int version, size_t cpu)
{
	struct tb *tb = tb_new(2, version, TB_PLAIN);
	struct fcap_err err = { 0 };
	struct fan_cpu_data place;
	struct fan_file *file;

	tb_set_events_per_page(tb, 1);
	tb_wakeup(tb, tb_at(0, 100), vm, 0);
	tb_wakeup(tb, tb_at(0, 300), vm, 0);
	tb_wakeup(tb, tb_at(1, 200), vm, 1);
	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	place = file->buffers[0].cpus[cpu];
	fan_file_close(file);
	return place;
}

static void copy_page(int fd, uint64_t from, uint64_t to)
{
	char page[PAGE];

	assert_int_equal(pread(fd, page, PAGE, (off_t)from), PAGE);
	assert_int_equal(pwrite(fd, page, PAGE, (off_t)to), PAGE);
}

/* Puts another place of the data into the frame: offset and size stand there one behind the other.
 */
static void change_place(int fd, const struct fan_cpu_data *from, const struct fan_cpu_data *to)
{
	const uint64_t old[2] = { from->offset, from->size }, new[2] = { to->offset, to->size };
	const size_t room = 1 << 20;
	char *data = calloc(1, room), *at;
	const ssize_t n = data ? pread(fd, data, room, 0) : -1;

	assert_true(n > 0);
	at = memmem(data, (size_t)n, old, sizeof(old));
	assert_non_null(at);
	assert_int_equal(pwrite(fd, new, sizeof(new), at - data), sizeof(new));
	free(data);
}

static void assert_told(const char *path)
{
	char *text = read_text(path);

	assert_string_equal(text, "100 0 0 0: 1 0: 101 0 CPU 0/KVM\n"
				  "200 1 0 0: 1 0: 101 1 CPU 0/KVM\n"
				  "300 0 0 0: 1 0: 101 0 CPU 0/KVM\n");
	free(text);
}

/* Nothing of it is on the disk but a few pages. */
static void assert_sparse(int fd, uint64_t size)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	assert_true((uint64_t)st.st_size >= size);
	assert_true(st.st_blocks * 512 < 1 << 20);
}

static void data_behind_4_gib_are_read(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");

	(void)state;
	for (int version = 6; version <= 7; version++) {
		const struct fan_cpu_data from = write_small(path, version, 1);
		const struct fan_cpu_data to = { 1, 5 * GIB, from.size, false };
		const int fd = open(path, O_RDWR);

		assert_true(fd >= 0);
		copy_page(fd, from.offset, to.offset);
		change_place(fd, &from, &to);
		assert_sparse(fd, 5 * GIB);
		assert_told(path);
		close(fd);
	}
	free(path);
	tempdir_remove(dir);
}

/* The second page of CPU 0 moves 4 GiB away from its first; all between them hold nothing. */
static void data_of_one_cpu_of_more_than_4_gib_are_read(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	const struct fan_cpu_data from = write_small(path, 6, 0);
	const struct fan_cpu_data far = { 0, from.offset, 4 * GIB + 3 * PAGE, false };
	struct fan_cpu_data other, moved;
	const int fd = open(path, O_RDWR);

	(void)state;
	assert_true(fd >= 0);
	/* CPU 1 stands where the hole will be */
	other = write_small(path, 6, 1);
	moved = other;
	moved.offset = 5 * GIB;
	copy_page(fd, other.offset, moved.offset);
	change_place(fd, &other, &moved);
	copy_page(fd, from.offset + PAGE, from.offset + far.size - PAGE);
	change_place(fd, &from, &far);
	/* what stood there holds nothing now */
	assert_int_equal(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				   (off_t)from.offset + PAGE, (off_t)(far.size - 2 * PAGE)),
			 0);
	assert_sparse(fd, 5 * GIB);
	assert_told(path);
	close(fd);
	free(path);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(data_behind_4_gib_are_read) };
	const struct CMUnitTest with_hole[] = {
		cmocka_unit_test(data_behind_4_gib_are_read),
		cmocka_unit_test(data_of_one_cpu_of_more_than_4_gib_are_read),
	};

	/* reading 4 GiB takes ten seconds where other work is done: for make stress */
	if (getenv("FCAP_TEST_LARGE"))
		return cmocka_run_group_tests(with_hole, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
