/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a trace.dat file, version 6 or, compressed, version 7 (trace-cmd.dat.v6(5), .v7(5)), from
 * bytes and page files; knows nothing of tracefs. A second buffer, if named, follows the first.
 */
#ifndef CAP_TRACEDAT_WRITE_H
#define CAP_TRACEDAT_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "capture/packing.h"
#include "fcap/err.h"

enum cap_dat_option_id {
	CAP_DAT_CPUSTAT = 2,
	CAP_DAT_BUFFER = 3, /* written by cap_dat_write() itself */
	CAP_DAT_TRACECLOCK = 4,
	CAP_DAT_UNAME = 5,
	CAP_DAT_VERSION = 9,
};

struct cap_blob {
	const void *data;
	size_t len;
};

struct cap_dat_system {
	const char *name;
	const struct cap_blob *format;
	size_t nformat;
};

struct cap_dat_option {
	enum cap_dat_option_id id;
	struct cap_blob value; /* texts with their NUL */
};

/* Whole pages of one CPU, from the beginning of fd; len 0: fd is not read. */
struct cap_dat_cpu {
	int fd;
	uint64_t len;
};

/* Everything is borrowed for the call. */
struct cap_dat {
	uint32_t page_size; /* of the ring buffer, bytes */
	struct cap_blob header_page, header_event;
	const struct cap_blob *ftrace; /* formats of events/ftrace */
	size_t nftrace;
	const struct cap_dat_system *system;
	size_t nsystem;
	struct cap_blob cmdlines; /* lines "PID COMM" */
	const struct cap_dat_option *option;
	size_t noption;
	const char *clock; /* the name alone: "mono" */
	uint32_t ncpu;
	const struct cap_dat_cpu *cpu;	  /* ncpu of the main buffer */
	const char *second_name;	  /* NULL: one buffer only */
	const struct cap_dat_cpu *second; /* ncpu */
	struct cap_packing packing;
};

/* Writes the whole file to fd, an empty file. 0, or negative errno with a sentence. */
int cap_dat_write(int fd, const struct cap_dat *dat, struct fcap_err *err);

#endif
