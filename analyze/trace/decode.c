// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/trace/decode.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "analyze/trace/decode_parts.h"

_Static_assert(offsetof(struct fan_event, ts_ns) == offsetof(struct fan_record, ts_ns) &&
		       offsetof(struct fan_event, missed) == offsetof(struct fan_record, missed) &&
		       offsetof(struct fan_event, cpu) == offsetof(struct fan_record, cpu) &&
		       offsetof(struct fan_event, buffer) == offsetof(struct fan_record, buffer),
	       "an event begins as its record does");

#define ARM_TRAP 2 /* ret of arm64's kvm_exit: a trap, whose class is esr_ec */

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

static inline struct fan_comm load_comm(const char *data, const struct fan_format_field *f)
{
	struct fan_comm ret;

	memcpy(&ret, data + f->offset, sizeof(ret));
	return ret;
}

/* A fixed or __data_loc string with what may follow its NUL; empty where it leaves the record. */
static struct fan_text text(const struct fan_decoder *d, const struct fan_record *rec,
			    const struct fan_format_field *f)
{
	const char *data = rec->data;
	uint32_t loc;

	if (!f->is_dynamic)
		return (struct fan_text){ data + f->offset, f->size };
	loc = (uint32_t)number(d, data, f);
	if ((loc & 0xffff) + (loc >> 16) > rec->size)
		loc &= 0xffff;
	return (struct fan_text){ data + (loc & 0xffff), loc >> 16 };
}

static struct fan_comm comm(const struct fan_decoder *d, const struct fan_record *rec,
			    const struct fan_format_field *f)
{
	const struct fan_text t = text(d, rec, f);
	struct fan_comm ret = { 0 };

	memcpy(&ret, t.p, t.n < sizeof(ret) ? t.n : sizeof(ret));
	return ret;
}

/* ftrace:print ends with a string that fills the record. */
static struct fan_text tail(const struct fan_record *rec, const struct fan_format_field *f)
{
	struct fan_text t = { (const char *)rec->data + f->offset, rec->size - f->offset };

	t.n = (uint32_t)strnlen(t.p, t.n);
	return t;
}

static void decode_switch(const struct fan_decoder *d, const struct fan_slot *s,
			  const struct fan_record *rec, struct fan_event *ret)
{
	const char *data = rec->data;

	ret->sw.prev_tid = number32(d, data, &s->f[0]);
	ret->sw.next_tid = number32(d, data, &s->f[1]);
	ret->sw.prev_comm = comm(d, rec, &s->f[2]);
	ret->sw.next_comm = comm(d, rec, &s->f[3]);
	ret->sw.prev_runnable = (number(d, data, &s->f[4]) & d->state_mask) == 0;
	ret->sw.prev_prio = s->f[5].size ? number32(d, data, &s->f[5]) : FAN_PRIO_UNTOLD;
	ret->sw.next_prio = s->f[6].size ? number32(d, data, &s->f[6]) : FAN_PRIO_UNTOLD;
}

/* What kvm_exit tells, by the fields that this architecture has. */
static void decode_exit(const struct fan_decoder *d, const struct fan_slot *s, const char *data,
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

static void decode_vcpu(const struct fan_decoder *d, const struct fan_slot *s, const char *data,
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

static void decode_payload(const struct fan_decoder *d, const struct fan_slot *s,
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
		ret->wakeup.comm = comm(d, rec, &s->f[2]);
		break;
	case FAN_EV_MIGRATE:
		ret->migrate.tid = number32(d, data, &s->f[0]);
		ret->migrate.dest_cpu = number32(d, data, &s->f[1]);
		break;
	case FAN_EV_FORK:
		ret->fork.parent = number32(d, data, &s->f[0]);
		ret->fork.child = number32(d, data, &s->f[1]);
		ret->fork.comm = comm(d, rec, &s->f[2]);
		break;
	case FAN_EV_EXIT:
	case FAN_EV_FREE:
	case FAN_EV_EXEC:
		ret->exit.tid = number32(d, data, &s->f[0]);
		break;
	case FAN_EV_NEWTASK:
		ret->newtask.tid = number32(d, data, &s->f[0]);
		ret->newtask.clone_flags = number(d, data, &s->f[1]);
		ret->newtask.comm = comm(d, rec, &s->f[2]);
		break;
	case FAN_EV_RENAME:
		ret->rename.tid = number32(d, data, &s->f[0]);
		ret->rename.comm = comm(d, rec, &s->f[1]);
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
static inline void load_sched(const struct fan_format_field *f, uint64_t state_mask,
			      const char *data, struct fan_event *ret)
{
	ret->sw.prev_tid = load32(data, &f[0]);
	ret->sw.next_tid = load32(data, &f[1]);
	ret->sw.prev_comm = load_comm(data, &f[2]);
	ret->sw.next_comm = load_comm(data, &f[3]);
	ret->sw.prev_runnable = (fan_u64(data + f[4].offset, false) & state_mask) == 0;
	ret->sw.prev_prio = load32(data, &f[5]);
	ret->sw.next_prio = load32(data, &f[6]);
}

static inline void load_kvm(const struct fan_slot *s, const char *data, struct fan_event *ret)
{
	const uint32_t reason = (uint32_t)load32(data, &s->f[1]);
	const bool is_svm = load32(data, &s->f[2]) == 2;

	ret->vcpu.id = load32(data, &s->f[0]);
	ret->vcpu.what = s->what;
	ret->vcpu.isa = is_svm ? FAN_ISA_SVM : FAN_ISA_VMX;
	ret->vcpu.reason = is_svm ? reason : reason & 0xffff;
}

/* The members that both begin with. */
static inline void set_stamp(struct fan_event *ret, const struct fan_record *rec)
{
	memcpy(ret, rec, offsetof(struct fan_record, data));
}

static __attribute__((noinline)) int decode_any(const struct fan_decoder *d,
						const struct fan_record *rec, struct fan_event *ret,
						struct fcap_err *err)
{
	const char *data = rec->data;
	const struct fan_slot *s;

	set_stamp(ret, rec);
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
	ret->cur_tid = number32(d, data, &d->pid);
	ret->kind = s->kind;
	decode_payload(d, s, rec, ret);
	return s->kind != FAN_EV_KINDS;
}

int fan_decode(const struct fan_decoder *d, const struct fan_record *rec, struct fan_event *ret,
	       struct fcap_err *err)
{
	const char *data = rec->data;
	const struct fan_slot *s;

	if (rec->size < d->plain_size)
		return decode_any(d, rec, ret, err);
	s = &d->slots[d->slot_of[fan_u16(data + d->type.offset, false)]];
	set_stamp(ret, rec);
	ret->cur_tid = load32(data, &d->pid);
	ret->kind = s->kind;
	if (rec->size >= s->sched_size)
		load_sched(s->f, d->state_mask, data, ret);
	else if (rec->size >= s->kvm_size)
		load_kvm(s, data, ret);
	else if (s->kind != FAN_EV_KINDS)
		return decode_any(d, rec, ret, err);
	return s->kind != FAN_EV_KINDS;
}

int fan_decode_many(const struct fan_decoder *d, const struct fan_record *const *recs, int n,
		    struct fan_event *ret, struct fcap_err *err)
{
	for (int i = 0; i < n; i++)
		if (fan_decode(d, recs[i], &ret[i], err) < 0)
			return i;
	return n;
}
