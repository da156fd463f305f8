#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two hundred recordings, ten thousand tasks, and CPUs that go and come: valid files, a sentence
# where something was special, nothing left behind.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh"
INSTANCES=/sys/kernel/tracing/instances
CPU=/sys/devices/system/cpu/cpu1/online
RECORDINGS=${RECORDINGS:-200}

# whatever happens to the test, the CPU is on again
after_test() {
	[[ ! -w $CPU || $(<$CPU) == 1 ]] || echo 1 >$CPU
}

why_not() {
	[[ $(id -u) == 0 ]] || { echo "needs root" && return; }
	[[ -d $INSTANCES ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
		echo "no tracefs"
}

# record COMMAND...: $DIR/t.dat, which is valid, and $DIR/said
record() {
	"$B/fcap" record -o "$DIR/t.dat" -- "$@" 2>"$DIR/said" &&
		"$B/fanalyze" info "$DIR/t.dat" >"$DIR/info" && return
	cat "$DIR/said"
	return 1
}

recordings_one_after_the_other() {
	local i before after

	before=$(find "$INSTANCES" -maxdepth 1 -name 'fcap-*' | wc -l)
	for ((i = 0; i < RECORDINGS; i++)); do
		record true || { echo "recording $i" && return 1; }
	done
	after=$(find "$INSTANCES" -maxdepth 1 -name 'fcap-*' | wc -l)
	((after <= before)) || { echo "$((after - before)) instances are left" && return 1; }
	[[ ! -e $DIR/t.dat.parts ]]
}

ten_thousand_tasks() {
	local tasks

	record bash -c 'for ((i = 0; i < 10000; i++)); do (:) & ((i % 100)) || wait; done; wait' ||
		return
	cat "$DIR/said"
	tasks=$(awk '$3 == "sched:sched_process_fork" { print $2 }' "$DIR/info")
	echo "${tasks:-no} forks"
	((tasks >= 10000)) && grep -q 'lost none; ' "$DIR/said" &&
		"$B/fanalyze" report --json "$DIR/t.json" "$DIR/t.dat" >"$DIR/report"
}

# while it records: off, busy, and on again
a_cpu_that_goes() {
	record bash -c 'sleep 0.3; echo 0 >'$CPU'; sleep 1.2; echo 1 >'$CPU'; sleep 0.2
		taskset -c 1 bash -c "for ((i = 0; i < 50; i++)); do /bin/true; done"; sleep 0.3' ||
		return
	cat "$DIR/said"
	grep -q ': note: CPUs went off or came on while it recorded: ' "$DIR/said" &&
		grep -q ': wrote .*, lost none; ' "$DIR/said" && has_both_cpus
}

# off before it begins: what runs there later is recorded
a_cpu_that_comes() {
	echo 0 >$CPU || return
	record bash -c 'sleep 0.3; echo 1 >'$CPU'; sleep 0.2
		taskset -c 1 bash -c "for ((i = 0; i < 50; i++)); do /bin/true; done"; sleep 1' ||
		return
	cat "$DIR/said"
	grep -q ': note: CPUs went off or came on while it recorded: 0.* at first, 0-1' \
		"$DIR/said" && has_both_cpus
}

has_both_cpus() {
	trace-cmd report -i "$DIR/t.dat" --cpu 1 2>/dev/null >"$DIR/text"
	echo "$(wc -l <"$DIR/text") lines of CPU 1"
	(($(grep -c ' sched_switch: ' "$DIR/text") > 50))
}

skip=$(why_not)
no_cpu=$skip
[[ $no_cpu || -w $CPU ]] || no_cpu="cannot switch CPU 1 off"
[[ $no_cpu ]] || command -v trace-cmd >/dev/null || no_cpu="no trace-cmd to read the file with"
echo "1..4"
unless "$skip" "$RECORDINGS recordings in a row leave nothing behind" \
	recordings_one_after_the_other
unless "$skip" "ten thousand tasks that live for a moment are recorded" ten_thousand_tasks
unless "$no_cpu" "a CPU that goes off and on again is told and costs nothing" a_cpu_that_goes
unless "$no_cpu" "a CPU that comes on is told and recorded" a_cpu_that_comes
