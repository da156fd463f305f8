/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder FILE.parts in which a recording grows: FILE appears by rename when it is complete.
 * The folder is locked (flock) while somebody works on it; one that is not was left by a recording
 * that was killed or could not be finished.
 */
#ifndef CAP_PARTS_H
#define CAP_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "fcap/err.h"

struct cap_parts;

/*
 * Makes FILE.parts. no_clobber: a FILE that exists, now or later, is an error. 0, or negative
 * errno with a sentence; nothing is left behind then.
 */
int cap_parts_open(struct cap_parts **ret, const char *file, bool no_clobber, struct fcap_err *err);

/*
 * Takes over a folder that was left behind. file NULL: the name without ".parts". It is kept
 * when closed, until cap_parts_keep() says otherwise. 0, or negative errno with a sentence;
 * -EBUSY: its recording still runs.
 */
int cap_parts_reopen(struct cap_parts **ret, const char *dir, const char *file,
		     struct fcap_err *err);

const char *cap_parts_file(const struct cap_parts *p);
const char *cap_parts_dir(const struct cap_parts *p);

/* Creates a file of this name in the folder, for reading and writing. Descriptor, or error. */
int cap_parts_create(struct cap_parts *p, const char *name, struct fcap_err *err);

/* Opens one that is there. Descriptor, or negative errno without a sentence. */
int cap_parts_get(const struct cap_parts *p, const char *name);

/* Writes a whole part: it is there with all of this text, or as it was. 0, or error. */
int cap_parts_store(struct cap_parts *p, const char *name, const char *text, size_t len,
		    struct fcap_err *err);

/* Reads a whole part as a string for the caller to free. 0, or negative errno. */
int cap_parts_load(const struct cap_parts *p, const char *name, char **ret, size_t *ret_len);

/* Creates the file that is to become FILE. Descriptor, or error. */
int cap_parts_stage(struct cap_parts *p, struct fcap_err *err);

/* Makes it FILE, replacing an older one. */
int cap_parts_publish(struct cap_parts *p, struct fcap_err *err);

/* Whether the folder stays when it is closed. */
void cap_parts_keep(struct cap_parts *p, bool keep);

/*
 * A folder in which nothing had begun: removes what fcap may have put there, and the folder if
 * that was all. False: it is still there.
 */
bool cap_parts_discard(struct cap_parts *p);

/* Removes the folder with all that is in it, unless it is kept. */
void cap_parts_close(struct cap_parts *p);

#endif
