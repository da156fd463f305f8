/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fcap record. */
#ifndef CAP_CMD_RECORD_H
#define CAP_CMD_RECORD_H

#include <argp.h>

/* argv[0] is what the messages call the program. Returns the exit status. */
int cap_cmd_record(int argc, char **argv);

/* The value of --output, which cannot be -: that ends the program with a sentence. */
const char *cap_output_file(struct argp_state *state, const char *arg);

#endif
