#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The demo and what it does on machines that lack something.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh"
export DEMO_TIME=500ms B

demo() {
	"$ROOT/samples/demo.sh" >"$DIR/out" 2>"$DIR/err"
	local status=$?

	cat "$DIR/out" "$DIR/err"
	return $status
}

# without_root COMMAND...
without_root() {
	chmod 755 "$DIR"
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# A copy of what is needed, which nobody may write to.
copy_for_nobody() {
	mkdir -p "$DIR/build" && cp "$B/fanalyze" "$DIR/build" && chown -R 65534 "$DIR/build"
}

without_root_a_recorded_trace_is_shown() {
	copy_for_nobody
	B=$DIR/build without_root "$ROOT/samples/demo.sh" >"$DIR/out" 2>"$DIR/err" || {
		cat "$DIR/err"
		return 1
	}
	grep -q "not root" "$DIR/err" && grep -q "got .* of the VMs' CPU time" "$DIR/out"
}

# shellcheck disable=SC2016 # the inner shell expands them
without_tracefs_a_recorded_trace_is_shown() {
	TRACEFS=/nowhere unshare -m /bin/bash -c '
		mount --make-rprivate / && umount /sys/kernel/tracing 2>/dev/null
		mount -t tmpfs none /sys/kernel && "$0"' "$ROOT/samples/demo.sh" \
		>"$DIR/out" 2>"$DIR/err" || {
		cat "$DIR/err"
		return 1
	}
	grep -q "no tracefs" "$DIR/err" && grep -q "got .* of the VMs' CPU time" "$DIR/out"
}

without_kvm_processes_stand_in() {
	KVM=/nowhere demo && grep -q "no KVM here" "$DIR/err" &&
		grep -q "of the groups' CPU time" "$DIR/out"
}

two_vms_are_recorded() {
	demo && grep -q "^fcap: wrote" "$DIR/err" && ! grep -q "^demo:" "$DIR/err" &&
		grep -q "of the VMs' CPU time" "$DIR/out"
}

files_are_given_back() {
	SUDO_UID=65534 SUDO_GID=65534 KVM=/nowhere B=$DIR/own demo_in_own || return
	[[ $(stat -c %u "$DIR/own/demo.dat") == 65534 ]]
}

demo_in_own() {
	mkdir -p "$DIR/own" && cp "$B_ALL"/fcap "$B_ALL"/fanalyze "$DIR/own" && demo
}
B_ALL=$B

no_root=
[[ $(id -u) == 0 ]] || no_root="needs root"
no_trace=$no_root
[[ $no_trace ]] || mountpoint -q /sys/kernel/tracing ||
	mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null || no_trace="no tracefs"
no_kvm=$no_trace
[[ $no_kvm || (-w /dev/kvm && -x $B/samples/microvm) ]] || no_kvm="no /dev/kvm"
no_unshare=$no_root
[[ $no_unshare ]] || unshare -m true 2>/dev/null || no_unshare="mount namespaces cannot be made"

echo "1..5"
unless "$no_root" "without root a recorded trace is shown, with the reason" \
	without_root_a_recorded_trace_is_shown
unless "$no_unshare" "without tracefs a recorded trace is shown, with the reason" \
	without_tracefs_a_recorded_trace_is_shown
unless "$no_trace" "without KVM processes stand in, with the reason" without_kvm_processes_stand_in
unless "$no_kvm" "two VMs are recorded" two_vms_are_recorded
unless "$no_trace" "under sudo the files belong to the user" files_are_given_back
