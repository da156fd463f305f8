// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/text_machine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/report/words.h"

static int list_speed(const struct fan_r_host *host, struct fan_strs *list)
{
	int e = 0;

	if (host->cpu_model)
		e = fan_strs_add(list, "%s", host->cpu_model);
	if (e == 0 && host->smt_control)
		e = fan_strs_add(list, "SMT control %s", host->smt_control);
	if (e == 0 && host->governor)
		e = fan_strs_add(list, "governor %s", host->governor);
	if (e == 0 && !isnan(host->freq_varied_pct))
		e = fan_strs_add(list, "clock rates varied by %s %%",
				 fan_format_real(host->freq_varied_pct, 0, false).text);
	return e;
}

static int list_policy(const struct fan_r_host *host, struct fan_strs *list)
{
	int e = 0;

	if (host->fair_class)
		e = fan_strs_add(list, "fair class %s", host->fair_class);
	if (e == 0 && host->halt_poll_ns == 0)
		e = fan_strs_add(list, "no polling by KVM");
	else if (e == 0 && host->halt_poll_ns != FAN_NONE)
		e = fan_strs_add(list, "KVM polls up to %s",
				 fan_format_ns(host->halt_poll_ns).text);
	if (e == 0 && host->boot)
		e = fan_strs_add(list, "booted with %s", host->boot);
	return e;
}

/* Why one would keep VMs apart on a core. */
static int list_leaks(const struct fan_r_host *host, struct fan_strs *list)
{
	int e = 0;

	if (host->l1tf)
		e = fan_strs_add(list, "l1tf: %s", host->l1tf);
	if (e == 0 && host->mds)
		e = fan_strs_add(list, "mds: %s", host->mds);
	return e;
}

void fan_print_machine(const struct fan_r_host *host, struct fan_print *p)
{
	static const struct {
		const char *head;
		int (*list)(const struct fan_r_host *host, struct fan_strs *list);
		const char *separator;
	} rows[] = {
		{ "  cpu      ", list_speed, ", " },
		{ "  sched    ", list_policy, ", " },
		{ "  leaks    ", list_leaks, " / " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fan_strs list = { 0 };
		char *joined = rows[i].list(host, &list) < 0 ? NULL
							     : fan_join(&list, rows[i].separator);

		if (!joined)
			p->r = -ENOMEM;
		else if (*joined)
			fan_print_para(p, 11, "%s%s", rows[i].head, joined);
		free(joined);
		fan_strs_free(&list);
	}
}
