/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The TIME_SHIFT option of a trace that trace-cmd recorded inside a guest: what turns the stamps
 * of the guest's clock into those of the host's, sampled while the recording ran.
 */
#ifndef FAN_TRACE_TIME_SHIFT_H
#define FAN_TRACE_TIME_SHIFT_H

#include "analyze/trace/file.h"

struct fan_time_shift;

/*
 * *ret: the shift of one CPU, NULL if the file has none for it. -EINVAL: the option is damaged;
 * -ENOMEM.
 */
int fan_time_shift_new(struct fan_time_shift **ret, const struct fan_file *file, int32_t cpu);

/*
 * The host's stamp, in the unit of the file's clock (ns, or ticks before TSC2NSEC), for one of
 * the guest: ts * scale / 2^fraction + offset of the last sample before ts; between two samples
 * the offset is a straight line if the file says so. As in trace-cmd's trace.dat(5).
 */
uint64_t fan_time_shift(const struct fan_time_shift *s, uint64_t ts);

void fan_time_shift_free(struct fan_time_shift *s);

#endif
