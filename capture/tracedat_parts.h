/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the writers alone: what versions 6 and 7 of trace.dat have in common. */
#ifndef CAP_TRACEDAT_PARTS_H
#define CAP_TRACEDAT_PARTS_H

#include "capture/bytes.h"
#include "capture/tracedat_write.h"

/* Magic, version, byte order, size of a long and of a page. */
void cap_dat_put_start(struct cap_bytes *b, const struct cap_dat *dat, const char *version);
void cap_dat_put_headers(struct cap_bytes *b, const struct cap_dat *dat);
void cap_dat_put_ftrace(struct cap_bytes *b, const struct cap_dat *dat);
void cap_dat_put_events(struct cap_bytes *b, const struct cap_dat *dat);
/* Its size in 64 bits, then it. */
void cap_dat_put_sized(struct cap_bytes *b, struct cap_blob blob);
void cap_dat_put_option(struct cap_bytes *b, uint16_t id, struct cap_blob value);

/* The next multiple of page, which need not be a power of two. */
uint64_t cap_dat_align(uint64_t at, uint64_t page);

/* The file in version 7, compressed, to an empty file. 0, or negative errno. */
int cap_dat_write_v7(int fd, const struct cap_dat *dat);

#endif
