/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fcap check. */
#ifndef CAP_CMD_CHECK_H
#define CAP_CMD_CHECK_H

/* argv[0] is what the messages call the program. Returns the exit status. */
int cap_cmd_check(int argc, char **argv);

#endif
