// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/guest_threads.h"

#include <errno.h>
#include <string.h>

#include "analyze/trace/guest.h"

static int take_guest(void *ctx, const char *guest, uint32_t vcpu, uint32_t tid)
{
	struct fan_model *m = ctx;
	struct fan_thread *th;

	if (tid == 0 || tid >= FAN_TID_MAX)
		return 0;
	th = fan_machine_thread(m->machine, (int32_t)tid);
	if (!th)
		return -ENOMEM;
	th->is_vcpu = true;
	th->vcpu_id = (int32_t)(vcpu & INT32_MAX);
	return fan_facts_take_guest(m->facts, m->threads, guest, (size_t)th->index);
}

int fan_guest_threads_read(struct fan_model *m, const struct fan_file *file, struct fcap_err *err)
{
	const int r = fan_guest_each(file, take_guest, m);

	if (r == -EINVAL)
		return fcap_fail(err, EINVAL, "the file is damaged in its GUEST option");
	return r < 0 ? fcap_fail(err, -r, "cannot take its GUEST option: %s", strerror(-r)) : 0;
}
