/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Format texts of the events that the builder writes, as an x86_64 kernel 6.12 prints them. */
#ifndef TESTS_LIB_FORMATS_H
#define TESTS_LIB_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum event_id {
	EV_PRINT = 5,
	EV_KVM_FPU = 38,
	EV_KVM_VCPU_WAKEUP = 42,
	EV_KVM_USERSPACE_EXIT = 43,
	EV_KVM_EXIT = 105,
	EV_KVM_ENTRY = 114,
	EV_TASK_RENAME = 207,
	EV_TASK_NEWTASK = 208,
	EV_SCHED_PROCESS_EXEC = 368,
	EV_SCHED_PROCESS_FORK = 369,
	EV_SCHED_PROCESS_EXIT = 372,
	EV_SCHED_PROCESS_FREE = 373,
	EV_SCHED_MIGRATE_TASK = 374,
	EV_SCHED_SWITCH = 375,
	EV_SCHED_WAKEUP_NEW = 376,
	EV_SCHED_WAKEUP = 377,
	EV_SCHED_WAKING = 378,
	EV_CGROUP_ATTACH_TASK = 540,
	EV_KVM_EXIT_ARM64 = 605,
	EV_KVM_ENTRY_ARM64 = 606,
	EV_KVM_EXIT_RISCV = 615,
	EV_KVM_ENTRY_RISCV = 616,
	EV_KVM_EXIT_S390 = 625,
	EV_KVM_ENTRY_S390 = 626,
	EV_KVM_EXIT_POWERPC = 635,
	EV_KVM_ENTRY_POWERPC = 636,
};

struct event_format {
	const char *system, *name;
	enum event_id id;
	const char *fields; /* without the common ones */
	const char *print;
};

/* The table, sorted by system; the number of its rows goes to *ret_n. */
const struct event_format *event_formats(size_t *ret_n);

/* What differs between machines. */
struct event_words {
	bool big_endian;
	unsigned int long_size; /* 8 as in the table; or 4 */
};

/* One field of an event: its declaration, and its place on x86_64 and on another machine. */
struct event_field {
	char decl[64];
	unsigned int offset, size; /* as in the table */
	unsigned int to, to_size;  /* there; size 0: it reaches to the end of the record */
	unsigned int element;	   /* bytes of a number that is swapped as one */
	bool is_signed, is_dynamic;
};

#define EVENT_FIELDS 16

/* The fields of an event, common ones first, as these words lay them out; how many there are. */
size_t event_format_fields(const struct event_format *e, const struct event_words *w,
			   struct event_field fields[EVENT_FIELDS]);

/* Writes the whole text of one format file to f. */
void event_format_print(FILE *f, const struct event_format *e, const struct event_words *w);

#endif
