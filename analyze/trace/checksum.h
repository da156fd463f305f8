/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tells a file from every other: XXH128 of all its bytes, the number that "xxh128sum FILE"
 * of the package xxhash prints. It is no protection against somebody who wants to deceive.
 */
#ifndef FAN_TRACE_CHECKSUM_H
#define FAN_TRACE_CHECKSUM_H

#define FAN_CHECKSUM_TEXT 40 /* bytes of "xxh128:", 32 digits in hex, and the end */

struct fan_checksum;

/*
 * Begins to read the file behind fd from its start, in a thread of its own, with pread(), so that
 * its position does not change. fd stays the caller's, open until one of the two below. NULL: it
 * is no regular file, or memory is short; both take that too.
 */
struct fan_checksum *fan_checksum_start(int fd);

/*
 * Waits for the end and releases c. 0 and the text; -EIO or what else reading failed with; -ENODATA
 * for NULL. text is "" then.
 */
int fan_checksum_finish(struct fan_checksum *c, char text[FAN_CHECKSUM_TEXT]);

/* Releases c without reading on. */
void fan_checksum_abandon(struct fan_checksum *c);

#endif
