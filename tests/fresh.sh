#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves on a Debian that has git and make and nothing else that what README says works: makes
# such a system in a temporary folder, clones the last commit into it, installs, builds, records,
# reports and draws, and says how long it took. Needs root, debootstrap and the packages of a
# Debian mirror (the one this machine uses). Not part of "make check".
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
# shellcheck source=tests/lib/debian.sh
. "$HERE/tests/lib/debian.sh"

make_root "$HERE"
started=$SECONDS
inside "make demo" || fail "make demo does not work"
echo "fresh-check: from nothing to a report and a figure in $((SECONDS - started)) s"
inside "build/fcap record -o trace.dat -- samples/run-vms.sh --seconds 3s" ||
	inside "build/fcap record -o trace.dat -- samples/run-groups.sh --seconds 3s" ||
	fail "it does not record"
inside "build/fanalyze report trace.dat | head -8" || fail "it does not report"
inside "build/fanalyze plot -o figures trace.dat && ls figures" || fail "it does not draw"
echo "fresh-check: all of it worked, in $((SECONDS - started)) s"
