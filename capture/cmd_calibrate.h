/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fcap calibrate. */
#ifndef CAP_CMD_CALIBRATE_H
#define CAP_CMD_CALIBRATE_H

/* argv[0] is what the messages call the program. Returns the exit status. */
int cap_cmd_calibrate(int argc, char **argv);

#endif
