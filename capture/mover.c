// SPDX-License-Identifier: GPL-3.0-or-later
/* Splice in, splice out. */
#include "capture/mover.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/io.h"

/* 256 pages a call; what anybody may have by the default of /proc/sys/fs/pipe-max-size. */
#define PIPE_BYTES (1 << 20)

int cap_mover_open(struct cap_mover *m, size_t page_size)
{
	int ends[2], size;

	*m = (struct cap_mover){ .in = -1, .out = -1, .page_size = page_size };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	m->out = ends[0];
	m->in = ends[1];
	(void)fcntl(m->in, F_SETPIPE_SZ, PIPE_BYTES); /* refused: it goes with less */
	size = fcntl(m->in, F_GETPIPE_SZ);
	m->pipe_size = size > 0 && (size_t)size > page_size ? (size_t)size : page_size;
	m->page = malloc(m->pipe_size);
	return m->page ? 0 : -ENOMEM;
}

void cap_mover_close(struct cap_mover *m)
{
	if (m->in >= 0)
		close(m->in);
	if (m->out >= 0)
		close(m->out);
	free(m->page);
}

/* For a file system that takes no splice. */
static int copy_out(struct cap_mover *m, int dst, size_t len)
{
	int r = 0;

	while (len && r == 0) {
		const ssize_t n = read(m->out, m->page, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		r = cap_io_write(dst, m->page, (size_t)n);
		len -= (size_t)n;
	}
	return r;
}

/* What is in the pipe goes to the file, all of it. */
static int empty_pipe(struct cap_mover *m, int dst, size_t len)
{
	while (len) {
		const ssize_t n = splice(m->out, NULL, dst, NULL, len, SPLICE_F_MOVE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EINVAL)
			return copy_out(m, dst, len);
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		len -= (size_t)n;
	}
	return 0;
}

int64_t cap_mover_move(struct cap_mover *m, int src, int dst, uint64_t limit)
{
	uint64_t moved = 0;

	while (moved < limit) {
		const ssize_t n = splice(src, NULL, m->in, NULL, m->pipe_size,
					 SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			break;
		r = empty_pipe(m, dst, (size_t)n);
		if (r < 0)
			return r;
		moved += (uint64_t)n;
	}
	return (int64_t)moved;
}

int64_t cap_mover_flush(struct cap_mover *m, int src, int dst)
{
	int64_t moved = cap_mover_move(m, src, dst, UINT64_MAX);

	while (moved >= 0) {
		const ssize_t n = read(src, m->page, m->page_size);
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			break;
		r = cap_io_write(dst, m->page, (size_t)n);
		moved = r < 0 ? r : moved + n;
	}
	return moved;
}
