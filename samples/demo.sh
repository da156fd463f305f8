#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Records two VMs with weights 128 and 1152 for ten seconds and says whether that was fair.
# Where a machine cannot do that, the nearest thing that it can, with the reason in one line.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
B=$(realpath -- "${B:-$ROOT/build}") || exit 1
export MICROVM=$B/samples/microvm
TRACE=${1:-$B/demo.dat}
LOAD=("$ROOT/samples/run-vms.sh" --seconds 10s)
KIND=vm

fallback() {
	echo "demo: $1: $2" >&2
}

if [[ $(id -u) != 0 ]]; then
	fallback "not root, so nothing can be recorded" "a trace that was recorded before is shown"
	exec "$B/fanalyze" report "$ROOT/tests/data/bed/bed-coresched-off.dat"
fi
if [[ ! -x $MICROVM || ! -r /dev/kvm || ! -w /dev/kvm ]]; then
	fallback "no KVM here" "plain processes in two cgroups stand in for the VMs"
	LOAD=("$ROOT/samples/run-groups.sh" --seconds 10s)
	KIND=process
fi
echo "+ fcap record -o $TRACE -- ${LOAD[*]}"
"$B/fcap" record -o "$TRACE" -- "${LOAD[@]}" || exit
echo "+ fanalyze report $TRACE"
exec "$B/fanalyze" report --group "$KIND" "$TRACE"
