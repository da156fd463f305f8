/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --when says: "[VM:]METRIC>LIMIT%/SPAN". */
#ifndef CAP_TRIGGER_RULE_H
#define CAP_TRIGGER_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fcap/err.h"

#define CAP_RULES_MAX	     32
#define CAP_RULE_SAMPLES_MAX 10000U /* in one span: they are kept, for each VM */

enum cap_metric {
	/* delay of the vCPU threads in the span, as a share of span x number of these threads */
	CAP_METRIC_STEAL,
	/* delay of all threads of the VM, as a share of the span: 100 % is one that always waits */
	CAP_METRIC_WAIT,
	CAP_METRICS
};

struct cap_rule {
	enum cap_metric metric;
	char vm[128]; /* "": any */
	uint64_t limit_ppm;
	uint64_t span_ns;
	const char *text; /* as it was given, borrowed */
};

/* 0, or -EINVAL with a sentence. */
int cap_rule_parse(struct cap_rule *ret, const char *text, struct fcap_err *err);

/* Can samples of this period tell? 0, or -EINVAL with a sentence. */
int cap_rule_check(const struct cap_rule *r, uint64_t sample_ns, struct fcap_err *err);

/* "steal", "wait". */
const char *cap_metric_name(enum cap_metric m);

/* "34.2", "0.05", "20": at most four places behind the point, and no needless zeros. */
void cap_print_percent(uint64_t ppm, char *ret, size_t size);

/* "1s", "500ms", "1500us": the largest unit that needs no fraction. */
void cap_print_ns(uint64_t ns, char *ret, size_t size);

#endif
