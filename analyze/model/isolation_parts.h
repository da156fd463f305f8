/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of isolation. Each CPU of a core with siblings has a queue of spans, and the core one
 * of marks (into and out of the guest); once all siblings are covered up to some time, the core is
 * swept up to there. For isolation*.c only.
 */
#ifndef FAN_MODEL_ISOLATION_PARTS_H
#define FAN_MODEL_ISOLATION_PARTS_H

#include "analyze/model/isolation.h"
#include "analyze/model/timeline.h"
#include "analyze/model/worst.h"

#define FAN_ISO_SPANS 512  /* queued by a CPU: then what silent siblings run is granted */
#define FAN_ISO_MARKS 2048 /* likewise, by a core */
#define FAN_ISO_BATCH 32   /* room of a queue to begin with */

/* What a CPU runs, as bits: one of the first five, and what else is true of it. */
enum fan_iso_trait {
	FAN_ISO_UNKNOWN = 1,
	FAN_ISO_IDLE = 2,
	FAN_ISO_KERNEL = 4,
	FAN_ISO_PARTY = 8,
	FAN_ISO_OTHER = 16,  /* user threads of no party */
	FAN_ISO_VCPU = 32,   /* of a party */
	FAN_ISO_COOKIE = 64, /* a vCPU of a party, and its cookie is known */
};

/* Begins where the one before it in the queue ends. */
struct fan_iso_span {
	uint64_t t1_ns, cookie;
	int32_t thread, party;
	uint16_t traits; /* of enum fan_iso_trait */
	bool goes_on;	 /* no switch between it and the one before */
};

enum fan_iso_step {
	FAN_ISO_LEAVE, /* is out of the guest from here on */
	FAN_ISO_ENTER,
	FAN_ISO_LOAD,	/* KVM_RUN begins, which stands for an entry */
	FAN_ISO_INSIDE, /* is in the guest, and has been before */
	FAN_ISO_STAY,	/* neither: no mark */
};

/* In the order of time. Of what a CPU runs at that time: where it switches, afterwards. */
struct fan_iso_mark {
	uint64_t at_ns;
	struct fan_iso_cpu *cpu;
	enum fan_iso_step step;
};

/* Those of a core lie side by side. */
struct fan_iso_cpu {
	struct fan_iso_core *core;
	int32_t number;
	struct fan_iso_pair **pairs; /* that it is one of: as many as it has siblings */
	unsigned int npairs;
	/* --- what comes in --- */
	struct fan_iso_span *spans; /* NULL: the core is not swept */
	size_t nspans, spans_full;  /* so many fill it, but for one more */
	uint64_t end_ns;	    /* of the last span */
	int32_t last;		    /* its thread */
	uint32_t epoch;		    /* of the core, at the last mark of an entry */
	uint64_t passed_ns;	    /* the last entry without a mark */
	/* --- its present, as seen --- */
	int32_t member; /* the party of its vCPU thread, be that by name; -1: it has none */
	bool is_idle;
	bool is_vcpu;	/* its thread made a kvm event, or was told to be one */
	bool is_inside; /* its guest */
	/* --- where the sweep is --- */
	const struct fan_iso_span *span; /* the next one */
	struct fan_iso_span cur;
	uint64_t begin_ns; /* its thread is on the CPU since then, or the begin of all */
	bool in_guest;
};

struct fan_iso_pairing {
	bool is_open, has_entered;
	uint64_t begin_ns, entered_ns;
	unsigned int late; /* 0: the first CPU of the pair, 1: the second */
	int32_t party[2], thread[2];
	/* of the timeline, so far: at its begin what is judged, at the entry both rows */
	uint64_t begin_covered, entered_covered[FAN_TIMELINE_ROWS];
};

/* Two siblings, in their order in the core. */
struct fan_iso_pair {
	struct fan_iso_cpu *cpu[2];
	uint64_t bit;				     /* of the pair, among those of the core */
	struct fan_iso_pairing pairings[FAN_LEVELS]; /* none of FAN_LEVEL_GUEST */
	/* both are in their guests during a pairing of FAN_LEVEL_VM, since then; or have been */
	bool are_inside, were_inside;
	uint64_t inside_ns;
	/* before and after the entry: how long they were, and since when first */
	uint64_t guest_ns[2], guest_first[2];
};

struct fan_iso_core {
	size_t number; /* in the cores */
	struct fan_iso_cpu *siblings;
	unsigned int n;
	bool is_swept;	    /* it has siblings, and not too many */
	uint32_t epoch;	    /* grows with every span; 0: it is not swept, and no entry matters */
	uint64_t passed_ns; /* the last entry of any sibling without a mark */
	struct fan_iso_mark *marks; /* NULL: it is not swept */
	size_t nmarks, marks_full;  /* so many fill it, but for one more */
	/* --- present --- */
	unsigned int vcpus; /* siblings with is_vcpu, */
	unsigned int idle;  /* and with is_idle */
	bool keeps_marks;   /* two siblings run vCPU threads */
	bool is_idle, is_mixed;
	/* --- sweep --- */
	unsigned int two; /* traits of two siblings at least */
	enum fan_core_class now;
	int32_t now_party;	   /* of FAN_CORE_VM */
	uint64_t since_ns;	   /* of that */
	struct fan_iso_mark *mark; /* the next one */
	struct fan_core_time time;
	size_t party_room;
	struct fan_iso_pair *pairs;
	struct fan_iso_pair **of_siblings; /* the pairs of each one after the other */
	unsigned int npairs;
	unsigned int guests; /* siblings in their guests */
	bool co_runs[FAN_LEVELS];
	uint64_t co_run_ns[FAN_LEVELS]; /* all ends less all begins */
	bool is_possible;		/* see struct fan_mixing */
	uint64_t active[FAN_LEVELS];	/* pairs, as bits: what of them is under way counts */
	struct fan_worst worst[FAN_LEVELS];
};

/* Of pairs of parties: at slots[hash] the index of the pair plus 1. */
struct fan_iso_sums {
	struct fan_mixing all;
	struct fan_mixed_pair *pairs;
	size_t npairs, room;
	uint32_t *slots;
	size_t nslots; /* power of 2, or 0 */
	struct fan_mixed first[FAN_FIRST_MIXED];
	size_t nfirst;
};

struct fan_isolation {
	const struct fan_machine *machine;
	const struct fan_threads *threads;
	const struct fan_facts *facts;
	const struct fan_cores *cores;
	const struct fan_parties *parties;
	uint64_t tolerance_ns, from_ns, to_ns;
	struct fan_iso_cpu **cpus; /* by number; NULL: of no core */
	size_t ncpus;
	struct fan_iso_core **items; /* by core */
	size_t ncores, room;
	uint64_t known; /* how much of who is who, when last looked at */
	/* cores, all of which have been added, and the analysed time has begun; SIZE_MAX: it has
	 * not */
	size_t settled;
	bool has_begun;	   /* the analysed time */
	bool has_entries;  /* some kvm_entry was seen */
	bool is_under_way; /* both */
	unsigned int idle_cores, mixed_cores;
	uint64_t beside_since, beside_ns;
	struct fan_iso_sums sums[FAN_LEVELS];
	struct fan_timeline *timeline; /* NULL: nobody asks */
	enum fan_level shown;	       /* in it */
	int error;		       /* of where it could not be returned */
};

/* --- isolation_cores.c --- */

/* Cores that have become known, if any has siblings. 0 or -ENOMEM. */
int fan_iso_add_cores(struct fan_isolation *iso);
void fan_iso_free_core(struct fan_iso_core *core);
/* Room for twice as many. 0 or -ENOMEM: then there still is for one more. */
int fan_iso_grow_marks(struct fan_iso_core *core);
int fan_iso_grow_spans(struct fan_iso_cpu *c);

/* --- isolation_present.c --- */

/* Looks at who has the CPU. */
void fan_iso_look(struct fan_isolation *iso, struct fan_iso_cpu *c);
/* For fan_iso_keep_up(). */
void fan_iso_catch_up(struct fan_isolation *iso, uint64_t now_ns);
/* Books what idle cores and mixed ones have done up to now. */
void fan_iso_book_beside(struct fan_isolation *iso);
/*
 * There is a switch now. Entries that were passed over at this very time come after it, as all
 * others do. 0 or -ENOMEM.
 */
int fan_iso_mark_passed(struct fan_isolation *iso, const struct fan_iso_core *core,
			uint64_t now_ns);

/* --- isolation_spans.c --- */

/*
 * Sweeps the core as far as all siblings are covered; if one of them has too much in its queue,
 * farther: up to their last events, and what the silent ones run is granted up to now. teller: a
 * CPU whose span is just being told; -1: none.
 */
int fan_iso_sweep_covered(struct fan_isolation *iso, struct fan_iso_core *core, int32_t teller);
/* What is not covered up to there is unknown. 0 or -ENOMEM. */
int fan_iso_cover(const struct fan_isolation *iso, const struct fan_iso_core *core,
		  uint64_t end_ns);

/* --- isolation_sweep.c --- */

/* Sweeps a core up to end_ns: all its siblings are covered up to there. 0 or -ENOMEM. */
int fan_iso_sweep(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns);
/* The same, and what is open ends there: nothing comes after it. */
int fan_iso_close(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t end_ns);

/* --- isolation_pairs.c; what is active is in the core then, not yet in worst. 0 or -ENOMEM --- */

/* This CPU runs another span; has_vcpus, has_cookies: at that level something can have changed. */
int fan_iso_switch_pairs(struct fan_isolation *iso, const struct fan_iso_cpu *c, bool has_vcpus,
			 bool has_cookies, uint64_t now_ns);
/* It enters its guest. */
int fan_iso_enter_pairs(struct fan_isolation *iso, const struct fan_iso_cpu *c, uint64_t now_ns);
/* It has gone into its guest, or out of it. */
void fan_iso_follow_guests(const struct fan_iso_cpu *c, uint64_t now_ns);
int fan_iso_end_pairs(struct fan_isolation *iso, struct fan_iso_core *core, uint64_t now_ns);

/* --- isolation_timeline.c; at the level that is shown, or nothing is done --- */

/* The pairing has just begun; there was just the first entry. */
void fan_iso_note_begin(const struct fan_isolation *iso, const struct fan_iso_core *core,
			struct fan_iso_pairing *p, enum fan_level level);
void fan_iso_note_entry(const struct fan_isolation *iso, const struct fan_iso_core *core,
			struct fan_iso_pairing *p, enum fan_level level);
/* This pairing, no longer open, was of this class. 0 or -ENOMEM. */
int fan_iso_note_end(const struct fan_isolation *iso, const struct fan_iso_core *core,
		     const struct fan_iso_pairing *p, enum fan_level level,
		     enum fan_worst_class class, uint64_t now_ns);

/* --- isolation_sums.c --- */

/* p, one of a pair's, was a transition as a whole. 0 or -ENOMEM. */
int fan_iso_sum_transition(struct fan_iso_sums *s, const struct fan_iso_pairing *p, uint64_t ns);

/* It was more; from_ns is the begin of the violation, or of what is unresolved. */
struct fan_iso_outcome {
	uint64_t violation_ns, transition_ns, unresolved_ns, from_ns;
};

/* 0 or -ENOMEM. */
int fan_iso_sum(struct fan_iso_sums *s, const struct fan_iso_pair *pair,
		const struct fan_iso_pairing *p, const struct fan_iso_outcome *o);
void fan_iso_sums_free(struct fan_iso_sums *s);

static inline uint64_t fan_iso_clip(const struct fan_isolation *iso, uint64_t ns)
{
	if (ns < iso->from_ns)
		return iso->from_ns;
	return ns < iso->to_ns ? ns : iso->to_ns;
}

/* Adds what cores have become known, and begins the analysed time, before anything else. */
static inline void fan_iso_keep_up(struct fan_isolation *iso, uint64_t now_ns)
{
	if (iso->settled != iso->cores->n)
		fan_iso_catch_up(iso, now_ns);
}

/* A CPU of a core; NULL: of none that is known, or no memory. */
static inline struct fan_iso_cpu *fan_iso_find_cpu(const struct fan_isolation *iso, int32_t cpu)
{
	/* below 0 is above all, as a size */
	return (size_t)cpu < iso->ncpus ? iso->cpus[cpu] : NULL;
}

#endif
