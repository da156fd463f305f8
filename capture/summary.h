/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fcap says at the end of a recording. */
#ifndef CAP_SUMMARY_H
#define CAP_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cap_summary {
	const char *file;
	uint64_t events, lost;
	uint64_t bytes;	       /* of the file; of the pages in it, if it is compressed */
	uint64_t traced_ns;    /* how long tracing was on */
	uint64_t cpu_ns;       /* CPU time of fcap itself */
	const char *cpus;      /* where it ran, as a list */
	uint64_t buffer_bytes; /* of one CPU */
	uint64_t enough;       /* estimate of what would have been enough; 0: it was */
	uint64_t packed_bytes; /* of a file that is compressed; else 0 */
	bool counters_alone;   /* nothing else was to be recorded */
};

/*
 * "wrote trace.dat: 117126 events (3.9 k/s), 2.9 MB (0.1 MB/s), lost none; fcap itself used 0.41 s
 * of CPU time on CPUs 0-1"; behind the rate may stand " compressed to 0.6 MB". Of counters alone
 * there is no rate and no loss.
 */
void cap_summary_text(const struct cap_summary *s, char *ret, size_t size);

/* "3.9 k", "1.2 M", "12". */
void cap_summary_count(double n, char *ret, size_t size);

/* Which buffer would have held what was lost. Returns 0, and no text, if nothing was. */
int cap_summary_advice(const struct cap_summary *s, char *ret, size_t size);

#endif
