/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers for products of times. */
#ifndef FAN_MODEL_WIDE_H
#define FAN_MODEL_WIDE_H

__extension__ typedef unsigned __int128 fan_u128;

#endif
