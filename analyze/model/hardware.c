// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/hardware.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/model/facts_parts.h"
#include "fcap/cpulist.h"

static const char *const key_name[FAN_HW_KEYS] = {
	[FAN_HW_CPU_MODEL] = "cpu_model",
	[FAN_HW_GOVERNOR] = "governor",
	[FAN_HW_SMT] = "smt",
	[FAN_HW_ONLINE] = "online",
	[FAN_HW_HALT_POLL_NS] = "halt_poll_ns",
	[FAN_HW_L1TF] = "l1tf",
	[FAN_HW_MDS] = "mds",
	[FAN_HW_BOOT] = "boot",
	[FAN_HW_FAIR_CLASS] = "fair_class",
};

static int take_machine(struct fan_hardware *h, const struct fcap_marker *line)
{
	for (size_t i = 0; i < FAN_HW_KEYS; i++)
		if ((!h->first[i] && fan_line_keep(&h->first[i], line, key_name[i]) < 0) ||
		    fan_line_keep(&h->last[i], line, key_name[i]) < 0)
			return -ENOMEM;
	return 0;
}

static int take_freq(struct fan_hardware *h, const struct fcap_marker *line)
{
	const int64_t cpu = fan_line_number(line, "cpu", -1),
		      khz = fan_line_number(line, "khz", -1);
	struct fan_cpu_speed *s = NULL;

	if (cpu < 0 || cpu >= FCAP_CPUS_MAX || khz <= 0)
		return -EINVAL;
	for (size_t i = 0; i < h->nspeeds; i++)
		if (h->speeds[i].cpu == cpu)
			s = &h->speeds[i];
	if (!s) {
		s = fan_facts_append(&h->speeds, &h->nspeeds, sizeof(*s));
		if (!s)
			return -ENOMEM;
		*s = (struct fan_cpu_speed){ (int32_t)cpu, khz, khz };
	}
	if (khz < s->min_khz)
		s->min_khz = khz;
	if (khz > s->max_khz)
		s->max_khz = khz;
	return 0;
}

int fan_hardware_take(struct fan_hardware *h, const struct fcap_marker *line)
{
	if (fcap_marker_is(line, "machine") || fcap_marker_is(line, "cpus"))
		return take_machine(h, line);
	return fcap_marker_is(line, "freq") ? take_freq(h, line) : 0;
}

void fan_hardware_clear(struct fan_hardware *h)
{
	for (size_t i = 0; i < FAN_HW_KEYS; i++) {
		free(h->first[i]);
		free(h->last[i]);
	}
	free(h->speeds);
	*h = (struct fan_hardware){ 0 };
}
