// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/format.h"

#define TYPES	   65536 /* common_type has 16 bits */
#define FIELDS_MAX 7
#define ARM_TRAP   2 /* ret of arm64's kvm_exit: a trap, whose class is esr_ec */

/* The events of interest: name, and per field its names; "?" marks one that may be missing. */
static const struct wanted {
	const char *system, *name;
	enum fan_event_kind kind;
	const char *fields[FIELDS_MAX];
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

#define WANTED (sizeof(wanted) / sizeof(wanted[0]))

/* How a record is decoded: the frequent events, if laid out as usual, by plain loads. */
enum plan {
	PLAN_NONE, /* not ours */
	PLAN_ANY,
	PLAN_SCHED, /* switches and wake-ups alike, the fields of which a switch has more */
	PLAN_KVM,   /* entry, and exit of x86 */
};

/* One event format that the model wants. */
struct slot {
	enum plan plan;
	enum fan_event_kind kind;
	enum fan_vcpu_what what;
	enum fan_isa isa;
	uint32_t min_size;
	struct fan_format_field f[FIELDS_MAX]; /* size 0: not in this format */
} __attribute__((aligned(128)));	       /* two cache lines, and a shift to find it */

struct fan_decoder {
	struct slot slots[1 + WANTED];	   /* [0]: not ours */
	uint64_t state_mask;		   /* bits of prev_state that mean "not runnable" */
	struct fan_format_field type, pid; /* common fields */
	uint32_t min_size;		   /* of any event */
	unsigned int nslots, kinds;
	bool big_endian;
	bool is_usual; /* our byte order, and a tid of 4 bytes */
	uint8_t slot_of[TYPES];
};

static bool has_size(const struct fan_format_field *f, uint32_t size)
{
	return f->size == size && !f->is_dynamic;
}

static enum plan choose_plan(const struct fan_decoder *d, const struct slot *s)
{
	const struct fan_format_field *f = s->f;

	/* a missing field is read too, from the start of the record, and means nothing */
	if (d->big_endian || s->min_size < 8)
		return PLAN_ANY;
	if (s->kind == FAN_EV_SWITCH && has_size(&f[0], 4) && has_size(&f[1], 4) &&
	    !f[2].is_dynamic && !f[3].is_dynamic && has_size(&f[4], 8) && has_size(&f[5], 4) &&
	    has_size(&f[6], 4))
		return PLAN_SCHED;
	if ((s->kind == FAN_EV_WAKEUP || s->kind == FAN_EV_WAKEUP_NEW ||
	     s->kind == FAN_EV_WAKING) &&
	    has_size(&f[0], 4) && has_size(&f[1], 4) && !f[2].is_dynamic)
		return PLAN_SCHED;
	if (s->kind == FAN_EV_VCPU && has_size(&f[0], 4) &&
	    (s->what == FAN_VCPU_ENTRY || (s->what == FAN_VCPU_EXIT && s->isa == FAN_ISA_NONE &&
					   has_size(&f[1], 4) && has_size(&f[2], 4))))
		return PLAN_KVM;
	return PLAN_ANY;
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
	struct slot *s = &d->slots[d->nslots + 1];
	struct fan_format_head head;

	if (fan_format_head(fmt, &head) < 0)
		return 0;
	s->kind = w->kind;
	s->what = w->what;
	s->isa = w->isa;
	for (int i = 0; i < FIELDS_MAX && w->fields[i]; i++) {
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
	s->plan = choose_plan(d, s);
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
	d->slots[0].kind = FAN_EV_KINDS;
	r = take_formats(d, file, err);
	if (r < 0) {
		fan_decoder_free(d);
		return r;
	}
	d->min_size = d->pid.offset + d->pid.size;
	if (d->min_size < d->type.offset + 2)
		d->min_size = d->type.offset + 2;
	d->is_usual = d->nslots > 0 && !d->big_endian && has_size(&d->pid, 4);
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

static inline uint64_t number(const struct fan_decoder *d, const char *data,
			      const struct fan_format_field *f)
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

static inline int32_t number32(const struct fan_decoder *d, const char *data,
			       const struct fan_format_field *f)
{
	return (int32_t)number(d, data, f);
}

static inline int32_t load32(const char *data, const struct fan_format_field *f)
{
	return (int32_t)fan_u32(data + f->offset, false);
}

static inline struct fan_text fixed_text(const char *data, const struct fan_format_field *f)
{
	return (struct fan_text){ data + f->offset, f->size };
}

/* A fixed or __data_loc string with what may follow its NUL; empty where it leaves the record. */
static inline struct fan_text text(const struct fan_decoder *d, const struct fan_record *rec,
				   const struct fan_format_field *f)
{
	const char *data = rec->data;
	uint32_t loc;

	if (!f->is_dynamic)
		return fixed_text(data, f);
	loc = (uint32_t)number(d, data, f);
	if ((loc & 0xffff) + (loc >> 16) > rec->size)
		loc &= 0xffff;
	return (struct fan_text){ data + (loc & 0xffff), loc >> 16 };
}

/* ftrace:print ends with a string that fills the record. */
static struct fan_text tail(const struct fan_record *rec, const struct fan_format_field *f)
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
	ret->sw.prev_comm = text(d, rec, &s->f[2]);
	ret->sw.next_comm = text(d, rec, &s->f[3]);
	ret->sw.prev_runnable = (number(d, data, &s->f[4]) & d->state_mask) == 0;
	ret->sw.prev_prio = s->f[5].size ? number32(d, data, &s->f[5]) : FAN_PRIO_UNTOLD;
	ret->sw.next_prio = s->f[6].size ? number32(d, data, &s->f[6]) : FAN_PRIO_UNTOLD;
}

/* What kvm_exit tells, by the fields that this architecture has. */
static void decode_exit(const struct fan_decoder *d, const struct slot *s, const char *data,
			struct fan_event *ret)
{
	uint64_t v;

	ret->vcpu.isa = s->isa;
	ret->vcpu.reason = s->f[1].size ? (uint32_t)number(d, data, &s->f[1]) : 0;
	if (s->isa != FAN_ISA_NONE)
		return;
	if (s->f[2].size || s->f[1].size) {
		ret->vcpu.isa = s->f[2].size && number(d, data, &s->f[2]) == 2 ? FAN_ISA_SVM
									       : FAN_ISA_VMX;
		/* above are flags, such as "the entry has failed" */
		if (ret->vcpu.isa == FAN_ISA_VMX)
			ret->vcpu.reason &= 0xffff;
	} else if (s->f[3].size && s->f[4].size) {
		v = number(d, data, &s->f[3]);
		ret->vcpu.isa = FAN_ISA_ARM64;
		ret->vcpu.reason = v == ARM_TRAP ? (uint32_t)number(d, data, &s->f[4])
						 : 0x100 + (uint32_t)v;
	} else if (s->f[5].size) {
		v = number(d, data, &s->f[5]);
		ret->vcpu.isa = FAN_ISA_RISCV;
		ret->vcpu.reason = (uint32_t)(v & 0x7fffffff) |
				   (uint32_t)(v >> ((s->f[5].size * 8 - 1) & 63) << 31);
	} else if (s->f[6].size) {
		ret->vcpu.isa = FAN_ISA_LOONGARCH;
		ret->vcpu.reason = (uint32_t)number(d, data, &s->f[6]);
	}
}

static void decode_vcpu(const struct fan_decoder *d, const struct slot *s, const char *data,
			struct fan_event *ret)
{
	ret->vcpu.id = s->f[0].size ? number32(d, data, &s->f[0]) : -1;
	ret->vcpu.what = s->what;
	if (s->what == FAN_VCPU_EXIT)
		decode_exit(d, s, data, ret);
	if (s->what == FAN_VCPU_LOAD && s->f[1].size && number(d, data, &s->f[1]) == 0)
		ret->vcpu.what = FAN_VCPU_UNLOAD;
	if (s->what == FAN_VCPU_WOKEN) {
		ret->vcpu.ns = s->f[1].size ? number(d, data, &s->f[1]) : 0;
		ret->vcpu.has_blocked = s->f[2].size && number(d, data, &s->f[2]);
	}
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
	case FAN_EV_WAKING:
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
		ret->attach.path.n = (uint32_t)strnlen(ret->attach.path.p, ret->attach.path.n);
		break;
	case FAN_EV_VCPU:
		decode_vcpu(d, s, data, ret);
		break;
	case FAN_EV_MARKER:
		ret->marker = tail(rec, &s->f[0]);
		break;
	case FAN_EV_KINDS:
		break;
	}
}

/*
 * A wake-up is decoded as a switch, whose payload begins like its own: which of them is next
 * cannot be predicted, so that there is no branch on it.
 */
static inline void load_sched(const struct fan_decoder *d, const struct slot *s, const char *data,
			      struct fan_event *ret)
{
	ret->sw.prev_tid = load32(data, &s->f[0]);
	ret->sw.next_tid = load32(data, &s->f[1]);
	ret->sw.prev_comm = fixed_text(data, &s->f[2]);
	ret->sw.next_comm = fixed_text(data, &s->f[3]);
	ret->sw.prev_runnable = (fan_u64(data + s->f[4].offset, false) & d->state_mask) == 0;
	ret->sw.prev_prio = load32(data, &s->f[5]);
	ret->sw.next_prio = load32(data, &s->f[6]);
}

static inline void load_kvm(const struct slot *s, const char *data, struct fan_event *ret)
{
	const uint32_t reason = (uint32_t)load32(data, &s->f[1]);
	const bool is_svm = load32(data, &s->f[2]) == 2;

	ret->vcpu.id = load32(data, &s->f[0]);
	ret->vcpu.what = s->what;
	ret->vcpu.isa = is_svm ? FAN_ISA_SVM : FAN_ISA_VMX;
	ret->vcpu.reason = is_svm ? reason : reason & 0xffff;
}

static inline void set_common(struct fan_event *ret, const struct fan_record *rec,
			      const struct slot *s, int32_t tid)
{
	ret->ts_ns = rec->ts_ns;
	ret->missed = rec->missed;
	ret->cpu = rec->cpu;
	ret->buffer = rec->buffer;
	ret->cur_tid = tid;
	ret->kind = s->kind;
}

static __attribute__((noinline)) int decode_any(const struct fan_decoder *d,
						const struct fan_record *rec, struct fan_event *ret,
						struct fcap_err *err)
{
	const char *data = rec->data;
	const struct slot *s;

	ret->kind = FAN_EV_KINDS;
	if (d->nslots == 0)
		return 0;
	if (rec->size < d->min_size)
		return fcap_fail(err, EINVAL, "a record on CPU %d is too short for any event",
				 rec->cpu);
	s = &d->slots[d->slot_of[fan_u16(data + d->type.offset, d->big_endian)]];
	if (rec->size < s->min_size)
		return fcap_fail(err, EINVAL, "a record on CPU %d is shorter than its format",
				 rec->cpu);
	set_common(ret, rec, s, number32(d, data, &d->pid));
	if (s->plan != PLAN_NONE)
		decode_payload(d, s, rec, ret);
	return s->plan != PLAN_NONE;
}

int fan_decode(const struct fan_decoder *d, const struct fan_record *rec, struct fan_event *ret,
	       struct fcap_err *err)
{
	const char *data = rec->data;
	const struct slot *s;

	if (!d->is_usual || rec->size < d->min_size)
		return decode_any(d, rec, ret, err);
	s = &d->slots[d->slot_of[fan_u16(data + d->type.offset, false)]];
	if (s->plan == PLAN_ANY || rec->size < s->min_size)
		return decode_any(d, rec, ret, err);
	set_common(ret, rec, s, load32(data, &d->pid));
	if (s->plan == PLAN_SCHED)
		load_sched(d, s, data, ret);
	else if (s->plan != PLAN_NONE)
		load_kvm(s, data, ret);
	return s->plan != PLAN_NONE;
}
