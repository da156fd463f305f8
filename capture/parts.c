// SPDX-License-Identifier: GPL-3.0-or-later
/* FILE.parts. */
#include "capture/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cap_parts {
	char *file, *dir;
	int fd;
};

static int check_target(const char *file, struct fcap_err *err)
{
	struct stat st;

	if (stat(file, &st) < 0) {
		if (errno == ENOENT)
			return 0;
		return fcap_fail(err, errno, "%s: cannot write there: %s; choose another -o FILE",
				 file, strerror(errno));
	}
	if (!S_ISREG(st.st_mode))
		return fcap_fail(err, EISDIR,
				 "%s: exists and is not a regular file; choose another -o FILE",
				 file);
	return 0;
}

static char *folder_of(const char *file)
{
	char *dir;

	return asprintf(&dir, "%s.parts", file) < 0 ? NULL : dir;
}

static int make_folder(struct cap_parts *p, struct fcap_err *err)
{
	if (mkdir(p->dir, 0700) < 0) {
		if (errno == EEXIST)
			return fcap_fail(err, EEXIST,
					 "%s: exists: another recording is writing there, or one "
					 "was killed; remove it or choose another -o FILE",
					 p->dir);
		return fcap_fail(err, errno, "%s: cannot create: %s; choose another -o FILE",
				 p->dir, strerror(errno));
	}
	p->fd = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->fd < 0) {
		const int code = errno;

		rmdir(p->dir);
		return fcap_fail(err, code, "%s: cannot open: %s", p->dir, strerror(code));
	}
	return 0;
}

int cap_parts_open(struct cap_parts **ret, const char *file, struct fcap_err *err)
{
	struct cap_parts *p;
	int r = check_target(file, err);

	if (r < 0)
		return r;
	p = calloc(1, sizeof(*p));
	if (!p)
		return fcap_fail(err, ENOMEM, "out of memory");
	p->fd = -1;
	p->file = strdup(file);
	p->dir = folder_of(file);
	if (!p->file || !p->dir) {
		cap_parts_close(p);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	r = make_folder(p, err);
	if (r < 0) {
		cap_parts_close(p);
		return r;
	}
	*ret = p;
	return 0;
}

int cap_parts_create(struct cap_parts *p, const char *name, struct fcap_err *err)
{
	const int fd = openat(p->fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return fcap_fail(err, errno, "%s/%s: cannot create: %s", p->dir, name,
				 strerror(errno));
	return fd;
}

int cap_parts_publish(struct cap_parts *p, const char *name, struct fcap_err *err)
{
	if (renameat(p->fd, name, AT_FDCWD, p->file) < 0)
		return fcap_fail(err, errno, "%s: cannot move the finished file there: %s", p->file,
				 strerror(errno));
	return 0;
}

static void remove_folder(struct cap_parts *p)
{
	DIR *dir = fdopendir(p->fd);
	const struct dirent *de;

	if (!dir) {
		close(p->fd);
		return;
	}
	while ((de = readdir(dir)))
		if (strcmp(de->d_name, ".") != 0 && strcmp(de->d_name, "..") != 0)
			unlinkat(p->fd, de->d_name, 0);
	closedir(dir);
	rmdir(p->dir);
}

void cap_parts_close(struct cap_parts *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		remove_folder(p);
	free(p->file);
	free(p->dir);
	free(p);
}
