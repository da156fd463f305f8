#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record --guest: lines of fcap-guest from a file, a fifo and a terminal reach the report.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
export GUEST=$B/fcap-guest MICROVM=$B/samples/microvm
PID=

after_test() {
	[[ ! $PID ]] || { kill "$PID" && wait "$PID"; }
	PID=
}

no_root=
if [[ $(id -u) != 0 ]]; then
	no_root="needs root"
elif [[ ! -d /sys/kernel/tracing/instances ]] &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_root="no tracefs"
elif ! command -v trace-cmd >/dev/null; then
	no_root="no trace-cmd to read the files with"
fi
no_kvm=$no_root
[[ $no_kvm || (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]] || no_kvm="no /dev/kvm"

# record ARGUMENT...: trace.dat, and its markers of guests and work in "lines", stamps cut off
record() {
	rm -f trace.dat
	"$B/fcap" record "$@" 2>said
	local status=$?

	cat said
	trace-cmd report -i trace.dat >all 2>/dev/null
	grep -oE 'fcap: (guest|work|score) .*' all >lines
	cat lines
	return $status
}

# two VMs for a second, while "tell" speaks for both: 5 steps of 20 ms of vm "one", CPU 0, and of
# "two" one such step, one back, one jump of an hour, and one such step again
speaking_vms() {
	tell() {
		local i steals=(1000 1020 1020 900 3600900 3600920)

		for i in 0 1 2 3 4 5; do
			echo "fcap-guest cpu=0 steal=$((i * 20))000000 resolution_ns=10000000 t=$i.0" >&3
			printf '\r%s\r\n' \
				"fcap-guest cpu=0 steal=${steals[i]}000000 resolution_ns=10000000" >>two
			sleep 0.1
		done
		printf 'fcap-work n=5 t=9 dt=0.1 unit=loops\r\n[  1.5] noise\r\n' >>two
	}
	exec 3<>one # the reader is there
	tell &
	"$MICROVM" --name one --vcpus 1 --seconds 1s &
	"$MICROVM" --name two --vcpus 1 --seconds 1s
	wait
}

the_three_steals_meet() {
	rm -f one two && mkfifo one && export -f speaking_vms || return
	record --guest one=one --guest two=two -- bash -c speaking_vms && ! grep '^fcap: guest' said &&
		"$B/fanalyze" report --json report.json trace.dat >report.txt || return
	jq -c '.groups[] | [.name, .steal]' report.json
	# 5 steps of 20 ms; 20, (0), back, jump, 20
	jq -e '[.groups[] | {(.name): .steal}] | add |
		.one.guest_ns == 100e6 and .one.guest_resolution_ns == 10e6 and
		.two.guest_ns == 40e6 and .one.trace_ns != null and .one.counter_ns != null' \
		report.json
}

what_is_odd_is_flagged_and_kept() {
	grep -c '^fcap: guest vm=two ' lines | grep -x 6 &&
		grep -x 'fcap: guest vm=two cpu=0 steal=900000000 resolution_ns=10000000 flag=backwards' lines &&
		grep -x 'fcap: guest vm=two cpu=0 steal=3600900000000 resolution_ns=10000000 flag=jump' lines &&
		(($(grep -c flag= lines) == 2)) &&
		grep -x 'fcap: work vm=two n=5 dt=0.1 unit=loops stamped_on_arrival=1' lines
}

# fcap-guest itself, for the counters of this machine, into a file that is made while we record
the_real_program_is_understood() {
	local cpus

	cpus=$(grep -c '^cpu[0-9]' /proc/stat)
	rm -f late
	# shellcheck disable=SC2016 # GUEST is the command's
	record --guest me=late -- sh -c 'sleep 0.1; "$GUEST" --output late --interval 20ms --count 5' &&
		[[ $(grep -c '^fcap: guest vm=me cpu=[0-9]* steal=[0-9]* .* guest_t=[0-9.]*$' lines) == \
			$((5 * cpus)) ]]
}

a_path_that_never_appears_is_said() {
	record --guest vm1=never -- true && grep -x 'fcap: guest vm1: never: never appeared' said
}

a_console_without_fcap_guest_is_said() {
	: >silent
	record --guest vm1=silent -- sh -c 'echo login: >>silent' &&
		grep '^fcap: guest vm1: silent: no line of fcap-guest came' said
}

# refused WORD ARGUMENT...: before the command starts
refused() {
	expect 125 "$B/fcap" record "${@:2}" -- touch started >out 2>said || return
	cat said
	[[ ! -e started && ! -e trace.dat.parts ]] && head -1 said | grep "$1"
}

bad_guests_are_refused() {
	mkdir -p folder && refused NAME=PATH --guest vm1 && refused NAME=PATH --guest =x &&
		refused NAME=PATH --guest vm1= && refused 'already' --guest a=x --guest a=y &&
		refused folder --guest a=folder
}

echo 1..6
unless "$no_kvm" "the guests' own steal stands in the report" the_three_steals_meet
unless "$no_kvm" "counters that step back or jump are kept and flagged" what_is_odd_is_flagged_and_kept
unless "$no_root" "what fcap-guest writes into a new file is taken" the_real_program_is_understood
unless "$no_root" "a path that never appears is said" a_path_that_never_appears_is_said
unless "$no_root" "a console without fcap-guest is said" a_console_without_fcap_guest_is_said
unless "$no_root" "wrong guests are refused before the command starts" bad_guests_are_refused
