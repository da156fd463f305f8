// SPDX-License-Identifier: GPL-3.0-or-later
/* The checksum of a file, beside what else is read from it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <xxhash.h>

#include "analyze/trace/checksum.h"
#include "tests/lib/tempdir.h"

/* A file of these bytes; its directory is to be removed, fd to be closed. */
static int made(char **dir, const char *bytes, size_t n)
{
	char *path;
	int fd;

	*dir = tempdir_new();
	path = tempdir_file(*dir, "f");
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	free(path);
	return fd;
}

/* XXH128 of nothing at all, as the specification of xxHash has it. */
static void an_empty_file_has_the_checksum_of_no_bytes(void **state)
{
	char text[FAN_CHECKSUM_TEXT], *dir;
	const int fd = made(&dir, "", 0);

	(void)state;
	assert_int_equal(fan_checksum_finish(fan_checksum_start(fd), text), 0);
	assert_string_equal(text, "xxh128:99aa06d3014798d86001c324468d497f");
	close(fd);
	tempdir_remove(dir);
}

/* Several blocks and a part of one, read from the start wherever the descriptor stands. */
static void all_blocks_count_and_the_position_stays(void **state)
{
	enum { N = 300001 };
	char *bytes = malloc(N), text[FAN_CHECKSUM_TEXT], want[FAN_CHECKSUM_TEXT], *dir;
	XXH128_hash_t hash;
	int fd;

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < N; i++)
		bytes[i] = (char)(i * i >> 3);
	hash = XXH3_128bits(bytes, N);
	snprintf(want, sizeof(want), "xxh128:%016llx%016llx", (unsigned long long)hash.high64,
		 (unsigned long long)hash.low64);
	fd = made(&dir, bytes, N);
	assert_int_equal(lseek(fd, 77, SEEK_SET), 77);
	assert_int_equal(fan_checksum_finish(fan_checksum_start(fd), text), 0);
	assert_string_equal(text, want);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 77);
	close(fd);
	free(bytes);
	tempdir_remove(dir);
}

static void a_pipe_has_none(void **state)
{
	char text[FAN_CHECKSUM_TEXT] = "old";
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_null(fan_checksum_start(fd[0]));
	assert_int_equal(fan_checksum_finish(NULL, text), -ENODATA);
	assert_string_equal(text, "");
	close(fd[0]);
	close(fd[1]);
}

/* A descriptor that may not be read. */
static void a_file_that_cannot_be_read_has_none(void **state)
{
	char text[FAN_CHECKSUM_TEXT], *dir;
	const int fd = made(&dir, "abc", 3);
	char *path = tempdir_file(dir, "f");
	const int only = open(path, O_WRONLY | O_CLOEXEC);

	(void)state;
	assert_true(only >= 0);
	assert_int_equal(fan_checksum_finish(fan_checksum_start(only), text), -EBADF);
	assert_string_equal(text, "");
	close(only);
	close(fd);
	free(path);
	tempdir_remove(dir);
}

/* With sanitizers this finds what is not released. */
static void one_that_nobody_wants_any_more_is_given_up(void **state)
{
	char *dir;
	const int fd = made(&dir, "abc", 3);

	(void)state;
	fan_checksum_abandon(fan_checksum_start(fd));
	fan_checksum_abandon(NULL);
	close(fd);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_has_the_checksum_of_no_bytes),
		cmocka_unit_test(all_blocks_count_and_the_position_stays),
		cmocka_unit_test(a_pipe_has_none),
		cmocka_unit_test(a_file_that_cannot_be_read_has_none),
		cmocka_unit_test(one_that_nobody_wants_any_more_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
