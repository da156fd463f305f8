// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole reads and writes. */
#include "capture/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int cap_io_write(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		const ssize_t n = write(fd, p, len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int cap_io_write_at(int fd, const void *data, size_t len, uint64_t at)
{
	const char *p = data;

	while (len) {
		const ssize_t n = pwrite(fd, p, len, (off_t)at);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		p += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return 0;
}

ssize_t cap_io_pread(int fd, char *buf, size_t size)
{
	size_t have = 0;

	while (have < size - 1) {
		const ssize_t n = pread(fd, buf + have, size - 1 - have, (off_t)have);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (n == 0)
			break;
		have += (size_t)n;
	}
	buf[have] = '\0';
	return (ssize_t)have;
}

ssize_t cap_io_read_at(int dirfd, const char *path, char *buf, size_t size)
{
	const int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = cap_io_pread(fd, buf, size);
	close(fd);
	return n;
}

int cap_io_read_all(int dirfd, const char *path, char **ret, size_t *ret_len)
{
	const int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	size_t len = 0, size = 4096;
	char *buf = NULL;
	ssize_t n;

	if (fd < 0)
		return -errno;
	for (;;) {
		char *bigger = realloc(buf, size);

		if (!bigger) {
			n = -ENOMEM;
			break;
		}
		buf = bigger;
		n = read(fd, buf + len, size - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			n = n < 0 ? -errno : 0;
			break;
		}
		len += (size_t)n;
		if (len + 1 == size)
			size *= 2;
	}
	close(fd);
	if (n < 0) {
		free(buf);
		return (int)n;
	}
	buf[len] = '\0';
	*ret = buf;
	if (ret_len)
		*ret_len = len;
	return 0;
}

/* For file systems between which the kernel does not copy. */
static int copy_by_hand(int src, int dst, uint64_t at, uint64_t len)
{
	const size_t size = 1U << 18;
	char *buf = malloc(size);
	int r = 0;

	if (!buf)
		return -ENOMEM;
	while (len && r == 0) {
		const ssize_t n = pread(src, buf, len < size ? len : size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			r = n < 0 ? -errno : -EIO;
			break;
		}
		r = cap_io_write(dst, buf, (size_t)n);
		at += (uint64_t)n;
		len -= (uint64_t)n;
	}
	free(buf);
	return r;
}

int cap_io_copy(int src, int dst, uint64_t len)
{
	off_t at = 0;

	while (len) {
		const size_t chunk = len < 1U << 30 ? (size_t)len : 1U << 30;
		const ssize_t n = copy_file_range(src, &at, dst, NULL, chunk, 0);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return copy_by_hand(src, dst, (uint64_t)at, len);
		len -= (uint64_t)n;
	}
	return 0;
}

bool cap_io_may_keep(int fd)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)fd < limit.rlim_cur / 2;
}

uint64_t cap_io_whole(int fd, uint64_t page_size)
{
	struct stat st;

	return fstat(fd, &st) < 0 || st.st_size < 0 ? 0
						    : (uint64_t)st.st_size / page_size * page_size;
}
