// SPDX-License-Identifier: GPL-3.0-or-later
/* What is looked up once: which events a file holds, and where in them their fields are. */
#include "analyze/trace/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/decode_parts.h"

/* The events of interest: name, and per field its names; "?" marks one that may be missing. */
static const struct wanted {
	const char *system, *name;
	enum fan_event_kind kind;
	const char *fields[FAN_FIELDS_MAX];
	enum fan_vcpu_what what;
	enum fan_isa isa; /* of exits; NONE: as the fields tell */
} wanted[] = {
	{ "sched",
	  "sched_switch",
	  FAN_EV_SWITCH,
	  { "prev_pid", "next_pid", "prev_comm", "next_comm", "prev_state", "?prev_prio",
	    "?next_prio" },
	  0,
	  0 },
	{ "sched", "sched_wakeup", FAN_EV_WAKEUP, { "pid", "target_cpu", "comm" }, 0, 0 },
	{ "sched", "sched_wakeup_new", FAN_EV_WAKEUP_NEW, { "pid", "target_cpu", "comm" }, 0, 0 },
	{ "sched", "sched_waking", FAN_EV_WAKING, { "pid", "target_cpu", "comm" }, 0, 0 },
	{ "sched", "sched_migrate_task", FAN_EV_MIGRATE, { "pid", "dest_cpu" }, 0, 0 },
	{ "sched",
	  "sched_process_fork",
	  FAN_EV_FORK,
	  { "parent_pid", "child_pid", "child_comm" },
	  0,
	  0 },
	{ "sched", "sched_process_exit", FAN_EV_EXIT, { "pid" }, 0, 0 },
	{ "sched", "sched_process_free", FAN_EV_FREE, { "pid" }, 0, 0 },
	{ "sched", "sched_process_exec", FAN_EV_EXEC, { "pid" }, 0, 0 },
	{ "task", "task_newtask", FAN_EV_NEWTASK, { "pid", "clone_flags", "comm" }, 0, 0 },
	{ "task", "task_rename", FAN_EV_RENAME, { "pid", "newcomm" }, 0, 0 },
	{ "cgroup", "cgroup_attach_task", FAN_EV_ATTACH, { "pid", "dst_root", "dst_path" }, 0, 0 },
	{ "kvm", "kvm_entry", FAN_EV_VCPU, { "?vcpu_id" }, FAN_VCPU_ENTRY, 0 },
	/* x86; arm64; riscv; loongarch: each has its own fields */
	{ "kvm",
	  "kvm_exit",
	  FAN_EV_VCPU,
	  { "?vcpu_id", "?exit_reason", "?isa", "?ret", "?esr_ec", "?scause", "?reason" },
	  FAN_VCPU_EXIT,
	  0 },
	{ "kvm", "kvm_enter", FAN_EV_VCPU, { "?vcpu_id" }, FAN_VCPU_ENTRY, 0 },
	{ "kvm", "kvm_reenter", FAN_EV_VCPU, { "?vcpu_id" }, FAN_VCPU_ENTRY, 0 },
	{ "kvm", "kvm_userspace_exit", FAN_EV_VCPU, { NULL }, FAN_VCPU_USER, 0 },
	{ "kvm",
	  "kvm_vcpu_wakeup",
	  FAN_EV_VCPU,
	  { "?vcpu_id", "?ns", "?waited" },
	  FAN_VCPU_WOKEN,
	  0 },
	{ "kvm", "kvm_fpu", FAN_EV_VCPU, { "?vcpu_id", "?load" }, FAN_VCPU_LOAD, 0 },
	{ "kvm", "kvm_halt_poll_ns", FAN_EV_VCPU, { "?vcpu_id" }, 0, 0 },
	{ "kvm", "kvm_s390_sie_enter", FAN_EV_VCPU, { "?id" }, FAN_VCPU_ENTRY, 0 },
	{ "kvm",
	  "kvm_s390_sie_exit",
	  FAN_EV_VCPU,
	  { "?id", "?icptcode" },
	  FAN_VCPU_EXIT,
	  FAN_ISA_S390 },
	{ "kvm_hv", "kvm_guest_enter", FAN_EV_VCPU, { "?vcpu_id" }, FAN_VCPU_ENTRY, 0 },
	{ "kvm_hv",
	  "kvm_guest_exit",
	  FAN_EV_VCPU,
	  { "?vcpu_id", "?trap" },
	  FAN_VCPU_EXIT,
	  FAN_ISA_POWERPC },
	{ "ftrace", "print", FAN_EV_MARKER, { "buf" }, 0, 0 },
};

#define COMM   sizeof(struct fan_comm)
#define WANTED (sizeof(wanted) / sizeof(wanted[0]))
_Static_assert(WANTED <= FAN_WANTED_MAX, "each has its slot");

static bool has_size(const struct fan_format_field *f, uint32_t size)
{
	return f->size == size && !f->is_dynamic;
}

static bool is_plain_sched(const struct fan_slot *s)
{
	const struct fan_format_field *f = s->f;

	switch (s->kind) {
	case FAN_EV_SWITCH:
		return has_size(&f[0], 4) && has_size(&f[1], 4) && has_size(&f[2], COMM) &&
		       has_size(&f[3], COMM) && has_size(&f[4], 8) && has_size(&f[5], 4) &&
		       has_size(&f[6], 4);
	case FAN_EV_WAKEUP:
	case FAN_EV_WAKEUP_NEW:
	case FAN_EV_WAKING:
		return has_size(&f[0], 4) && has_size(&f[1], 4) && has_size(&f[2], COMM);
	default:
		return false;
	}
}

static bool is_plain_kvm(const struct fan_slot *s)
{
	const struct fan_format_field *f = s->f;

	return s->kind == FAN_EV_VCPU && has_size(&f[0], 4) &&
	       (s->what == FAN_VCPU_ENTRY || (s->what == FAN_VCPU_EXIT && s->isa == FAN_ISA_NONE &&
					      has_size(&f[1], 4) && has_size(&f[2], 4)));
}

static void choose_sizes(const struct fan_decoder *d, struct fan_slot *s)
{
	/* a missing field is read too, from the start of the record, and means nothing */
	const bool has_sched = !d->big_endian && is_plain_sched(s) && s->min_size >= COMM;
	const bool has_kvm = !d->big_endian && is_plain_kvm(s) && s->min_size >= 8;

	s->sched_size = has_sched ? s->min_size : FAN_NEVER;
	s->kvm_size = has_kvm ? s->min_size : FAN_NEVER;
}

static int take_common(struct fan_decoder *d, const struct wanted *w, const struct fan_format *fmt,
		       struct fcap_err *err)
{
	if (d->type.size)
		return 0;
	if (!fan_format_field(fmt, "common_type", &d->type) || d->type.size != 2 ||
	    !fan_format_field(fmt, "common_pid", &d->pid) || d->pid.size == 0)
		return fcap_fail(err, EINVAL, "%s:%s: its format lacks the common fields",
				 w->system, w->name);
	return 0;
}

static int take_event(struct fan_decoder *d, const struct wanted *w, const struct fan_format *fmt,
		      struct fcap_err *err)
{
	struct fan_slot *s = &d->slots[d->nslots + 1];
	struct fan_format_head head;

	if (fan_format_head(fmt, &head) < 0)
		return 0;
	s->kind = w->kind;
	s->what = w->what;
	s->isa = w->isa;
	for (int i = 0; i < FAN_FIELDS_MAX && w->fields[i]; i++) {
		struct fan_format_field *f = &s->f[i];
		const bool is_optional = w->fields[i][0] == '?';
		uint32_t end;

		if (!fan_format_field(fmt, w->fields[i] + is_optional, f)) {
			*f = (struct fan_format_field){ 0 };
			if (!is_optional)
				return fcap_fail(err, EINVAL, "%s:%s: its format has no field %s",
						 w->system, w->name, w->fields[i]);
		}
		/* of a field without a size a byte is read, whatever that means */
		end = f->offset + (f->size ? f->size : 1);
		s->min_size = end > s->min_size ? end : s->min_size;
	}
	d->slot_of[head.id] = (uint8_t)++d->nslots;
	d->kinds |= 1U << w->kind;
	choose_sizes(d, s);
	if (w->kind == FAN_EV_SWITCH)
		d->state_mask = fan_format_state_mask(fmt);
	return take_common(d, w, fmt, err);
}

/* Notes where the formats of the events of interest are; the first of each counts. */
static void find_formats(const struct fan_file *file, const struct fan_format *found[WANTED])
{
	struct fan_format_head head;

	for (size_t i = 0; i < file->nformats; i++) {
		const struct fan_format *f = &file->formats[i];

		if (fan_format_head(f, &head) < 0)
			continue;
		for (size_t w = 0; w < WANTED; w++)
			if (!found[w] && strcmp(head.name, wanted[w].name) == 0 &&
			    strcmp(f->system, wanted[w].system) == 0)
				found[w] = f;
	}
}

static int take_formats(struct fan_decoder *d, const struct fan_file *file, struct fcap_err *err)
{
	const struct fan_format *found[WANTED] = { NULL };
	int r = 0;

	find_formats(file, found);
	for (size_t w = 0; r == 0 && w < WANTED; w++)
		if (found[w])
			r = take_event(d, &wanted[w], found[w], err);
	return r;
}

int fan_decoder_new(struct fan_decoder **ret, const struct fan_file *file, struct fcap_err *err)
{
	struct fan_decoder *d = aligned_alloc(128, sizeof(*d));
	int r;

	if (!d)
		return fcap_fail(err, ENOMEM, "out of memory");
	memset(d, 0, sizeof(*d));
	d->big_endian = file->big_endian;
	d->slots[0] = (struct fan_slot){ .kind = FAN_EV_KINDS,
					 .sched_size = FAN_NEVER,
					 .kvm_size = FAN_NEVER };
	r = take_formats(d, file, err);
	if (r < 0) {
		fan_decoder_free(d);
		return r;
	}
	d->min_size = d->pid.offset + d->pid.size;
	if (d->min_size < d->type.offset + 2)
		d->min_size = d->type.offset + 2;
	d->plain_size = d->nslots > 0 && !d->big_endian && has_size(&d->pid, 4) ? d->min_size
										: FAN_NEVER;
	*ret = d;
	return 0;
}

void fan_decoder_free(struct fan_decoder *d)
{
	free(d);
}

unsigned int fan_decoder_kinds(const struct fan_decoder *d)
{
	return d->kinds;
}
