#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test of the same name, at every call.
CRASH_STEP=1 exec bash "${BASH_SOURCE[0]%/*}/../root/crash.sh"
