/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts as a person reads them. */
#ifndef CAP_AMOUNT_H
#define CAP_AMOUNT_H

#include <stddef.h>
#include <stdint.h>

/* "2.9 MB"; below 100 kB "12.3 kB", below 1 kB "812 B". */
void cap_print_bytes(uint64_t bytes, char *ret, size_t size);

#endif
