/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verb `recover`. */
#ifndef CAP_CMD_RECOVER_H
#define CAP_CMD_RECOVER_H

/* The exit status of the program. */
int cap_cmd_recover(int argc, char **argv);

#endif
