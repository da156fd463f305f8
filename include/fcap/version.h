/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The version of both programs. */
#ifndef FCAP_VERSION_H
#define FCAP_VERSION_H

#define FCAP_VERSION "0.1"

#endif
