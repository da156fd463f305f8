/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's own parts; for model*.c only. */
#ifndef FAN_MODEL_MODEL_PARTS_H
#define FAN_MODEL_MODEL_PARTS_H

#include "analyze/model/model.h"

/* Takes one marker line, ours or not, at its time. 0 or -ENOMEM. */
int fan_model_take_line(struct fan_model *m, const struct fan_event *ev);

/* Takes a cgroup_attach_task event. 0 or -ENOMEM. */
int fan_model_take_attach(struct fan_model *m, const struct fan_event *ev);

/* There are cores with siblings: who has which CPU is told at once to those who ask. */
void fan_model_watch_cores(struct fan_model *m);

/* From now on isolation is told of runs. Not of a rehearsal. */
void fan_model_tell_isolation(struct fan_model *m);

/* Makes m->machine, whose spans go where the options want them. 0 or -ENOMEM. */
int fan_model_make_machine(struct fan_model *m);

#endif
