// SPDX-License-Identifier: GPL-3.0-or-later
/* tail -F, for one reader that looks again and again. */
#include "capture/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void cap_follow_close(struct cap_follow *f)
{
	if (f->fd < 0)
		return;
	if (f->is_raw)
		tcsetattr(f->fd, TCSANOW, &f->was);
	f->is_raw = false;
	close(f->fd);
	f->fd = -1;
}

/* A terminal that echoes would send the guest's lines back to it as input. */
static void make_raw(struct cap_follow *f)
{
	struct termios raw;

	if (tcgetattr(f->fd, &f->was) < 0 || !(f->was.c_lflag & (ECHO | ICANON)))
		return;
	raw = f->was;
	cfmakeraw(&raw);
	f->is_raw = tcsetattr(f->fd, TCSANOW, &raw) == 0;
}

/* Remembered as long as it was never there. */
static int fail_to_open(struct cap_follow *f, int code)
{
	if (f->error)
		f->error = code;
	return code;
}

static int try_open(struct cap_follow *f)
{
	const int fd = open(f->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return fail_to_open(f, -errno);
	if (fstat(fd, &st) < 0 ||
	    !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode))) {
		close(fd);
		return fail_to_open(f, -ENOTSUP);
	}
	f->fd = fd;
	f->st = st;
	f->error = 0;
	if (S_ISCHR(st.st_mode))
		make_raw(f);
	return 0;
}

static void pass_over(struct cap_follow *f)
{
	char buf[4096];

	if (S_ISREG(f->st.st_mode)) {
		lseek(f->fd, 0, SEEK_END);
		return;
	}
	/* bounded: a device may never be empty */
	for (int i = 0; i < 64 && read(f->fd, buf, sizeof(buf)) > 0; i++)
		;
}

int cap_follow_open(struct cap_follow *f, const char *path, struct fcap_err *err)
{
	int r;

	*f = (struct cap_follow){ .path = path, .fd = -1, .error = -ENOENT };
	r = try_open(f);
	if (r == -ENOTSUP || r == -ENXIO)
		return fcap_fail(err, -r, "%s: is neither a file, nor a fifo, nor a device", path);
	if (r < 0 && r != -ENOENT)
		return fcap_fail(err, -r, "%s: %s", path, strerror(-r));
	if (r == 0)
		pass_over(f);
	return 0;
}

/* Nothing more comes from fd: is there a reason to begin again? True: with something to read. */
static bool begins_anew(struct cap_follow *f)
{
	struct stat now;

	if (stat(f->path, &now) < 0)
		return false; /* removed; whoever has it open may still write to it */
	if (now.st_dev != f->st.st_dev || now.st_ino != f->st.st_ino) {
		cap_follow_close(f);
		return try_open(f) == 0;
	}
	if (S_ISREG(now.st_mode) && now.st_size < lseek(f->fd, 0, SEEK_CUR))
		return lseek(f->fd, 0, SEEK_SET) == 0;
	return false;
}

/* Bytes read; 0: none now, or the end. What hung up is closed. */
static size_t read_some(struct cap_follow *f, char *buf, size_t size)
{
	const ssize_t n = read(f->fd, buf, size);

	if (n > 0)
		return (size_t)n;
	/* a terminal whose other side was closed says "end" or EIO for ever */
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || (n == 0 && S_ISCHR(f->st.st_mode)))
		cap_follow_close(f);
	return 0;
}

size_t cap_follow_read(struct cap_follow *f, char *buf, size_t size, bool *ret_anew)
{
	size_t n;

	*ret_anew = false;
	if (f->fd < 0) {
		if (try_open(f) < 0)
			return 0;
		*ret_anew = true;
	}
	n = read_some(f, buf, size);
	if (n == 0 && f->fd >= 0 && begins_anew(f)) {
		*ret_anew = true;
		n = read_some(f, buf, size);
	}
	return n;
}
