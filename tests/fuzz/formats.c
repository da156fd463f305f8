// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Format texts, and a record decoded by them: 64 bytes of record, of which the first says how many
 * count, then texts with a NUL between them, before each the letter of its system.
 */
#include <string.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/event_names.h"
#include "tests/fuzz/lib/target.h"

#define RECORD	    64
#define FORMATS_MAX 32

static char *system_of(char letter)
{
	static char sched[] = "sched", kvm[] = "kvm", ftrace[] = "ftrace", task[] = "task",
		    cgroup[] = "cgroup", kvm_hv[] = "kvm_hv";

	switch (letter) {
	case 'k':
		return kvm;
	case 'f':
		return ftrace;
	case 't':
		return task;
	case 'c':
		return cgroup;
	case 'h':
		return kvm_hv;
	default:
		return sched;
	}
}

static void touch(const struct fan_text *t)
{
	volatile char sink = 0;

	for (uint32_t i = 0; i < t->n; i++)
		sink = t->p[i];
	(void)sink;
}

/* Names were copied out of the record. */
static void touch_texts(const struct fan_event *ev)
{
	if (ev->kind == FAN_EV_ATTACH)
		touch(&ev->attach.path);
	else if (ev->kind == FAN_EV_MARKER)
		touch(&ev->marker);
}

/* The record once for every number that a format has, so that each is decoded. */
static void decode(const struct fan_file *f, const uint8_t *data)
{
	const size_t size = data[0] % (RECORD + 1);
	struct fan_event_names *names = NULL;
	struct fan_decoder *d = NULL;
	struct fan_event ev;
	uint8_t *copy = malloc(size ? size : 1); /* its end is where the checker sees it */
	const struct fan_record rec = { .data = copy, .size = (uint32_t)size };

	if (!copy)
		return;
	memcpy(copy, data, size);
	if (fan_decoder_new(&d, f, NULL) == 0)
		for (unsigned int type = 0; type < (size < 2 ? 1 : 512); type++) {
			if (size >= 2)
				memcpy(copy, (uint8_t[]){ (uint8_t)type, (uint8_t)(type >> 8) }, 2);
			if (fan_decode(d, &rec, &ev, NULL) > 0)
				touch_texts(&ev);
		}
	/* slow, so not always */
	if (data[1] & 1 && fan_event_names_new(&names, f, NULL) == 0) {
		const int type = fan_event_type(names, &rec);

		if (type >= 0 && fan_event_name(names, (unsigned int)type) &&
		    !strchr(fan_event_name(names, (unsigned int)type), ':'))
			fuzz_fail("a name without a system");
	}
	fan_event_names_free(names);
	fan_decoder_free(d);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fan_format formats[FORMATS_MAX];
	struct fan_file f = { .formats = formats, .long_size = 8 };
	char *texts, *p;

	if (size <= RECORD)
		return 0;
	texts = malloc(size - RECORD + 1);
	if (!texts)
		return 0;
	memcpy(texts, data + RECORD, size - RECORD);
	texts[size - RECORD] = '\0';
	for (p = texts; p < texts + (size - RECORD) && f.nformats < FORMATS_MAX;) {
		const size_t len = strlen(p + 1);

		formats[f.nformats++] = (struct fan_format){ system_of(*p), { p + 1, len } };
		p += len + 2;
	}
	f.big_endian = data[0] & 128;
	decode(&f, data);
	free(texts);
	return 0;
}
