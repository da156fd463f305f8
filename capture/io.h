/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole reads and writes over short ones and EINTR. */
#ifndef CAP_IO_H
#define CAP_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Writes all of it. 0, or negative errno. */
int cap_io_write(int fd, const void *data, size_t len);

/* The same at this place of a file, whose position stays. */
int cap_io_write_at(int fd, const void *data, size_t len, uint64_t at);

/*
 * Reads a small text file below dirfd (AT_FDCWD too) into buf, cut at size - 1, NUL-terminated.
 * The length, or negative errno.
 */
ssize_t cap_io_read_at(int dirfd, const char *path, char *buf, size_t size);

/* The same from an open file, from its beginning. */
ssize_t cap_io_pread(int fd, char *buf, size_t size);

/* The whole file as a NUL-terminated string for the caller to free; *ret_len may be NULL. */
int cap_io_read_all(int dirfd, const char *path, char **ret, size_t *ret_len);

/*
 * Copies len bytes from the beginning of src to dst's position, inside the kernel where that
 * works. 0; -EIO when src is shorter; other negative errno.
 */
int cap_io_copy(int src, int dst, uint64_t len);

/*
 * May this file be kept open for later readings? Up to half of those that may be open at all; the
 * other half is for what a recording cannot do without.
 */
bool cap_io_may_keep(int fd);

/* Bytes of whole pages in an open file; 0 if its size cannot be told. */
uint64_t cap_io_whole(int fd, uint64_t page_size);

#endif
