/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several named texts in one: a line "NAME LENGTH", the bytes, a newline, and so on; "end 0" is
 * the last. Names hold no blanks. Bytes are any.
 */
#ifndef CAP_ARCHIVE_H
#define CAP_ARCHIVE_H

#include <stddef.h>
#include <stdio.h>

struct cap_archive_entry {
	char *name, *data; /* each ends with a NUL that is not its own; data may hold others */
	size_t len;	   /* of data */
};

/*
 * Appends one entry to a stream; whether that worked is known when the stream is closed. Printed
 * text is of less than 1024 bytes.
 */
void cap_archive_add(FILE *out, const char *name, const void *data, size_t len);
__attribute__((format(printf, 3, 4))) void cap_archive_print(FILE *out, const char *name,
							     const char *fmt, ...);
void cap_archive_end(FILE *out);

/*
 * Takes the entry at *at, which it moves on, out of a text that ends at end with a NUL; writes
 * NULs into it. 1; 0 at the end; -EINVAL: damaged or cut off.
 */
int cap_archive_next(char **at, const char *end, struct cap_archive_entry *ret);

#endif
