// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/guest.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/trace/file_parts.h"

static int each_vcpu(struct fan_bytes *b, const char *name, fan_guest_fn fn, void *ctx)
{
	uint32_t n = 0, vcpu = 0, tid = 0;
	int r;

	r = fan_bytes_skip(b, 8); /* trace id */
	if (r == 0)
		r = fan_bytes_u32(b, &n);
	for (uint32_t i = 0; r == 0 && i < n; i++) {
		r = fan_bytes_u32(b, &vcpu);
		if (r == 0)
			r = fan_bytes_u32(b, &tid);
		if (r == 0)
			r = fn(ctx, name, vcpu, tid);
	}
	return r;
}

int fan_guest_each(const struct fan_file *file, fan_guest_fn fn, void *ctx)
{
	char *name;
	int r = 0;

	for (size_t i = 0; r == 0 && i < file->noptions; i++) {
		const struct fan_option *o = &file->options[i];
		struct fan_bytes b = { .mem = o->data.data,
				       .end = o->data.size,
				       .big_endian = file->big_endian };

		if (o->id != FAN_OPT_GUEST)
			continue;
		r = fan_bytes_string(&b, 4096, &name);
		if (r < 0)
			return r == -ENOMEM ? r : -EINVAL;
		r = each_vcpu(&b, name, fn, ctx);
		free(name);
	}
	return r == -ENODATA ? -EINVAL : r;
}
