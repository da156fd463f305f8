/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what is added to a file, a fifo or a character device after it was opened, without ever
 * waiting. It may appear late, be truncated, be replaced, or hang up and come back.
 */
#ifndef CAP_FOLLOW_H
#define CAP_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <termios.h>

#include "fcap/err.h"

struct cap_follow {
	const char *path; /* borrowed */
	int fd;		  /* -1: not there */
	int error;	  /* negative errno of the last attempt to open it; 0: it was opened once */
	struct stat st;	  /* of fd */
	bool is_raw;	  /* a terminal that we have switched to raw */
	struct termios was;
};

/*
 * What is in it already is passed over. That it is not there is no error. 0; negative errno when
 * it is nothing that can be followed, or must not be read.
 */
int cap_follow_open(struct cap_follow *f, const char *path, struct fcap_err *err);

/*
 * The number of new bytes, 0 if there are none now. *ret_anew: they are the first of a file that
 * was not there before, or that begins again.
 */
size_t cap_follow_read(struct cap_follow *f, char *buf, size_t size, bool *ret_anew);

/* Puts a terminal back as it was. */
void cap_follow_close(struct cap_follow *f);

#endif
