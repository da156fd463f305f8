/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder FILE.parts in which a recording grows: FILE appears by rename when it is complete,
 * and the folder goes away in every case.
 */
#ifndef CAP_PARTS_H
#define CAP_PARTS_H

#include "fcap/err.h"

struct cap_parts;

/* Makes FILE.parts. 0, or negative errno with a sentence; nothing is left behind then. */
int cap_parts_open(struct cap_parts **ret, const char *file, struct fcap_err *err);

/* Creates a file of this name in the folder, for reading and writing. Descriptor, or error. */
int cap_parts_create(struct cap_parts *p, const char *name, struct fcap_err *err);

/* Makes the part of this name the output file, replacing an older one. */
int cap_parts_publish(struct cap_parts *p, const char *name, struct fcap_err *err);

/* Removes the folder with all that is in it. */
void cap_parts_close(struct cap_parts *p);

#endif
