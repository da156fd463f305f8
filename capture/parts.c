// SPDX-License-Identifier: GPL-3.0-or-later
/* FILE.parts. */
#include "capture/parts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/head.h"
#include "capture/io.h"
#include "capture/tail.h"

#define SUFFIX	     ".parts"
#define STAGED	     "trace.dat"
#define LOCK_TRIES   100
#define LOCK_STEP_NS 10000000L

struct cap_parts {
	char *file, *dir;
	char *staged;  /* what is to become the file; NULL: nothing yet */
	int staged_at; /* the folder that staged is relative to */
	int fd;
	bool no_clobber, keep;
	bool is_elsewhere; /* the file does not lie beside the folder: staged beside the file */
};

static int check_target(const char *file, bool no_clobber, struct fcap_err *err)
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
	if (no_clobber)
		return fcap_fail(err, EEXIST,
				 "%s: exists; choose another -o FILE, or leave --no-clobber out",
				 file);
	return 0;
}

/* False: somebody else holds the lock. Where files cannot be locked nobody does. */
static bool lock_folder(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* The folder is there already: whose is it? */
static int refuse_folder(const struct cap_parts *p, struct fcap_err *err)
{
	const int fd = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool is_free = fd >= 0 && lock_folder(fd);

	if (fd >= 0)
		close(fd);
	if (!is_free)
		return fcap_fail(err, EEXIST,
				 "%s: exists: another recording is writing there; choose another "
				 "-o FILE",
				 p->dir);
	return fcap_fail(err, EEXIST,
			 "%s: exists: a recording was killed there; run \"fcap recover %s\", or "
			 "remove it, or choose another -o FILE",
			 p->dir, p->dir);
}

static int make_folder(struct cap_parts *p, struct fcap_err *err)
{
	if (mkdir(p->dir, 0700) < 0)
		return errno == EEXIST ? refuse_folder(p, err)
				       : fcap_fail(err, errno,
						   "%s: cannot create: %s; choose another -o FILE",
						   p->dir, strerror(errno));
	p->fd = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->fd < 0) {
		const int code = errno;

		rmdir(p->dir);
		return fcap_fail(err, code, "%s: cannot open: %s", p->dir, strerror(code));
	}
	if (!lock_folder(p->fd))
		return fcap_fail(err, EBUSY, "%s: somebody else has locked it; try again", p->dir);
	return 0;
}

/* Takes both names over; either may be NULL, which is want of memory. */
static struct cap_parts *new_parts(char *file, char *dir, struct fcap_err *err)
{
	struct cap_parts *p = file && dir ? calloc(1, sizeof(*p)) : NULL;

	if (!p) {
		free(file);
		free(dir);
		fcap_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	p->file = file;
	p->dir = dir;
	p->fd = -1;
	return p;
}

int cap_parts_open(struct cap_parts **ret, const char *file, bool no_clobber, struct fcap_err *err)
{
	int r = check_target(file, no_clobber, err);
	struct cap_parts *p;
	char *dir;

	if (r < 0)
		return r;
	if (asprintf(&dir, "%s" SUFFIX, file) < 0)
		dir = NULL;
	p = new_parts(strdup(file), dir, err);
	if (!p)
		return -ENOMEM;
	p->no_clobber = no_clobber;
	p->keep = true; /* while it may be another's */
	r = make_folder(p, err);
	if (r < 0) {
		cap_parts_close(p);
		return r;
	}
	p->keep = false;
	*ret = p;
	return 0;
}

/* The file that belongs to the folder, or NULL: the name tells none. */
static char *file_of(const char *dir, size_t len)
{
	const size_t suffix = strlen(SUFFIX);

	if (len <= suffix || memcmp(dir + len - suffix, SUFFIX, suffix) != 0 ||
	    dir[len - suffix - 1] == '/')
		return NULL;
	return strndup(dir, len - suffix);
}

static int take_folder(struct cap_parts *p, struct fcap_err *err)
{
	const struct timespec step = { 0, LOCK_STEP_NS };

	p->fd = open(p->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->fd < 0)
		return fcap_fail(err, errno, "%s: cannot open: %s", p->dir, strerror(errno));
	/* the child of a recording that was killed may take a moment to let go */
	for (int i = 0; !lock_folder(p->fd); i++) {
		if (i == LOCK_TRIES)
			return fcap_fail(err, EBUSY, "%s: its recording still runs; end that first",
					 p->dir);
		nanosleep(&step, NULL);
	}
	return 0;
}

int cap_parts_reopen(struct cap_parts **ret, const char *dir, const char *file,
		     struct fcap_err *err)
{
	size_t len = strlen(dir);
	struct cap_parts *p;
	char *own;
	int r;

	while (len > 1 && dir[len - 1] == '/')
		len--;
	own = file_of(dir, len);
	if (!own && !file)
		return fcap_fail(err, EINVAL,
				 "%s: the name does not end in " SUFFIX
				 "; give the file to be made "
				 "with -o FILE",
				 dir);
	p = new_parts(file ? strdup(file) : strdup(own), strndup(dir, len), err);
	if (p)
		p->is_elsewhere = !own || strcmp(own, p->file) != 0;
	free(own);
	if (!p)
		return -ENOMEM;
	p->keep = true;
	r = check_target(p->file, false, err);
	if (r == 0)
		r = take_folder(p, err);
	if (r < 0) {
		cap_parts_close(p);
		return r;
	}
	*ret = p;
	return 0;
}

const char *cap_parts_file(const struct cap_parts *p)
{
	return p->file;
}

const char *cap_parts_dir(const struct cap_parts *p)
{
	return p->dir;
}

static int create(const struct cap_parts *p, const char *name, int flags, struct fcap_err *err)
{
	const int fd = openat(p->fd, name, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);

	if (fd < 0)
		return fcap_fail(err, errno, "%s/%s: cannot create: %s", p->dir, name,
				 strerror(errno));
	return fd;
}

int cap_parts_create(struct cap_parts *p, const char *name, struct fcap_err *err)
{
	return create(p, name, O_EXCL, err);
}

int cap_parts_get(const struct cap_parts *p, const char *name)
{
	const int fd = openat(p->fd, name, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int cap_parts_store(struct cap_parts *p, const char *name, const char *text, size_t len,
		    struct fcap_err *err)
{
	char other[64];
	int fd, r;

	snprintf(other, sizeof(other), "%s.new", name);
	fd = create(p, other, O_TRUNC, err);
	if (fd < 0)
		return fd;
	r = cap_io_write(fd, text, len);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r == 0 && renameat(p->fd, other, p->fd, name) < 0)
		r = -errno;
	if (r == 0)
		return 0;
	unlinkat(p->fd, other, 0);
	return fcap_fail(err, -r, "%s/%s: cannot write: %s", p->dir, name, strerror(-r));
}

int cap_parts_load(const struct cap_parts *p, const char *name, char **ret, size_t *ret_len)
{
	return cap_io_read_all(p->fd, name, ret, ret_len);
}

static void drop_staged(struct cap_parts *p)
{
	if (p->staged)
		unlinkat(p->staged_at, p->staged, 0);
	free(p->staged);
	p->staged = NULL;
}

int cap_parts_stage(struct cap_parts *p, struct fcap_err *err)
{
	int fd;

	drop_staged(p);
	/* whoever was killed here before has left theirs, in the way of the new one */
	unlinkat(p->fd, STAGED, 0);
	p->staged_at = p->is_elsewhere ? AT_FDCWD : p->fd;
	if (!p->is_elsewhere)
		p->staged = strdup(STAGED);
	else if (asprintf(&p->staged, "%s.%d", p->file, (int)getpid()) < 0)
		p->staged = NULL;
	if (!p->staged)
		return fcap_fail(err, ENOMEM, "out of memory");
	fd = openat(p->staged_at, p->staged, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0)
		return fd;
	fd = -errno;
	fcap_fail(err, errno, "%s%s%s: cannot create: %s", p->is_elsewhere ? "" : p->dir,
		  p->is_elsewhere ? "" : "/", p->staged, strerror(errno));
	free(p->staged);
	p->staged = NULL;
	return fd;
}

/* As renameat, but never replaces; where the file system cannot promise that it is looked up. */
static int rename_to_new(int at, const char *name, const char *to)
{
	if (renameat2(at, name, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -errno;
	if (faccessat(AT_FDCWD, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return renameat(at, name, AT_FDCWD, to) < 0 ? -errno : 0;
}

int cap_parts_publish(struct cap_parts *p, struct fcap_err *err)
{
	int r = 0;

	if (p->no_clobber)
		r = rename_to_new(p->staged_at, p->staged, p->file);
	else if (renameat(p->staged_at, p->staged, AT_FDCWD, p->file) < 0)
		r = -errno;
	if (r < 0)
		return fcap_fail(err, -r, "%s: cannot move the finished file there: %s", p->file,
				 strerror(-r));
	free(p->staged);
	p->staged = NULL;
	return 0;
}

void cap_parts_keep(struct cap_parts *p, bool keep)
{
	p->keep = keep;
}

/* Is this the name of a part? */
static bool is_part(const char *name)
{
	static const char *const names[] = { CAP_HEAD_PART, CAP_HEAD_PART ".new",
					     CAP_TAIL_PART, CAP_TAIL_PART ".new",
					     "marks",	    STAGED };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "cpu", 3) == 0 && isdigit((unsigned char)name[3]);
}

/* Without its head a folder has nothing to recover: that goes first. */
static void remove_folder(struct cap_parts *p, bool parts_only)
{
	DIR *dir;
	const struct dirent *de;

	unlinkat(p->fd, CAP_HEAD_PART, 0);
	dir = fdopendir(p->fd);
	if (!dir) {
		close(p->fd);
		p->fd = -1;
		return;
	}
	while ((de = readdir(dir)))
		if (strcmp(de->d_name, ".") != 0 && strcmp(de->d_name, "..") != 0 &&
		    (!parts_only || is_part(de->d_name)))
			unlinkat(p->fd, de->d_name, 0);
	/* the lock is held to the end: nobody takes half a folder for one to be recovered */
	rmdir(p->dir);
	closedir(dir);
	p->fd = -1;
}

bool cap_parts_discard(struct cap_parts *p)
{
	remove_folder(p, true);
	return access(p->dir, F_OK) < 0;
}

void cap_parts_close(struct cap_parts *p)
{
	if (!p)
		return;
	drop_staged(p);
	if (p->fd >= 0 && !p->keep)
		remove_folder(p, false);
	else if (p->fd >= 0)
		close(p->fd);
	free(p->file);
	free(p->dir);
	free(p);
}
