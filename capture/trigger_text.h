/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files that limits make, and what is said of them. */
#ifndef CAP_TRIGGER_TEXT_H
#define CAP_TRIGGER_TEXT_H

#include "capture/emit.h"
#include "capture/trigger_watch.h"

/* A crossing that is kept: its names are copies. */
struct cap_reason {
	const struct cap_rule *rule;
	char vm[128];
	uint64_t value_ppm;
	uint64_t at_ns;
};

/* One file. */
struct cap_saved {
	char *file;
	struct cap_reason reason; /* the crossing that made it, */
	unsigned int more;	  /* and how many came while it was being made, and are in it */
	uint64_t from_ns, to_ns;  /* what the file has */
	uint64_t events, bytes, packed_bytes; /* packed: 0 if it is not compressed */
	uint64_t asked_ns;		      /* so much before the crossing was wanted */
	uint64_t ring_from_ns;		      /* so far the buffers went back */
	uint64_t buffer_bytes;		      /* of a CPU */
	bool has_overrun; /* they would have gone further back if they were larger */
};

/* What was seen, for the end. */
struct cap_trigger_sum {
	const struct cap_rule *rule;
	size_t nrule;
	const struct cap_highest *const *highest; /* by rule */
	const struct cap_saved *saved;
	size_t nsaved;
	uint64_t unsaved_full; /* crossings when there were as many files as allowed */
	uint64_t unsaved_busy; /* that were over before another file could be begun */
	uint64_t max_saves;
	bool has_failed; /* no file could be made any more */
};

/* "trace.dat", 2 -> "trace-2.dat": the number before the suffix. For the caller to free; or NULL.
 */
char *cap_trigger_file(const char *output, uint64_t n);

/* A copy. */
struct cap_reason cap_reason_of(const struct cap_crossing *c);

/* The "trigger" line of a crossing. 0, or the sink's error. */
int cap_reason_tell(const struct cap_reason *r, struct cap_sink to);

/* "saved trace-1.dat: steal of vm1 was 34.2 % over 1s (limit 20 %); ..." */
void cap_saved_text(const struct cap_saved *s, char *ret, size_t size);

/* Bytes of buffer that would have held what was asked; 0: it was held, or room was not the cause.
 */
uint64_t cap_saved_enough(const struct cap_saved *s);

/* Says so, and which buffer would. Returns 0, and no text, if there is nothing to say. */
int cap_saved_advice(const struct cap_saved *s, char *ret, size_t size);

/* The last sentence: files and reasons, or how high the values came; what was not saved. For the
 * caller to free; NULL: out of memory. */
char *cap_trigger_sum_text(const struct cap_trigger_sum *s);

#endif
