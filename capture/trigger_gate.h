/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which crossing makes a file, and how many did not. Pure; the caller locks. */
#ifndef CAP_TRIGGER_GATE_H
#define CAP_TRIGGER_GATE_H

#include "capture/trigger_watch.h"

enum cap_gate_state {
	CAP_GATE_SAVING,  /* the rings stand still: at first, and while a file is made */
	CAP_GATE_OPEN,	  /* they are filled */
	CAP_GATE_PENDING, /* a limit was crossed; what comes after it is still wanted */
	CAP_GATE_OVER,	  /* as many files as allowed, or no more can be made */
};

/* {.max_saves = N} is a gate that was never opened. */
struct cap_gate {
	enum cap_gate_state state;
	uint64_t max_saves, saves;
	uint64_t on_ns;	       /* since when the rings are filled */
	uint64_t unsaved_full; /* crossings when it was over */
	uint64_t
		unsaved_busy; /* those that had to wait, and were over before they could be saved */
};

enum cap_gate_word {
	CAP_GATE_BEGINS, /* it makes a file */
	CAP_GATE_JOINS,	 /* it is in the file that is to be made */
	CAP_GATE_WAITS,	 /* not now: the rings do not hold its span */
	CAP_GATE_COUNTS, /* it is only counted */
};

/* A limit was crossed. */
enum cap_gate_word cap_gate_cross(struct cap_gate *g, const struct cap_crossing *c);

/* The rings are filled from now on. */
void cap_gate_open(struct cap_gate *g, uint64_t now_ns);

/* The file that is pending is begun. */
void cap_gate_shut(struct cap_gate *g);

/* It is there. True: another one is allowed; false: it is over. */
bool cap_gate_saved(struct cap_gate *g);

/* No more files. */
void cap_gate_end(struct cap_gate *g);

#endif
