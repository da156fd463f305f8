/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How entries lie in a page of the ring buffer: what the writer and the reader of markers share. */
#ifndef CAP_MARKS_PAGES_H
#define CAP_MARKS_PAGES_H

/* kinds of ring-buffer entries, from events/header_event */
#define CAP_TYPE_LEN_MAX     28U
#define CAP_TYPE_TIME_EXTEND 30U
#define CAP_DELTA_BITS	     27

#endif
