/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads of the host the file's GUEST option calls vCPUs, and of which guests. */
#ifndef FAN_MODEL_GUEST_THREADS_H
#define FAN_MODEL_GUEST_THREADS_H

#include "analyze/model/model.h"
#include "analyze/trace/file.h"
#include "fcap/err.h"

/* After all events: the option names tids as they were when the recording ended. 0, -ENOMEM,
 * -EINVAL. */
int fan_guest_threads_read(struct fan_model *m, const struct fan_file *file, struct fcap_err *err);

#endif
