#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Records two VMs with weights 128 and 1152 for ten seconds, says whether that was fair, and draws
# it. Where a machine cannot do that, the nearest thing that it can, with the reason in one line.
# --build: makes the programs first.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
B=$(realpath -m -- "${B:-$ROOT/build}") || exit 1
export MICROVM=$B/samples/microvm
TRACE=$B/demo.dat
TIME=${DEMO_TIME:-10s}
GROUP=vm

say() {
	echo "demo: $1" >&2
}

# Files made under sudo belong to the user all the same.
give_back() {
	[[ ! ${SUDO_UID-} || ! -d $B ]] || chown -R "$SUDO_UID:${SUDO_GID-}" "$B"
}

# show FILE: report and figure
show() {
	echo "+ fanalyze report --group $GROUP $1"
	"$B/fanalyze" report --group "$GROUP" "$1" || exit
	echo
	echo "+ fanalyze plot --group $GROUP -o $B/demo $1"
	"$B/fanalyze" plot --group "$GROUP" -o "$B/demo" "$1"
}

record() {
	echo "+ fcap record -o $TRACE -- $*"
	"$B/fcap" record -o "$TRACE" -- "$@"
}

trap give_back EXIT
cd "$ROOT" || exit 1
if [[ ${1-} == --build ]]; then
	"${MAKE:-make}" --no-print-directory all || exit
fi
if [[ $(id -u) != 0 ]]; then
	say "not root, so nothing can be recorded: here is a trace that was recorded before"
	show samples/two-vms.dat
	exit
fi
if ! mountpoint -q "${TRACEFS:-/sys/kernel/tracing}" &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	say "no tracefs, so nothing can be recorded: here is a trace that was recorded before"
	show samples/two-vms.dat
	exit
fi
if [[ -x $MICROVM && -r ${KVM:-/dev/kvm} && -w ${KVM:-/dev/kvm} ]]; then
	record samples/run-vms.sh --seconds "$TIME" || exit
else
	say "no KVM here: plain processes in two cgroups stand in for the VMs"
	GROUP=cgroup
	record samples/run-groups.sh --seconds "$TIME" || exit
fi
show "$TRACE"
