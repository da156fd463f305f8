/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line a second on how a recording gets on. Prints nothing itself. */
#ifndef CAP_PROGRESS_H
#define CAP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAP_PROGRESS_NS 1000000000ULL

/* The state of a recording at one moment; counts since its beginning. */
struct cap_progress_now {
	uint64_t at_ns; /* since the beginning */
	uint64_t events, bytes, lost;
	uint64_t fill_bytes, buffer_bytes; /* of the fullest buffer; 0, 0: there is none */
	size_t vms;			   /* seen so far */
	bool waits_for_limits;		   /* then only VMs count, and: */
	size_t files;			   /* saved so far */
};

struct cap_progress {
	/* Gets the line, without a newline; "": it is no longer wanted. NULL: nobody looks. */
	void (*show)(const char *text);
	bool is_shown;
	uint64_t due_ns; /* since the beginning */
	struct cap_progress_now last;
};

/* True: somebody looks, and it is time. */
bool cap_progress_is_due(const struct cap_progress *p, uint64_t at_ns);

/* For how long, in ms, at most max_ms, it is not due. */
int cap_progress_wait_ms(const struct cap_progress *p, uint64_t at_ns, int max_ms);

/* Shows a line; rates are those since the last one. */
void cap_progress_tell(struct cap_progress *p, const struct cap_progress_now *now);

/* Takes back what is shown, until the next one. */
void cap_progress_hide(struct cap_progress *p);

/* Takes back what is shown, and shows no more. */
void cap_progress_end(struct cap_progress *p);

/*
 * "0:12  39.1 k events/s  0.9 MB/s  lost none  fullest buffer 3 %  2 VMs": of the time between
 * two moments, the first of which may be {0}. Of a recording that waits for limits "0:12  watching
 * 2 VMs  1 file saved".
 */
void cap_progress_text(const struct cap_progress_now *last, const struct cap_progress_now *now,
		       char *ret, size_t size);

#endif
