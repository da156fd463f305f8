#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole path on the real kernel: record two VMs and two groups, report, and hold the report
# against the kernel's own counters. Asserts closure and conservation, never shares or times.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
. "$ROOT/tests/lib/tap.sh"
INSTANCES=/sys/kernel/tracing/instances
export MICROVM=$B/samples/microvm
PID=

after_test() {
	[[ ! $PID ]] || kill -KILL "$PID" && wait "$PID"
	PID=
}

no_root=
if [[ $(id -u) != 0 ]]; then
	no_root="needs root"
elif [[ ! -d $INSTANCES ]] && ! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_root="no tracefs"
fi
no_kvm=$no_root
[[ $no_kvm || (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]] || no_kvm="no /dev/kvm"

# record NAME COMMAND...: samples every 20 ms, so that 3 s give enough intervals
record() {
	"$B/fcap" record -o "$DIR/$1.dat" --sample 20ms -- "${@:2}" >"$DIR/$1.out" &&
		"$B/fanalyze" report --json "$DIR/$1.json" ${KIND:+--group $KIND} "$DIR/$1.dat" \
			>"$DIR/$1.txt" && cat "$DIR/$1.txt"
}

# jq_true FILTER NAME: the filter gives true for the report
jq_true() {
	jq -e "$1" "$DIR/$2.json" >/dev/null || {
		echo "not true: $1"
		jq -c '.quality, (.groups[] | .name, .steal)' "$DIR/$2.json"
		return 1
	}
}

vms_are_recorded() {
	record vms "$ROOT/samples/run-vms.sh" --seconds 3s --vcpus 2 --names first,light
}

vms_are_found_with_their_names_and_vcpus() {
	jq_true '[.groups[].name] | sort == ["first", "light"]' vms &&
		jq_true '[.groups[] | .kind == "vm" and .vcpus == 2] | all' vms &&
		jq_true '[.groups[].threads[] | select(.name | startswith("CPU ")) | .vcpu] |
			sort == [0, 0, 1, 1]' vms
}

waits_close() {
	jq_true '[.groups[].steal | .closure == "closed"] | all' "$1"
}

# the processes that worked; scripts that only sleep have few arrivals to compare
workers_close() {
	jq_true '[.groups[] | select(.run_ns > 1e8) | .steal.closure == "closed"] |
		length >= 4 and all' groups
}

# shellcheck disable=SC2016 # the variables are jq's
# no thread has more time than there was, and all together no more than the CPUs had
time_is_conserved() {
	jq_true '(.period.end_ns) as $all | .source.cpus as $cpus |
		([.groups[].threads[] | .run_ns + .wait_ns + .blocked_ns + .unsplit_ns + .unknown_ns]
			| max <= $all) and
		([.groups[].run_ns] | add <= $all * $cpus)' "$1" &&
		jq_true '([.groups[].share.value] | add) - 100 | fabs < 1e-9' "$1" &&
		jq_true '([.groups[].expected_pct] | add) - 100 | fabs < 1e-9' "$1"
}

nothing_is_lost() {
	jq_true '.quality.lost == 0' vms
}

# weights come from the machine; without a cpu controller there is nothing to read
weights_are_known() {
	grep -q "no cpu controller" "$DIR/vms.out" || jq_true \
		'[.groups[].weight] | sort | (.[1] / .[0] | . > 8 and . < 10)' vms
}

work_lines_are_in_the_file() {
	trace-cmd report -i "$DIR/vms.dat" 2>/dev/null >"$DIR/events"
	(($(grep -c 'fcap: work vm=first' "$DIR/events") >= 2)) &&
		(($(grep -c 'fcap: work vm=light' "$DIR/events") >= 2)) &&
		! grep -q stamped_on_arrival "$DIR/events"
}

records_equal_libtracecmd() {
	FCAP_TEST_TRACE=$DIR/vms.dat CMOCKA_MESSAGE_OUTPUT=TAP \
		"$B/tests/unit/records_libtracecmd" >"$DIR/records" || {
		cat "$DIR/records"
		return 1
	}
	grep -q "$DIR/vms.dat\|fresh\|given" "$DIR/records" || cat "$DIR/records"
}

groups_are_recorded() {
	KIND=process record groups "$ROOT/samples/run-groups.sh" --seconds 3s --workers 2
}

nothing_of_ours_is_left() {
	[[ -z $(find "$INSTANCES" -maxdepth 1 -name "fcap-$1-*") ]] || {
		echo "an instance is left:" && ls "$INSTANCES"
		return 1
	}
	[[ ! -e $DIR/$2.dat.parts ]]
}

wait_for_vms() {
	local i

	for ((i = 0; i < 200; i++)); do
		pgrep -f "^$MICROVM --name $1" >/dev/null && return
		sleep 0.02
	done
	echo "the VMs did not start"
	return 1
}

sigint_ends_with_a_valid_file() {
	local status

	# the shell makes background commands ignore SIGINT
	env --default-signal=INT "$B/fcap" record -o "$DIR/int.dat" -- \
		"$ROOT/samples/run-vms.sh" --seconds 30s \
		--names "int$$,int2$$" >/dev/null &
	PID=$!
	wait_for_vms "int$$" || return
	kill -INT $PID
	wait $PID
	status=$?
	nothing_of_ours_is_left $PID int || return
	PID=
	[[ $status == 130 ]] || echo "status $status"
	! pgrep -f "^$MICROVM --name int$$" && "$B/fanalyze" report "$DIR/int.dat" >"$DIR/int.txt" &&
		[[ $status == 130 ]]
}

sigkill_of_the_workload_ends_with_a_valid_file() {
	local status

	"$B/fcap" record -o "$DIR/kill.dat" -- "$MICROVM" --name "kill$$" --seconds 30s \
		>/dev/null &
	PID=$!
	wait_for_vms "kill$$" || return
	pkill -KILL -f "^$MICROVM --name kill$$"
	wait $PID
	status=$?
	nothing_of_ours_is_left $PID kill || return
	PID=
	[[ $status == 137 ]] || echo "status $status"
	"$B/fanalyze" report "$DIR/kill.dat" >"$DIR/kill.txt" && [[ $status == 137 ]]
}

echo "1..14"
unless "$no_kvm" "two VMs are recorded and reported" vms_are_recorded
unless "$no_kvm" "both VMs are found with their names and vCPUs" \
	vms_are_found_with_their_names_and_vcpus
unless "$no_kvm" "the waits of both VMs close with the kernel's counter" waits_close vms
unless "$no_kvm" "time and shares of the VMs are conserved" time_is_conserved vms
unless "$no_kvm" "nothing is lost" nothing_is_lost
unless "$no_kvm" "the weights of the cgroups are known" weights_are_known
unless "$no_kvm" "the work of both VMs is in the file" work_lines_are_in_the_file
unless "$no_kvm" "our records of it equal libtracecmd's" records_equal_libtracecmd
unless "$no_root" "two groups of processes are recorded and reported" groups_are_recorded
unless "$no_root" "the waits of the workers close with the kernel's counter" workers_close
unless "$no_root" "time and shares of the processes are conserved" time_is_conserved groups
unless "$no_kvm" "SIGINT of fcap leaves a valid file and nothing else" \
	sigint_ends_with_a_valid_file
unless "$no_kvm" "SIGKILL of the workload leaves a valid file and nothing else" \
	sigkill_of_the_workload_ends_with_a_valid_file
unless "$no_root" "no instance of a recorder that has ended is left" nothing_of_ours_is_left '*' none
