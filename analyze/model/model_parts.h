/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's own halves; for model.c and model_lines.c only. */
#ifndef FAN_MODEL_MODEL_PARTS_H
#define FAN_MODEL_MODEL_PARTS_H

#include "analyze/model/model.h"

/* Takes one marker line, ours or not, at its time. 0 or -ENOMEM. */
int fan_model_take_line(struct fan_model *m, const struct fan_event *ev);

/* Takes a cgroup_attach_task event. 0 or -ENOMEM. */
int fan_model_take_attach(struct fan_model *m, const struct fan_event *ev);

/* A fan_cpu_fn: tells those who ask who has which CPU. ctx is the model. */
void fan_model_see_cpu(void *ctx, int32_t cpu);

#endif
