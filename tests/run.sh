#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs TAP tests (programs and scripts) under prove and says what a reader wants to know:
# failures with their output, what was skipped and why, the ten slowest, the count.
set -u
B=${B:-build}
log=$B/check.log
mkdir -p "$B"
export B CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C
# whoever starts the tests in the background may ignore signals that some tests send
env --default-signal=INT,QUIT,HUP,TERM prove --merge --timer -v -e "${RUN-}" "$@" >"$log" 2>&1
status=$?

if [ $status -ne 0 ]; then
	# each failing test with what it says, under the name of its file, and prove's summary
	awk '/^\[[0-9:]+\] / { name = $2 }
	     /^not ok/ { printf "%s: ", name; says = 1; print; next }
	     says && /^#/ { print; next }
	     { says = 0 }' "$log"
	sed -n '/^Test Summary Report/,$p' "$log"
fi
grep -E '^ok .*# (skip|SKIP)' "$log" | sed -E 's/^ok [0-9]+ ?-? ?/skipped: /' | sort | uniq -c
echo "the ten slowest:"
sed -n 's/^\[[0-9:]*\] \(.*[^ .]\) *\.\.* *$/N \1/p; s/^.*ok  *\([0-9]*\) ms.*/T \1/p' "$log" |
	awk '$1 == "N" { name = $2 } $1 == "T" { printf "%9d ms  %s\n", $2, name }' | sort -rn | head -10
skipped=$(grep -cE '^ok .*# (skip|SKIP)' "$log")
passed=$(($(grep -cE '^ok ' "$log") - skipped))
failed=$(grep -cE '^not ok ' "$log")
[ $status -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
echo "$passed passed, $failed failed, $skipped skipped"
exit $status
