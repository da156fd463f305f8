// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "analyze/trace/run_state.h"

#define TYPES	   65536 /* common_type has 16 bits */
#define FIELDS_MAX 7

/* The events of interest: name, and per field its names; "?" marks one that may be missing. */
static const struct wanted {
	const char *system, *name;
	enum fan_event_kind kind;
	const char *fields[FIELDS_MAX];
} wanted[] = {
	{ "sched",
	  "sched_switch",
	  FAN_EV_SWITCH,
	  { "prev_pid", "next_pid", "prev_state", "prev_comm", "next_comm", "?prev_prio",
	    "?next_prio" } },
	{ "sched", "sched_wakeup", FAN_EV_WAKEUP, { "pid", "target_cpu", "comm" } },
	{ "sched", "sched_wakeup_new", FAN_EV_WAKEUP_NEW, { "pid", "target_cpu", "comm" } },
	{ "sched", "sched_migrate_task", FAN_EV_MIGRATE, { "pid", "dest_cpu" } },
	{ "sched", "sched_process_fork", FAN_EV_FORK, { "parent_pid", "child_pid", "child_comm" } },
	{ "sched", "sched_process_exit", FAN_EV_EXIT, { "pid" } },
	{ "sched", "sched_process_free", FAN_EV_FREE, { "pid" } },
	{ "sched", "sched_process_exec", FAN_EV_EXEC, { "pid" } },
	{ "task", "task_newtask", FAN_EV_NEWTASK, { "pid", "clone_flags", "comm" } },
	{ "task", "task_rename", FAN_EV_RENAME, { "pid", "newcomm" } },
	{ "cgroup", "cgroup_attach_task", FAN_EV_ATTACH, { "pid", "dst_root", "dst_path" } },
	{ "kvm", "kvm_entry", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "kvm", "kvm_exit", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "kvm", "kvm_enter", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "kvm", "kvm_reenter", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "kvm", "kvm_userspace_exit", FAN_EV_VCPU, { NULL } },
	{ "kvm", "kvm_vcpu_wakeup", FAN_EV_VCPU, { NULL } },
	{ "kvm", "kvm_fpu", FAN_EV_VCPU, { NULL } },
	{ "kvm", "kvm_s390_sie_enter", FAN_EV_VCPU, { "?id" } },
	{ "kvm", "kvm_s390_sie_exit", FAN_EV_VCPU, { "?id" } },
	{ "kvm_hv", "kvm_guest_enter", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "kvm_hv", "kvm_guest_exit", FAN_EV_VCPU, { "?vcpu_id" } },
	{ "ftrace", "print", FAN_EV_MARKER, { "buf" } },
};

struct field {
	uint32_t offset, size; /* size 0: not in this format */
	bool is_dynamic;       /* __data_loc: a word of offset and length */
};

/* One event format that the model wants. */
struct slot {
	enum fan_event_kind kind;
	uint32_t min_size;
	struct field f[FIELDS_MAX];
};

struct fan_decoder {
	struct tep_handle *tep;
	bool big_endian;
	struct field type, pid; /* common fields */
	uint8_t slot_of[TYPES]; /* 0: not ours; else the number of a slot + 1 */
	struct slot slots[sizeof(wanted) / sizeof(wanted[0])];
	unsigned int nslots, kinds;
	uint64_t state_mask; /* bits of prev_state that mean "not runnable" */
};

static bool take_field(struct tep_event *ev, const char *name, struct field *ret)
{
	const struct tep_format_field *f = tep_find_any_field(ev, name);

	if (!f)
		return false;
	ret->offset = (uint32_t)f->offset;
	ret->size = (uint32_t)f->size;
	ret->is_dynamic = f->flags & TEP_FIELD_IS_DYNAMIC;
	return true;
}

static int take_event(struct fan_decoder *d, const struct wanted *w, struct fcap_err *err)
{
	struct tep_event *ev = tep_find_event_by_name(d->tep, w->system, w->name);
	struct slot *s = &d->slots[d->nslots];

	if (!ev || ev->id < 0 || ev->id >= TYPES)
		return 0;
	s->kind = w->kind;
	for (int i = 0; i < FIELDS_MAX && w->fields[i]; i++) {
		const bool is_optional = w->fields[i][0] == '?';

		if (!take_field(ev, w->fields[i] + is_optional, &s->f[i]) && !is_optional)
			return fcap_fail(err, EINVAL, "%s:%s: its format has no field %s",
					 w->system, w->name, w->fields[i]);
		if (s->f[i].offset + s->f[i].size > s->min_size)
			s->min_size = s->f[i].offset + s->f[i].size;
	}
	d->slot_of[ev->id] = (uint8_t)++d->nslots;
	d->kinds |= 1U << w->kind;
	if (d->type.size == 0 && (!take_field(ev, "common_type", &d->type) ||
				  !take_field(ev, "common_pid", &d->pid) || d->type.size != 2))
		return fcap_fail(err, EINVAL, "%s:%s: its format lacks the common fields",
				 w->system, w->name);
	if (w->kind == FAN_EV_SWITCH)
		d->state_mask = fan_run_state_mask(ev);
	return 0;
}

static int parse_formats(struct fan_decoder *d, const struct fan_file *file, struct fcap_err *err)
{
	for (size_t i = 0; i < file->nformats; i++) {
		const struct fan_format *f = &file->formats[i];

		/* what libtraceevent cannot parse is not among the events we look for, or it
		 * is found missing below */
		tep_parse_event(d->tep, f->text.data, f->text.size, f->system);
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const int r = take_event(d, &wanted[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}

int fan_decoder_new(struct fan_decoder **ret, const struct fan_file *file, struct fcap_err *err)
{
	struct fan_decoder *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return fcap_fail(err, ENOMEM, "out of memory");
	d->big_endian = file->big_endian;
	d->tep = tep_alloc();
	if (!d->tep) {
		free(d);
		return fcap_fail(err, ENOMEM, "out of memory");
	}
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(d->tep, file->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(d->tep, (int)file->long_size);
	r = parse_formats(d, file, err);
	if (r < 0) {
		fan_decoder_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

void fan_decoder_free(struct fan_decoder *d)
{
	if (!d)
		return;
	tep_free(d->tep);
	free(d);
}

unsigned int fan_decoder_kinds(const struct fan_decoder *d)
{
	return d->kinds;
}

static inline uint64_t number(const struct fan_decoder *d, const char *data, const struct field *f)
{
	switch (f->size) {
	case 8:
		return fan_u64(data + f->offset, d->big_endian);
	case 4:
		return fan_u32(data + f->offset, d->big_endian);
	case 2:
		return fan_u16(data + f->offset, d->big_endian);
	default:
		return (unsigned char)data[f->offset];
	}
}

static inline int32_t number32(const struct fan_decoder *d, const char *data, const struct field *f)
{
	return (int32_t)number(d, data, f);
}

/* A fixed or __data_loc string; empty where it would leave the record. */
static inline struct fan_text text(const struct fan_decoder *d, const struct fan_record *rec,
				   const struct field *f)
{
	const char *data = rec->data;
	struct fan_text t = { data + f->offset, f->size };

	if (f->is_dynamic) {
		const uint32_t loc = (uint32_t)number(d, data, f);

		t.p = data + (loc & 0xffff);
		t.n = loc >> 16;
		if ((loc & 0xffff) + t.n > rec->size)
			t.n = 0;
	}
	t.n = (uint32_t)strnlen(t.p, t.n);
	return t;
}

/* ftrace:print ends with a string that fills the record. */
static struct fan_text tail(const struct fan_record *rec, const struct field *f)
{
	struct fan_text t = { (const char *)rec->data + f->offset, rec->size - f->offset };

	t.n = (uint32_t)strnlen(t.p, t.n);
	return t;
}

static void decode_switch(const struct fan_decoder *d, const struct slot *s,
			  const struct fan_record *rec, struct fan_event *ret)
{
	const char *data = rec->data;

	ret->sw.prev_tid = number32(d, data, &s->f[0]);
	ret->sw.next_tid = number32(d, data, &s->f[1]);
	ret->sw.prev_runnable = (number(d, data, &s->f[2]) & d->state_mask) == 0;
	ret->sw.prev_comm = text(d, rec, &s->f[3]);
	ret->sw.next_comm = text(d, rec, &s->f[4]);
	ret->sw.prev_prio = s->f[5].size ? number32(d, data, &s->f[5]) : -1;
	ret->sw.next_prio = s->f[6].size ? number32(d, data, &s->f[6]) : -1;
}

static void decode_payload(const struct fan_decoder *d, const struct slot *s,
			   const struct fan_record *rec, struct fan_event *ret)
{
	const char *data = rec->data;

	switch (s->kind) {
	case FAN_EV_SWITCH:
		decode_switch(d, s, rec, ret);
		break;
	case FAN_EV_WAKEUP:
	case FAN_EV_WAKEUP_NEW:
		ret->wakeup.tid = number32(d, data, &s->f[0]);
		ret->wakeup.target_cpu = number32(d, data, &s->f[1]);
		ret->wakeup.comm = text(d, rec, &s->f[2]);
		break;
	case FAN_EV_MIGRATE:
		ret->migrate.tid = number32(d, data, &s->f[0]);
		ret->migrate.dest_cpu = number32(d, data, &s->f[1]);
		break;
	case FAN_EV_FORK:
		ret->fork.parent = number32(d, data, &s->f[0]);
		ret->fork.child = number32(d, data, &s->f[1]);
		ret->fork.comm = text(d, rec, &s->f[2]);
		break;
	case FAN_EV_EXIT:
	case FAN_EV_FREE:
	case FAN_EV_EXEC:
		ret->exit.tid = number32(d, data, &s->f[0]);
		break;
	case FAN_EV_NEWTASK:
		ret->newtask.tid = number32(d, data, &s->f[0]);
		ret->newtask.clone_flags = number(d, data, &s->f[1]);
		ret->newtask.comm = text(d, rec, &s->f[2]);
		break;
	case FAN_EV_RENAME:
		ret->rename.tid = number32(d, data, &s->f[0]);
		ret->rename.comm = text(d, rec, &s->f[1]);
		break;
	case FAN_EV_ATTACH:
		ret->attach.tid = number32(d, data, &s->f[0]);
		ret->attach.hierarchy = number32(d, data, &s->f[1]);
		ret->attach.path = text(d, rec, &s->f[2]);
		break;
	case FAN_EV_VCPU:
		ret->vcpu.id = s->f[0].size ? number32(d, data, &s->f[0]) : -1;
		break;
	case FAN_EV_MARKER:
		ret->marker = tail(rec, &s->f[0]);
		break;
	case FAN_EV_KINDS:
		break;
	}
}

int fan_decode(const struct fan_decoder *d, const struct fan_record *rec, struct fan_event *ret,
	       struct fcap_err *err)
{
	const char *data = rec->data;
	const struct slot *s;
	unsigned int slot;

	if (d->nslots == 0) {
		ret->kind = FAN_EV_KINDS;
		return 0;
	}
	if (rec->size < d->type.offset + 2 || rec->size < d->pid.offset + d->pid.size)
		return fcap_fail(err, EINVAL, "a record on CPU %d is too short for any event",
				 rec->cpu);
	ret->ts_ns = rec->ts_ns;
	ret->missed = rec->missed;
	ret->cpu = rec->cpu;
	ret->buffer = rec->buffer;
	ret->cur_tid = number32(d, data, &d->pid);
	ret->kind = FAN_EV_KINDS;
	slot = d->slot_of[fan_u16(data + d->type.offset, d->big_endian)];
	if (slot == 0)
		return 0;
	s = &d->slots[slot - 1];
	if (rec->size < s->min_size)
		return fcap_fail(err, EINVAL, "a record on CPU %d is shorter than its format",
				 rec->cpu);
	ret->kind = s->kind;
	decode_payload(d, s, rec, ret);
	return 1;
}
