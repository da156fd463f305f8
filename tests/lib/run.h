/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a program without a shell and keeps what it printed. */
#ifndef TESTS_LIB_RUN_H
#define TESTS_LIB_RUN_H

struct run_output {
	int status;	 /* exit status; 128+n: killed by signal n; 127: could not be run */
	char *out, *err; /* NUL-terminated */
};

/* Looks argv[0] up in PATH; argv ends with NULL. Aborts if the machine refuses to fork. */
void run_program(struct run_output *ret, const char *const argv[]);
void run_output_free(struct run_output *o);

#endif
