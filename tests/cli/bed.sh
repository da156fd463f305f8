#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the test bed checks, on recordings that it made before: isolation and steal, by fanalyze and,
# as the second opinion, by the text of trace-cmd. The bed itself runs by make bed alone.
set -u
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
for program in jq trace-cmd; do
	command -v "$program" >/dev/null && continue
	echo 1..1
	echo "ok 1 # SKIP no $program"
	exit
done
exec tests/bed/bed.sh --recorded --dir tests/data/bed-fcap
