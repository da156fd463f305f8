#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of all manual pages that record, the long ones too.
LONG=1 exec bash "${BASH_SOURCE[0]%/*}/../root/examples.sh"
