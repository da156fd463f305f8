/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One page of the kernel's ring buffer, as it was read: what of it is kept. */
#ifndef CAP_TRIGGER_PAGE_H
#define CAP_TRIGGER_PAGE_H

#include "capture/marks.h"

/*
 * Cuts off all that is older than from_ns, and of a page that begins before or at that time the
 * kernel's mark that events are missing before it: they are older, too. The number of events that
 * are left; -EBADMSG: the page is damaged.
 */
int64_t cap_page_cut(unsigned char *page, const struct cap_marks_layout *at, uint64_t from_ns);

#endif
