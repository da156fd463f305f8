/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What kind of machine this is, as far as it bears on who gets which CPU and how fast: "machine"
 * lines; and how fast its CPUs run: "freq" lines. What a machine has no file for is not told.
 */
#ifndef CAP_MACHINE_H
#define CAP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "capture/emit.h"

struct cap_machine;

/* procfd: /proc; sysfd: /sys or -1; both stay open as long as the result. NULL: no memory. */
struct cap_machine *cap_machine_open(int procfd, int sysfd);

/*
 * Tells what is new or has changed; whole: looks at everything, else only at a few CPUs' speed,
 * in turns, so that a host of hundreds costs no more. 0, or negative errno.
 */
int cap_machine_sample(struct cap_machine *m, bool whole, struct cap_sink to);

void cap_machine_close(struct cap_machine *m);

/*
 * For tests: of a kernel command line, the options that bear on scheduling and no others, since it
 * may hold secrets; the empty text if there are none.
 */
void cap_machine_boot_options(const char *cmdline, char *ret, size_t size);

/* The processor's name from the beginning of cpuinfo; false if it has none. */
bool cap_machine_cpu_model(const char *cpuinfo, char *ret, size_t size);

/* "eevdf" or "cfs": by the features of the scheduler (NULL: not known), else by the release. */
const char *cap_machine_fair_class(const char *features, const char *release);

#endif
