/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The consoles of guests, read again and again while the command runs. */
#ifndef CAP_GUESTPIPE_H
#define CAP_GUESTPIPE_H

#include <stddef.h>

#include "capture/emit.h"
#include "capture/vmlist.h"
#include "fcap/err.h"

/* How often they are read: a line is stamped that much late at most. Bounds what a console that
 * sends byte by byte costs the host, which a descriptor to be polled would not. */
#define CAP_GUESTS_PERIOD_MS 20

/* Where lines of a guest arrive; the strings must outlive the struct cap_guests. */
struct cap_guest_source {
	const char *vm, *path;
};

struct cap_guests;

/* 0; negative errno for a path that nobody can read. A missing one is waited for. */
int cap_guests_open(struct cap_guests **ret, const struct cap_guest_source *sources, size_t n,
		    struct cap_sink to, struct fcap_err *err);

/*
 * Takes what has arrived, stamped now. 0; the first error of all calls: -ENOMEM or the sink's.
 * NULL is no guests.
 */
int cap_guests_read(struct cap_guests *g);

/*
 * Says of each guest what a user should know: that nothing came, or nothing that was understood, or
 * that it is the name of none of these VMs.
 */
void cap_guests_sum_up(const struct cap_guests *g, const struct cap_vmlist *vms,
		       void (*say)(const char *text));

void cap_guests_close(struct cap_guests *g);

#endif
